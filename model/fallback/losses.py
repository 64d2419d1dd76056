"""What is lost and gained from one model to another (seed 000 §11: "capability differences")."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Generic, TypeVar

from model.capability_set import CapabilitySet
from model.latency import change_words, latency_of
from model.quick_dataclass import dataclass
from model.vocabulary import Api, CostTier, QualityTier

if TYPE_CHECKING:
    from model.latency import Latency
    from model.resolve import ResolvedModel

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Pair(Generic[T]):
    """A value of the original, and of the one that takes over."""

    before: T
    after: T

    @property
    def differs(self) -> bool:
        return self.before != self.after

    def __str__(self) -> str:
        return f"{_shown(self.before)} → {_shown(self.after)}"


NEVER_TIMED: Pair[Latency | None] = Pair(None, None)
"""The first tokens of two models that nobody has timed."""


def _shown(value: object) -> str:
    return "?" if value is None else f"{value:,}" if isinstance(value, int) else str(value)


@dataclass(frozen=True, slots=True)
class Differences:
    """`unsure`: the original has it, and nobody states whether the other does. Windows and outputs in tokens. What was
    observed of the first token stands beside what the files state."""

    gained: CapabilitySet
    lost: CapabilitySet
    became_emulated: CapabilitySet
    unsure: CapabilitySet
    quality_tier: Pair[QualityTier]
    cost_tier: Pair[CostTier]
    context_window_tokens: Pair[int | None]
    max_output_tokens: Pair[int | None]
    api: Pair[Api]
    first_token: Pair[Latency | None]

    @property
    def window_shrinks(self) -> bool:
        before, after = self.context_window_tokens.before, self.context_window_tokens.after
        return before is not None and after is not None and after < before

    def words(self) -> Iterator[str]:
        """One short phrase a difference."""
        yield from self.stated_words()
        if told := change_words(self.first_token.before, self.first_token.after):
            yield told

    def stated_words(self) -> Iterator[str]:
        """Without what was only observed."""
        for title, cells in (
            ("lost", self.lost), ("not stated", self.unsure), ("emulated", self.became_emulated),
            ("gained", self.gained),
        ):  # fmt: skip
            if cells:
                yield f"{title}: {', '.join(cells)}"
        for title, pair in self.pairs():
            if pair.differs:
                yield f"{title} {pair}"

    def pairs(self) -> tuple[tuple[str, Pair[object]], ...]:
        return (
            ("tier", self.quality_tier),  # type: ignore[return-value]  # read only, so that the pairs vary freely
            ("cost", self.cost_tier),
            ("window", self.context_window_tokens),
            ("output", self.max_output_tokens),
            ("api", self.api),
        )


def differences(before: ResolvedModel, after: ResolvedModel) -> Differences:
    had = before.yes | before.emulated
    return Differences(
        gained=(after.yes - before.yes) | (after.emulated - had),
        lost=had & after.no,
        became_emulated=before.yes & after.emulated,
        unsure=had & after.unknown,
        quality_tier=Pair(before.quality_tier.value, after.quality_tier.value),
        cost_tier=Pair(before.cost_tier.value, after.cost_tier.value),
        context_window_tokens=Pair(before.context_window_tokens.value, after.context_window_tokens.value),
        max_output_tokens=Pair(before.max_output_tokens.value, after.max_output_tokens.value),
        api=Pair(before.model.provider.api, after.model.provider.api),
        first_token=first_tokens(before, after),
    )


def first_tokens(before: ResolvedModel, after: ResolvedModel) -> Pair[Latency | None]:
    """None where it was not observed at the endpoint that is asked now."""
    return Pair(latency_of(before), latency_of(after))
