"""The provider adapter's contract (seed 000 §7), and what our own code asks of it beyond that."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import TYPE_CHECKING, Protocol

from adapters.errors import ProviderError
from adapters.listing import ListedModel
from adapters.ratelimits import RateLimits
from model.quick_dataclass import dataclass

if TYPE_CHECKING:
    from adapters.conversion.canonical import CanonicalRequest
    from adapters.conversion.completion import Completion
    from adapters.conversion.events import StreamEvent
    from adapters.conversion.target import Converted, Target
    from adapters.settings import ProviderSettings
    from model.contract import ProviderCapabilityMatrix, ProviderCompletionInput
    from model.transports import Transport
    from model.vocabulary import TokenizerFamily

__all__ = ["ProviderAdapter", "ProviderError", "TokenCount"]


@dataclass(frozen=True, slots=True)
class TokenCount:
    """How many input tokens a request takes.

    An estimate may be wrong by `margin` (0.05 = 5 %) either way, more for text that is not prose; the provider's own
    count has no margin.
    """

    tokens: int
    is_estimate: bool = False
    margin: float = 0.0

    @property
    def most(self) -> int:
        """The count with its margin on top: what to compare with a window."""
        return self.tokens + int(self.tokens * self.margin + 0.999)


class ProviderAdapter(Protocol):
    """One provider, ready to be asked. Every method makes one attempt and raises ProviderError.

    The first five members are the seed's contract; the others give the same in our own types. Close it after use.
    """

    @property
    def provider_id(self) -> str: ...

    async def list_models(self) -> list[ProviderCapabilityMatrix]: ...

    async def validate_model(self, model_id: str) -> ProviderCapabilityMatrix:
        """Raises ProviderError (MODEL_NOT_FOUND), whose `mend` names the nearest listed model."""

    def complete(self, request: ProviderCompletionInput) -> AsyncGenerator[StreamEvent, None]:
        """Canonical stream events of the answer.

        Close it (`contextlib.aclosing`) when leaving early, so that the socket closes at once; cancelling stops
        nobody at the provider (`errors.CANCELLED_NOTICE`). Raises ProviderError (BLOCKED) before any call.
        """

    async def count_tokens(self, request: ProviderCompletionInput) -> int: ...

    @property
    def settings(self) -> ProviderSettings: ...

    @property
    def transport(self) -> Transport:
        """The row of `model.transports` that this adapter carries."""

    @property
    def is_offline(self) -> bool:
        """Whether answers are made up here and nobody is called."""

    @property
    def rate_limits(self) -> RateLimits | None:
        """What the headers of the latest answer say."""

    def target(self, model_id: str) -> Target:
        """A target with all that the row carries, in this endpoint's dialect; narrow it for a resolved model."""

    async def listed(self) -> tuple[ListedModel, ...]:
        """Every model that the endpoint lists, page after page."""

    async def look_up(self, model_id: str) -> ListedModel:
        """One model, with all that the endpoint tells. Raises ProviderError (MODEL_NOT_FOUND)."""

    def send(self, converted: Converted, target: Target) -> AsyncGenerator[StreamEvent, None]:
        """The answer to a converted request as a stream; as `complete`."""

    async def answer(self, converted: Converted, target: Target) -> Completion:
        """The answer to a converted request in one piece."""

    async def count(self, request: CanonicalRequest, family: TokenizerFamily = ...) -> TokenCount:
        """The provider's own count where it has an endpoint for it, else an estimate for tokenizers of `family`."""

    async def aclose(self) -> None: ...
