"""Runs programs in a pseudo terminal in turns, so that a busy machine slows them alike, and judges ratios of medians.

Milliseconds would say more of the machine than of the program. Needs the shared folder and pyte.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from tests.shared_data import shared_root

ROOT = Path(__file__).parents[2]

Runs = Mapping[str, list[dict[str, Any]]]


@dataclass(frozen=True, slots=True)
class Goal:
    """`what` of `program` is at most `limit` times that of `other`. `what` is a step's label, or `start`."""

    what: str
    program: str
    other: str
    limit: float


@dataclass(frozen=True, slots=True)
class Program:
    command: list[str]
    steps: tuple[Mapping[str, object], ...] = ()
    ready: str = "READY"
    """The text on the screen that says that it is painted."""


def bench_folder() -> Path | None:
    """The folder of the harness; None, and why on stderr, if it is not there."""
    bench = shared_root() / "bench"
    if (bench / "tuibench.py").exists():
        return bench
    print(f"no {bench / 'tuibench.py'}: set CAPDECK_SHARED to the shared folder", file=sys.stderr)
    return None


def python(*arguments: object) -> list[str]:
    return [sys.executable, *map(str, arguments)]


def models(bench: Path, folder: str, count: int) -> Path:
    """A CSV file of `count` models."""
    path = Path(folder) / f"models-{count}.csv"
    if not path.exists():
        yaml = path.with_suffix(".yaml")
        subprocess.run(python(bench / "gen_models.py", count, yaml, path), check=True, stdout=subprocess.DEVNULL)
    return path


def run(bench: Path, folder: str, programs: Mapping[str, Program], rounds: int) -> Runs:
    """What each program took in each round."""
    spec, result = Path(folder) / "spec.toml", Path(folder) / "result.json"
    spec.write_text("\n".join(_spec(programs, rounds, folder)), encoding="utf-8")
    subprocess.run(python(bench / "tuibench.py", "compare", spec, "--json", result), check=True, cwd=ROOT)
    runs: Runs = json.loads(result.read_text(encoding="utf-8"))["runs"]
    return runs


def _spec(programs: Mapping[str, Program], rounds: int, folder: str) -> Iterable[str]:
    yield from ('size = "120x40"', f"rounds = {rounds}", "quiet = 60")
    for name, program in programs.items():
        yield from ("[[app]]", f"name = {json.dumps(name)}", f"cmd = {json.dumps(program.command)}")
        yield from (
            f"ready = {json.dumps(program.ready)}",
            'quit = "ctrl+q"',
            "timeout = 90",
            f"env = {_environment(folder)}",
        )
        for step in program.steps:
            yield "[[app.step]]"
            yield from (f"{key} = {json.dumps(value)}" for key, value in step.items())


def _environment(folder: str) -> str:
    """As TOML. Programs start from compiled modules, as they do where pip has installed them."""
    cache = json.dumps(str(Path(folder) / "bytecode"))
    return f'{{ PYTHONPATH = {json.dumps(str(ROOT))}, PYTHONDONTWRITEBYTECODE = "", PYTHONPYCACHEPREFIX = {cache} }}'


def judge(goals: Iterable[Goal], runs: Runs) -> Iterable[bool]:
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
