"""A chain walked to its end with what each step loses, and the ladder at any of its steps."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from model.fallback.capability import ChainCapability, chain_capability
from model.fallback.explorer import Chain, Explorer, Question
from model.fallback.failure import NO_OUTAGE, Failure, Outage
from model.fallback.record import FallbackRecord, Prices
from model.fallback.rungs import Ladder, explained, record_of

if TYPE_CHECKING:
    from model.model_ref import ModelRef
    from model.snapshot import Snapshot


def walk(snapshot: Snapshot, task: str, original: ModelRef, failure: Failure, outage: Outage = NO_OUTAGE) -> Chain:
    """Raises KeyError for a model or task that there is not."""
    return Explorer(snapshot).walk(task, original, failure, outage)


def records_of(explorer: Explorer, chain: Chain, prices: Prices | None = None) -> Iterator[FallbackRecord]:
    """For each step what changes from the original to it."""
    for question in _questions(explorer, chain):
        choice = explorer.choose(question)
        if choice:
            yield record_of(explorer, question, choice, prices)


def ladder_at(explorer: Explorer, chain: Chain, steps: int, prices: Prices | None = None) -> Ladder:
    """The ladder after so many steps failed too: 0 is the first, `len(chain.steps)` the one that blocks."""
    return explained(explorer, list(_questions(explorer, chain))[steps], prices)


def _questions(explorer: Explorer, chain: Chain) -> Iterator[Question]:
    """The question at each step, and the last, which nobody answers."""
    question = explorer.question(chain.task, chain.original, chain.failure, chain.outage)
    yield question
    while choice := explorer.choose(question):
        question = explorer.after(question, choice)
        yield question


def capability_of(explorer: Explorer, chain: Chain) -> ChainCapability:
    """What the original and all who follow support between them."""
    return chain_capability(explorer.row(explorer.number(ref)) for ref in chain.members)
