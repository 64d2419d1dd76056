"""Who takes over, and who after that: the rules of seed 000 §11 over masks, and the work that a snapshot shares.

`Explorer` answers at once whatever is marked as down; `ladder` explains the same answer row by row.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cached_property, reduce
from operator import or_
from typing import TYPE_CHECKING

from model.bitmap import Mask
from model.fallback.able import Able, Carried, able, by_conversion, first_choice
from model.fallback.chains import Chains
from model.fallback.failure import NO_OUTAGE, Failure, Outage
from model.fallback.identity import Twins, is_at
from model.fallback.succession import Relation, Rung, Succession, relation, succession
from model.model_ref import ModelRef
from model.quick_dataclass import dataclass

if TYPE_CHECKING:
    from model.requirements import Requirement
    from model.resolve import ResolvedModel
    from model.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class Question:
    """Who takes over `task` from `original`? `tried` are the rows that failed so far in the same way, the original
    first; the last of them is the one that fails now. `barred` are the rows that cannot take over as things stand:
    down, tried, gone with their provider, or too small."""

    task: str
    original: int
    failure: Failure
    outage: Outage
    tried: tuple[int, ...]
    barred: Mask

    @property
    def failing(self) -> int:
        return self.tried[-1]


@dataclass(frozen=True, slots=True)
class Choice:
    """The row that takes over, the rung that it stands on, and whether somebody has to confirm it."""

    number: int
    rung: Rung
    required_confirmation: bool


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a walk."""

    ref: ModelRef
    rung: Rung
    required_confirmation: bool


@dataclass(frozen=True, slots=True)
class Chain:
    """Who takes over one after the other when each fails in the same way, until nobody is left."""

    task: str
    original: ModelRef
    failure: Failure
    outage: Outage
    steps: tuple[Step, ...]

    @property
    def members(self) -> tuple[ModelRef, ...]:
        """The original and all who follow."""
        return (self.original, *(step.ref for step in self.steps))


class Explorer:
    """The fallback of one snapshot; what one answer needs is kept for the next."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        self.twins = Twins(snapshot.matrix)
        self._able: dict[str, Able] = {}
        self._relations: dict[int, Relation] = {}
        self._successions: dict[tuple[str, int], Succession] = {}
        self._starts: dict[str, int | None] = {}

    # -- what the snapshot shares ---------------------------------------------------------------------------------
    @cached_property
    def chains(self) -> Chains:
        return Chains(self.snapshot)

    @cached_property
    def conversions(self) -> tuple[Carried, ...]:
        return by_conversion(self.snapshot.matrix.rows)

    @property
    def tasks(self) -> tuple[str, ...]:
        return tuple(self.snapshot.requirements)

    def requirement(self, task: str) -> Requirement:
        """Raises KeyError for a task that no file and no default names."""
        return self.snapshot.requirements[task]

    def row(self, number: int) -> ResolvedModel:
        return self.snapshot.matrix.rows[number]

    def ref(self, number: int) -> ModelRef:
        return self.snapshot.matrix.rows[number].ref

    def number(self, ref: ModelRef) -> int:
        """Raises KeyError for a model that no file has."""
        return self.snapshot.matrix.by_ref[ref]

    def able(self, task: str) -> Able:
        found = self._able.get(task)
        if found is None:
            found = self._able[task] = able(self.snapshot, self.requirement(task), self.conversions)
        return found

    def relation(self, original: int) -> Relation:
        found = self._relations.get(original)
        if found is None:
            found = self._relations[original] = relation(self.snapshot, original, self.twins[original])
        return found

    def succession(self, task: str, original: int) -> Succession:
        key = (task, original)
        found = self._successions.get(key)
        if found is None:
            found = self._successions[key] = succession(self.snapshot, task, self.able(task), self.relation(original))
        return found

    def start(self, task: str) -> int | None:
        """Who does the task while nothing fails; None if nobody passes it and its role has no default."""
        if task not in self._starts:
            self._starts[task] = first_choice(self.snapshot, self.requirement(task))
        return self._starts[task]

    def passes(self, task: str) -> Mask:
        return self.snapshot.passing[task].any

    def answering(self, task: str) -> Mask:
        """All who do the task without a question: the start, and whoever is safe to take over from it."""
        start = self.start(task)
        if start is None:
            return 0
        return self.passes(task) & 1 << start | self.succession(task, start).safe

    # -- who is out -----------------------------------------------------------------------------------------------
    def question(self, task: str, original: ModelRef, failure: Failure, outage: Outage = NO_OUTAGE) -> Question:
        """Raises KeyError for a model or task that there is not."""
        number = self.number(original)
        self.requirement(task)
        barred = self.down(outage) | self._lost_with(number, failure)
        return Question(task, number, failure, outage, (number,), barred)

    def after(self, question: Question, choice: Choice) -> Question:
        """The question once the chosen one failed in the same way."""
        barred = question.barred | self._lost_with(choice.number, question.failure)
        return replace(question, tried=(*question.tried, choice.number), barred=barred)

    def _lost_with(self, number: int, failure: Failure) -> Mask:
        """The rows that cannot take over once this one failed."""
        row, bitmap = self.row(number), self.snapshot.bitmap
        lost = self.twins[number]
        if failure.loses_provider:
            lost |= bitmap.provider(row.ref.provider_id)
        if failure is Failure.CONTEXT_OVERFLOW:
            window = row.context_window_tokens.value
            lost |= bitmap.all if window is None else bitmap.all & ~bitmap.window_at_least(window + 1)
        return lost

    def down(self, outage: Outage) -> Mask:
        """The rows that are marked as down; a model under all its names."""
        if not outage:
            return 0
        bitmap = self.snapshot.bitmap
        names = {*outage.providers, *self._at(outage.endpoints)}
        models = (self.twins[bitmap.by_ref[ref]] for ref in outage.models if ref in bitmap.by_ref)
        return reduce(or_, (*models, *map(bitmap.provider, names)), 0)

    def _at(self, places: Iterable[str]) -> Iterator[str]:
        for provider in self.snapshot.config.providers if places else ():
            if any(is_at(provider, place) for place in places):
                yield provider.provider_id

    # -- who takes over -------------------------------------------------------------------------------------------
    def choose(self, question: Question) -> Choice | None:
        """The first of the line that is not barred; None = block and ask."""
        heirs = self.succession(question.task, question.original)
        free = ~question.barred
        for mask in (heirs.safe & free, heirs.ask & free):
            if mask:
                return self._first(question, heirs, mask, asked=bool(mask & heirs.ask))
        return None

    def _first(self, question: Question, heirs: Succession, free: Mask, *, asked: bool) -> Choice:
        for link in self.chains.of(question.task, question.failing, question.original):
            if link.number is not None and free >> link.number & 1:
                return Choice(link.number, Rung.CONFIGURED, asked)
        found = ((line.first(free), line.rung) for line in heirs.lines)
        number, rung = next((number, rung) for number, rung in found if number is not None)
        return Choice(number, rung, asked)

    def heir(self, task: str, start: int) -> int | None:
        """Who takes over first if the provider of this one goes down."""
        choice = self.choose(self.question(task, self.ref(start), Failure.PROVIDER_DOWN))
        return choice.number if choice else None

    def walk(self, task: str, original: ModelRef, failure: Failure, outage: Outage = NO_OUTAGE) -> Chain:
        """To the end: each step takes off what was tried, so that there are at most as many steps as models.

        Raises KeyError for a model or task that there is not.
        """
        question = self.question(task, original, failure, outage)
        return Chain(task, original, failure, outage, tuple(self._steps(question)))

    def _steps(self, question: Question) -> Iterator[Step]:
        while choice := self.choose(question):
            yield Step(self.ref(choice.number), choice.rung, choice.required_confirmation)
            question = self.after(question, choice)
