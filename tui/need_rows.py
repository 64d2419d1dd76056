"""Two lists of the requirements pane as grid rows: the tasks, and the form of one. The third is the preview."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from functools import cached_property

from model.config.fields import REQUIREMENT, SUPPORTS, Kind
from model.quick_dataclass import dataclass
from model.requirement_edits import Demand, alternative_text, demand_of
from model.requirements import Requirement
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
        """What the task asks for comes first, then what it could ask for."""
        lines = (*self._scalar_lines(), *self._capability_lines())
        return tuple(sorted(lines, key=lambda line: line.look is Look.MUTED))

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
