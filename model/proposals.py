"""The smallest changes that would let a model pass a task, cheapest first; never made by themselves (DOMAIN.md §5).

Each proposal is a set of steps of which none can be left out, with the edits that make them.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Mapping
from itertools import count, islice
from typing import TYPE_CHECKING, Any

from model.bitmap import bits
from model.capability_set import CapabilitySet
from model.editing import REQUIREMENT_ORDER, set_field, set_provider_field
from model.mend_steps import steps_for
from model.mends import Case, Claim, Denial, Relaxation, Step, home_of, provider_home_of
from model.model_ref import ModelRef
from model.quick_dataclass import dataclass
from model.requirements import Requirement, default_for, written
from model.workbench import Change

if TYPE_CHECKING:
    from model.config.rows import RequirementRow
    from model.document import Edit
    from model.files import OpenFile
    from model.resolve import ResolvedModel
    from model.snapshot import Snapshot

TRIES = 300
"""States looked at for one model before the search gives up."""
MOST_STEPS = 6
NEAREST = 60
"""Models looked at when a task as a whole is asked about."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """Steps that together let `ref` pass. `change` makes them; `requirement` is what the task would ask then."""

    ref: ModelRef
    steps: tuple[Step, ...]
    change: Change
    requirement: Requirement

    @property
    def title(self) -> str:
        return "; ".join(step.title for step in self.steps)

    @property
    def price(self) -> int:
        """Higher = more is taken on trust or given up; only to compare."""
        return sum(step.price for step in self.steps)

    @property
    def denied_by(self) -> tuple[Denial, ...]:
        """The layers that say otherwise than the proposal claims."""
        return tuple(dict.fromkeys(denial for step in self.steps for denial in step.denied_by))


def changes_for(
    snapshot: Snapshot, requirement: Requirement, row: ResolvedModel, *, limit: int = 5
) -> tuple[Proposal, ...]:
    """What would let this model pass; empty if it passes, or if no edit would do."""
    return tuple(islice(_search(_case(snapshot, requirement, row)), limit))


def smallest_changes(snapshot: Snapshot, requirement: Requirement, *, limit: int = 5) -> tuple[Proposal, ...]:
    """What would let somebody pass, from the models that come nearest."""
    found: list[Proposal] = []
    for row in _nearest(snapshot, requirement):
        found += changes_for(snapshot, requirement, row, limit=2)
    found.sort(key=lambda proposal: (proposal.price, len(proposal.steps)))
    distinct = {proposal.change.title: proposal for proposal in reversed(found)}
    return tuple(proposal for proposal in found if distinct[proposal.change.title] is proposal)[:limit]


def _nearest(snapshot: Snapshot, requirement: Requirement) -> Iterable[ResolvedModel]:
    rows = snapshot.matrix.rows
    near = list(islice(bits(snapshot.near_misses(requirement)), NEAREST))
    if near:
        return [rows[number] for number in near]
    return heapq.nsmallest(NEAREST, rows, key=lambda row: len(snapshot.verdict(row, requirement).reasons))


_OWN_FIELDS = (
    "required",
    "forbidden",
    "min_quality_tier",
    "max_cost_tier",
    "min_context_window_tokens",
    "allow_lossy_conversion",
    "any_of",
    "exclude_models",
    "tools",
)


def _case(snapshot: Snapshot, requirement: Requirement, row: ResolvedModel) -> Case:
    own = snapshot.requirements.get(requirement.task) or default_for(requirement.task)
    fixed = {name for name in _OWN_FIELDS if getattr(own, name) != getattr(requirement, name)}
    if fixed & {"required", "forbidden"}:
        fixed |= {"required", "forbidden"}
    return Case(snapshot, row, requirement, frozenset(fixed))


def _search(start: Case) -> Iterator[Proposal]:
    """Uniform-cost search over steps: the cheapest sufficient set comes first."""
    order = count()
    waiting: list[tuple[int, int, int, tuple[Step, ...], Case]] = [(0, 0, next(order), (), start)]
    seen: set[frozenset[str]] = set()
    for _ in range(TRIES):
        if not waiting:
            return
        price, size, _, steps, case = heapq.heappop(waiting)
        reasons = case.verdict().reasons
        if not reasons:
            if steps and _none_can_be_left_out(start, steps):
                change = change_of(start, steps)
                if change is not None:
                    yield Proposal(start.row.ref, steps, change, case.requirement)
            continue
        if size == MOST_STEPS:
            continue
        for step in steps_for(case, reasons[0]):
            key = frozenset((step.title, *(each.title for each in steps)))
            if key not in seen and len(key) == size + 1:
                seen.add(key)
                heapq.heappush(waiting, (price + step.price, size + 1, next(order), (*steps, step), case.after(step)))


def _none_can_be_left_out(start: Case, steps: tuple[Step, ...]) -> bool:
    return not any(
        start.after(*(step for step in steps if step is not left_out)).verdict().passes for left_out in steps
    )


# -- steps → edits ----------------------------------------------------------------------------------------------------
def change_of(case: Case, steps: tuple[Step, ...]) -> Change | None:
    """The steps as edits of the open files; None where a file that would have to change cannot be written."""
    edits: dict[str, tuple[Edit, ...]] = {}
    for step in steps:
        if isinstance(step, Claim):
            target = _claim_edits(case, step)
            if target is None:
                return None
            edits[target[0]] = edits.get(target[0], ()) + target[1]
    before, after = case.requirement, case.after(*(step for step in steps if isinstance(step, Relaxation))).requirement
    for name, value in _changed_fields(before, after).items():
        file = _requirement_file(case.snapshot, before.task, name)
        if file is None:
            return None
        block = file.config.requirements.get(before.task)
        edits[file.name] = edits.get(file.name, ()) + _field_edits(before.task, name, value, block)
    return Change("; ".join(step.title for step in steps), edits)


def _claim_edits(case: Case, claim: Claim) -> tuple[str, tuple[Edit, ...]] | None:
    model = case.row.model
    home = provider_home_of(model) if claim.of_provider else home_of(model, claim.field)
    file = next((file for file in case.snapshot.files if home and file.name == home.file), None)
    if file is None or not file.writable:
        return None
    value = getattr(claim.value, "value", claim.value)
    if claim.of_provider:
        return file.name, set_provider_field(file.config, model.ref.provider_id, claim.field, value)
    return file.name, set_field(file.config, model.ref, claim.field, value)


def _changed_fields(before: Requirement, after: Requirement) -> Mapping[str, Any]:
    old, new = written(before), written(after)
    return {name: value for name, value in new.items() if old.get(name) != value}


def _requirement_file(snapshot: Snapshot, task: str, name: str) -> OpenFile | None:
    """Where an edit of this field takes effect: the nearest file that states it, else one that has the task's block,
    else the last (the user's own)."""
    stating = [
        file
        for file in snapshot.files
        if (block := file.config.requirements.get(task)) and getattr(block, name) is not None
    ]
    if stating:
        return stating[0] if stating[0].writable else None
    having = [file for file in snapshot.files if task in file.config.requirements and file.writable]
    writable = [file for file in snapshot.files if file.writable]
    return next(iter([*having, *reversed(writable)]), None)


def _field_edits(task: str, name: str, value: Any, block: RequirementRow | None) -> tuple[Edit, ...]:
    """The whole field, or only the flags to take out where the file states them, so that its comments stay."""
    from model.document import Delete, Put

    path = ("requirements", task, name)
    stated = getattr(block, name) if block else None
    if name == "required" and stated is not None and value:
        gone = [each for each in CapabilitySet(stated.stated.mask) if each.value not in value]
        return tuple(Delete((*path, capability.value)) for capability in gone)
    return (Put(path, value, order=REQUIREMENT_ORDER),)
