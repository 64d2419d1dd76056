"""Where the columns of the grid stand on the screen."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from model.quick_dataclass import dataclass
from tui.widgets.grid_view import ColumnView

GUTTER = 2
"""Cells at the left edge: the mark of a marked row, and the cursor's or the fold's."""

GAP = 1
"""Cells before each column: blank, a group's line, or the sign of an unsaved change."""

_NARROWEST = 4


@dataclass(frozen=True, slots=True)
class ColumnLayout:
    """Columns laid out in a viewport of `width` cells: a frozen part, and a part that moves by whole columns.

    `first` is in all methods the first column of the moving part that is drawn, as an index into `columns`.
    """

    columns: tuple[ColumnView, ...]
    width: int
    widths: tuple[int, ...]
    frozen: int
    """How many columns are frozen: fewer than wished for where the moving part would get no room."""
    ends: tuple[int, ...]
    """Where each column ends if all are drawn, in cells from the left edge."""

    @classmethod
    def fit(cls, columns: Sequence[ColumnView], width: int) -> ColumnLayout:
        """The layout that leaves room for at least the widest moving column beside the frozen ones."""
        widths = [column.width for column in columns]
        frozen = _leading_frozen(columns)
        room = width - GUTTER - GAP - max(widths[frozen:], default=-GAP)
        while frozen > 1 and sum(widths[:frozen]) + frozen * GAP > room:
            frozen -= 1
        if frozen == 1:
            widths[0] = min(widths[0], max(_NARROWEST, room - GAP))
        ends = accumulate((GAP + each for each in widths), initial=GUTTER)
        return cls(tuple(columns), width, tuple(widths), frozen, tuple(ends)[1:])

    @property
    def start(self) -> int:
        """Where the moving part begins, in cells from the left edge."""
        return self.ends[self.frozen - 1] if self.frozen else GUTTER

    def shift(self, first: int) -> int:
        """How many cells of the moving part lie to the left of `first`."""
        return (self.ends[first - 1] if first else GUTTER) - self.start

    @property
    def last_first(self) -> int:
        """The smallest `first` with which the last column is drawn."""
        return self.first_for(len(self.columns) - 1, self.frozen)

    def first_for(self, column: int, first: int) -> int:
        """The `first` nearest to the present one with which `column` is drawn whole."""
        if column < self.frozen:
            return first
        first = min(first, column)
        while first < column and self.ends[column] - self.shift(first) > self.width:
            first += 1
        return first

    def after_last(self, first: int) -> int:
        """One past the last column drawn. A column that does not fit is left out, except for the first one."""
        limit = self.width + self.shift(first)
        last = first + 1
        while last < len(self.columns) and self.ends[last] <= limit:
            last += 1
        return min(last, len(self.columns))

    def drawn(self, first: int) -> list[int]:
        """The columns drawn, left to right."""
        return [*range(self.frozen), *range(first, self.after_last(first))]

    def left_of(self, column: int, first: int) -> int:
        """Where a drawn column's text begins, in cells from the left edge."""
        end = self.ends[column] - (0 if column < self.frozen else self.shift(first))
        return end - self.widths[column]

    def column_at(self, x: int, first: int) -> int | None:
        """The column drawn at cell `x` of the line (its gap is its own)."""
        for column in self.drawn(first):
            left = self.left_of(column, first)
            if left - GAP <= x < left + self.widths[column]:
                return column
        return None


def _leading_frozen(columns: Sequence[ColumnView]) -> int:
    return next((index for index, column in enumerate(columns) if not column.frozen), len(columns))
