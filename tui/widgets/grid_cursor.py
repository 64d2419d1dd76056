"""The cursor of the grid, and where it goes when the rows change."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import chain

from model.quick_dataclass import dataclass
from tui.widgets.grid_view import ColumnView, GridSource


@dataclass(frozen=True, slots=True)
class Cursor:
    """A row and a column, both counted from 0 in the source."""

    row: int = 0
    column: int = 0


def row_to_stand_on(old: GridSource, row: int, wanted: Hashable, new: GridSource) -> int:
    """The row of `new` for a cursor on `row` of `old` whose user wants to be on the row with the key `wanted`.

    If that row is gone: the nearest one left, looking down first. If there is none: the first model.
    """
    if row < len(new) and new.row_key(row) == wanted:
        return row  # nothing moved: most edits change what a row shows and not where it stands
    places = {new.row_key(each): each for each in range(len(new))}
    nearest = map(old.row_key, (*range(row, len(old)), *range(min(row, len(old)) - 1, -1, -1)))
    kept = next((places[key] for key in chain((wanted,), nearest) if key in places), None)
    if kept is not None:
        return kept
    return next((each for each in range(len(new)) if not new.is_group(each)), 0)


def column_to_stand_on(old: Sequence[ColumnView], column: int, new: Sequence[ColumnView]) -> int:
    """The same column in `new`, or the one in its place."""
    key = old[column].key if old else None
    return next((index for index, each in enumerate(new) if each.key == key), column)
