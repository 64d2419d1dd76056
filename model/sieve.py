"""Who passes a requirement, over all models at once: a few `&` a clause, whatever the number of models."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import reduce
from operator import and_, or_

from model.bitmap import Bitmap, Mask
from model.config.rows import Alternative
from model.quick_dataclass import dataclass
from model.requirements import Requirement
from model.verdicts import NEVER_LOSSY, Circumstances
from model.vocabulary import Capability


@dataclass(frozen=True, slots=True)
class Passing:
    """Who passes: `strict` without anything emulated; `lossy` only because emulation is allowed."""

    strict: Mask
    lossy: Mask

    @property
    def any(self) -> Mask:
        return self.strict | self.lossy


@dataclass(frozen=True, slots=True)
class _Clause:
    """The rows that satisfy one clause: without emulation, and with what emulation the requirement allows."""

    strict: Mask
    allowed: Mask


def passing(bitmap: Bitmap, requirement: Requirement, given: Circumstances) -> Passing:
    """The masks of a requirement over all rows."""
    clauses = list(_clauses(bitmap, requirement, given))
    strict = reduce(and_, (clause.strict for clause in clauses))
    allowed = reduce(and_, (clause.allowed for clause in clauses))
    if requirement.any_of:
        ways = _ways(bitmap, requirement, given)
        strict &= reduce(or_, (reduce(and_, (clause.strict for clause in way), bitmap.all) for way in ways))
        allowed &= reduce(or_, (reduce(and_, (clause.allowed for clause in way), bitmap.all) for way in ways))
    return Passing(strict, allowed & ~strict)


def near_misses(bitmap: Bitmap, requirement: Requirement, given: Circumstances) -> Mask:
    """The rows that fail on exactly one clause."""
    none, one = _failures(bitmap, _clauses(bitmap, requirement, given))
    if not requirement.any_of:
        return one
    counts = [_failures(bitmap, way) for way in _ways(bitmap, requirement, given)]
    some_way = reduce(or_, (way_none for way_none, _ in counts))
    nearly = reduce(or_, (way_one for _, way_one in counts)) & ~some_way
    return one & some_way | none & nearly


def _failures(bitmap: Bitmap, clauses: Iterable[_Clause]) -> tuple[Mask, Mask]:
    """The rows that fail on no clause, and those that fail on exactly one."""
    none, one = bitmap.all, 0
    for clause in clauses:
        one = one & clause.allowed | none & ~clause.allowed
        none &= clause.allowed
    return none, one


def _clauses(bitmap: Bitmap, requirement: Requirement, given: Circumstances) -> Iterator[_Clause]:
    """All clauses but `any_of`."""
    for mask in _plain(bitmap, requirement, given):
        yield _Clause(mask, mask)
    whole = Alternative(requirement.needed, requirement.forbidden, requirement.min_context_window_tokens)
    yield from _ask(bitmap, whole, requirement, given)


def _plain(bitmap: Bitmap, requirement: Requirement, given: Circumstances) -> Iterator[Mask]:
    """Clauses that emulation has no part in."""
    yield bitmap.enabled()
    if requirement.exclude_models:
        yield ~bitmap.of(requirement.excluded)
    if requirement.min_quality_tier:
        yield bitmap.meets_floor(requirement.min_quality_tier)
    if requirement.max_cost_tier:
        yield bitmap.within_cap(requirement.max_cost_tier)
    yield from given.toolbox.mask(bitmap, requirement.tools)
    if given.usable:
        for providers in (given.no_auth, given.untrusted):
            yield ~reduce(or_, map(bitmap.provider, providers), 0)


def _ways(bitmap: Bitmap, requirement: Requirement, given: Circumstances) -> list[list[_Clause]]:
    return [list(_ask(bitmap, way, requirement, given)) for way in requirement.any_of]


def _ask(bitmap: Bitmap, ask: Alternative, requirement: Requirement, given: Circumstances) -> Iterator[_Clause]:
    if ask.min_context_window_tokens:
        window = bitmap.window_at_least(ask.min_context_window_tokens)
        yield _Clause(window, window)
    for capability in ask.required:
        good = bitmap.yes(capability) | (bitmap.unknown(capability) if given.permissive else 0)
        yield _Clause(good, good | _emulated(bitmap, capability, requirement))
    for capability in ask.forbidden:
        has = bitmap.yes(capability) | bitmap.emulated(capability)
        free = ~has if given.permissive else ~(has | bitmap.unknown(capability))
        yield _Clause(free, free)


def _emulated(bitmap: Bitmap, capability: Capability, requirement: Requirement) -> Mask:
    """The rows whose emulation of this capability will do."""
    will_do = requirement.allow_lossy_conversion and capability not in NEVER_LOSSY
    return bitmap.emulated(capability) if will_do else 0
