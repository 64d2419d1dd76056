"""What the fallback board and simulated outages cost: `python -m tests.benchmarks.fallback [MODELS] [PROVIDERS]`.

CPU milliseconds, the median of several runs, also as a ratio to a loop of ten million additions on the same machine;
exit 1 where a limit of issue E is missed. The limits are those of its size, 200 models of 20 providers.
"""

from __future__ import annotations

import random
import sys
import time

from model.fallback import Explorer, Failure, Outage, board_of, coverage, coverage_findings, explained, simulate
from model.snapshot import Snapshot
from tests.benchmarks.verdicts import cpu_ms
from tests.model.samples import open_text

SIZE = (200, 20)
TIERS = ("frontier", "strong", "standard", "cheap")
CAPABILITIES = ("streaming", "tool_use", "structured_output", "thinking", "prompt_cache", "image_input")


def calibration_ms() -> float:
    """A loop of ten million additions, CPU milliseconds."""
    started, total = time.process_time_ns(), 0
    for number in range(10_000_000):
        total += number
    return (time.process_time_ns() - started) / 1e6


def file_of(models: int, providers: int) -> str:
    """A models.yaml in which each provider has a host of its own and about the same number of models."""
    source = random.Random(3)
    lines = ["providers:"]
    for number in range(providers):
        kind = source.choice(["anthropic", "openai", "ollama", "openrouter"])
        lines += [f"  - provider_id: p{number:02}", f"    provider_kind: {kind}", "    auth_ref: none"]
        lines += [f"    base_url: https://h{number}.example.com", "    models:"]
        lines += [_model(source, place) for place in range(models // providers)]
    return "\n".join(lines)


def _model(source: random.Random, place: int) -> str:
    flags = ", ".join(f"{name}: {str(source.random() < 0.8).lower()}" for name in CAPABILITIES)
    tier, cost = source.choice(TIERS), source.choice(["low", "medium", "high"])
    window = source.choice([32_000, 128_000, 200_000, 1_000_000])
    return (
        f"      - {{model_id: m{place}, quality_tier: {tier}, cost_tier: {cost}, context_window_tokens: {window}, "
        f"supports: {{{flags}, image_output: {str(source.random() < 0.1).lower()}}}}}"
    )


def whole_ladder(explorer: Explorer) -> None:
    start = explorer.start("execute")
    assert start is not None
    explained(explorer, explorer.question("execute", explorer.ref(start), Failure.PROVIDER_DOWN))


def main(models: int, providers: int) -> int:
    snapshot: Snapshot = open_text(file_of(models, providers))
    explorer = Explorer(snapshot)
    marks = iter(range(10_000))

    def key() -> None:
        board_of(explorer, Outage(providers=frozenset({f"p{next(marks) % providers:02}"})))

    rows: list[tuple[str, float, float | None]] = [
        ("board after a key that marks a provider", cpu_ms(key), 16.0),
        ("board after an edit, nothing kept", cpu_ms(lambda: board_of(Explorer(snapshot))), 16.0),
        ("all single and double outages", cpu_ms(lambda: simulate(snapshot)), 1000.0),
        ("heat board", cpu_ms(lambda: coverage(snapshot)), None),
        ("the doctor's findings of coverage", cpu_ms(lambda: coverage_findings(snapshot)), None),
        ("one ladder with every reason", cpu_ms(lambda: whole_ladder(explorer)), None),
    ]
    if (models, providers) != SIZE:
        rows = [(name, spent, None) for name, spent, _ in rows]
    loop = calibration_ms()
    print(f"{models} models, {providers} providers, {len(explorer.tasks)} tasks; calibration loop {loop:.0f} ms")
    for name, spent, limit in rows:
        told = f"   limit {limit:g}  {'met' if spent <= limit else 'MISSED'}" if limit else ""
        print(f"  {name:42} {spent:9.3f} ms  {spent / loop:8.4f} × loop{told}")
    return int(any(limit is not None and spent > limit for _, spent, limit in rows))


if __name__ == "__main__":
    given = [int(word) for word in sys.argv[1:]]
    sys.exit(main(*(given or SIZE)))
