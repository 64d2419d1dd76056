"""Who passes a task and why the others do not, as grid rows: the preview of the requirements pane."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import field
from functools import cached_property

from rich.cells import cell_len

from model.bitmap import Mask, bits
from model.provenance import explain
from model.quick_dataclass import dataclass
from model.requirements import Requirement
from model.resolve import ResolvedModel
from model.snapshot import Snapshot
from model.verdicts import Reason
from tui.widgets.grid_view import CellView, ColumnView, Look


@dataclass(frozen=True)
class Part:
    """A group of the preview: its heading, and which rows of the matrix are in it."""

    name: str
    title: str
    look: Look
    numbers: Sequence[int]


class Ranked(Sequence[int]):
    """The passing rows in ranking order, worked out no further than somebody looked."""

    def __init__(self, snapshot: Snapshot, requirement: Requirement, count: int) -> None:
        self._order = (snapshot.matrix.by_ref[row.ref] for row in snapshot.ranked(requirement))
        self._known: list[int] = []
        self._count = count

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, index):  # type: ignore[no-untyped-def]  # only ever asked for one place
        if not 0 <= index < self._count:
            raise IndexError(index)
        while len(self._known) <= index:
            self._known.append(next(self._order))
        return self._known[index]


@dataclass(frozen=True)
class PreviewRows:
    """Who passes in ranking order, near misses with the one clause, the rest with all reasons."""

    snapshot: Snapshot
    task: str
    parts: tuple[Part, ...]
    folds: frozenset[str]
    width: int
    columns: Sequence[ColumnView] = field(default=())
    _told: dict[int, str] = field(default_factory=dict, compare=False, repr=False)

    @cached_property
    def _starts(self) -> tuple[int, ...]:
        starts, at = [], 0
        for part in self.parts:
            starts.append(at)
            at += 1 + (0 if part.name in self.folds else len(part.numbers))
        return (*starts, at)

    def _find(self, row: int) -> tuple[Part, int]:
        """The part of a row, and its place there; -1 for the heading."""
        index = next(i for i in reversed(range(len(self.parts))) if self._starts[i] <= row)
        return self.parts[index], row - self._starts[index] - 1

    def __len__(self) -> int:
        return self._starts[-1]

    def is_group(self, row: int) -> bool:
        return self._find(row)[1] < 0

    def row_key(self, row: int) -> Hashable:
        part, at = self._find(row)
        return part.name if at < 0 else self.snapshot.matrix.rows[part.numbers[at]].ref

    def row_version(self, row: int) -> Hashable:
        part, at = self._find(row)
        if at < 0:
            return (part.title, part.name in self.folds)
        return (self.why(row), self.width)

    def group_text(self, row: int) -> Sequence[tuple[str, Look]]:
        part, _ = self._find(row)
        return ((part.title, part.look),)

    def folded(self, row: int) -> bool:
        return self._find(row)[0].name in self.folds

    def cell(self, row: int, column: int) -> CellView:
        part, at = self._find(row)
        if at < 0:
            return CellView("")
        model = self.snapshot.matrix.rows[part.numbers[at]]
        if column == 0:
            return CellView(str(model.ref), Look.TEXT if model.enabled else Look.MUTED)
        return CellView(self.why(row), Look.MUTED if part.name == "pass" else part.look)

    def marked(self, row: int) -> bool:
        return False

    def why(self, row: int) -> str:
        """As many words as there is room for: the reasons as sentences, else their clauses."""
        if row not in self._told:
            self._told[row] = self._why(row)
        return self._told[row]

    def _why(self, row: int) -> str:
        text, room = self.text(row), self.columns[-1].width
        return text if cell_len(text) <= room or self._find(row)[0].name == "pass" else ", ".join(self._clauses(row))

    def _clauses(self, row: int) -> Iterator[str]:
        part, at = self._find(row)
        model = self.snapshot.matrix.rows[part.numbers[at]]
        return map(str, self.snapshot.verdict(model, self.snapshot.requirements[self.task]).reasons)

    def text(self, row: int) -> str:
        """Why a model stands where it stands, in whole sentences."""
        part, at = self._find(row)
        model = self.snapshot.matrix.rows[part.numbers[at]]
        requirement = self.snapshot.requirements[self.task]
        if part.name == "pass":
            return _keys_text(self.snapshot, model, requirement)
        return "; ".join(_reason_text(model, reason) for reason in self.snapshot.verdict(model, requirement).reasons)


def _reason_text(model: ResolvedModel, reason: Reason) -> str:
    """`it has no tool_use (catalog)`: the reason, and who decided the cell that fails."""
    return f"{reason.text} ({explain(model, reason.capability).decided_by.value})" if reason.capability else reason.text


def _keys_text(snapshot: Snapshot, model: ResolvedModel, requirement: Requirement) -> str:
    keys = snapshot.ranking_keys(model, requirement)
    words = ["lossy"] if keys.lossy else []
    words += ["default"] if keys.role_default else []
    words += [
        f"preferred {keys.preferred}",
        model.quality_tier.value.value,
        f"cost {keys.cost.value}",
        f"score {keys.score:.0f}",
    ]
    return " · ".join(words)


def preview(snapshot: Snapshot, task: str, before: Mask, folds: frozenset[str], width: int) -> PreviewRows:
    """`before` are the rows that passed when the pane was opened; `width` is the list's, in cells."""
    requirement = snapshot.requirements[task]
    passing = snapshot.passes(requirement).any
    near = snapshot.near_misses(requirement)
    rest = snapshot.bitmap.all & ~passing & ~near
    gained, lost = (passing & ~before).bit_count(), (before & ~passing).bit_count()
    since = f"   +{gained} −{lost} since you came" if gained or lost else ""
    count = passing.bit_count()
    parts = (
        Part("pass", f"{count} pass{'es' if count == 1 else ''}{since}", Look.YES if count else Look.ERROR,
             Ranked(snapshot, requirement, count)),
        Part("near", f"{near.bit_count()} fail on one clause", Look.WARNING, tuple(bits(near))),
        Part("fail", f"{rest.bit_count()} fail on more", Look.MUTED, tuple(bits(rest))),
    )  # fmt: skip
    name_width = max(18, min(36, width // 2))
    columns = (
        ColumnView("model", "model", name_width, frozen=True, refs=True),
        ColumnView("why", "ranked by / fails on", max(20, width - name_width - 6)),
    )
    return PreviewRows(snapshot, task, parts, folds, width, columns)
