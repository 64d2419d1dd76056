"""What failed, and what else is down (DOMAIN.md §6)."""

from __future__ import annotations

from enum import StrEnum

from model.model_ref import ModelRef
from model.quick_dataclass import dataclass


class Failure(StrEnum):
    """Why a model does not answer."""

    PROVIDER_DOWN = "provider_down"
    MODEL_MISSING = "model_missing"
    RATE_LIMITED = "rate_limited"
    AUTH = "auth"
    CONTEXT_OVERFLOW = "context_overflow"
    CAPABILITY_REJECTED = "capability_rejected"

    @property
    def loses_provider(self) -> bool:
        """Whether every model of that provider is gone with it."""
        return self in {Failure.PROVIDER_DOWN, Failure.AUTH}


@dataclass(frozen=True, slots=True)
class Outage:
    """What is marked as down: whole providers, single models, endpoints (a base_url, or a host with or without its
    port)."""

    providers: frozenset[str] = frozenset()
    models: frozenset[ModelRef] = frozenset()
    endpoints: frozenset[str] = frozenset()

    def __or__(self, other: Outage) -> Outage:
        return Outage(self.providers | other.providers, self.models | other.models, self.endpoints | other.endpoints)

    def __bool__(self) -> bool:
        return bool(self.providers or self.models or self.endpoints)

    def __str__(self) -> str:
        return ", ".join([*sorted(self.providers), *sorted(map(str, self.models)), *sorted(self.endpoints)])


NO_OUTAGE = Outage()
