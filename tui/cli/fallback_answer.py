"""All that one call of `capdeck fallback REF` tells: the ladder, who follows after it, and what would unblock it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from model.fallback import Chain, ChainCapability, Explorer, Ladder, Way, explained, ways_out
from model.fallback.walking import capability_of, ladder_at
from model.latency import latency_of
from model.quick_dataclass import dataclass

if TYPE_CHECKING:
    from model.fallback import Failure, Outage
    from model.latency import Latency
    from model.model_ref import ModelRef


@dataclass(frozen=True, slots=True)
class Answer:
    """`first_tokens` are those of the chain's members, the original's first. `ways` unblock the end of the chain,
    whoever is selected first."""

    ladder: Ladder
    chain: Chain
    capability: ChainCapability
    first_tokens: Sequence[Latency | None]
    ways: Sequence[Way]

    @property
    def recordable(self) -> Any:
        """What the session store keeps of it."""
        from model.session_records import FallbackBlocked, FallbackTaken

        ladder = self.ladder
        if ladder.record:
            return FallbackTaken(ladder.record)
        return FallbackBlocked(ladder.task, ladder.original, ladder.failure, ladder.rungs[-1].why)


def answer(explorer: Explorer, task: str, original: ModelRef, failure: Failure, outage: Outage) -> Answer:
    chain = explorer.walk(task, original, failure, outage)
    first = explained(explorer, explorer.question(task, original, failure, outage))
    end = first if first.blocked else ladder_at(explorer, chain, len(chain.steps))
    times = [latency_of(explorer.row(explorer.number(ref))) for ref in chain.members]
    return Answer(first, chain, capability_of(explorer, chain), times, ways_out(explorer.snapshot, end))
