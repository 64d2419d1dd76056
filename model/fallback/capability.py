"""What a whole chain supports: seed 004's union made honest, since a request meets one member and not their sum."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from operator import and_, or_

from model.capability_set import NO_CAPABILITIES, CapabilitySet
from model.quick_dataclass import dataclass
from model.resolve import ResolvedModel


@dataclass(frozen=True, slots=True)
class ChainCapability:
    """`any_member`: at least one has it natively, which promises nothing for one request. `every_member`: all have it
    natively. `every_emulated`: all have it, some only emulated. Windows in tokens; `least_window` is None where one
    of them is not stated."""

    any_member: CapabilitySet
    every_member: CapabilitySet
    every_emulated: CapabilitySet
    least_window: int | None
    largest_window: int | None

    @property
    def some_only(self) -> CapabilitySet:
        """What gets lost on the way."""
        return self.any_member - self.every_member - self.every_emulated


def chain_capability(members: Iterable[ResolvedModel]) -> ChainCapability:
    rows = list(members)
    if not rows:
        return ChainCapability(NO_CAPABILITIES, NO_CAPABILITIES, NO_CAPABILITIES, None, None)
    every = reduce(and_, (row.yes for row in rows))
    windows = [row.context_window_tokens.value for row in rows]
    known = [window for window in windows if window is not None]
    return ChainCapability(
        reduce(or_, (row.yes for row in rows)),
        every,
        reduce(and_, (row.yes | row.emulated for row in rows)) - every,
        min(known) if len(known) == len(windows) else None,
        max(known, default=None),
    )
