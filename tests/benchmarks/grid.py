"""Times the grid against a minimal Textual app and Textual's DataTable: `python -m tests.benchmarks.grid`.

All programs run in a pseudo terminal at 120×40 over the same 5,000 models × 25 columns.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from functools import partial

from tests.benchmarks.terminal import Goal, Program, bench_folder, judge, models, python, run

_APP = "tests.benchmarks.grid_app"
_DOWN = {"label": "down", "keys": "down", "n": 12}
_PAGE_DOWN = {"label": "page down", "keys": "pgdn", "n": 6}
_PAGE_FROM_TOP = {**_PAGE_DOWN, "reset": "ctrl+home"}  # a small table has few pages
_END = {"label": "end", "keys": "ctrl+end", "n": 4, "reset": "ctrl+home"}

GOALS = (
    Goal("down", "grid", "minimal", 2.5),
    Goal("down", "grid", "DataTable", 0.6),
    Goal("page down", "grid", "DataTable", 1 / 6),
    Goal("start", "grid", "DataTable", 1 / 4),
)
SCALE_GOALS = tuple(Goal(what, "20,000 rows", "100 rows", 1.3) for what in ("down", "page down", "end"))


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--rounds", type=int, default=5)
    rounds = options.parse_args().rounds
    bench = bench_folder()
    if bench is None:
        return 2
    with tempfile.TemporaryDirectory(prefix="capdeck-bench-") as folder:
        csv = partial(models, bench, folder)
        peers = {
            "minimal": Program(python(bench / "apps/minimal.py"), (_DOWN,)),
            "grid": Program(python("-m", _APP, csv(5000)), (_DOWN, _PAGE_DOWN)),
            "DataTable": Program(python(bench / "apps/grid_datatable.py", csv(5000)), (_DOWN, _PAGE_DOWN)),
        }
        scale = {
            f"{count:,} rows": Program(python("-m", _APP, csv(count)), (_DOWN, _PAGE_FROM_TOP, _END))
            for count in (100, 20_000)
        }
        kept = [
            kept
            for goals, programs in ((GOALS, peers), (SCALE_GOALS, scale))
            for kept in judge(goals, run(bench, folder, programs, rounds))
        ]
    return 0 if all(kept) else 1


if __name__ == "__main__":
    sys.exit(main())
