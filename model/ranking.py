"""The order of those who pass: a total order whose every key is shown (DOMAIN.md §4).

`keys` spells out one model's keys; `ranked` walks the same order over masks, so that the first screenful of a
thousand passing models costs only the first screenful.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from model.bitmap import Bitmap, Mask, bits
from model.model_ref import ModelRef
from model.quick_dataclass import dataclass
from model.requirements import Requirement
from model.resolve import Matrix, ResolvedModel
from model.sieve import Passing
from model.vocabulary import CostTier, QualityTier, ScoreDimension, TaskType

_D = ScoreDimension
_OTHER: Mapping[ScoreDimension, float] = {_D.REASONING: 0.5}
WEIGHTS: Mapping[str, Mapping[ScoreDimension, float]] = {
    TaskType.EXECUTE: {_D.CODING: 0.9, _D.SPEED: 0.3, _D.INSTRUCTION: 0.7},
    TaskType.ARCHITECTURE: {_D.CODING: 0.5, _D.REASONING: 0.9},
    TaskType.REVIEW: {_D.SPEED: 0.8, _D.INSTRUCTION: 0.7},
    TaskType.DEBUG: {_D.CODING: 0.5, _D.DEBUGGING: 0.6, _D.REASONING: 0.9},
    TaskType.MAIN: {_D.REASONING: 0.6, _D.INSTRUCTION: 0.7},
    TaskType.COMPACT: {_D.SPEED: 0.7, _D.INSTRUCTION: 0.8},
    TaskType.MINE_EXPERIENCE: {_D.RESEARCH: 0.9, _D.REASONING: 0.5, _D.LONG_CONTEXT: 0.7},
}
"""ADR-004 weights per task; a task that is not here weighs reasoning alone."""

UNKNOWN_SCORE = 50


@dataclass(frozen=True, slots=True)
class Work:
    """What is known of one piece of execute work (ADR-004): words of the plan, and how many files and lines change."""

    tags: frozenset[str] = frozenset()
    keywords: frozenset[str] = frozenset()
    files: int = 0
    lines: int = 0


NO_WORK = Work()
MANY_FILES, MANY_LINES = 6, 500

_REFINEMENTS: tuple[tuple[Callable[[Work], bool], Mapping[ScoreDimension, float]], ...] = (
    (
        lambda work: _names(work.tags, "doc", "docs", "readme", "comment", "config", "typo", "rename"),
        {_D.INSTRUCTION: 0.9, _D.CODING: 0.3, _D.SPEED: 0.7},
    ),
    (
        lambda work: _names(work.keywords, "concurrency", "compatibility"),
        {_D.DEBUGGING: 0.9, _D.REASONING: 0.8},
    ),
    (
        lambda work: _names(work.keywords, "migration", "architecture"),
        {_D.REASONING: 0.9, _D.CODING: 0.8},
    ),
    (
        lambda work: work.files >= MANY_FILES or work.lines >= MANY_LINES,
        {_D.CODING: 0.9, _D.REASONING: 0.7},
    ),
)
"""ADR-004: the first that applies overlays the weights of execute."""


def _names(given: frozenset[str], *words: str) -> bool:
    return any(word.casefold() in words for word in given)


def weights_for(task: str, work: Work = NO_WORK) -> Mapping[ScoreDimension, float]:
    base = WEIGHTS.get(task, _OTHER)
    if task != TaskType.EXECUTE or work == NO_WORK:
        return base
    return {**base, **next((overlay for applies, overlay in _REFINEMENTS if applies(work)), {})}


def score(scores: Mapping[ScoreDimension, int], weights: Mapping[ScoreDimension, float]) -> float:
    """ADR-004: the weighted mean, 0 to 100; 50 for a dimension that nobody scored. Rounded, so that equal means are
    equal however they were summed."""
    total = sum(weights.values())
    if not scores or not total:
        return float(UNKNOWN_SCORE)
    mean = sum(weight * scores.get(dimension, UNKNOWN_SCORE) for dimension, weight in weights.items()) / total
    return round(mean, 6)


@dataclass(frozen=True, slots=True)
class RankingKeys:
    """One passing model's keys, in the order in which they decide."""

    lossy: bool
    role_default: bool
    preferred: int
    reaches_preferred_tier: bool
    tier_distance: int
    cost: CostTier
    score: float

    def order(self, ref: ModelRef, *, by_score: bool, cheaper_first: bool = False) -> tuple[object, ...]:
        """Sorts ascending: best first."""
        tiers = (not self.reaches_preferred_tier, self.tier_distance)
        price = (self.cost.rank,)
        middle = (-self.preferred, *(price + tiers if cheaper_first else tiers + price))
        head = (self.lossy, not self.role_default)
        return (*head, -self.score, *middle, ref) if by_score else (*head, *middle, -self.score, ref)


def keys(row: ResolvedModel, requirement: Requirement, *, lossy: bool, work: Work = NO_WORK) -> RankingKeys:
    quality, floor, preferred_tier = row.quality_tier.value, requirement.min_quality_tier, requirement.preferred_tier
    met = 2 * len(requirement.preferred & row.yes) + len(requirement.preferred & row.emulated)
    return RankingKeys(
        lossy,
        row.is_default_for(requirement.role),
        met + 2 * len(requirement.avoided & row.no),
        preferred_tier is None or quality.meets(preferred_tier),
        quality.rank - floor.rank if floor else 0,
        row.cost_tier.value,
        score(row.scores, weights_for(requirement.task, work)),
    )


# -- over masks -------------------------------------------------------------------------------------------------------
_Split = Callable[[Mask], Iterable[Mask]]
"""Cuts a set of rows into parts, best first."""


def ranked(
    matrix: Matrix,
    bitmap: Bitmap,
    requirement: Requirement,
    passing: Passing,
    *,
    cheaper_first: bool = False,
    work: Work = NO_WORK,
) -> Iterator[int]:
    """The rows that pass, best first, made as they are asked for.

    `cheaper_first` moves the price ahead of the tier keys (low-risk work, DOMAIN.md §5); `work` refines the scores.
    """
    by_score = matrix.policy.rank_by_score
    weights = weights_for(requirement.task, work)
    scored: _Split = lambda mask: _by_score(matrix, mask, weights)  # noqa: E731  one of a row of alike cuts
    head: list[_Split] = [
        lambda mask: (mask & passing.strict, mask & ~passing.strict),
        lambda mask: _cut(mask, bitmap.default_for(requirement.role)),
    ]
    price: list[_Split] = [lambda mask: (mask & bitmap.cost(tier) for tier in _CHEAPEST_FIRST)]
    tiers: list[_Split] = [
        lambda mask: _by_tier(mask, bitmap, requirement.preferred_tier),
        lambda mask: _by_distance(mask, bitmap, requirement.min_quality_tier),
    ]
    middle = [
        lambda mask: _by_preferred(mask, bitmap, requirement),
        *(price + tiers if cheaper_first else tiers + price),
    ]
    splits = [*head, scored, *middle] if by_score else [*head, *middle, scored]
    for part in _walk(passing.any, splits):
        yield from sorted(bits(part), key=lambda number: matrix.rows[number].ref)


def _walk(mask: Mask, splits: list[_Split]) -> Iterator[Mask]:
    if not mask:
        return
    if not splits or not mask & (mask - 1):
        yield mask
        return
    for part in splits[0](mask):
        yield from _walk(part, splits[1:])


def _cut(mask: Mask, first: Mask) -> tuple[Mask, Mask]:
    return mask & first, mask & ~first


def _by_preferred(mask: Mask, bitmap: Bitmap, requirement: Requirement) -> Iterator[Mask]:
    points: dict[int, Mask] = {0: mask}
    for capability in requirement.preferred:
        points = _spread(points, bitmap.yes(capability), bitmap.emulated(capability))
    for capability in requirement.avoided:
        may_have = bitmap.yes(capability) | bitmap.emulated(capability) | bitmap.unknown(capability)
        points = _spread(points, ~may_have, 0)
    return (points[total] for total in sorted(points, reverse=True))


def _spread(points: dict[int, Mask], two: Mask, one: Mask) -> dict[int, Mask]:
    """Adds 2 points to the rows in `two` and 1 to those in `one`."""
    after: dict[int, Mask] = {}
    for total, mask in points.items():
        for gain, part in ((2, mask & two), (1, mask & one), (0, mask & ~(two | one))):
            after[total + gain] = after.get(total + gain, 0) | part
    return after


def _by_tier(mask: Mask, bitmap: Bitmap, preferred: QualityTier | None) -> tuple[Mask, ...]:
    return (mask,) if preferred is None else _cut(mask, bitmap.meets_floor(preferred))


def _by_distance(mask: Mask, bitmap: Bitmap, floor: QualityTier | None) -> Iterable[Mask]:
    if floor is None:
        return (mask,)
    return (mask & bitmap.quality(tier) for tier in reversed(QualityTier) if tier.meets(floor))


def _by_score(matrix: Matrix, mask: Mask, weights: Mapping[ScoreDimension, float]) -> Iterator[Mask]:
    groups: dict[float, Mask] = {}
    for number in bits(mask):
        value = score(matrix.rows[number].scores, weights)
        groups[value] = groups.get(value, 0) | 1 << number
    return (groups[value] for value in sorted(groups, reverse=True))


_CHEAPEST_FIRST = sorted(CostTier, key=lambda tier: tier.rank)
