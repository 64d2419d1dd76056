"""What is wrong with a configured chain, told before it is needed (litellm found out at three in the morning)."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import replace
from enum import StrEnum
from typing import TYPE_CHECKING

from model.fallback.chains import named
from model.fallback.explorer import Explorer
from model.fallback.succession import may_go_lower
from model.judge import judge
from model.quick_dataclass import dataclass

if TYPE_CHECKING:
    from model.config.rows import ChainRow
    from model.resolve import ResolvedModel


class ChainFault(StrEnum):
    """Why a name on a chain will not do what its writer hopes."""

    UNKNOWN_TARGET = "unknown_target"
    DUPLICATE = "duplicate"
    SELF = "self"
    CYCLE = "cycle"
    DISABLED = "disabled"
    NO_AUTH = "no_auth"
    UNTRUSTED = "untrusted"
    FAILS_TASK = "fails_task"
    LOWER_TIER = "lower_tier"
    SMALLER_WINDOW = "smaller_window"


@dataclass(frozen=True, slots=True)
class ChainProblem:
    """One fault of the name at `position` of a chain (0 = its first); `task` if it is a fault for that task alone."""

    fault: ChainFault
    position: int
    text: str
    task: str = ""


def chain_problems(explorer: Explorer, row: ChainRow) -> tuple[ChainProblem, ...]:
    """All faults of one `fallbacks` row, name by name."""
    return tuple(_Reading(explorer, row).problems())


def tasks_of(explorer: Explorer, row: ChainRow) -> tuple[str, ...]:
    """The task that a chain is for; for a model's chain the roles that the model is the default for."""
    if row.task is not None:
        return (row.task,) if row.task in explorer.snapshot.requirements else ()
    original = named(explorer.snapshot.matrix, row.model) if row.model else None
    if original is None:
        return ()
    return tuple(role.value for role, on in explorer.row(original).default_use.items() if on)


_Fault = tuple[ChainFault, str] | tuple[ChainFault, str, str]
"""The fault, its text, and the task if it is a fault for that task alone."""


class _Reading:
    def __init__(self, explorer: Explorer, row: ChainRow) -> None:
        self._explorer, self._row, self._matrix = explorer, row, explorer.snapshot.matrix
        self._original = named(self._matrix, row.model) if row.model else None
        self._tasks = tasks_of(explorer, row)

    def problems(self) -> Iterator[ChainProblem]:
        seen: list[int] = []
        for position, name in enumerate(self._row.chain or ()):
            number = named(self._matrix, name)
            if number is None:
                yield ChainProblem(ChainFault.UNKNOWN_TARGET, position, f"{name!r} is no model of yours")
                continue
            found: Sequence[_Fault] = self._identity(number, seen) or self._standing(number)
            yield from (ChainProblem(fault, position, *told) for fault, *told in found)
            seen.append(number)

    def _identity(self, number: int, seen: list[int]) -> list[tuple[ChainFault, str]]:
        """Faults that make all others beside the point."""
        explorer, ref = self._explorer, self._explorer.ref(number)
        twins = explorer.twins[number]
        if self._original is not None and twins >> self._original & 1:
            original = explorer.ref(self._original)
            same = f"{original} would fall back to itself"
            return [(ChainFault.SELF, same if original == ref else f"{same}: {ref} is another name of it")]
        earlier = next((explorer.ref(other) for other in seen if twins >> other & 1), None)
        if earlier:
            same = f"{ref} stands in this chain already"
            return [(ChainFault.DUPLICATE, same if earlier == ref else f"{same}, as {earlier}")]
        return []

    def _standing(self, number: int) -> list[_Fault]:
        row = self._explorer.row(number)
        if not row.enabled:
            return [(ChainFault.DISABLED, f"{row.ref} is switched off")]
        return [*self._cycle(number), *self._access(row), *self._verdicts(row), *self._tiers(row), *self._window(row)]

    def _cycle(self, number: int) -> Iterator[tuple[ChainFault, str]]:
        if self._original is None:
            return
        way = self._way_back(number)
        if way:
            shown = " → ".join(str(self._explorer.ref(each)) for each in (self._original, *way))
            yield ChainFault.CYCLE, f"nobody is tried twice, but the chains lead round: {shown}"

    def _way_back(self, number: int) -> list[int]:
        """The shortest way along the chains of models from this one to the original; empty if there is none."""
        assert self._original is not None
        home = self._explorer.twins[self._original]
        ways, seen = deque([[number]]), {number}
        while ways:
            way = ways.popleft()
            for follower in self._explorer.chains.followers(way[-1], self._explorer.twins):
                if home >> follower & 1:
                    return [*way, follower]
                if follower not in seen:
                    seen.add(follower)
                    ways.append([*way, follower])
        return []

    def _access(self, row: ResolvedModel) -> Iterator[tuple[ChainFault, str]]:
        given = self._explorer.snapshot.given
        if row.ref.provider_id in given.no_auth:
            yield ChainFault.NO_AUTH, f"{row.ref.provider_id} has no key now"
        if row.ref.provider_id in given.untrusted:
            yield (
                ChainFault.UNTRUSTED,
                f"the endpoint of {row.ref.provider_id} is not trusted, so it is never contacted",
            )

    def _verdicts(self, row: ResolvedModel) -> Iterator[_Fault]:
        snapshot = self._explorer.snapshot
        given = replace(snapshot.given, usable=False)
        for task in self._tasks:
            reasons = judge(row, snapshot.requirements[task], given).reasons
            if reasons:
                yield ChainFault.FAILS_TASK, ", ".join(reason.text for reason in reasons), task

    def _from(self, task: str) -> int | None:
        """The model that the chain would stand in for."""
        return self._original if self._original is not None else self._explorer.start(task)

    def _tiers(self, row: ResolvedModel) -> Iterator[_Fault]:
        explorer = self._explorer
        for task in self._tasks:
            original = self._from(task)
            if original is None or may_go_lower(explorer.snapshot, task):
                continue
            tiers = (row.quality_tier.value, explorer.row(original).quality_tier.value)
            if tiers[0].rank < tiers[1].rank:
                below = f"{tiers[0].value} is below {tiers[1].value} of {explorer.ref(original)}"
                yield ChainFault.LOWER_TIER, f"it changes code, and {below}", task

    def _window(self, row: ResolvedModel) -> Iterator[tuple[ChainFault, str]]:
        if self._original is None:
            return
        original = self._explorer.row(self._original)
        before, after = original.context_window_tokens.value, row.context_window_tokens.value
        if before and after and after < before:
            yield ChainFault.SMALLER_WINDOW, f"{row.ref} holds {after:,} tokens, {original.ref} {before:,}"
