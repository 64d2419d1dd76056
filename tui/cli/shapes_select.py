"""Who passes a task and why the others do not: the answer that `select`, `matrix --task` and the requirements pane
share, and its JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from model.capability_set import CapabilitySet
from model.judge import Outcome, ReasonCode
from model.vocabulary import Capability
from tui.cli.shapes import files_shape

if TYPE_CHECKING:
    from model.config.rows import Alternative
    from model.judge import Reason, Verdict
    from model.ranking import RankingKeys
    from model.requirements import Requirement
    from model.resolve import ResolvedModel
    from model.snapshot import Snapshot

_FIELD_OF = {
    ReasonCode.QUALITY_FLOOR: "quality_tier",
    ReasonCode.COST_CAP: "cost_tier",
    ReasonCode.CONTEXT_WINDOW: "context_window_tokens",
    ReasonCode.UNKNOWN_CONTEXT: "context_window_tokens",
}


def failing(snapshot: Snapshot, requirement: Requirement) -> list[tuple[ResolvedModel, Verdict]]:
    """Near misses first, else in file order."""
    judged = [(row, snapshot.verdict(row, requirement)) for row in snapshot.matrix.rows]
    return sorted(
        ((row, verdict) for row, verdict in judged if not verdict.passes), key=lambda pair: not pair[1].near_miss
    )


def select_shape(snapshot: Snapshot, requirement: Requirement) -> dict[str, Any]:
    misses = failing(snapshot, requirement)
    return {
        "files": files_shape(snapshot),
        "task": requirement.task,
        "requirement": requirement_shape(requirement),
        "passing": [
            passing_shape(snapshot, requirement, row, rank)
            for rank, row in enumerate(snapshot.ranked(requirement), start=1)
        ],
        "failing": [
            {
                "ref": str(row.ref),
                "near_miss": verdict.near_miss,
                "reasons": [reason_shape(row, each) for each in verdict.reasons],
            }
            for row, verdict in misses
        ],
        "tools_removed": _tools_removed(snapshot, requirement),
    }


def _tools_removed(snapshot: Snapshot, requirement: Requirement) -> list[dict[str, Any]]:
    """What each passing model would be without, of the tools that the task needs or the files have rows of."""
    from model.tools import tools_in_play, tools_removed

    names = tools_in_play(snapshot.config, requirement.tools)
    removed = tools_removed(snapshot.given.toolbox, snapshot.ranked(requirement), names)
    return [{"ref": str(tool.ref), "tool": tool.name, "code": tool.code.value, "why": tool.text} for tool in removed]


def passing_shape(snapshot: Snapshot, requirement: Requirement, row: ResolvedModel, rank: int) -> dict[str, Any]:
    verdict = snapshot.verdict(row, requirement)
    return {
        "ref": str(row.ref),
        "verdict": verdict.outcome.value,
        "rank": rank,
        "keys": keys_shape(row, snapshot.ranking_keys(row, requirement)),
        "warnings": [reason_shape(row, each) for each in verdict.warnings],
    }


def keys_shape(row: ResolvedModel, keys: RankingKeys) -> dict[str, Any]:
    return {
        "verdict": (Outcome.PASS_LOSSY if keys.lossy else Outcome.PASS).value,
        "role_default": keys.role_default,
        "preferred": keys.preferred,
        "preferred_tier": keys.reaches_preferred_tier,
        "tier_distance": keys.tier_distance,
        "cost": keys.cost.value,
        "score": round(keys.score, 1),
        "ref": str(row.ref),
    }


def verdict_shape(row: ResolvedModel, verdict: Verdict) -> dict[str, Any]:
    return {
        "outcome": verdict.outcome.value,
        "near_miss": verdict.near_miss,
        "reasons": [reason_shape(row, each) for each in verdict.reasons],
        "warnings": [reason_shape(row, each) for each in verdict.warnings],
    }


def reason_shape(row: ResolvedModel, reason: Reason) -> dict[str, Any]:
    return {
        "code": reason.code.value,
        "capability": reason.capability.value if reason.capability else None,
        "tool": reason.tool,
        "clause": reason.clause,
        "text": reason.text,
        "cell": _cell(row, reason),
    }


def _cell(row: ResolvedModel, reason: Reason) -> dict[str, Any] | None:
    """The value that fails the clause, and the layer that decided it."""
    if reason.capability:
        support = row.support(reason.capability)
        return {"value": support.value, "decided_by": row.decided_by(reason.capability).value}
    name = _FIELD_OF.get(reason.code)
    if name is None:
        return None
    stated = getattr(row, name)
    return {"value": getattr(stated.value, "value", stated.value), "decided_by": stated.layer.value}


def requirement_shape(requirement: Requirement) -> dict[str, Any]:
    """`ModelRequirement` of seed 000 §5, with ours beside."""
    return {
        "required": _flags(requirement.required, requirement.forbidden),
        "preferred": _flags(requirement.preferred, requirement.avoided),
        "min_quality_tier": _word(requirement.min_quality_tier),
        "preferred_tier": _word(requirement.preferred_tier),
        "max_cost_tier": _word(requirement.max_cost_tier),
        "min_context_window_tokens": requirement.min_context_window_tokens,
        "allow_lossy_conversion": requirement.allow_lossy_conversion,
        "any_of": [_alternative(each) for each in requirement.any_of],
        "exclude_models": list(requirement.exclude_models),
        "tools": list(requirement.tools),
    }


def _word(value: object) -> Any:
    return getattr(value, "value", value)


def _flags(yes: CapabilitySet, no: CapabilitySet) -> dict[str, bool]:
    return {each.value: each in yes for each in Capability if each in yes or each in no}


def _alternative(way: Alternative) -> dict[str, Any]:
    shape: dict[str, Any] = _flags(way.required, way.forbidden)
    if way.min_context_window_tokens:
        shape["min_context_window_tokens"] = way.min_context_window_tokens
    return shape
