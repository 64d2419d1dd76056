"""What the offline doctor costs: `python -m tests.benchmarks.doctor [ROUNDS]`.

CPU milliseconds, medians over interleaved rounds, also as a ratio to a loop of a million additions in the same round;
limits are held against what it would be on this machine when it is idle (the loop in 30 ms). Exit 1 where a limit of
issue G is missed: 30 ms for 100 models once they are parsed, 5 ms after one edited cell, and for the whole process
`capdeck doctor` 2.5 × `python -c "import pydantic, yaml, click"`. Files are made by the shared generator; one with 10
models stands for what people have.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from adapters.secrets import CredentialResolver
from model.doctor import Report, examine
from model.document import Set
from model.files import FileSpec
from model.snapshot import Surroundings
from model.vocabulary import Layer
from model.workbench import Change, Workbench
from tests.shared_data import shared_root

MODELS, ROUNDS = 100, 15
PEERS = "import pydantic, yaml, click"
DOCTOR = "from tui.cli.main import main; main(['doctor'], prog_name='capdeck')"
FULL, CELL = f"{MODELS} models, parsed", "one edited cell"
LIMITS = {FULL: 30.0, CELL: 5.0}
IDLE_LOOP_MS = 30.0


def cpu_ms(work: Callable[[], object]) -> float:
    started = time.process_time_ns()
    work()
    return (time.process_time_ns() - started) / 1e6


def loop() -> None:
    total = 0
    for number in range(1_000_000):
        total += number


def process_ms(code: str, environ: dict[str, str]) -> float:
    """User and system time of a Python process of its own."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", code], env=environ, stdout=subprocess.DEVNULL, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1e3 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def file_of(models: int, folder: Path) -> Path:
    path = folder / f"{models}.yaml"
    generator = shared_root() / "bench/gen_models.py"
    subprocess.run([sys.executable, generator, str(models), path], check=True, stdout=subprocess.DEVNULL)
    return path


class Editing:
    """A file of which one cell after the other is changed; the doctor looks again each time."""

    def __init__(self, path: Path) -> None:
        self.bench = Workbench([FileSpec(path, Layer.GLOBAL)], Surroundings(CredentialResolver({}, home=path.parent)))
        self._report: Report | None = None
        self._turn = 0

    def edit(self) -> None:
        data = self.bench.snapshot.matrix.rows[self._turn % MODELS].model.layers[0].row.path
        tier = ("cheap", "strong")[self._turn // MODELS % 2]
        self.bench.apply(Change("tier", {self.bench.files[0].name: (Set((*data, "quality_tier"), tier),)}))
        self._turn += 7

    def look(self) -> None:
        self._report = examine(self.bench.snapshot, self._report)

    def look_at_all(self) -> None:
        examine(self.bench.snapshot)


def measured(folder: Path, rounds: int) -> dict[str, list[float]]:
    """CPU milliseconds by what was done, a value a round; the first round warms up and is left out."""
    editing, small = Editing(file_of(MODELS, folder)), file_of(10, folder)
    environ = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environ |= {"PYTHONPYCACHEPREFIX": str(folder / "pyc"), "CAPDECK_STATE": str(folder / "state")}
    found: dict[str, list[float]] = {}
    for turn in range(rounds + 1):
        editing.edit()
        times = {"loop": cpu_ms(loop), CELL: cpu_ms(editing.look), FULL: cpu_ms(editing.look_at_all)}
        times["peers"] = process_ms(PEERS, environ)
        times["process, 10 models"] = process_ms(DOCTOR, environ | {"CAPDECK_GLOBAL": str(small)})
        large = environ | {"CAPDECK_GLOBAL": str(folder / f"{MODELS}.yaml")}
        times[f"process, {MODELS} models"] = process_ms(DOCTOR, large)
        if turn:
            for name, spent in times.items():
                found.setdefault(name, []).append(spent)
    return found


def main(rounds: int) -> int:
    with tempfile.TemporaryDirectory() as folder:
        found = measured(Path(folder), rounds)
    middle = {name: median(values) for name, values in found.items()}
    print(f"CPU ms, medians of {rounds} rounds; calibration loop {middle['loop']:.1f} ms")
    missed = False
    for name in (FULL, CELL, "peers", "process, 10 models", f"process, {MODELS} models"):
        spent, limit = middle[name], LIMITS.get(name)
        idle = spent / middle["loop"] * IDLE_LOOP_MS
        told = f"   idle {idle:.2f}, limit {limit:g} ms  {_word(idle <= limit)}" if limit else ""
        if name == "process, 10 models":
            ratio = median(ours / theirs for ours, theirs in zip(found[name], found["peers"], strict=True))
            told, missed = f"   {ratio:.2f} × peers, limit 2.5  {_word(ratio <= 2.5)}", missed or ratio > 2.5
        missed = missed or (limit is not None and idle > limit)
        print(f"  {name:24} {spent:8.2f}  {spent / middle['loop']:7.3f} × loop{told}")
    return int(missed)


def _word(met: bool) -> str:
    return "met" if met else "MISSED"


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS))
