"""How long reading, one edit and its full proof take, beside ruamel's load and dump of the same file, in CPU time.

    python -m tests.benchmarks.yaml_timing [--dense] [MODELS ...]

Files have 19 lines a model, as in issue B, one value a line; `--dense` takes those of the shared generator, which have
16 longer lines with up to 18 flags in one. ruamel is left out above 5,000 models (it would take minutes). Peak memory
is that of a process of its own that reads, edits and proves. Limits: an edit with its full proof in 1/20 of ruamel's
time at 100 models, 1/50 at 1,000, 1/80 at 5,000; a keystroke in 10 ms and 250 MB at 5,000. The proof is timed for
some seconds before and after ruamel, and its mean taken: a host that is busy elsewhere by turns makes ruamel's half a
minute a mean too.
"""

from __future__ import annotations

import io
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import fmean, median
from time import process_time
from typing import Any

from model.document import Edit, Put, YamlDoc, save
from tests.shared_data import shared_root

SIZES = (100, 1_000, 5_000, 20_000)
LARGEST_FOR_RUAMEL = 5_000
KEYSTROKES = 25
PROOFS = 25
"""How often the full proof is timed before ruamel, and again after."""

MODELS_OF_A_PROVIDER = 200
TIERS = ("cheap", "standard", "strong", "frontier")
PROVIDER = """\
  # ---- provider {number} ----
  - provider_id: provider-{number}
    provider_kind: openai_compatible
    base_url: https://api{number}.example.com/v1
    auth_ref: env:PROVIDER_{number}_API_KEY  # never the key itself
    enabled: true
    models:
"""
MODEL = """\
      - model_id: model-{number}
        display_name: Model {number}
        enabled: true
        quality_tier: {tier}
        cost_tier: low
        context_window_tokens: {window}  # from the API
        max_output_tokens: 8192
        supports:
          text_input: true
          text_output: true
          streaming: true
          tool_use: true
          structured_output: false
          json_mode: true
          thinking: false
          batch: false
        default_use:
          main: false

"""


def main() -> None:
    make = _make_dense if "--dense" in sys.argv else _make
    sizes = [int(argument) for argument in sys.argv[1:] if argument.isdigit()] or SIZES
    with tempfile.TemporaryDirectory() as folder:
        for models in sizes:
            path = Path(folder) / f"{models}.yaml"
            make(models, path)
            _report(models, path)


def _make_dense(models: int, path: Path) -> None:
    generator = shared_root() / "bench/gen_models.py"
    subprocess.run([sys.executable, generator, str(models), path], check=True, stdout=subprocess.DEVNULL)


def _make(models: int, path: Path) -> None:
    lines = ["# models.yaml", "providers:"]
    for number in range(models):
        if number % MODELS_OF_A_PROVIDER == 0:
            lines += PROVIDER.format(number=number // MODELS_OF_A_PROVIDER).splitlines()
        lines += MODEL.format(number=number, tier=TIERS[number % 4], window=2 ** (13 + number % 7)).splitlines()
    path.write_text("\n".join([*lines, ""]), encoding="utf-8")


def _report(models: int, path: Path) -> None:
    size, line_break = path.stat().st_size / 1e6, b"\n"
    print(f"{models:,} models, {path.read_bytes().count(line_break):,} lines, {size:.1f} MB")
    opened, doc = _timed(lambda: YamlDoc.open(path))
    print(f"  read                      {opened * 1e3:9.1f} ms")
    strokes = [_timed(partial(doc.apply, edit))[0] * 1e3 for edit in _cells(doc, KEYSTROKES)]
    stroke = median(strokes)
    print(f"  a keystroke, proved       {stroke:9.1f} ms (first {strokes[0]:.1f}, most {max(strokes[1:]):.1f})")
    edited = doc.apply(_cells(doc, 1)[0])
    edited.prove()  # the first one loads ruamel
    proofs = _proofs(doc)
    print(f"  an edit with full proof   {fmean(proofs) * 1e3:9.1f} ms (least {min(proofs) * 1e3:.1f})")
    batch, _ = _timed(lambda: doc.apply(*_cells(doc, 100)))
    print(f"  a batch of 100            {batch * 1e3:9.1f} ms")
    diff, _ = _timed(lambda: doc.diff(edited, label=path.name))
    print(f"  its diff                  {diff * 1e3:9.1f} ms")
    saving, _ = _timed(lambda: save(edited, path, expected_sha256=doc.sha256))
    print(f"  a save                    {saving * 1e3:9.1f} ms")
    print(f"  peak memory               {_peak_megabytes(path):9.0f} MB")
    if models <= LARGEST_FOR_RUAMEL:
        theirs, _ = _timed(lambda: _ruamel(path))
        whole = fmean([*proofs, *_proofs(doc)])
        print(f"  ruamel load and dump      {theirs * 1e3:9.1f} ms = {theirs / whole:.0f} edits with full proof")
        print(f"                                           = {theirs * 1e3 / stroke:,.0f} keystrokes")


def _proofs(doc: YamlDoc) -> list[float]:
    return [_timed(lambda: doc.apply(_cells(doc, 1)[0]).prove())[0] for _ in range(PROOFS)]


def _timed(work: Callable[[], Any]) -> tuple[float, Any]:
    start = process_time()
    result = work()
    return process_time() - start, result


def _cells(doc: YamlDoc, count: int) -> list[Edit]:
    """Flags switched in models all over the file."""
    places = [(p, m) for p, provider in enumerate(doc.data["providers"]) for m in range(len(provider["models"]))]
    step = max(1, len(places) // count)
    flags = ("batch", "thinking", "json_mode", "file_input")
    return [
        Put(
            ("providers", p, "models", m, "supports", flags[index % 4]),
            not doc.data["providers"][p]["models"][m]["supports"].get(flags[index % 4], False),
        )
        for index, (p, m) in enumerate(places[step // 2 :: step][:count])
    ]


def _ruamel(path: Path) -> None:
    from ruamel.yaml import YAML

    yaml = YAML()
    yaml.preserve_quotes = True
    yaml.width = 1_000_000
    yaml.dump(yaml.load(path.read_text()), io.StringIO())


def _peak_megabytes(path: Path) -> float:
    command = [sys.executable, "-m", "tests.benchmarks.yaml_timing", "--peak", str(path)]
    return float(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)


def _print_peak(path: str) -> None:
    doc = YamlDoc.open(path)
    doc.apply(_cells(doc, 1)[0]).prove()
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--peak"]:
        _print_peak(sys.argv[2])
    else:
        main()
