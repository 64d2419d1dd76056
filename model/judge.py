"""Model × requirement → verdict with every reason (DOMAIN.md §4): the slow, explaining evaluator.

`sieve` answers the same question for all models at once; a property test holds the two together.
"""

from __future__ import annotations

from model.config.rows import Alternative
from model.requirements import Requirement
from model.resolve import ResolvedModel
from model.sieve import Passing, near_misses, passing
from model.tools import Toolbox
from model.verdicts import NEVER_LOSSY, Circumstances, Outcome, Reason, ReasonCode, Verdict
from model.vocabulary import Capability, Layer, Support

__all__ = [
    "NEVER_LOSSY",
    "Circumstances",
    "Outcome",
    "Passing",
    "Reason",
    "ReasonCode",
    "Verdict",
    "judge",
    "near_misses",
    "passing",
]


def judge(row: ResolvedModel, requirement: Requirement, given: Circumstances) -> Verdict:
    """All failing clauses of one model, not just the first."""
    reasons = [*_identity_reasons(row, requirement), *_tier_reasons(row, requirement)]
    whole = Alternative(requirement.needed, requirement.forbidden, requirement.min_context_window_tokens)
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
    if row.ref in requirement.excluded:
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
    for capability in ask.required - row.yes:
        support = row.support(capability)
        implied = clause == "required" and capability not in requirement.required
        reason = _lack(row, capability, support, "tools" if implied else f"{clause}.{capability.value}")
        if support is Support.UNKNOWN and given.permissive:
            warnings.append(reason)
        elif support is Support.EMULATED and requirement.allow_lossy_conversion and capability not in NEVER_LOSSY:
            lossy = True
        else:
            reasons.append(reason)
    for capability in ask.forbidden - row.no:
        reason = _surplus(row, capability, f"{clause}.{capability.value}")
        if reason.code is ReasonCode.UNKNOWN and given.permissive:
            warnings.append(reason)
        else:
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
    rejected = toolbox.rejects(row, requirement.tools)
    return [Reason(ReasonCode.TOOL, "tools", f"{name}: {why}", tool=name) for name, why in rejected]


def _usability_reasons(row: ResolvedModel, given: Circumstances) -> list[Reason]:
    reasons = []
    if row.ref.provider_id in given.no_auth:
        reasons.append(Reason(ReasonCode.NO_AUTH, "usable", "its provider's key is absent"))
    if row.ref.provider_id in given.untrusted:
        text = "its endpoint comes from a file that you have not trusted (capdeck trust)"
        reasons.append(Reason(ReasonCode.UNTRUSTED, "usable", text))
    return reasons
