"""What would let a model pass: the smallest changes, cheapest first."""

from __future__ import annotations

from textual.content import Content

from model.proposals import Proposal, changes_for, smallest_changes
from model.resolve import ResolvedModel
from model.snapshot import Snapshot
from tui.safe_text import safe_text
from tui.screens.ways import Ways


def _shown(proposal: Proposal) -> Content:
    """Its steps, and who says otherwise."""
    denied = [Content.styled(f"  but {safe_text(str(denial))}", "$text-warning") for denial in proposal.denied_by]
    return Content("\n").join([Content(safe_text(proposal.title)), *denied])


def ways_for(snapshot: Snapshot, row: ResolvedModel, task: str) -> Ways:
    """The ways for one model to pass one task."""
    requirement = snapshot.requirements[task]
    verdict = snapshot.verdict(row, requirement)
    reasons = [f"{reason}  {reason.text}" for reason in verdict.reasons] or ["it passes"]
    return Ways(
        f"{row.ref} for {task}: {verdict.outcome.value}",
        reasons,
        [(_shown(each), each.change) for each in changes_for(snapshot, requirement, row)],
    )


def ways_for_task(snapshot: Snapshot, task: str) -> Ways:
    """The smallest changes after which somebody passes."""
    found = smallest_changes(snapshot, snapshot.requirements[task])
    reasons = ["The smallest changes, from the models that come nearest:"]
    return Ways(f"nobody passes {task}", reasons, [(_shown(each), each.change) for each in found])
