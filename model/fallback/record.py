"""What has to be recorded of a fallback (seed 000 §11): who, instead of whom, why, and what changes with it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from model.conversion import Caution, Omission, Prediction, Word, predict
from model.fallback.able import changes_code
from model.fallback.failure import Failure
from model.fallback.losses import Differences, Pair, differences
from model.model_ref import ModelRef
from model.quick_dataclass import dataclass
from model.tools import tools_in_play
from model.vocabulary import Api, Capability, ThinkingConversion

if TYPE_CHECKING:
    from model.fallback.succession import Rung
    from model.requirements import Requirement
    from model.resolve import ResolvedModel
    from model.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class Price:
    """USD per million tokens."""

    input: float
    output: float

    def __str__(self) -> str:
        return f"${self.input:g} in, ${self.output:g} out"


Prices = Mapping[ModelRef, Price]
"""What is known of prices; a model that is not in it has none that anybody knows."""


@dataclass(frozen=True, slots=True)
class FallbackRecord:
    """`conversion` predicts what a request loses that uses what the task wants of the original; `switch` what the
    conversation so far loses. `price` is None where one of the two is not known."""

    task: str
    original: ModelRef
    selected: ModelRef
    failure: Failure
    rung: Rung
    reason: str
    differences: Differences
    conversion: Prediction
    switch: tuple[Word, ...]
    tools_lost: tuple[str, ...]
    required_confirmation: bool
    price: Pair[Price] | None = None


def record(
    snapshot: Snapshot,
    requirement: Requirement,
    original: ResolvedModel,
    selected: ResolvedModel,
    *,
    failure: Failure,
    rung: Rung,
    required_confirmation: bool,
    prices: Prices | None = None,
) -> FallbackRecord:
    return FallbackRecord(
        requirement.task,
        original.ref,
        selected.ref,
        failure,
        rung,
        f"{original.ref}: {failure.value}; rung {rung.value}, {rung.title}",
        differences(original, selected),
        _conversion(snapshot, requirement, original, selected),
        tuple(dict.fromkeys(_switch(original, selected))),
        _tools_lost(snapshot, requirement, original, selected),
        required_confirmation,
        _price(prices or {}, original.ref, selected.ref),
    )


def _conversion(
    snapshot: Snapshot, requirement: Requirement, original: ResolvedModel, selected: ResolvedModel
) -> Prediction:
    return predict(
        selected.carriage.conversion,
        requirement.needed,
        uses=requirement.preferred & original.yes,
        allow_lossy=requirement.allow_lossy_conversion,
        code_changing=changes_code(snapshot, requirement.task),
    )


_SIGNING = frozenset({Api.ANTHROPIC_MESSAGES, Api.ANTHROPIC_VERTEX, Api.BEDROCK_CONVERSE_STREAM})
"""Wires whose thinking carries a signature that means nothing to another model, and that take none without."""


def _switch(original: ResolvedModel, selected: ResolvedModel) -> Iterator[Word]:
    """As the adapters' switch would count it on a conversation that uses all that the original has."""
    source, target = original.carriage.transport, selected.carriage.transport
    if Capability.THINKING in original.yes:
        if original.model.provider.api in _SIGNING:
            yield Omission.SIGNATURES_DROPPED
        native = selected.carriage.conversion.thinking is ThinkingConversion.NATIVE
        if not native or selected.model.provider.api in _SIGNING:
            yield Omission.THINKING_STRIPPED
    if Capability.TOOL_USE in original.yes | original.emulated and source.tool_call_ids != target.tool_call_ids:
        yield Caution.TOOL_IDS_REMAPPED
    if Capability.IMAGE_INPUT in original.yes and source.images_in_tool_results and not target.images_in_tool_results:
        yield Caution.IMAGES_MOVED


def _tools_lost(
    snapshot: Snapshot, requirement: Requirement, original: ResolvedModel, selected: ResolvedModel
) -> tuple[str, ...]:
    names = tools_in_play(snapshot.config, requirement.tools)
    toolbox = snapshot.given.toolbox
    had = set(toolbox.filter_for(original, names).names)
    return tuple(tool.name for tool in toolbox.filter_for(selected, names).removed if tool.name in had)


def _price(prices: Prices, before: ModelRef, after: ModelRef) -> Pair[Price] | None:
    return Pair(prices[before], prices[after]) if before in prices and after in prices else None
