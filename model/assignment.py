"""Who is to do a task now: the scheduler's choice, or a list to choose from (seed 000 §6; DOMAIN.md §5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from enum import StrEnum
from itertools import islice
from typing import TYPE_CHECKING

from model.bitmap import bits
from model.model_ref import ModelRef
from model.proposals import Proposal, smallest_changes
from model.quick_dataclass import dataclass
from model.ranking import NO_WORK, Work, ranked
from model.requirements import Requirement, default_for, with_ui_artifacts, written
from model.tools import RemovedTool, tools_in_play
from model.verdicts import Reason
from model.vocabulary import TaskType

if TYPE_CHECKING:
    from model.contract import ModelAssignment
    from model.plugins import Plugins
    from model.resolve import ResolvedModel
    from model.snapshot import Snapshot

REPEATED_FAILURES = 2
"""From so many failed attempts on, the scheduler chooses."""
MOST_NEAR_MISSES = 20
"""Near misses named with a blocked assignment."""


class Mode(StrEnum):
    SCHEDULER_FORCED = "scheduler_forced"
    AGENT_SELECT = "agent_select"


class Risk(StrEnum):
    LOW = "low"
    NORMAL = "normal"
    HIGH = "high"


CHECKABLE = frozenset({TaskType.COMPACT.value, TaskType.MINE_EXPERIENCE.value})
"""Tasks that are of low risk with evidence that can be checked, unless the situation says otherwise."""


@dataclass(frozen=True, slots=True)
class Situation:
    """What is known of this one piece of work. None leaves it to the task.

    `review_of` is the model whose work is reviewed; `deterministic` asks for one and the same model each time;
    `work` refines the scores of execute (ADR-004).
    """

    risk: Risk | None = None
    failed_attempts: int = 0
    review_of: ModelRef | None = None
    deterministic: bool = False
    ui_artifacts: bool = False
    evidence_checkable: bool | None = None
    pin: ModelRef | None = None
    work: Work = NO_WORK

    def forcing(self) -> Iterator[str]:
        """Why the scheduler chooses and not the agent (seed 000 §6.1)."""
        if self.review_of:
            yield f"cross-model review of {self.review_of}"
        if self.risk is Risk.HIGH:
            yield "high risk"
        if self.failed_attempts >= REPEATED_FAILURES:
            yield f"{self.failed_attempts} failed attempts"
        if self.deterministic:
            yield "a deterministic comparison"

    def cheaper_first(self, task: str) -> bool:
        """Low risk and evidence that can be checked: the price counts before the tiers (seed 000 §6.4)."""
        usual = task in CHECKABLE
        risk = self.risk or (Risk.LOW if usual else Risk.NORMAL)
        checkable = usual if self.evidence_checkable is None else self.evidence_checkable
        return risk is Risk.LOW and checkable


NOTHING_SPECIAL = Situation()


@dataclass(frozen=True, slots=True)
class NearMiss:
    """A model that fails on exactly one clause."""

    ref: ModelRef
    reason: Reason


@dataclass(frozen=True, slots=True)
class Blocked:
    """Why nobody can be assigned, and the smallest changes that would unblock it."""

    near_misses: tuple[NearMiss, ...]
    proposals: tuple[Proposal, ...]
    advice: str = ""


class NoSuchModel(LookupError):
    """A pin that no open file has."""


class BadAssignment(ValueError):
    """Forced without a model, or a choice among none."""


@dataclass(frozen=True, slots=True)
class Assignment:
    """`chosen` where the scheduler forces a model, else `allowed` in ranking order; neither only if `blocked`.

    Raises BadAssignment for anything else.
    """

    task: str
    mode: Mode
    requirement: Requirement
    reason: str
    chosen: ModelRef | None = None
    allowed: tuple[ModelRef, ...] = ()
    warnings: tuple[str, ...] = ()
    tools_removed: tuple[RemovedTool, ...] = ()
    blocked: Blocked | None = None

    def __post_init__(self) -> None:
        names = self.chosen if self.mode is Mode.SCHEDULER_FORCED else self.allowed
        if self.blocked is None and not names:
            raise BadAssignment(f"{self.mode.value} names no model")
        if self.blocked is not None and (self.chosen or self.allowed):
            raise BadAssignment("blocked, and yet it names a model")


def assign(
    snapshot: Snapshot, task: str, situation: Situation = NOTHING_SPECIAL, plugins: Plugins | None = None
) -> Assignment:
    """The choice for a task in a situation. `plugins` may adjust the tool set of the assigned models.

    Raises NoSuchModel for a pin that no open file has.
    """
    requirement = requirement_in(snapshot, task, situation)
    if situation.pin:
        return _pinned(snapshot, requirement, situation, situation.pin, plugins)
    rows = list(_ranked(snapshot, requirement, situation))
    forcing = list(situation.forcing())
    mode = Mode.SCHEDULER_FORCED if forcing else Mode.AGENT_SELECT
    if not rows:
        return _blocked(snapshot, requirement, mode, forcing)
    reason = _reason(requirement, situation, forcing, len(rows))
    taken = rows[:1] if forcing else rows
    return Assignment(
        requirement.task,
        mode,
        requirement,
        reason,
        chosen=rows[0].ref if forcing else None,
        allowed=() if forcing else tuple(row.ref for row in rows),
        warnings=tuple(_warnings(snapshot, requirement, taken)),
        tools_removed=_tools_removed(snapshot, requirement, taken, plugins),
    )


def requirement_in(snapshot: Snapshot, task: str, situation: Situation) -> Requirement:
    """What the task asks in this situation: pictures to see, and not the model whose work is reviewed."""
    requirement = snapshot.requirements.get(task) or default_for(task)
    if situation.ui_artifacts:
        requirement = with_ui_artifacts(requirement)
    if situation.review_of:
        same = (str(ref) for ref in same_model(snapshot, situation.review_of))
        requirement = replace(requirement, exclude_models=tuple(dict.fromkeys((*requirement.exclude_models, *same))))
    return requirement


def same_model(snapshot: Snapshot, ref: ModelRef) -> tuple[ModelRef, ...]:
    """This ref and every other that leads to the same model by any name of it: id, alias, or row of the catalog."""
    from model.fallback.identity import names_of

    reviewed = snapshot.matrix.get(ref)
    match = snapshot.catalog.find(ref.model_id)
    names = {ref.model_id, *(names_of(reviewed) if reviewed else ()), *((match.row.model_id,) if match else ())}
    others = (row for row in snapshot.matrix.rows if row.ref != ref)
    return (ref, *(row.ref for row in others if not names.isdisjoint(names_of(row))))


def _ranked(snapshot: Snapshot, requirement: Requirement, situation: Situation) -> Iterator[ResolvedModel]:
    order = ranked(
        snapshot.matrix,
        snapshot.bitmap,
        requirement,
        snapshot.passes(requirement),
        cheaper_first=situation.cheaper_first(requirement.task),
        work=situation.work,
    )
    return (snapshot.matrix.rows[number] for number in order)


def _reason(requirement: Requirement, situation: Situation, forcing: Sequence[str], passing: int) -> str:
    task = requirement.task
    cheaper = "; low risk and checkable evidence: cheaper first" if situation.cheaper_first(task) else ""
    if forcing:
        return f"{', '.join(forcing)}: the first of {passing} that pass {task}{cheaper}"
    return f"{passing} pass {task}, best first{cheaper}"


def _warnings(snapshot: Snapshot, requirement: Requirement, rows: Sequence[ResolvedModel]) -> Iterator[str]:
    for row in rows:
        for warning in snapshot.verdict(row, requirement).warnings:
            yield f"{row.ref}: {warning.text} ({warning})"


def _pinned(
    snapshot: Snapshot, requirement: Requirement, situation: Situation, pin: ModelRef, plugins: Plugins | None
) -> Assignment:
    """The user's word counts, whatever the requirement says; but it is said."""
    row = snapshot.matrix.get(pin)
    if row is None:
        raise NoSuchModel(f"no open file has the pinned model {pin}")
    verdict = snapshot.verdict(row, requirement)
    against = [f"{pin} fails {requirement.task}: {reason.text} ({reason})" for reason in verdict.reasons]
    forcing = "".join(f"; {why}" for why in situation.forcing())
    return Assignment(
        requirement.task,
        Mode.SCHEDULER_FORCED,
        requirement,
        f"pinned by the user{forcing}",
        chosen=pin,
        warnings=(*against, *_warnings(snapshot, requirement, [row])),
        tools_removed=_tools_removed(snapshot, requirement, [row], plugins),
    )


def _tools_removed(
    snapshot: Snapshot, requirement: Requirement, rows: Sequence[ResolvedModel], plugins: Plugins | None
) -> tuple[RemovedTool, ...]:
    """What each assigned model has to do without, of the tools that the task or the files name."""
    names = tools_in_play(snapshot.config, requirement.tools)
    removed: list[RemovedTool] = []
    for row in rows if names else ():
        found = snapshot.given.toolbox.filter_for(row, names)
        removed += (plugins.adjust_tool_set(row, found) if plugins else found).removed
    return tuple(removed)


_ADVICE = {
    TaskType.IMAGE_GENERATION.value: "without it, ask a text model for SVG, for existing assets or for prompts",
}
"""The seed's way out where nobody can do a task (seed 000 §4)."""


def _blocked(snapshot: Snapshot, requirement: Requirement, mode: Mode, forcing: Sequence[str]) -> Assignment:
    near = []
    for number in islice(bits(snapshot.near_misses(requirement)), MOST_NEAR_MISSES):
        row = snapshot.matrix.rows[number]
        near.append(NearMiss(row.ref, snapshot.verdict(row, requirement).reasons[0]))
    blocked = Blocked(tuple(near), smallest_changes(snapshot, requirement), _ADVICE.get(requirement.task, ""))
    why = "".join(f"{each}; " for each in forcing)
    reason = f"{why}no model passes {requirement.task}: ask the user"
    return Assignment(requirement.task, mode, requirement, reason, blocked=blocked)


def to_contract(assignment: Assignment) -> ModelAssignment:
    """The seed's record, for what leaves the program. Raises BadAssignment for a blocked one: it names no model."""
    from model.contract import AllowedModel, ModelAssignment, ModelRequirement

    if assignment.blocked is not None:
        raise BadAssignment(assignment.reason)
    chosen = assignment.chosen
    return ModelAssignment(
        mode=assignment.mode.value,
        provider_id=chosen.provider_id if chosen else None,
        model_id=chosen.model_id if chosen else None,
        allowed_models=tuple(
            AllowedModel(provider_id=ref.provider_id, model_id=ref.model_id) for ref in assignment.allowed
        )
        or None,
        requirement=ModelRequirement.model_validate(written(assignment.requirement)),
        reason=assignment.reason,
    )
