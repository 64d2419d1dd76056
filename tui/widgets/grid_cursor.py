"""The cursor of the grid, and where it goes when the rows change."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from model.quick_dataclass import dataclass
from tui.widgets.grid_view import ColumnView, GridSource


@dataclass(frozen=True, slots=True)
class Cursor:
    """A row and a column, both counted from 0 in the source."""

    row: int = 0
    column: int = 0


@dataclass(frozen=True, slots=True)
class Place:
    """A row that the user put the cursor on, among the rows that were shown then."""

    source: GridSource
    row: int

    @property
    def key(self) -> Hashable | None:
        return self.source.row_key(self.row) if self.row < len(self.source) else None


def row_to_stand_on(place: Place, new: GridSource) -> int:
    """The row of `new` for a user who stood at `place`.

    If that row is gone: the nearest one left, looking down first. If there is none: the first model.
    """
    old, row = place.source, place.row
    if row < len(new) and new.row_key(row) == place.key:
        return row  # nothing moved: most edits change what a row shows and not where it stands
    places = {new.row_key(each): each for each in range(len(new))}
    nearest = map(old.row_key, (*range(row, len(old)), *range(min(row, len(old)) - 1, -1, -1)))
    kept = next((places[key] for key in nearest if key in places), None)
    if kept is not None:
        return kept
    return next((each for each in range(len(new)) if not new.is_group(each)), 0)


def column_to_stand_on(old: Sequence[ColumnView], column: int, new: Sequence[ColumnView]) -> int:
    """The same column in `new`, or the one in its place."""
    key = old[column].key if old else None
    return next((index for index, each in enumerate(new) if each.key == key), column)
