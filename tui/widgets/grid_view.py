"""What the matrix grid asks of its data: rows and cells as they are to be seen."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from enum import StrEnum
from typing import Literal, Protocol

from model.quick_dataclass import dataclass
from model.vocabulary import Layer

Align = Literal["left", "center", "right"]


class Look(StrEnum):
    """How a piece of text is meant. Each has a component class; the first five also a glyph: colour is never alone."""

    YES = "yes"
    EMULATED = "emulated"
    NO = "no"
    UNKNOWN = "unknown"
    CONTRADICTED = "contradicted"
    TEXT = "text"
    MUTED = "muted"
    WARNING = "warning"
    ERROR = "error"


GLYPHS = {Look.YES: "✓", Look.EMULATED: "~", Look.NO: "·", Look.UNKNOWN: "?", Look.CONTRADICTED: "!"}


@dataclass(frozen=True, slots=True)
class CellView:
    """What one cell shows. `layer` is who decides the cell; `changed` says that this is not yet in the file."""

    text: str
    look: Look = Look.TEXT
    layer: Layer | None = None
    changed: bool = False

    @classmethod
    def glyph(cls, look: Look, layer: Layer | None = None, changed: bool = False) -> CellView:
        """A cell that shows `look` by its glyph."""
        return cls(GLYPHS[look], look, layer, changed)


@dataclass(frozen=True, slots=True)
class ColumnView:
    """One column: `width` in terminal cells, without the gap before it.

    Only leading columns can be frozen. A line is drawn where a column's `group` differs from its left neighbour's.
    A column of `refs` holds names as provider/model: where one does not fit, it is the provider that is cut.
    """

    key: str
    heading: str
    width: int
    frozen: bool = False
    group: str = ""
    align: Align = "left"
    refs: bool = False


class GridSource(Protocol):
    """The rows of the grid, in the order in which they are seen: models, and group rows above them.

    A source is one arrangement: which rows there are and in what order never changes in it (show another source
    instead), while what a row shows may change in place. A `row_key` names the same row in every source, and key and
    `row_version` together name one look of that row for the life of the grid: what was drawn for them is kept.
    Texts may be raw: the grid makes them safe.
    """

    @property
    def columns(self) -> Sequence[ColumnView]: ...
    def __len__(self) -> int: ...
    def is_group(self, row: int) -> bool: ...
    def row_key(self, row: int) -> Hashable: ...
    def row_version(self, row: int) -> Hashable: ...
    def group_text(self, row: int) -> Sequence[tuple[str, Look]]:
        """The label of a group row, then whatever else stands on that row, in pieces set one after another."""

    def folded(self, row: int) -> bool: ...
    def cell(self, row: int, column: int) -> CellView: ...
    def marked(self, row: int) -> bool:
        """Whether the user marked this row (not part of `row_version`)."""


class NoRows:
    """The source of a grid that was given none yet."""

    columns: Sequence[ColumnView] = ()

    def __len__(self) -> int:
        return 0

    def is_group(self, row: int) -> bool:
        raise IndexError(row)

    def row_key(self, row: int) -> Hashable:
        raise IndexError(row)

    def row_version(self, row: int) -> Hashable:
        raise IndexError(row)

    def group_text(self, row: int) -> Sequence[tuple[str, Look]]:
        raise IndexError(row)

    def folded(self, row: int) -> bool:
        raise IndexError(row)

    def cell(self, row: int, column: int) -> CellView:
        raise IndexError(row)

    def marked(self, row: int) -> bool:
        raise IndexError(row)
