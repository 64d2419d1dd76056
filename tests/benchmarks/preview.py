"""Times a key of the requirements pane to its repainted preview: `python -m tests.benchmarks.preview [MODELS]`.

The key goes through the app's driver and the CPU is counted until the screen is painted, ANSI included; printed beside
a calibration loop, since milliseconds say more of the machine.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
from pathlib import Path
from statistics import median, quantiles

from textual import events
from textual.app import App

from tests.benchmarks.terminal import bench_folder, models
from tui.app import CapdeckApp

GOAL_MS = 16.0
LOOP = 10_000_000
KEYS = 12


def main() -> int:
    bench = bench_folder()
    if bench is None:
        return 2
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 5_000
    with tempfile.TemporaryDirectory(prefix="capdeck-bench-") as folder:
        took = asyncio.run(_keys(models(bench, folder, count).with_suffix(".yaml")))
    start, total = time.process_time(), 0
    for number in range(LOOP):
        total += number
    loop = (time.process_time() - start) * 1000
    p50, p95 = median(took), quantiles(took, n=20)[-1]
    kept = p50 <= GOAL_MS
    print(
        f"{'ok    ' if kept else 'MISSED'}  {count:,} models: key to repainted preview p50 {p50:.1f} ms, "
        f"p95 {p95:.1f} ms CPU (goal p50 {GOAL_MS:.0f}); {p50 / loop:.4f} of a loop of {LOOP:,} additions"
    )
    return 0 if kept else 1


async def _keys(file: Path) -> list[float]:
    """CPU milliseconds of each key that changes a demand of `main`."""
    from model.files import FileSpec
    from model.vocabulary import Layer
    from model.workbench import Workbench
    from tui.panes.need import NeedPane
    from tui.widgets.grid import MatrixGrid

    app = CapdeckApp(Workbench([FileSpec(file, Layer.FILE)]))
    app.watching = False
    took = []
    async with app.run_test(size=(120, 40)) as pilot:
        await app.workers.wait_for_complete()
        await pilot.press("2")
        await pilot.pause()
        form = app.query_one(NeedPane).query_one("#form-list", MatrixGrid)
        form.focus()
        form.go_to("thinking")
        await pilot.pause()
        type(app).is_headless = property(lambda self: False)  # type: ignore[assignment, method-assign]  # paint ANSI
        driver, painted = app._driver, Painted()
        assert driver is not None
        driver.write = painted.write  # type: ignore[method-assign]  # nobody reads it
        for _ in range(KEYS):
            painted.first = None
            start = time.process_time()
            driver.send_message(events.Key("space", " "))
            while painted.first is None:
                await asyncio.sleep(0)
            took.append((painted.first - start) * 1000)
            await _quiet(app)
        type(app).is_headless = App.is_headless  # type: ignore[method-assign]
    return took


class Painted:
    """Takes the CPU time of the first frame after a key: the preview; what the change costs is worked out after it."""

    def __init__(self) -> None:
        self.first: float | None = None

    def write(self, data: str) -> None:
        if self.first is None and len(data) > 200:
            self.first = time.process_time()


async def _quiet(app: CapdeckApp) -> None:
    """Until the change is made and the doctor has looked."""
    await asyncio.sleep(0.05)
    while app.maker.busy or any(not worker.is_finished for worker in app.workers):
        await asyncio.sleep(0.01)
    await asyncio.sleep(0.05)


if __name__ == "__main__":
    sys.exit(main())
