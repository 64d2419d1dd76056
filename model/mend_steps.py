"""Which single edits may mend one failing clause: a claim about the model, or less asked of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from model.capability_set import CapabilitySet
from model.config.rows import Alternative
from model.mends import Case, Claim, Denial, Price, Relaxation, Step, home_of
from model.provenance import explain, explain_field
from model.requirements import Requirement
from model.tools import FLOOR_OF_TIER
from model.verdicts import NEVER_LOSSY, Reason, ReasonCode
from model.vocabulary import (
    CacheConversion,
    Canonical,
    Capability,
    CostTier,
    ImageConversion,
    Layer,
    QualityTier,
    Support,
    ThinkingConversion,
    ToolSchema,
)


def steps_for(case: Case, reason: Reason) -> Iterator[Step]:
    """No step for what no edit mends (an absent key, an untrusted endpoint)."""
    code = reason.code
    if code is ReasonCode.DISABLED:
        yield _switch_on(case)
    elif code is ReasonCode.QUALITY_FLOOR:
        yield from _quality_steps(case)
    elif code is ReasonCode.COST_CAP:
        yield from _cost_steps(case)
    elif code is ReasonCode.TOOL:
        yield from _tool_steps(case, reason)
    elif code is ReasonCode.EXCLUDED:
        title = f"take {case.row.ref} out of exclude_models"
        yield from _relax(case, "exclude_models", _leaving_out(str(case.row.ref), "exclude_models"), title, Price.RELAX)
    elif code not in {ReasonCode.NO_AUTH, ReasonCode.UNTRUSTED}:
        yield from _ask_steps(case, reason)


def _relax(case: Case, field: str, value: Callable[[Requirement], Any], title: str, price: int) -> Iterator[Relaxation]:
    if field not in case.fixed:
        yield Relaxation(field, value, f"{case.requirement.task}: {title}", price)


def _leaving_out(name: str, field: str) -> Callable[[Requirement], tuple[str, ...]]:
    return lambda requirement: tuple(each for each in getattr(requirement, field) if each != name)


def _switch_on(case: Case) -> Claim:
    """Somebody switched it off, so it is not for free."""
    model = case.row.model
    provider = model.provider
    if not provider.enabled:
        by = provider.decided_by("enabled")
        name, layer = provider.provider_id, by.layer if by else Layer.NOBODY
    else:
        name, layer = str(model.ref), home_of(model, "enabled").layer
    denied = (Denial(layer, "enabled: false"),)
    return Claim("enabled", True, f"switch {name} on", Price.RELAX, denied, of_provider=not provider.enabled)


def _quality_steps(case: Case) -> Iterator[Step]:
    floor, quality = case.requirement.min_quality_tier, case.row.quality_tier.value
    if floor is None:
        return
    yield _tier_claim(case, "quality_tier", floor)
    if quality is not QualityTier.UNKNOWN:
        price = Price.RELAX * max(1, floor.rank - quality.rank)
        yield from _relax(case, "min_quality_tier", lambda _: quality, f"lower the floor to {quality.value}", price)


def _cost_steps(case: Case) -> Iterator[Step]:
    cap, cost = case.requirement.max_cost_tier, case.row.cost_tier.value
    if cap is None:
        return
    yield _tier_claim(case, "cost_tier", cap)
    if cost is not CostTier.UNKNOWN:
        price = Price.RELAX * max(1, cost.rank - cap.rank)
        yield from _relax(case, "max_cost_tier", lambda _: cost, f"raise the price cap to {cost.value}", price)


def _tier_claim(case: Case, field: str, tier: QualityTier | CostTier) -> Claim:
    stated = getattr(case.row, field)
    denied = () if stated.value.value == "unknown" else (Denial(stated.layer, stated.value.value),)
    price = Price.CONTRADICT if denied else Price.STATE
    return Claim(field, tier, f"state {field}: {tier.value} of {case.row.ref}", price, denied)


def _tool_steps(case: Case, reason: Reason) -> Iterator[Step]:
    name = reason.tool
    assert name is not None
    needs = case.snapshot.given.toolbox.of(name).min_capability_tier
    if needs and not case.row.quality_tier.value.meets(FLOOR_OF_TIER[needs]):
        yield _tier_claim(case, "quality_tier", FLOOR_OF_TIER[needs])
    yield from _relax(case, "tools", _leaving_out(name, "tools"), f"do without the tool {name}", Price.DROP)


def _ask_steps(case: Case, reason: Reason) -> Iterator[Step]:
    """For what `required`, the window or one way of `any_of` asks. A failing `any_of` may be mended in any way."""
    if not reason.clause.startswith("any_of"):
        yield from _steps_of_clause(case, reason, None)
        return
    for number, way in enumerate(case.requirement.any_of):
        for capability in way.required:
            if case.row.support(capability) is not Support.YES:
                clause = f"any_of[{number}].{capability.value}"
                yield from _steps_of_clause(case, Reason(ReasonCode.MISSING, clause, "", capability), number)
        for capability in way.forbidden:
            if case.row.support(capability) is not Support.NO:
                clause = f"any_of[{number}].{capability.value}"
                yield from _steps_of_clause(case, Reason(ReasonCode.FORBIDDEN, clause, "", capability), number)
        if way.min_context_window_tokens:
            yield from _steps_of_clause(case, Reason(ReasonCode.CONTEXT_WINDOW, "", ""), number)


def _steps_of_clause(case: Case, reason: Reason, way: int | None) -> Iterator[Step]:
    asked = _asked(case.requirement, way)
    capability = reason.capability
    if capability is None:
        yield from _window_steps(case, asked.min_context_window_tokens or 0, way)
    elif capability in asked.forbidden and reason.code in {ReasonCode.FORBIDDEN, ReasonCode.UNKNOWN}:
        yield _flag_claim(case, capability, have=False)
        yield from _without(case, way, capability)
    else:
        yield from _capability_claims(case, capability)
        lossy_helps = case.row.support(capability) is Support.EMULATED and capability not in NEVER_LOSSY
        if lossy_helps and not case.requirement.allow_lossy_conversion:
            yield from _relax(case, "allow_lossy_conversion", lambda _: True, "allow lossy conversion", Price.RELAX)
        yield from _without(case, way, capability)


def _asked(requirement: Requirement, way: int | None) -> Alternative:
    if way is not None:
        return requirement.any_of[way]
    return Alternative(requirement.needed, requirement.forbidden, requirement.min_context_window_tokens)


def _window_steps(case: Case, tokens: int, way: int | None) -> Iterator[Step]:
    window = case.row.context_window_tokens.value
    if not tokens or (window is not None and window >= tokens):
        return
    yield _window_claim(case, tokens)
    if window is not None and way is None:
        title = f"lower the window to {window:,} tokens"
        yield from _relax(case, "min_context_window_tokens", lambda _: window, title, Price.DROP)
    elif window is not None and way is not None:
        shorter = partial(replace, min_context_window_tokens=window)
        yield from _other_way(case, way, shorter, f"lower any_of[{way}] to {window:,} tokens")


def _window_claim(case: Case, tokens: int) -> Claim:
    stated = case.row.context_window_tokens
    denied = () if stated.value is None else (Denial(stated.layer, f"{stated.value:,} tokens"),)
    price = Price.CONTRADICT if denied else Price.STATE
    title = f"state context_window_tokens: {tokens:,} of {case.row.ref}"
    return Claim("context_window_tokens", tokens, title, price, denied)


def _without(case: Case, way: int | None, capability: Capability) -> Iterator[Step]:
    """The requirement without this capability, where it asks for it."""
    one, name, requirement = CapabilitySet.of((capability,)), capability.value, case.requirement
    if way is not None:
        yield from _other_way(case, way, lambda asked: _less(asked, one), f"drop {name} from any_of[{way}]")
    elif capability in requirement.required:
        yield from _relax(case, "required", lambda it: it.required - one, f"no longer require {name}", Price.DROP)
    elif capability in requirement.forbidden:
        yield from _relax(case, "forbidden", lambda it: it.forbidden - one, f"no longer forbid {name}", Price.DROP)
    elif requirement.tools:
        yield from _relax(case, "tools", lambda _: (), "do without tools", Price.DROP * len(requirement.tools))


def _less(asked: Alternative, one: CapabilitySet) -> Alternative:
    return replace(asked, required=asked.required - one, forbidden=asked.forbidden - one)


def _other_way(case: Case, way: int, change: Callable[[Alternative], Alternative], title: str) -> Iterator[Step]:
    def ways(requirement: Requirement) -> tuple[Alternative, ...]:
        return tuple(change(each) if number == way else each for number, each in enumerate(requirement.any_of))

    yield from _relax(case, "any_of", ways, title, Price.DROP)


# -- claims about capabilities ----------------------------------------------------------------------------------------
_NATIVE: dict[Capability, tuple[str, Any]] = {
    Capability.TOOL_USE: ("tool_schema", ToolSchema.CONVERTED),
    Capability.PARALLEL_TOOL_USE: ("tool_schema", ToolSchema.CONVERTED),
    Capability.IMAGE_INPUT: ("image_input", ImageConversion.NATIVE),
    Capability.THINKING: ("thinking", ThinkingConversion.NATIVE),
    Capability.PROMPT_CACHE: ("cache_control", CacheConversion.NATIVE),
}
"""The conversion that carries each capability unchanged."""


def _capability_claims(case: Case, capability: Capability) -> Iterator[Claim]:
    """The model has it; its wire carries it; its window is long. None where only another wire would help."""
    row = case.row
    carriage, conversion = row.carriage, row.carriage.conversion
    if conversion.from_anthropic_canonical is Canonical.UNSUPPORTED:
        yield _conversion_claim(case, "from_anthropic_canonical", Canonical.LOSSY)
        return
    blocked, emulated = capability in carriage.blocked, capability in carriage.emulated
    if (blocked or emulated) and capability not in _NATIVE:
        return
    if blocked or emulated:
        yield _conversion_claim(case, *_NATIVE[capability])
    if row.support(capability) is not Support.EMULATED:
        yield _flag_claim(case, capability, have=True)
    if capability is Capability.LONG_CONTEXT and row.decided_by(capability) in {Layer.DERIVED, Layer.NOBODY}:
        yield _window_claim(case, case.snapshot.matrix.policy.long_context_tokens)


def _flag_claim(case: Case, capability: Capability, *, have: bool) -> Claim:
    against, with_it = ("no", "yes") if have else ("yes", "no")
    words = [word for word in explain(case.row, capability).words if word.layer is not Layer.TRANSPORT]
    denied = tuple(Denial(word.layer, word.value, word.detail) for word in words if word.value == against)
    confirmed = any(word.value == with_it for word in words)
    price = Price.CONTRADICT if denied else Price.CONFIRMED if confirmed else Price.STATE
    field = f"supports.{capability.value}"
    return Claim(field, have, f"state {field}: {str(have).lower()} of {case.row.ref}", price, denied)


def _conversion_claim(case: Case, name: str, value: Any) -> Claim:
    field = f"conversion.{name}"
    words = explain_field(case.row, field).words
    denied = tuple(Denial(word.layer, word.value, word.detail) for word in words if word.value != value.value)
    return Claim(field, value, f"state {field}: {value.value} of {case.row.ref}", Price.CONTRADICT, denied)
