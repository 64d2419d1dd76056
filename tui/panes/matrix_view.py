"""How the user looks at the matrix: filter, order, columns, folds and marks; and the rows that follow from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from model.changes import changed_cells
from model.model_ref import ModelRef
from model.quick_dataclass import dataclass
from model.snapshot import Snapshot
from tui.columns import ALWAYS, Column, ColumnGroup, columns_for
from tui.filtering import Filtered, Marks, filter_rows
from tui.matrix_rows import FILE_ORDER, NAME, Looks, MatrixRows, Order, arrange

NAME_WIDTHS = ((140, 40), (100, 34), (76, 24), (0, 20))
"""From which screen width on the names get how many cells."""


@dataclass(frozen=True, slots=True)
class View:
    """The user's choices. An arrangement is made of a view and a snapshot."""

    filter: str = ""
    order: Order = FILE_ORDER
    groups: frozenset[ColumnGroup] = frozenset(ALWAYS)
    folds: frozenset[str] = frozenset()
    marks: frozenset[ModelRef] = frozenset()

    def sorted_by(self, column: str) -> View:
        """Ascending, then descending, then file order again."""
        if self.order.column != column:
            return replace(self, order=Order(column))
        return replace(self, order=FILE_ORDER if self.order.descending else Order(column, True))

    def folded(self, provider_id: str) -> View:
        return replace(self, folds=self.folds ^ {provider_id})

    def marked(self, ref: ModelRef) -> View:
        return replace(self, marks=self.marks ^ {ref})


@dataclass(frozen=True, slots=True)
class Arrangement:
    """What the grid shows, and what the filter line says of it."""

    rows: MatrixRows
    filtered: Filtered
    columns: tuple[Column, ...]

    @property
    def count(self) -> int:
        return self.filtered.mask.bit_count()

    @property
    def first_model(self) -> ModelRef | None:
        """The first of those shown."""
        keys = (self.rows.row_key(row) for row in range(len(self.rows)) if not self.rows.is_group(row))
        return next((key for key in keys if isinstance(key, ModelRef)), None)

    def column(self, key: str) -> Column | None:
        return next((column for column in self.columns if column.key == key), None)


def look(snapshot: Snapshot, view: View, problems: frozenset[ModelRef], looks: Looks, width: int) -> Arrangement:
    """The rows for a screen of `width` cells."""
    changed = changed_cells(snapshot.files)
    filtered = filter_rows(view.filter, snapshot, Marks(frozenset(changed), problems))
    columns = columns_for(view.groups, tuple(snapshot.requirements))
    rows = arrange(
        snapshot,
        filtered.mask,
        view.order,
        columns,
        folds=view.folds,
        marks=view.marks,
        changed=changed,
        looks=looks,
        name_width=next(cells for least, cells in NAME_WIDTHS if width >= least),
        filtered=bool(view.filter.strip()),
    )
    return Arrangement(rows, filtered, columns)


def order_words(view: View, columns: Mapping[str, str]) -> str:
    """`sorted by ctx`; empty in file order."""
    if view.order.column is None:
        return ""
    heading = "model" if view.order.column == NAME else columns.get(view.order.column, view.order.column)
    return f"sorted by {heading}" + (", descending" if view.order.descending else "")
