"""The line of succession for one task and one model: every rung's candidates, best first (seed 000 §11).

What fails, what is down and what was tried only take names off this line; they never change its order.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum
from typing import TYPE_CHECKING

from model.bitmap import Mask
from model.fallback.able import Able, changes_code, in_order
from model.quick_dataclass import dataclass
from model.vocabulary import QualityTier

if TYPE_CHECKING:
    from model.snapshot import Snapshot


class Rung(IntEnum):
    """Seed 000 §11's five, and before them the chains that the user wrote."""

    CONFIGURED = 0
    SAME_TIER = 1
    HIGHER_TIER = 2
    OTHER_PROVIDER = 3
    LOWER_TIER = 4
    ASK = 5

    @property
    def title(self) -> str:
        return _TITLES[self]


_TITLES = {
    Rung.CONFIGURED: "configured chain",
    Rung.SAME_TIER: "same provider, same tier",
    Rung.HIGHER_TIER: "same provider, higher tier",
    Rung.OTHER_PROVIDER: "other provider, same tier or higher",
    Rung.LOWER_TIER: "lower tier",
    Rung.ASK: "block and ask",
}


@dataclass(frozen=True, slots=True)
class Relation:
    """How all rows stand to the original. Unknown equals only unknown; any known tier counts as higher than it."""

    itself: Mask
    provider: Mask
    same: Mask
    higher: Mask
    lower: Mask

    def rung(self, number: int) -> Rung:
        """The rung on which this row is a candidate."""
        if self.lower >> number & 1:
            return Rung.LOWER_TIER
        if not self.provider >> number & 1:
            return Rung.OTHER_PROVIDER
        return Rung.SAME_TIER if self.same >> number & 1 else Rung.HIGHER_TIER


def relation(snapshot: Snapshot, original: int, itself: Mask) -> Relation:
    bitmap, row = snapshot.bitmap, snapshot.matrix.rows[original]
    tiers = {QualityTier(tier): bitmap.quality(tier) for tier in QualityTier}
    rank = row.quality_tier.value.rank
    return Relation(
        itself,
        bitmap.provider(row.ref.provider_id),
        tiers[row.quality_tier.value],
        sum(mask for tier, mask in tiers.items() if tier.rank > rank),
        sum(mask for tier, mask in tiers.items() if tier.rank < rank),
    )


def may_go_lower(snapshot: Snapshot, task: str) -> bool:
    """Only where the task changes no code, or the policy allows it (seed 000 §11.4)."""
    return not changes_code(snapshot, task) or task in snapshot.config.policy.allow_lower_tier_for


class Line:
    """One part of a rung: its candidates best first, ranked only as far as somebody looks."""

    __slots__ = ("_known", "_more", "mask", "rung")

    def __init__(self, rung: Rung, mask: Mask, ranked: Iterator[int]) -> None:
        self.rung, self.mask = rung, mask
        self._known: list[int] = []
        self._more = ranked

    def __iter__(self) -> Iterator[int]:
        yield from self._known
        for number in self._more:
            self._known.append(number)
            yield number

    def first(self, free: Mask) -> int | None:
        """The best of those that are in `free`."""
        return next((number for number in self if free >> number & 1), None) if self.mask & free else None


@dataclass(frozen=True, slots=True)
class Succession:
    """`safe` and `ask` are the candidates that the rules leave to the original; `lines` hold them all in order: nobody
    is asked while somebody safe is left, then rung by rung."""

    relation: Relation
    safe: Mask
    ask: Mask
    lines: tuple[Line, ...]


def succession(snapshot: Snapshot, task: str, able: Able, relation: Relation) -> Succession:
    allowed = ~relation.itself
    if not snapshot.config.policy.allow_higher_tier:
        allowed &= ~relation.higher
    if not may_go_lower(snapshot, task):
        allowed &= ~relation.lower
    safe, ask = able.safe & allowed, able.ask & allowed & (relation.lower | ~able.below)
    requirement = snapshot.requirements[task]
    lines = (
        Line(rung, part & mask, in_order(snapshot, requirement, able, part & mask))
        for mask in (safe, ask)
        for rung, part in _parts(relation)
    )
    return Succession(relation, safe, ask, tuple(lines))


def _parts(stands: Relation) -> Iterator[tuple[Rung, Mask]]:
    """The rungs, cut where one comes before another whatever the ranking says."""
    yield Rung.SAME_TIER, stands.provider & stands.same
    yield Rung.HIGHER_TIER, stands.provider & stands.higher
    yield Rung.OTHER_PROVIDER, ~stands.provider & stands.same
    yield Rung.OTHER_PROVIDER, ~stands.provider & stands.higher
    yield Rung.LOWER_TIER, stands.provider & stands.lower
    yield Rung.LOWER_TIER, ~stands.provider & stands.lower
