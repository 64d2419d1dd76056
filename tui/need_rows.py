"""The three lists of the requirements pane as grid rows: tasks, the form of one task, the preview."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from model.bitmap import Mask, bits
from model.config.fields import REQUIREMENT, SUPPORTS, Kind
from model.provenance import explain
from model.requirement_edits import Demand, alternative_text, demand_of
from model.requirements import Requirement
from model.resolve import ResolvedModel
from model.snapshot import Snapshot
from model.vocabulary import CAPABILITIES, Capability
from tui.widgets.grid_view import CellView, ColumnView, Look

BAR_CELLS = 5


def bar(share: float, cells: int = BAR_CELLS) -> str:
    """A share from 0 to 1 as a bar that needs no colour."""
    full = round(share * cells)
    if share > 0:
        full = max(1, full)
    return "█" * full + "░" * (cells - full)


class PlainRows:
    """The parts of a `GridSource` that a list without groups and marks does not use."""

    def is_group(self, row: int) -> bool:
        return False

    def group_text(self, row: int) -> Sequence[tuple[str, Look]]:
        return ()

    def folded(self, row: int) -> bool:
        return False

    def marked(self, row: int) -> bool:
        return False


@dataclass(frozen=True)
class TaskRows(PlainRows):
    """Every task with how many pass. A task that nobody passes stands out."""

    snapshot: Snapshot
    tasks: tuple[str, ...]
    columns: Sequence[ColumnView]

    def __len__(self) -> int:
        return len(self.tasks)

    def row_key(self, row: int) -> Hashable:
        return self.tasks[row]

    def row_version(self, row: int) -> Hashable:
        return (self._count(row), len(self.snapshot.matrix.rows))

    def _count(self, row: int) -> int:
        return self.snapshot.passing[self.tasks[row]].any.bit_count()

    def cell(self, row: int, column: int) -> CellView:
        count = self._count(row)
        look = Look.TEXT if count else Look.ERROR
        if column == 0:
            return CellView(self.tasks[row], look)
        if column == 1:
            return CellView(str(count) if count else "none", look)
        return CellView(bar(count / max(1, len(self.snapshot.matrix.rows))), Look.MUTED if count else Look.ERROR)


def task_list(snapshot: Snapshot, width: int) -> TaskRows:
    """`width` is the list's, in cells."""
    columns = (
        ColumnView("task", "task", max(10, min(24, width - BAR_CELLS - 10)), frozen=True),
        ColumnView("passes", "pass", 4, align="right"),
        ColumnView("bar", "", BAR_CELLS),
    )
    return TaskRows(snapshot, tuple(snapshot.requirements), columns)


@dataclass(frozen=True, slots=True)
class FormLine:
    """One line of the form. `name` is a capability's or a requirement field's name."""

    name: str
    value: str
    look: Look
    stated: bool
    capability: Capability | None = None


_DEMAND_LOOKS = {Demand.OFF: Look.MUTED, Demand.PREFERRED: Look.EMULATED, Demand.REQUIRED: Look.YES,
                 Demand.FORBIDDEN: Look.ERROR}  # fmt: skip
_SCALARS = ("min_quality_tier", "max_cost_tier", "min_context_window_tokens", "allow_lossy_conversion", "any_of",
            "exclude_models", "tools")  # fmt: skip


def _field_text(requirement: Requirement, name: str) -> str:
    value = getattr(requirement, name)
    if name == "any_of":
        return " | ".join(alternative_text(each) for each in value) or "–"
    if isinstance(value, tuple):
        return ", ".join(value) or "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "–" if value is None else f"{value:,}" if isinstance(value, int) else str(value.value)


@dataclass(frozen=True)
class FormRows(PlainRows):
    """A requirement, field by field. `*` marks what a file states, in place of the default."""

    snapshot: Snapshot
    task: str
    columns: Sequence[ColumnView]

    @property
    def requirement(self) -> Requirement:
        return self.snapshot.requirements[self.task]

    @cached_property
    def lines(self) -> tuple[FormLine, ...]:
        return (*self._scalar_lines(), *self._capability_lines())

    def _states(self, name: str) -> bool:
        blocks = self.snapshot.config.requirements.get(self.task, ())
        return any(getattr(block, name) is not None for block in blocks)

    def _scalar_lines(self) -> Iterator[FormLine]:
        for name in _SCALARS:
            text = _field_text(self.requirement, name)
            yield FormLine(name, text, Look.MUTED if text in {"–", "no"} else Look.TEXT, self._states(name))

    def _capability_lines(self) -> Iterator[FormLine]:
        stated = self._states("required") or self._states("preferred")
        for capability in sorted(CAPABILITIES, key=lambda each: _demand_order(demand_of(self.requirement, each))):
            demand = demand_of(self.requirement, capability)
            yield FormLine(capability.value, demand.value, _DEMAND_LOOKS[demand], stated and demand is not Demand.OFF,
                           capability)  # fmt: skip

    def __len__(self) -> int:
        return len(self.lines)

    def row_key(self, row: int) -> Hashable:
        return self.lines[row].name

    def row_version(self, row: int) -> Hashable:
        return self.lines[row]

    def cell(self, row: int, column: int) -> CellView:
        line = self.lines[row]
        if column == 0:
            return CellView("*" if line.stated else "", Look.WARNING)
        return CellView(line.name, line.look) if column == 1 else CellView(line.value, line.look)

    def line(self, row: int) -> FormLine:
        return self.lines[row]

    def help(self, row: int) -> str:
        line = self.lines[row]
        return SUPPORTS[line.name].help if line.capability else REQUIREMENT[line.name].help


def form(snapshot: Snapshot, task: str, width: int) -> FormRows:
    """`width` is the list's, in cells."""
    columns = (
        ColumnView("stated", "", 1, frozen=True),
        ColumnView("name", "asks for", 25, frozen=True),
        ColumnView("value", "how", max(10, width - 33)),
    )
    return FormRows(snapshot, task, columns)


def _demand_order(demand: Demand) -> int:
    return (Demand.REQUIRED, Demand.FORBIDDEN, Demand.PREFERRED, Demand.OFF).index(demand)


def is_flag(name: str) -> bool:
    return REQUIREMENT[name].kind is Kind.FLAG


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
        return (self.text(row), self.width)

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
        return CellView(self.text(row), Look.MUTED if part.name == "pass" else part.look)

    def marked(self, row: int) -> bool:
        return False

    def text(self, row: int) -> str:
        """Why a model stands where it stands."""
        part, at = self._find(row)
        model = self.snapshot.matrix.rows[part.numbers[at]]
        requirement = self.snapshot.requirements[self.task]
        if part.name == "pass":
            return _keys_text(self.snapshot, model, requirement)
        return ", ".join(_reason_text(model, reason) for reason in self.snapshot.verdict(model, requirement).reasons)


def _reason_text(model: ResolvedModel, reason: object) -> str:
    """`missing:tool_use (catalog)`: the clause and who decided the cell that fails it."""
    capability = getattr(reason, "capability", None)
    return f"{reason} ({explain(model, capability).decided_by.value})" if capability else str(reason)


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
    name_width = max(18, min(44, width // 2))
    columns = (
        ColumnView("model", "model", name_width, frozen=True),
        ColumnView("why", "ranked by / fails on", max(20, width - name_width - 6)),
    )
    return PreviewRows(snapshot, task, parts, folds, width, columns)
