"""The README's pictures: `python -m tests.screenshots` makes them; a test keeps them true.

Each is the demo's sample after some keys, as Textual draws it.
"""

from __future__ import annotations

import asyncio
import os
import re
import tempfile
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "screenshots"
SIZE = (120, 36)
PICTURES: dict[str, tuple[str, ...]] = {
    "matrix": ("down", *["right"] * 7),
    "need": ("2", "down", "down", "tab", "down", "down", "down", "space"),
    "fallback": ("3", "space", "tab", "G"),
    "doctor": ("4", "down"),
}
"""The keys that lead to each picture."""


async def picture(keys: tuple[str, ...]) -> str:
    """One picture as SVG, without the random id that Textual gives it."""
    from tests.tui.conftest import TODAY
    from tui.app import CapdeckApp
    from tui.cli.demo import demo_bench

    with tempfile.TemporaryDirectory() as folder:
        app = CapdeckApp(demo_bench(Path(folder)), today=TODAY)
        app.animation_level, app.watching = "none", False
        async with app.run_test(size=SIZE) as pilot:
            await pilot.pause()
            for key in keys:
                await pilot.press(key)
                if len(key) == 1:  # a move needs no settling before the next key
                    await app.workers.wait_for_complete()
                    await pilot.pause()
            await pilot.pause()
            return re.sub(r"terminal-\d+-", "terminal-", app.export_screenshot(title="capdeck demo"))


def main() -> None:
    os.environ.pop("NO_COLOR", None)
    FOLDER.mkdir(exist_ok=True)
    for name, keys in PICTURES.items():
        (FOLDER / f"{name}.svg").write_text(asyncio.run(picture(keys)), encoding="utf-8")
        print(FOLDER / f"{name}.svg")


if __name__ == "__main__":
    main()
