"""Times the grid against a minimal Textual app and Textual's DataTable: `python -m tests.benchmarks.grid`.

All programs run in a pseudo terminal at 120×40 over the same 5,000 models × 25 columns, in turns, so that a busy
machine slows them alike. Printed are ratios of medians; milliseconds would say more of the machine.
Needs the shared folder (CAPDECK_SHARED, else ../shared) and pyte.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

from tests.shared_data import shared_root

_ROOT = Path(__file__).parents[2]
_APP = "tests.benchmarks.grid_app"
_DOWN = {"label": "down", "keys": "down", "n": 12}
_PAGE_DOWN = {"label": "page down", "keys": "pgdn", "n": 6}
_PAGE_FROM_TOP = {**_PAGE_DOWN, "reset": "ctrl+home"}  # a small table has few pages
_END = {"label": "end", "keys": "ctrl+end", "n": 4, "reset": "ctrl+home"}

Runs = Mapping[str, list[dict[str, Any]]]


@dataclass(frozen=True, slots=True)
class Goal:
    """`what` of `program` is at most `limit` times that of `other`. `what` is a step's label, or `start`."""

    what: str
    program: str
    other: str
    limit: float


GOALS = (
    Goal("down", "grid", "minimal", 2.5),
    Goal("down", "grid", "DataTable", 0.6),
    Goal("page down", "grid", "DataTable", 1 / 6),
    Goal("start", "grid", "DataTable", 1 / 4),
)
SCALE_GOALS = tuple(Goal(what, "20,000 rows", "100 rows", 1.3) for what in ("down", "page down", "end"))


@dataclass(frozen=True, slots=True)
class Program:
    command: list[str]
    steps: tuple[Mapping[str, object], ...]


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--rounds", type=int, default=5)
    rounds = options.parse_args().rounds
    bench = shared_root() / "bench"
    if not (bench / "tuibench.py").exists():
        print(f"no {bench / 'tuibench.py'}: set CAPDECK_SHARED to the shared folder", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory(prefix="capdeck-bench-") as folder:
        csv = partial(_models, bench, folder)
        peers = {
            "minimal": Program(_python(bench / "apps/minimal.py"), (_DOWN,)),
            "grid": Program(_python("-m", _APP, csv(5000)), (_DOWN, _PAGE_DOWN)),
            "DataTable": Program(_python(bench / "apps/grid_datatable.py", csv(5000)), (_DOWN, _PAGE_DOWN)),
        }
        scale = {
            f"{count:,} rows": Program(_python("-m", _APP, csv(count)), (_DOWN, _PAGE_FROM_TOP, _END))
            for count in (100, 20_000)
        }
        kept = [
            kept
            for goals, programs in ((GOALS, peers), (SCALE_GOALS, scale))
            for kept in _judge(goals, _run(bench, folder, programs, rounds))
        ]
    return 0 if all(kept) else 1


def _python(*arguments: object) -> list[str]:
    return [sys.executable, *map(str, arguments)]


def _models(bench: Path, folder: str, count: int) -> Path:
    """A CSV file of `count` models."""
    path = Path(folder) / f"models-{count}.csv"
    if not path.exists():
        yaml = path.with_suffix(".yaml")
        subprocess.run(_python(bench / "gen_models.py", count, yaml, path), check=True, stdout=subprocess.DEVNULL)
    return path


def _run(bench: Path, folder: str, programs: Mapping[str, Program], rounds: int) -> Runs:
    """What each program took in each round."""
    spec, result = Path(folder) / "spec.toml", Path(folder) / "result.json"
    spec.write_text("\n".join(_spec(programs, rounds)), encoding="utf-8")
    subprocess.run(_python(bench / "tuibench.py", "compare", spec, "--json", result), check=True, cwd=_ROOT)
    runs: Runs = json.loads(result.read_text(encoding="utf-8"))["runs"]
    return runs


def _spec(programs: Mapping[str, Program], rounds: int) -> Iterable[str]:
    yield from ('size = "120x40"', f"rounds = {rounds}", "quiet = 60")
    for name, program in programs.items():
        yield from ("[[app]]", f"name = {json.dumps(name)}", f"cmd = {json.dumps(program.command)}")
        yield from (
            'ready = "READY"',
            'quit = "ctrl+q"',
            "timeout = 90",
            f"env = {{ PYTHONPATH = {json.dumps(str(_ROOT))} }}",
        )
        for step in program.steps:
            yield "[[app.step]]"
            yield from (f"{key} = {json.dumps(value)}" for key, value in step.items())


def _judge(goals: Iterable[Goal], runs: Runs) -> Iterable[bool]:
    print()
    for goal in goals:
        painted, cpu = (_ratio(goal, runs, figure) for figure in ("paint_ms", "cpu_ms"))
        kept = painted <= goal.limit
        print(
            f"{'ok    ' if kept else 'MISSED'}  {goal.what:<10} {goal.program} / {goal.other}: "
            f"painted {painted:.2f} (goal {goal.limit:.2f})  cpu {cpu:.2f}"
        )
        yield kept


def _ratio(goal: Goal, runs: Runs, figure: str) -> float:
    """Of the medians over all rounds: one round in which the machine was busy elsewhere does not decide."""
    return _median(runs[goal.program], goal.what, figure) / _median(runs[goal.other], goal.what, figure)


def _median(rounds: Iterable[Mapping[str, Any]], what: str, figure: str) -> float:
    if what == "start":
        return median(each["start"][figure] for each in rounds)
    return median(sample[figure] for each in rounds for sample in each["steps"][what] if figure in sample)


if __name__ == "__main__":
    sys.exit(main())
