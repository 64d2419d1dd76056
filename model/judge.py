"""Model × requirement → verdict with every reason (DOMAIN.md §4): the fast masks and the slow, explaining evaluator.

Both answer the same question; a property test holds them together.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from model.bitmap import Bitmap, Mask
from model.config.rows import Alternative
from model.requirements import Requirement
from model.resolve import ResolvedModel
from model.tools import NO_TOOLS, Toolbox
from model.vocabulary import BadRef, Capability, CapabilitySet, Layer, ModelRef, Support

NEVER_LOSSY = CapabilitySet.of((Capability.THINKING, Capability.PROMPT_CACHE))
"""Required, these must be carried as they are, whatever allow_lossy_conversion says (seed 000 §8.4)."""


class Outcome(StrEnum):
    PASS = "pass"
    PASS_LOSSY = "pass_lossy"
    FAIL = "fail"


class ReasonCode(StrEnum):
    """Why a model fails a clause, or what a verdict warns of."""

    DISABLED = "disabled"
    EXCLUDED = "excluded"
    MISSING = "missing"
    UNKNOWN = "unknown"
    EMULATED = "emulated"
    TRANSPORT = "transport"
    QUALITY_FLOOR = "quality_floor"
    COST_CAP = "cost_cap"
    CONTEXT_WINDOW = "context_window"
    UNKNOWN_CONTEXT = "unknown_context"
    FORBIDDEN = "forbidden"
    TOOL = "tool"
    NO_AUTH = "no_auth"
    UNTRUSTED = "untrusted"


@dataclass(frozen=True, slots=True)
class Reason:
    """One clause that fails. In text it reads `missing:tool_use`."""

    code: ReasonCode
    clause: str
    text: str
    capability: Capability | None = None
    tool: str | None = None

    def __str__(self) -> str:
        subject = self.capability or self.tool
        return f"{self.code.value}:{subject}" if subject else self.code.value


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What beside the requirement bears on a verdict. no_auth and untrusted only warn, unless `usable` is asked."""

    permissive: bool = False
    toolbox: Toolbox = NO_TOOLS
    no_auth: frozenset[str] = frozenset()
    untrusted: frozenset[str] = frozenset()
    usable: bool = False


@dataclass(frozen=True, slots=True)
class Verdict:
    """A fail has at least one reason, a pass has none; warnings never decide."""

    outcome: Outcome
    reasons: tuple[Reason, ...] = ()
    warnings: tuple[Reason, ...] = ()

    @property
    def passes(self) -> bool:
        return self.outcome is not Outcome.FAIL

    @property
    def near_miss(self) -> bool:
        return len(self.reasons) == 1


@dataclass(frozen=True, slots=True)
class Passing:
    """Who passes: `strict` without anything emulated; `lossy` only because emulation is allowed."""

    strict: Mask
    lossy: Mask

    @property
    def any(self) -> Mask:
        return self.strict | self.lossy


# -- the fast way -----------------------------------------------------------------------------------------------------
def passing(bitmap: Bitmap, requirement: Requirement, given: Circumstances) -> Passing:
    """The masks of a requirement over all rows."""
    base = bitmap.enabled() & ~bitmap.of(_refs(requirement.exclude_models))
    if requirement.min_quality_tier:
        base &= bitmap.meets_floor(requirement.min_quality_tier)
    if requirement.max_cost_tier:
        base &= bitmap.within_cap(requirement.max_cost_tier)
    if requirement.min_context_window_tokens:
        base &= bitmap.window_at_least(requirement.min_context_window_tokens)
    for name in requirement.tools:
        base &= given.toolbox.mask(bitmap, name)
    if given.usable:
        for provider_id in given.no_auth | given.untrusted:
            base &= ~bitmap.provider(provider_id)
    whole = Alternative(requirement.required, requirement.forbidden)
    strict, either = _capable(bitmap, whole, base, requirement.allow_lossy_conversion, given.permissive)
    if requirement.any_of:
        ways = [
            _capable(bitmap, way, either, requirement.allow_lossy_conversion, given.permissive)
            for way in requirement.any_of
        ]
        strict &= _any(way[0] for way in ways)
        either &= _any(way[1] for way in ways)
    return Passing(strict, either & ~strict)


def _capable(bitmap: Bitmap, ask: Alternative, base: Mask, allow_lossy: bool, permissive: bool) -> tuple[Mask, Mask]:
    """Rows of `base` that have what `ask` requires: without emulation, and with it."""
    strict = lossy = base
    if ask.min_context_window_tokens:
        strict = lossy = base & bitmap.window_at_least(ask.min_context_window_tokens)
    for capability in ask.required:
        good = bitmap.yes(capability) | (bitmap.unknown(capability) if permissive else 0)
        strict &= good
        emulation_will_do = allow_lossy and capability not in NEVER_LOSSY
        lossy &= good | (bitmap.emulated(capability) if emulation_will_do else 0)
    for capability in ask.forbidden:
        has = bitmap.yes(capability) | bitmap.emulated(capability)
        may_have = has if permissive else has | bitmap.unknown(capability)
        strict &= ~may_have
        lossy &= ~may_have
    return strict, lossy


def _any(masks: Iterable[Mask]) -> Mask:
    union = 0
    for mask in masks:
        union |= mask
    return union


def _refs(texts: Iterable[str]) -> list[ModelRef]:
    refs = []
    for text in texts:
        try:
            refs.append(ModelRef.parse(text))
        except BadRef:
            continue  # the doctor reports it; it excludes nobody
    return refs


# -- the explaining way -----------------------------------------------------------------------------------------------
def judge(row: ResolvedModel, requirement: Requirement, given: Circumstances) -> Verdict:
    """All failing clauses of one model, not just the first."""
    reasons = [*_identity_reasons(row, requirement), *_tier_reasons(row, requirement)]
    whole = Alternative(requirement.required, requirement.forbidden, requirement.min_context_window_tokens)
    capability_reasons, warnings, lossy = _ask(row, whole, requirement, given, "required")
    reasons += capability_reasons
    if requirement.any_of:
        best = _best_way(row, requirement, given)
        reasons += best[0]
        warnings += best[1]
        lossy |= best[2]
    reasons += _tool_reasons(row, requirement, given.toolbox)
    usability = _usability_reasons(row, given)
    reasons += usability if given.usable else []
    warnings += [] if given.usable else usability
    outcome = Outcome.FAIL if reasons else Outcome.PASS_LOSSY if lossy else Outcome.PASS
    return Verdict(outcome, tuple(reasons), tuple(warnings))


_Answer = tuple[list[Reason], list[Reason], bool]
"""Failing reasons, warnings, and whether an emulated capability was needed."""


def _identity_reasons(row: ResolvedModel, requirement: Requirement) -> list[Reason]:
    reasons = []
    if not row.enabled:
        where = "its provider" if not row.model.provider.enabled else "it"
        reasons.append(Reason(ReasonCode.DISABLED, "enabled", f"{where} is switched off"))
    if row.ref in _refs(requirement.exclude_models):
        reasons.append(Reason(ReasonCode.EXCLUDED, "exclude_models", "the requirement excludes it"))
    return reasons


def _tier_reasons(row: ResolvedModel, requirement: Requirement) -> list[Reason]:
    reasons = []
    floor, cap = requirement.min_quality_tier, requirement.max_cost_tier
    quality, cost = row.quality_tier.value, row.cost_tier.value
    if floor and not quality.meets(floor):
        text = f"quality_tier is {quality.value}, the floor is {floor.value}"
        reasons.append(Reason(ReasonCode.QUALITY_FLOOR, "min_quality_tier", text))
    if cap and not cost.within(cap):
        text = f"cost_tier is {cost.value}, the cap is {cap.value}"
        reasons.append(Reason(ReasonCode.COST_CAP, "max_cost_tier", text))
    return reasons


def _window_reason(row: ResolvedModel, tokens: int | None, clause: str) -> list[Reason]:
    window = row.context_window_tokens.value
    if not tokens or (window is not None and window >= tokens):
        return []
    if window is None:
        text = f"the window is not stated, {tokens:,} tokens are asked for"
        return [Reason(ReasonCode.UNKNOWN_CONTEXT, clause, text)]
    return [Reason(ReasonCode.CONTEXT_WINDOW, clause, f"the window is {window:,} tokens, {tokens:,} are asked for")]


def _ask(row: ResolvedModel, ask: Alternative, requirement: Requirement, given: Circumstances, clause: str) -> _Answer:
    window_clause = "min_context_window_tokens" if clause == "required" else f"{clause}.min_context_window_tokens"
    reasons, warnings, lossy = _window_reason(row, ask.min_context_window_tokens, window_clause), [], False
    for capability in ask.required:
        support = row.support(capability)
        reason = _lack(row, capability, support, f"{clause}.{capability.value}")
        if support is Support.YES:
            continue
        if support is Support.UNKNOWN and given.permissive:
            warnings.append(reason)
        elif support is Support.EMULATED and requirement.allow_lossy_conversion and capability not in NEVER_LOSSY:
            lossy = True
        else:
            reasons.append(reason)
    for capability in ask.forbidden:
        reason = _surplus(row, capability, f"{clause}.{capability.value}")
        if reason.code is ReasonCode.UNKNOWN and given.permissive:
            warnings.append(reason)
        elif row.support(capability) is not Support.NO:
            reasons.append(reason)
    return reasons, warnings, lossy


def _lack(row: ResolvedModel, capability: Capability, support: Support, clause: str) -> Reason:
    name = capability.value
    if support is Support.UNKNOWN:
        return Reason(ReasonCode.UNKNOWN, clause, f"nobody states whether it has {name}", capability)
    if support is Support.EMULATED and capability in NEVER_LOSSY:
        return Reason(
            ReasonCode.TRANSPORT, clause, f"{name} is not carried over {row.model.provider.api.value}", capability
        )
    if support is Support.EMULATED:
        return Reason(
            ReasonCode.EMULATED, clause, f"{name} is only emulated, and lossy conversion is not allowed", capability
        )
    if row.decided_by(capability) is Layer.TRANSPORT:
        return Reason(ReasonCode.TRANSPORT, clause, f"{row.model.provider.api.value} does not carry {name}", capability)
    return Reason(ReasonCode.MISSING, clause, f"it has no {name}", capability)


def _surplus(row: ResolvedModel, capability: Capability, clause: str) -> Reason:
    if row.support(capability) is Support.UNKNOWN:
        text = f"nobody states whether it has {capability.value}, which must not be there"
        return Reason(ReasonCode.UNKNOWN, clause, text, capability)
    return Reason(ReasonCode.FORBIDDEN, clause, f"it has {capability.value}, which must not be there", capability)


def _best_way(row: ResolvedModel, requirement: Requirement, given: Circumstances) -> _Answer:
    """The alternative that the model comes nearest to: a way that passes (without emulation if there is one), else
    the fewest failing clauses, rather a not stated than a missing one; the later of equals."""
    ways = [_ask(row, way, requirement, given, f"any_of[{number}]") for number, way in enumerate(requirement.any_of)]
    unknown = {ReasonCode.UNKNOWN, ReasonCode.UNKNOWN_CONTEXT}

    def distance(way: _Answer) -> tuple[int, bool, int]:
        return len(way[0]), way[2], sum(reason.code not in unknown for reason in way[0])

    return min(reversed(ways), key=distance)


def _tool_reasons(row: ResolvedModel, requirement: Requirement, toolbox: Toolbox) -> list[Reason]:
    reasons = []
    for name in requirement.tools:
        why = toolbox.rejects(row, name)
        if why:
            reasons.append(Reason(ReasonCode.TOOL, "tools", why, tool=name))
    return reasons


def _usability_reasons(row: ResolvedModel, given: Circumstances) -> list[Reason]:
    reasons = []
    if row.ref.provider_id in given.no_auth:
        reasons.append(Reason(ReasonCode.NO_AUTH, "usable", "its provider's key is absent"))
    if row.ref.provider_id in given.untrusted:
        text = "its endpoint comes from a file that you have not trusted (capdeck trust)"
        reasons.append(Reason(ReasonCode.UNTRUSTED, "usable", text))
    return reasons
