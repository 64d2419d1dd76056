"""Who could take over a task at all, whoever it is that fails: a few masks a task, and one ranking."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING

from model.bitmap import Mask, bits
from model.config.rows import ConversionRow
from model.conversion import Prediction, predict
from model.quick_dataclass import dataclass
from model.ranking import ranked
from model.sieve import Passing
from model.vocabulary import QualityTier

if TYPE_CHECKING:
    from model.requirements import Requirement
    from model.resolve import ResolvedModel
    from model.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class Able:
    """`safe` takes over without a question, `ask` only after a confirmation; `below` are those of `ask` that stand
    below the floor. `lossy` are those whose verdict needs something emulated."""

    safe: Mask
    ask: Mask
    below: Mask
    lossy: Mask


def changes_code(snapshot: Snapshot, task: str) -> bool:
    return task in snapshot.config.policy.code_changing


def conversion_to(snapshot: Snapshot, requirement: Requirement, row: ResolvedModel) -> Prediction:
    """What the way to this model loses of what the task requires. Acceptable: nothing blocks (DOMAIN.md §6)."""
    return _predicted(snapshot, requirement, row.carriage.conversion)


def _predicted(snapshot: Snapshot, requirement: Requirement, conversion: ConversionRow) -> Prediction:
    """The same few are asked for by each task, and again after each edit."""
    needed, lossy = requirement.needed, requirement.allow_lossy_conversion
    changing = changes_code(snapshot, requirement.task)
    known = _predictions_of(conversion)
    key = (needed.mask, lossy, changing)
    if key not in known:
        known[key] = predict(conversion, needed, allow_lossy=lossy, code_changing=changing)
    return known[key]


_Predictions = dict[tuple[int, bool, bool], Prediction]
_known: dict[int, tuple[ConversionRow, _Predictions]] = {}
_MOST = 20_000


def _predictions_of(conversion: ConversionRow) -> _Predictions:
    """By identity: what an edit leaves alone keeps its conversion, and hashing one costs as much as predicting."""
    found = _known.get(id(conversion))
    if found is None or found[0] is not conversion:
        if len(_known) >= _MOST:
            _known.clear()
        found = _known[id(conversion)] = (conversion, {})
    return found[1]


Carried = tuple[ConversionRow, Mask]
"""A conversion and the rows that have it."""


def by_conversion(rows: Iterable[ResolvedModel]) -> tuple[Carried, ...]:
    """Rows of one wire share their carriage, so that a few predictions serve all."""
    found: dict[int, Carried] = {}
    for number, row in enumerate(rows):
        conversion, mask = found.get(id(row.carriage), (row.carriage.conversion, 0))
        found[id(row.carriage)] = (conversion, mask | 1 << number)
    return tuple(found.values())


def able(snapshot: Snapshot, requirement: Requirement, conversions: Iterable[Carried]) -> Able:
    passes = snapshot.passing[requirement.task]
    floorless = replace(requirement, min_quality_tier=None)
    anywhere = snapshot.passes(floorless) if requirement.min_quality_tier else passes
    reached, questioned = _reached(snapshot, requirement, conversions, passes.any | anywhere.any)
    reached &= ~reduce(or_, map(snapshot.bitmap.provider, snapshot.given.untrusted), 0)
    below = anywhere.any & ~passes.any & reached
    above = passes.any & reached
    return Able(above & ~questioned, above & questioned | below, below, anywhere.lossy)


def _reached(
    snapshot: Snapshot, requirement: Requirement, conversions: Iterable[Carried], asked: Mask
) -> tuple[Mask, Mask]:
    """Of the rows in `asked` those whose conversion is acceptable, and those whose conversion needs a confirmation."""
    reached = questioned = 0
    for conversion, mask in conversions:
        if mask & asked:
            prediction = _predicted(snapshot, requirement, conversion)
            reached |= 0 if prediction.blocked else mask & asked
            questioned |= mask & asked if prediction.required_confirmation else 0
    return reached, questioned


def in_order(snapshot: Snapshot, requirement: Requirement, able: Able, mask: Mask) -> Iterator[int]:
    """These able rows, best first, made as they are asked for; those below the floor last, the nearest to it first."""
    yield from _ranking(snapshot, requirement, able, mask & ~able.below)
    floorless = replace(requirement, min_quality_tier=None)
    for tier in QualityTier:
        yield from _ranking(snapshot, floorless, able, mask & able.below & snapshot.bitmap.quality(tier))


def _ranking(snapshot: Snapshot, requirement: Requirement, able: Able, mask: Mask) -> Iterator[int]:
    if mask:
        part = Passing(mask & ~able.lossy, mask & able.lossy)
        yield from ranked(snapshot.matrix, snapshot.bitmap, requirement, part)


def first_choice(snapshot: Snapshot, requirement: Requirement) -> int | None:
    """Who does the task while nothing fails: the best that passes; if nobody does, the role's default."""
    first = snapshot.first[requirement.task]
    if first is not None:
        return first
    return next(bits(snapshot.bitmap.default_for(requirement.role) & snapshot.bitmap.enabled()), None)
