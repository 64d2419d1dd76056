"""The JSON of an assignment: the seed's record, with warnings, lost tools and the way out of a block beside."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tui.cli.shapes import files_shape
from tui.cli.shapes_select import reason_shape, requirement_shape

if TYPE_CHECKING:
    from model.assignment import Assignment, Blocked
    from model.proposals import Proposal
    from model.tools import RemovedTool
    from model.workbench import Workbench


def assignment_shape(bench: Workbench, assignment: Assignment) -> dict[str, Any]:
    chosen = assignment.chosen
    return {
        "files": files_shape(bench.snapshot),
        "task": assignment.task,
        "mode": assignment.mode.value,
        "provider_id": chosen.provider_id if chosen else None,
        "model_id": chosen.model_id if chosen else None,
        "allowed_models": [{"provider_id": ref.provider_id, "model_id": ref.model_id} for ref in assignment.allowed]
        or None,
        "requirement": requirement_shape(assignment.requirement),
        "reason": assignment.reason,
        "warnings": list(assignment.warnings),
        "tools_removed": [removed_shape(tool) for tool in assignment.tools_removed],
        "blocked": _blocked(bench, assignment.blocked) if assignment.blocked else None,
    }


def removed_shape(tool: RemovedTool) -> dict[str, Any]:
    return {"ref": str(tool.ref) if tool.ref else None, "tool": tool.name, "code": tool.code.value, "why": tool.text}


def _blocked(bench: Workbench, blocked: Blocked) -> dict[str, Any]:
    rows = {near.ref: bench.snapshot.matrix.get(near.ref) for near in blocked.near_misses}
    return {
        "near_misses": [
            {"ref": str(near.ref), "reason": reason_shape(row, near.reason)}
            for near in blocked.near_misses
            if (row := rows[near.ref])
        ],
        "proposals": [proposal_shape(bench, proposal) for proposal in blocked.proposals],
        "advice": blocked.advice or None,
    }


def proposal_shape(bench: Workbench, proposal: Proposal) -> dict[str, Any]:
    """One of the smallest changes, with the diff that it would make; nothing is changed."""
    return {
        "ref": str(proposal.ref),
        "title": proposal.title,
        "steps": [step.title for step in proposal.steps],
        "denied_by": [
            {"layer": denial.layer.value, "value": denial.value, "detail": denial.detail or None}
            for denial in proposal.denied_by
        ],
        "diff": _diff(bench, proposal),
    }


def _diff(bench: Workbench, proposal: Proposal) -> str | None:
    """None where the file is written in a way that this edit would not leave faithful."""
    from model.document import DocumentError

    try:
        return bench.diff(proposal.change)
    except DocumentError:
        return None
