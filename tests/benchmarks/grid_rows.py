"""Rows in memory for the grid's tests and benchmarks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from model.vocabulary import CAPABILITIES, Layer
from tui.widgets.grid_view import CellView, ColumnView, Look

COLUMNS = (
    ColumnView("model", "model", 24, frozen=True, group="identity"),
    ColumnView("quality", "qual", 6, frozen=True, group="identity"),
    *(ColumnView(each.value, each.value.replace("_", "")[:4], 4, group="capabilities") for each in CAPABILITIES),
    ColumnView("context", "ctx", 5, group="limits", align="right"),
    ColumnView("output", "out", 5, group="limits", align="right"),
    ColumnView("notes", "notes", 14, group="notes"),
)
_LOOKS = (Look.YES, Look.YES, Look.NO, Look.UNKNOWN, Look.EMULATED, Look.CONTRADICTED)
_LAYERS = (Layer.GLOBAL, Layer.PROJECT, Layer.CATALOG, Layer.DERIVED)


@dataclass
class Model:
    provider: str
    name: str
    cells: list[CellView]
    version: int = 0

    @property
    def key(self) -> str:
        return f"{self.provider}/{self.name}"

    def put(self, column: int, cell: CellView) -> None:
        self.cells[column] = cell
        self.version += 1


@dataclass
class Rows:
    """One arrangement of models under their providers."""

    models: Sequence[Model]
    columns: Sequence[ColumnView] = COLUMNS
    folds: frozenset[str] = frozenset()
    marks: set[object] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._rows: list[str | Model] = []
        for index, model in enumerate(self.models):
            if index == 0 or self.models[index - 1].provider != model.provider:
                self._rows.append(model.provider)
            if model.provider not in self.folds:
                self._rows.append(model)

    def __len__(self) -> int:
        return len(self._rows)

    def is_group(self, row: int) -> bool:
        return isinstance(self._rows[row], str)

    def row_key(self, row: int) -> object:
        each = self._rows[row]
        return each if isinstance(each, str) else each.key

    def row_version(self, row: int) -> object:
        each = self._rows[row]
        return each in self.folds if isinstance(each, str) else each.version

    def group_text(self, row: int) -> Sequence[tuple[str, Look]]:
        return [(str(self._rows[row]), Look.TEXT), ("  openai_compatible  ", Look.MUTED), ("key missing", Look.WARNING)]

    def folded(self, row: int) -> bool:
        return self._rows[row] in self.folds

    def cell(self, row: int, column: int) -> CellView:
        return self.model(row).cells[column]

    def marked(self, row: int) -> bool:
        return self.row_key(row) in self.marks

    def model(self, row: int) -> Model:
        each = self._rows[row]
        assert isinstance(each, Model)
        return each

    def only(self, models: Iterable[Model]) -> Rows:
        return Rows(tuple(models), self.columns, self.folds, self.marks)


def model(provider: str, name: str, number: int = 0) -> Model:
    """A model whose cells run through all looks and layers."""
    flags = [
        CellView.glyph(_LOOKS[(number + column) % len(_LOOKS)], _LAYERS[(number // 2 + column) % len(_LAYERS)])
        for column in range(len(CAPABILITIES))
    ]
    cells = [CellView(name), CellView(("front", "strong", "std", "cheap")[number % 4]), *flags]
    return Model(provider, name, [*cells, CellView("200k"), CellView("64k"), CellView("kept for review")])


def models(count: int, per_provider: int = 40) -> list[Model]:
    return [model(f"provider-{n // per_provider:03d}", f"model-name-{n:05d}", n) for n in range(count)]
