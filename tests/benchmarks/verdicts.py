"""What verdicts, the index and the tool filter cost over 5,000 models: `python -m tests.benchmarks.verdicts [N]`.

CPU milliseconds, the median of several runs; exit 1 where a limit of issue D is missed.
"""

from __future__ import annotations

import random
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from itertools import islice

from model.catalog import Catalog
from model.requirements import DEFAULTS
from model.resolve import resolve_model
from model.snapshot import Snapshot
from tests.model.cases import TOOLS, model_of, snapshot_of

RUNS = 15
REQUIREMENTS = [replace(requirement, tools=()) for requirement in DEFAULTS.values()]


def cpu_ms(work: Callable[[], object], runs: int = RUNS) -> float:
    """The median CPU time of one run, in milliseconds."""
    times = []
    for _ in range(runs):
        started = time.process_time_ns()
        work()
        times.append((time.process_time_ns() - started) / 1e6)
    return statistics.median(times)


def edited(snapshot: Snapshot, number: int) -> Snapshot:
    """The snapshot after one model changed, its index not yet updated."""
    changed = model_of(random.Random(7).getrandbits(200), number)
    model = replace(changed, ref=snapshot.matrix.rows[number].ref)
    row = resolve_model(model, Catalog(()), snapshot.matrix.policy)
    rows = (*snapshot.matrix.rows[:number], row, *snapshot.matrix.rows[number + 1 :])
    return replace(snapshot, matrix=replace(snapshot.matrix, rows=rows))


def verdicts(snapshot: Snapshot) -> None:
    for requirement in REQUIREMENTS:
        for row in snapshot.matrix.rows:
            snapshot.verdict(row, requirement)


def tool_filter(snapshot: Snapshot) -> None:
    toolbox = replace(snapshot.given.toolbox, _answers={})
    for row in snapshot.matrix.rows:
        toolbox.rejects(row, TOOLS)


def masks(snapshot: Snapshot) -> None:
    for requirement in REQUIREMENTS:
        snapshot.passes(requirement)


def masks_with_tools(snapshot: Snapshot) -> None:
    for requirement in REQUIREMENTS:
        snapshot.passes(replace(requirement, tools=TOOLS))


def near_misses(snapshot: Snapshot) -> None:
    for requirement in REQUIREMENTS:
        snapshot.near_misses(requirement)


def first_screen(snapshot: Snapshot) -> None:
    for requirement in REQUIREMENTS:
        list(islice(snapshot.ranked(requirement), 40))


def main(size: int) -> int:
    seeded = random.Random(1)
    snapshot = snapshot_of([seeded.getrandbits(200) for _ in range(size)])
    after = edited(snapshot, size // 2)

    def reevaluate() -> None:
        masks(replace(after, bitmap=snapshot.bitmap.updated(after.matrix, snapshot.matrix)))

    slow, tools = cpu_ms(lambda: verdicts(snapshot), 3), cpu_ms(lambda: tool_filter(snapshot), 5)
    rows: list[tuple[str, float, float | None]] = [
        ("pass masks, 9 tasks", cpu_ms(lambda: masks(snapshot)), 1.0),
        ("pass masks, 9 tasks with 7 tools each", cpu_ms(lambda: masks_with_tools(snapshot)), None),
        ("near misses, 9 tasks", cpu_ms(lambda: near_misses(snapshot)), None),
        ("9 tasks again after one model's edit", cpu_ms(reevaluate), 2.0),
        ("first 40 of each ranking, 9 tasks", cpu_ms(lambda: first_screen(snapshot)), None),
        ("explained verdicts, 9 tasks", slow, None),
        ("tool filter, 7 tools", tools, None),
    ]
    print(f"{size:,} models, CPU ms (median)")
    for name, spent, limit in rows:
        print(f"  {name:40} {spent:9.3f}" + (f"   limit {limit:g}  {_word(spent <= limit)}" if limit else ""))
    ratio = tools / slow
    print(f"  {'tool filter / verdicts':40} {ratio:9.3f}   limit 0.1  {_word(ratio <= 0.1)}")
    missed = ratio > 0.1 or any(limit is not None and spent > limit for _, spent, limit in rows)
    return int(missed)


def _word(met: bool) -> str:
    return "met" if met else "MISSED"


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 5_000))
