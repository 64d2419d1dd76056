"""Resolving the matrix of 5,000 models, and one of them after an edit: `python -m tests.benchmarks.resolve [N]`.

CPU milliseconds after parsing, the median of several runs; exit 1 where a limit of issue C is missed.
"""

from __future__ import annotations

import sys
from dataclasses import replace

from model.catalog import builtin
from model.config.merge import LayeredFile, merge
from model.config.read import read_config
from model.document import Put, YamlDoc
from model.resolve import resolve, resolve_model
from model.vocabulary import Layer
from tests.benchmarks.verdicts import cpu_ms

LIMITS = {"the whole matrix": 300.0, "one edited model": 1.0, "the matrix after one edit": None}
"""Milliseconds for 5,000 models; None is told and not judged."""


def text_of(models: int) -> str:
    """Half of the ids are the catalog's, so that all layers take part."""
    ids = [row.model_id for row in builtin().rows]
    lines = ["providers:"]
    for number in range(models):
        if number % 100 == 0:
            lines += [f"  - provider_id: p{number // 100}", "    provider_kind: openrouter", "    models:"]
        name = ids[number % 100] if number % 2 else f"house-{number}"
        lines += [f"      - model_id: {name}", "        quality_tier: strong", "        supports:"]
        lines += ["          tool_use: true", f"          thinking: {'true' if number % 3 else 'false'}"]
    return "\n".join(lines) + "\n"


def measured(models: int) -> dict[str, float]:
    doc = YamlDoc.parse(text_of(models).encode())
    before = read_config(doc.data, "m")
    config = merge((LayeredFile(Layer.FILE, "m", before),))
    matrix = resolve(config, builtin())
    newer = doc.apply(Put(("providers", 0, "models", 0, "supports", "thinking"), True))
    after = merge((LayeredFile(Layer.FILE, "m", read_config(newer.data, "m", before)),), config)
    one = after.models[0]
    return {
        "the whole matrix": cpu_ms(lambda: resolve(replace(config), builtin())),
        "one edited model": cpu_ms(lambda: resolve_model(one, builtin(), after.policy)),
        "the matrix after one edit": cpu_ms(lambda: resolve(after, builtin(), previous=matrix)),
    }


def main(models: int) -> int:
    missed = 0
    for name, milliseconds in measured(models).items():
        limit = LIMITS[name]
        over = limit is not None and milliseconds > limit
        missed += over
        told = f"at most {limit:g} ms" if limit else ""
        print(f"{name:<28} {milliseconds:9.3f} ms  {told}{'  MISSED' if over else ''}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 5_000))
