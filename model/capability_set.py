"""Sets of capabilities, small and fast: a bit each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Self

from model.quick_dataclass import dataclass
from model.vocabulary import CAPABILITIES, Capability


@dataclass(frozen=True, slots=True)
class CapabilitySet:
    """A set of capabilities packed in one int, so that a requirement is tested with `&`."""

    mask: int = 0

    @classmethod
    def of(cls, capabilities: Iterable[Capability]) -> Self:
        mask = 0
        for capability in capabilities:
            mask |= capability.bit
        return cls(mask)

    def __contains__(self, capability: Capability) -> bool:
        return bool(self.mask & capability.bit)

    def __iter__(self) -> Iterator[Capability]:
        return iter(_members(self.mask))

    def __len__(self) -> int:
        return self.mask.bit_count()

    def __or__(self, other: CapabilitySet) -> CapabilitySet:
        return CapabilitySet(self.mask | other.mask)

    def __and__(self, other: CapabilitySet) -> CapabilitySet:
        return CapabilitySet(self.mask & other.mask)

    def __sub__(self, other: CapabilitySet) -> CapabilitySet:
        return CapabilitySet(self.mask & ~other.mask)


@lru_cache(maxsize=4096)
def _members(mask: int) -> tuple[Capability, ...]:
    """Few distinct sets are walked again and again."""
    return tuple(capability for capability in CAPABILITIES if mask & capability.bit)


NO_CAPABILITIES = CapabilitySet()
