"""The grid alone over a CSV file, cells in memory: the program that `grid.py` times."""

from __future__ import annotations

import csv
import sys
from collections.abc import Sequence
from functools import cache
from typing import ClassVar

from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.widgets import Static

from tui.widgets.grid import MatrixGrid
from tui.widgets.grid_view import CellView, ColumnView, Look

_FROZEN = 2
_LOOKS = {"yes": Look.YES, "no": Look.NO}


class CsvRows:
    """A row for each line of the file, without groups."""

    def __init__(self, path: str) -> None:
        with open(path, newline="", encoding="utf-8") as file:
            heading, *self._rows = csv.reader(file)
        widths = [12 if index < _FROZEN else max(4, len(text)) for index, text in enumerate(heading)]
        self.columns = [
            ColumnView(text, text, width, frozen=index < _FROZEN)
            for index, (text, width) in enumerate(zip(heading, widths, strict=True))
        ]

    def __len__(self) -> int:
        return len(self._rows)

    def is_group(self, row: int) -> bool:
        return False

    def row_key(self, row: int) -> int:
        return row

    def row_version(self, row: int) -> int:
        return 0

    def group_text(self, row: int) -> Sequence[tuple[str, Look]]:
        return ()

    def folded(self, row: int) -> bool:
        return False

    def cell(self, row: int, column: int) -> CellView:
        return _view(self._rows[row][column])

    def marked(self, row: int) -> bool:
        return False


@cache
def _view(text: str) -> CellView:
    look = _LOOKS.get(text)
    return CellView.glyph(look) if look else CellView(text)


class GridApp(App[None]):
    BINDINGS: ClassVar[list[BindingType]] = [("ctrl+q", "quit", "quit")]
    CSS = "#ready { height: 1; }"

    def compose(self) -> ComposeResult:
        source = CsvRows(sys.argv[1])
        yield MatrixGrid(source)
        yield Static(f"READY {len(source)}", id="ready")


if __name__ == "__main__":
    GridApp().run()
