"""One arrangement of the matrix for the grid: which rows, in what order, under which providers."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import field, replace

from model.auth import AuthState
from model.bitmap import Mask, bits
from model.config.merge import Provider
from model.model_ref import ModelRef
from model.quick_dataclass import dataclass
from model.resolve import ResolvedModel
from model.snapshot import Snapshot
from tui.columns import Column
from tui.key_words import key_words
from tui.widgets.grid_view import CellView, ColumnView, Look

NAME = "model_id"
"""The key of the frozen column with the model's name."""


@dataclass(frozen=True, slots=True)
class Order:
    """Sorted by a column; without one in file order, under the providers."""

    column: str | None = None
    descending: bool = False


FILE_ORDER = Order()


class Looks:
    """Gives each look of a row a number, so that the grid knows what it has drawn. Lives as long as the grid."""

    def __init__(self) -> None:
        self._seen: dict[ModelRef, tuple[object, object, int]] = {}
        self._next = 0

    def version(self, row: ResolvedModel, rest: object) -> int:
        seen = self._seen.get(row.ref)
        if seen is not None and seen[0] is row and seen[1] == rest:
            return seen[2]
        self._next += 1
        self._seen[row.ref] = (row, rest, self._next)
        return self._next


@dataclass(frozen=True)
class MatrixRows:
    """A `GridSource` over one snapshot. `rows` are row numbers of the matrix, or a provider that heads a group."""

    snapshot: Snapshot
    shown: tuple[Column, ...]
    rows: tuple[int | Provider, ...]
    changed: Mapping[ModelRef, frozenset[str]]
    marks: frozenset[ModelRef]
    folds: frozenset[str]
    looks: Looks
    name_width: int
    columns: Sequence[ColumnView] = field(default=())

    def __len__(self) -> int:
        return len(self.rows)

    def is_group(self, row: int) -> bool:
        return isinstance(self.rows[row], Provider)

    def row_key(self, row: int) -> Hashable:
        entry = self.rows[row]
        return entry.provider_id if isinstance(entry, Provider) else self.snapshot.matrix.rows[entry].ref

    def row_version(self, row: int) -> Hashable:
        entry = self.rows[row]
        if isinstance(entry, Provider):
            return self.group_text(row)
        model = self.snapshot.matrix.rows[entry]
        verdicts = tuple(column.show(self.snapshot, model).look for column in self.shown if column.task)
        return self.looks.version(model, (self.changed.get(model.ref), verdicts, self.grouped))

    @property
    def grouped(self) -> bool:
        """Whether models stand under their providers; else their names say whose they are."""
        return not self.rows or isinstance(self.rows[0], Provider)

    def group_text(self, row: int) -> tuple[tuple[str, Look], ...]:
        provider = self.rows[row]
        assert isinstance(provider, Provider)
        kind = provider.kind.value if provider.kind else "kind not stated"
        words = [(f"{provider.provider_id}  ", Look.TEXT), (f"{kind}  ", Look.MUTED), key_look(self.snapshot, provider)]
        if not provider.enabled:
            words.append(("  switched off", Look.WARNING))
        if provider.provider_id in self.snapshot.given.untrusted:
            words.append(("  not trusted", Look.WARNING))
        if provider.base_url:
            words.append((f"  {_shown_url(provider.base_url)}", Look.MUTED))
        return tuple(words)

    def folded(self, row: int) -> bool:
        entry = self.rows[row]
        return isinstance(entry, Provider) and entry.provider_id in self.folds

    def cell(self, row: int, column: int) -> CellView:
        entry = self.rows[row]
        if isinstance(entry, Provider):
            return CellView("")
        model = self.snapshot.matrix.rows[entry]
        changed = self.changed.get(model.ref, frozenset())
        if column == 0:
            name = model.ref.model_id if self.grouped else str(model.ref)
            return CellView(name, Look.TEXT if model.enabled else Look.MUTED)
        spec = self.shown[column - 1]
        view = spec.show(self.snapshot, model)
        return replace(view, changed=True) if spec.key in changed else view

    def marked(self, row: int) -> bool:
        return self.row_key(row) in self.marks


def _shown_url(url: str) -> str:
    """Without what may hold a secret: user, query and fragment."""
    from urllib.parse import urlsplit

    try:
        parts = urlsplit(url)
    except ValueError:
        return "(unreadable address)"
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"


def key_look(snapshot: Snapshot, provider: Provider) -> tuple[str, Look]:
    """What is known of the provider's key, in the doctor's words; a missing one stands out."""
    words = key_words(snapshot, provider)
    bad = words.endswith((AuthState.ABSENT.value, AuthState.EMPTY.value, AuthState.REJECTED.value))
    return words, Look.WARNING if bad else Look.MUTED


def arrange(
    snapshot: Snapshot,
    mask: Mask,
    order: Order,
    columns: tuple[Column, ...],
    *,
    folds: frozenset[str],
    marks: frozenset[ModelRef],
    changed: Mapping[ModelRef, frozenset[str]],
    looks: Looks,
    name_width: int,
    filtered: bool = False,
) -> MatrixRows:
    """The rows of `mask`, sorted flat or grouped by provider; without a filter empty providers are shown too."""
    spec = next((column for column in columns if column.key == order.column), None)
    if order.column == NAME or spec is not None:
        numbers: list[int | Provider] = list(_sorted(snapshot, mask, order, spec))
    else:
        numbers = _grouped(snapshot, mask, folds, filtered)
    name = ColumnView(NAME, "model", name_width, frozen=True, refs=True)
    views = (name, *(column.view() for column in columns))
    return MatrixRows(snapshot, columns, tuple(numbers), changed, marks, folds, looks, name_width, columns=views)


def _sorted(snapshot: Snapshot, mask: Mask, order: Order, column: Column | None) -> list[int]:
    rows = snapshot.matrix.rows

    def key(number: int) -> object:
        return str(rows[number].ref).casefold() if column is None else column.order(snapshot, rows[number])

    return sorted(bits(mask), key=key, reverse=order.descending)  # type: ignore[arg-type]  # one column's keys compare


def _grouped(snapshot: Snapshot, mask: Mask, folds: frozenset[str], filtered: bool) -> list[int | Provider]:
    rows: list[int | Provider] = []
    number = 0
    for provider, models in snapshot.config.groups:
        mine = [at for at in range(number, number + len(models)) if mask >> at & 1]
        number += len(models)
        if mine or not filtered:
            rows.append(provider)
            rows += [] if provider.provider_id in folds else mine
    return rows
