"""What would unblock a task that blocks: the smallest edits, the policies, and the seed's own way out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from model.fallback.objections import Obstacle
from model.model_ref import ModelRef
from model.quick_dataclass import dataclass
from model.verdicts import Reason, ReasonCode
from model.vocabulary import TaskType

if TYPE_CHECKING:
    from model.fallback.rungs import Candidate, Ladder
    from model.proposals import Proposal
    from model.snapshot import Snapshot
    from model.workbench import Change

IMAGE_WAY = "fall back to SVG, assets or prompts"
"""Seed 000 §4: what there is instead of a picture."""
LOOKED_AT = 12
"""Candidates for which edits are sought."""


@dataclass(frozen=True, slots=True)
class Way:
    """Something that would let `ref` take over; `change` makes it where edits of the files do. A way without a ref
    is one around the task."""

    title: str
    ref: ModelRef | None = None
    change: Change | None = None


def ways_out(snapshot: Snapshot, ladder: Ladder, *, limit: int = 5) -> tuple[Way, ...]:
    """Nearest first; empty if the ladder is not blocked."""
    if not ladder.blocked:
        return ()
    where = "at another provider" if ladder.failure.loses_provider else "at any provider"
    ways = [*_around(ladder.task), *_rules(snapshot, ladder), *_edits(snapshot, ladder)]
    return (*ways[: limit - 1], _new_model(ladder.task, where))


def ways_in(snapshot: Snapshot, task: str, *, limit: int = 5) -> tuple[Way, ...]:
    """For a task that nobody does to begin with. Raises KeyError for a task that there is not."""
    from model.proposals import smallest_changes

    proposals = smallest_changes(snapshot, snapshot.requirements[task], limit=limit)
    ways = [*_around(task), *map(_edit, proposals)]
    return (*ways[: limit - 1], _new_model(task, "at any provider"))


def _around(task: str) -> list[Way]:
    return [Way(IMAGE_WAY)] if task == TaskType.IMAGE_GENERATION else []


def _edit(proposal: Proposal) -> Way:
    named = str(proposal.ref) in proposal.title
    return Way(proposal.title if named else f"{proposal.ref}: {proposal.title}", proposal.ref, proposal.change)


def _new_model(task: str, where: str) -> Way:
    return Way(f"add a model that passes {task} {where}: capdeck add PROVIDER/MODEL")


def _rules(snapshot: Snapshot, ladder: Ladder) -> Iterator[Way]:
    """Candidates that one rule alone keeps out."""
    seen = set()
    for candidate in ladder.candidates():
        way = _mend(snapshot, ladder, candidate) if len(candidate.reasons) == 1 else None
        if way and way.title not in seen:
            seen.add(way.title)
            yield way


def _mend(snapshot: Snapshot, ladder: Ladder, candidate: Candidate) -> Way | None:
    assert candidate.ref
    match candidate.reasons[0].code:
        case Obstacle.LOWER_TIER:
            tasks = [*snapshot.config.policy.allow_lower_tier_for, ladder.task]
            title = f"allow a lower tier: policy.allow_lower_tier_for: [{', '.join(tasks)}]"
            return Way(title, candidate.ref, _policy_change(snapshot, title, "allow_lower_tier_for", tasks))
        case Obstacle.HIGHER_TIER:
            title = "allow a higher tier: policy.allow_higher_tier: true"
            return Way(title, candidate.ref, _policy_change(snapshot, title, "allow_higher_tier", True))
        case ReasonCode.UNTRUSTED:
            return Way(f"trust its endpoint: capdeck trust {candidate.ref.provider_id}", candidate.ref)
        case ReasonCode.NO_AUTH:
            return Way(f"give {candidate.ref.provider_id} its key", candidate.ref)
    return None


def _policy_change(snapshot: Snapshot, title: str, name: str, value: object) -> Change | None:
    """In the file that decides it, else the user's own; None where that file cannot be written."""
    from model.document import Put
    from model.workbench import Change

    stating = [file for file in snapshot.files if getattr(file.config.policy, name) is not None]
    writable = [file for file in snapshot.files if file.writable]
    file = next(iter(stating or reversed(writable)), None)
    if file is None or not file.writable:
        return None
    return Change(title, {file.name: (Put(("policy", name), value),)})


def _edits(snapshot: Snapshot, ladder: Ladder) -> list[Way]:
    """The smallest changes for candidates that only their verdict keeps out."""
    from model.proposals import changes_for

    requirement = snapshot.requirements[ladder.task]
    near = [candidate for candidate in ladder.candidates() if _only_the_verdict(candidate)]
    near.sort(key=lambda candidate: len(candidate.reasons))
    proposals: list[Proposal] = []
    for candidate in near[:LOOKED_AT]:
        row = snapshot.matrix.get(candidate.ref) if candidate.ref else None
        proposals += changes_for(snapshot, requirement, row, limit=1) if row else ()
    proposals.sort(key=lambda proposal: (proposal.price, len(proposal.steps)))
    return [_edit(proposal) for proposal in proposals]


_NO_EDIT_HELPS = frozenset({ReasonCode.UNTRUSTED, ReasonCode.NO_AUTH})


def _only_the_verdict(candidate: Candidate) -> bool:
    return all(isinstance(why, Reason) and why.code not in _NO_EDIT_HELPS for why in candidate.reasons)
