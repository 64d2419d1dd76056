"""How much may fail before a task blocks: its resilience, its single points of failure, its worst stand-in."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from model.bitmap import Mask, bits
from model.fallback.explorer import Explorer, Step
from model.fallback.failure import Failure
from model.fallback.identity import endpoint_of
from model.fallback.losses import Differences, differences
from model.quick_dataclass import dataclass

if TYPE_CHECKING:
    from model.model_ref import ModelRef
    from model.requirements import Requirement
    from model.snapshot import Snapshot


class Effect(StrEnum):
    """What a provider's outage does to a task."""

    UNTOUCHED = "untouched"
    COVERED = "covered"
    ASKS = "asks"
    BLOCKS = "blocks"
    DEAD = "dead"


@dataclass(frozen=True, slots=True)
class Worst:
    """The step of a chain that loses most of what the original was."""

    step: Step
    differences: Differences


@dataclass(frozen=True, slots=True)
class TaskCoverage:
    """`providers` are those who can do the task without a question; it blocks when all of them are down.

    `single_*` names what it hangs on alone: with it everything is gone. `effects` tells for each provider of the
    coverage what its outage does to the task.
    """

    task: str
    start: ModelRef | None
    providers: tuple[str, ...]
    single_provider: str | None
    single_endpoint: str | None
    single_model: ModelRef | None
    effects: tuple[Effect, ...]

    @property
    def tolerates(self) -> int:
        """How many providers can fail, whichever they are, before it blocks."""
        return max(len(self.providers) - 1, 0)

    @property
    def dead(self) -> bool:
        """Nobody does it, even while nothing fails."""
        return not self.providers


@dataclass(frozen=True, slots=True)
class Coverage:
    """The heat board: tasks × providers."""

    providers: tuple[str, ...]
    tasks: tuple[TaskCoverage, ...]

    def of(self, task: str) -> TaskCoverage:
        return next(each for each in self.tasks if each.task == task)


def coverage(snapshot: Snapshot) -> Coverage:
    return coverage_of(Explorer(snapshot))


def coverage_of(explorer: Explorer) -> Coverage:
    providers = live_providers(explorer.snapshot)
    return Coverage(providers, tuple(_task(explorer, task, providers) for task in explorer.tasks))


def live_providers(snapshot: Snapshot) -> tuple[str, ...]:
    """The providers that have at least one model switched on, in file order."""
    enabled, bitmap = snapshot.bitmap.enabled(), snapshot.bitmap
    names = (provider.provider_id for provider in snapshot.config.providers)
    return tuple(name for name in names if bitmap.provider(name) & enabled)


def _task(explorer: Explorer, task: str, providers: tuple[str, ...]) -> TaskCoverage:
    mask, start = explorer.answering(task), explorer.start(task)
    rows = [explorer.row(number) for number in bits(mask)]
    having = tuple(dict.fromkeys(row.ref.provider_id for row in rows))
    endpoints = {endpoint_of(row.model.provider) for row in rows}
    return TaskCoverage(
        task,
        None if start is None else explorer.ref(start),
        having,
        having[0] if len(having) == 1 else None,
        endpoints.pop() if len(endpoints) == 1 else None,
        _only_model(explorer, mask),
        tuple(_effect(explorer, task, mask, provider) for provider in providers),
    )


def _only_model(explorer: Explorer, mask: Mask) -> ModelRef | None:
    """The model that does it alone, under however many names."""
    first = next(bits(mask), None)
    return None if first is None or mask & ~explorer.twins[first] else explorer.ref(first)


def _effect(explorer: Explorer, task: str, answering: Mask, provider_id: str) -> Effect:
    start = explorer.start(task)
    down = explorer.snapshot.bitmap.provider(provider_id)
    if start is None or not answering:
        return Effect.DEAD
    if not down >> start & 1:
        return Effect.UNTOUCHED
    if answering & ~down:
        return Effect.COVERED
    return Effect.ASKS if explorer.succession(task, start).ask & ~down else Effect.BLOCKS


def worst_step(explorer: Explorer, task: str) -> Worst | None:
    """Of the chain that is walked when one provider after the other goes down; None if nobody follows."""
    start = explorer.start(task)
    if start is None:
        return None
    original, requirement = explorer.row(start), explorer.requirement(task)
    steps = explorer.walk(task, original.ref, Failure.PROVIDER_DOWN).steps
    told = [Worst(step, differences(original, explorer.row(explorer.number(step.ref)))) for step in steps]
    return max(told, key=lambda worst: _badness(worst, requirement), default=None)


def _badness(worst: Worst, requirement: Requirement) -> tuple[bool, int, int, float, int]:
    """A confirmation weighs most, then what the task wants, the tier, the window, and whatever else is lost."""
    change = worst.differences
    gone, wanted = change.lost | change.unsure | change.became_emulated, requirement.needed | requirement.preferred
    tiers, window = change.quality_tier, change.context_window_tokens
    drop = tiers.before.rank - tiers.after.rank
    shrink = window.before / (window.after or 1) if window.before else 1.0
    return worst.step.required_confirmation, len(gone & wanted), drop, shrink, len(gone)
