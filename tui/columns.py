"""The columns of the matrix, made from the field table: what each shows of a model, and how it sorts."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from enum import StrEnum

from model.config.fields import CONVERSION, DEFAULT_USE, LIMITS, SUPPORTS
from model.judge import Outcome
from model.quick_dataclass import dataclass
from model.resolve import ResolvedModel, Stated
from model.snapshot import Snapshot
from model.vocabulary import Capability, Layer, Role, Support, TaskType
from tui.widgets.grid_view import Align, CellView, ColumnView, Look


class ColumnGroup(StrEnum):
    """Columns that are shown or hidden together."""

    IDENTITY = "identity"
    CAPABILITIES = "capabilities"
    TASKS = "tasks"
    ROLES = "roles"
    LIMITS = "limits"
    CONVERSION = "conversion"
    PRICES = "prices"


@dataclass(frozen=True, slots=True)
class Column:
    """One column. `key` is the field's dotted name where it shows a field, `task.<task>` for a verdict, `price.…` for a
    price."""

    key: str
    heading: str
    width: int
    group: ColumnGroup
    show: Callable[[Snapshot, ResolvedModel], CellView]
    order: Callable[[Snapshot, ResolvedModel], object]
    align: Align = "left"

    def view(self) -> ColumnView:
        return ColumnView(self.key, self.heading, self.width, False, self.group.value, self.align)

    @property
    def capability(self) -> Capability | None:
        section, _, name = self.key.partition(".")
        return Capability(name) if section == "supports" else None

    @property
    def task(self) -> str | None:
        section, _, name = self.key.partition(".")
        return name if section == "task" else None

    @property
    def is_price(self) -> bool:
        return self.group is ColumnGroup.PRICES

    @property
    def is_field(self) -> bool:
        """Whether it shows what a file can state."""
        return not (self.is_price or self.task)


_LOOKS = {Support.YES: Look.YES, Support.EMULATED: Look.EMULATED, Support.NO: Look.NO, Support.UNKNOWN: Look.UNKNOWN}
_SUPPORT_ORDER = {Support.YES: 0, Support.EMULATED: 1, Support.UNKNOWN: 2, Support.NO: 3}


def tokens_short(tokens: int) -> str:
    """1000000 → 1M, 200000 → 200k, 131072 → 131k, 8192 → 8k."""
    for size, unit in ((1_000_000, "M"), (1_000, "k")):
        if tokens >= size:
            value = tokens / size
            return (
                f"{value:.1f}".removesuffix(".0") + unit if value < 10 and tokens % size else f"{tokens // size}{unit}"
            )
    return str(tokens)


def _capability(capability: Capability) -> Column:
    field = SUPPORTS[capability.value]

    def show(_: Snapshot, row: ResolvedModel) -> CellView:
        look = _LOOKS[row.support(capability)]
        contradicted = capability in row.contradicted
        glyph = CellView.glyph(look, row.decided_by(capability))
        return CellView(glyph.text + "!", look, glyph.layer) if contradicted else glyph

    def order(_: Snapshot, row: ResolvedModel) -> object:
        return _SUPPORT_ORDER[row.support(capability)]

    return Column(f"supports.{capability.value}", field.short, 4, ColumnGroup.CAPABILITIES, show, order, align="center")


def _scalar(
    name: str, heading: str, width: int, text: Callable[[object], str], order: Callable[[object], object]
) -> Column:
    def stated(row: ResolvedModel) -> Stated[object]:
        value: Stated[object] = getattr(row, name)
        return value

    def show(_: Snapshot, row: ResolvedModel) -> CellView:
        value = stated(row)
        if value.layer is Layer.NOBODY or value.value is None:
            return CellView("?", Look.UNKNOWN, Layer.NOBODY)
        return CellView(text(value.value), Look.TEXT, value.layer)

    return Column(name, heading, width, ColumnGroup.IDENTITY, show, lambda _, row: order(stated(row).value))


_QUALITY = {"frontier": "front", "strong": "strong", "standard": "stand", "cheap": "cheap", "local": "local"}
_COST = {"high": "hi", "medium": "mid", "low": "low", "free": "free"}


def _rank(tier: object) -> object:
    return getattr(tier, "rank")  # noqa: B009  both tiers have a rank; their common type has none


IDENTITY = (
    _scalar("quality_tier", "qual", 6, lambda tier: _QUALITY.get(str(tier), "?"), lambda tier: -int(str(_rank(tier)))),
    _scalar("cost_tier", "$", 4, lambda tier: _COST.get(str(tier), "?"), _rank),
    _scalar("context_window_tokens", "ctx", 5, lambda n: tokens_short(int(str(n))), lambda n: -int(str(n or 0))),
    _scalar("max_output_tokens", "out", 5, lambda n: tokens_short(int(str(n))), lambda n: -int(str(n or 0))),
)

_C = Capability
_CAPABILITY_ORDER = (
    _C.TOOL_USE, _C.PARALLEL_TOOL_USE, _C.STRUCTURED_OUTPUT, _C.JSON_MODE, _C.THINKING, _C.PROMPT_CACHE,
    _C.IMAGE_INPUT, _C.LONG_CONTEXT, _C.STREAMING, _C.SYSTEM_PROMPT, _C.FILE_INPUT, _C.IMAGE_OUTPUT, _C.AUDIO_INPUT,
    _C.AUDIO_OUTPUT, _C.COMPUTER_USE, _C.BATCH, _C.TEXT_INPUT, _C.TEXT_OUTPUT,
)  # fmt: skip
"""What decides most tasks stands first, since 80 columns show only the first few."""
CAPABILITIES = tuple(_capability(capability) for capability in _CAPABILITY_ORDER)


def _conversion(name: str) -> Column:
    def show(_: Snapshot, row: ResolvedModel) -> CellView:
        own = next((each.layer for each in row.model.layers if getattr(each.row.conversion, name)), Layer.TRANSPORT)
        return CellView(str(getattr(row.carriage.conversion, name).value), Look.TEXT, own)

    def order(_: Snapshot, row: ResolvedModel) -> object:
        return str(getattr(row.carriage.conversion, name).value)

    return Column(f"conversion.{name}", CONVERSION[name].short, 9, ColumnGroup.CONVERSION, show, order)


def _limit(name: str) -> Column:
    def show(_: Snapshot, row: ResolvedModel) -> CellView:
        for each in row.model.layers:
            value = getattr(each.row.limits, name)
            if value is not None:
                return CellView(tokens_short(value), Look.TEXT, each.layer)
        return CellView("", Look.MUTED, Layer.NOBODY)

    def order(_: Snapshot, row: ResolvedModel) -> object:
        return -(getattr(row.model.limits, name) or 0)

    return Column(f"limits.{name}", LIMITS[name].short, 5, ColumnGroup.LIMITS, show, order, align="right")


def _role(role: Role) -> Column:
    def show(_: Snapshot, row: ResolvedModel) -> CellView:
        stated = next(
            ((each.row.default_use[role], each.layer) for each in row.model.layers if role in each.row.default_use),
            None,
        )
        if stated is None:
            return CellView("", Look.MUTED, Layer.NOBODY)
        return CellView.glyph(Look.YES if stated[0] else Look.NO, stated[1])

    heading = DEFAULT_USE[role.value].short
    return Column(f"default_use.{role.value}", heading, 4, ColumnGroup.ROLES, show,
                  lambda _, row: not row.default_use.get(role, False), align="center")  # fmt: skip


_OUTCOMES = {Outcome.PASS: Look.YES, Outcome.PASS_LOSSY: Look.EMULATED, Outcome.FAIL: Look.NO}
_TASK_HEADINGS = {
    TaskType.MINE_EXPERIENCE: "mine",
    TaskType.UI_SCREENSHOT_ANALYSIS: "ui",
    TaskType.IMAGE_GENERATION: "draw",
}


def _outcome(snapshot: Snapshot, row: ResolvedModel, task: str) -> Outcome:
    """By the masks: the grid shows many cells, and none of them its reasons."""
    number = snapshot.matrix.by_ref[row.ref]
    passing = snapshot.passing[task]
    if passing.strict >> number & 1:
        return Outcome.PASS
    return Outcome.PASS_LOSSY if passing.lossy >> number & 1 else Outcome.FAIL


def _task(task: str) -> Column:
    heading = next((text for name, text in _TASK_HEADINGS.items() if name == task), task[:4])
    return Column(
        f"task.{task}",
        heading,
        4,
        ColumnGroup.TASKS,
        lambda snapshot, row: CellView.glyph(_OUTCOMES[_outcome(snapshot, row, task)], Layer.DERIVED),
        lambda snapshot, row: list(Outcome).index(_outcome(snapshot, row, task)),
        align="center",
    )


def _price(name: str, heading: str) -> Column:
    """USD per million tokens. The table of prices loads with the first one that is shown."""

    def amount(row: ResolvedModel) -> Decimal | None:
        from tui.prices import price_of_row

        price = price_of_row(row)
        return price.input if price and name == "input" else price.output if price else None

    def show(_: Snapshot, row: ResolvedModel) -> CellView:
        from tui.prices import usd

        found = amount(row)
        return (
            CellView("", Look.MUTED, Layer.NOBODY) if found is None else CellView(usd(found), Look.TEXT, Layer.CATALOG)
        )

    def order(_: Snapshot, row: ResolvedModel) -> object:
        found = amount(row)
        return (found is None, found or 0)

    return Column(f"price.{name}", heading, 6, ColumnGroup.PRICES, show, order, align="right")


PRICES = (_price("input", "$in"), _price("output", "$out"))
ALWAYS = (ColumnGroup.IDENTITY, ColumnGroup.CAPABILITIES)
OPTIONAL = (ColumnGroup.TASKS, ColumnGroup.ROLES, ColumnGroup.LIMITS, ColumnGroup.CONVERSION, ColumnGroup.PRICES)
ALL_FIELDS = frozenset(ColumnGroup) - {ColumnGroup.PRICES}
"""The groups in which a field may stand."""


def columns_for(groups: frozenset[ColumnGroup], tasks: tuple[str, ...]) -> tuple[Column, ...]:
    """The columns of the chosen groups, in their fixed order; identity is always there."""
    found = [*IDENTITY]
    if ColumnGroup.CAPABILITIES in groups:
        found += CAPABILITIES
    if ColumnGroup.TASKS in groups:
        found += [_task(task) for task in tasks]
    if ColumnGroup.ROLES in groups:
        found += [_role(role) for role in Role]
    if ColumnGroup.LIMITS in groups:
        found += [_limit(name) for name in LIMITS]
    if ColumnGroup.CONVERSION in groups:
        found += [_conversion(name) for name in CONVERSION]
    if ColumnGroup.PRICES in groups:
        found += PRICES
    return tuple(found)
