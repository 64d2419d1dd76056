"""What all adapters have in common: the seed's contract in terms of our own types."""

from __future__ import annotations

import difflib
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import replace
from typing import ClassVar

from adapters.contract import TokenCount
from adapters.conversion.canonical import CanonicalRequest
from adapters.conversion.completion import Completion
from adapters.conversion.convert import convert
from adapters.conversion.events import StreamEvent
from adapters.conversion.fields import CanonicalError
from adapters.conversion.requests import from_completion_input
from adapters.conversion.target import Converted, Dialect, Target
from adapters.errors import FailureKind, ProviderError, failure
from adapters.listing import ListedModel
from adapters.ratelimits import RateLimits
from adapters.records import matrix_record
from adapters.settings import ProviderSettings
from adapters.tokens import estimate_request
from model.capability_set import CapabilitySet
from model.config.rows import ConversionRow
from model.contract import ProviderCapabilityMatrix, ProviderCompletionInput
from model.transports import Transport, narrowing_for
from model.vocabulary import CAPABILITIES, Capability, TokenizerFamily

ONLY_IF_CARRIED = CapabilitySet.of(
    (
        Capability.STREAMING,
        Capability.BATCH,
        Capability.AUDIO_INPUT,
        Capability.AUDIO_OUTPUT,
        Capability.FILE_INPUT,
        Capability.IMAGE_OUTPUT,
        Capability.COMPUTER_USE,
    )
)
"""What a row has to name in `carried`; the rest of it is said by the row's other fields (DOMAIN.md §2.2)."""


class Adapter(ABC):
    """The contract of seed 000 §7 over `listed`, `look_up`, `send` and `count`."""

    dialect: ClassVar[Dialect] = Dialect()
    is_offline: ClassVar[bool] = False

    def __init__(self, settings: ProviderSettings, transport: Transport) -> None:
        self.settings = settings
        self.transport = transport
        self.rate_limits: RateLimits | None = None

    @property
    def provider_id(self) -> str:
        return self.settings.provider_id

    async def list_models(self) -> list[ProviderCapabilityMatrix]:
        return [self._record(model) for model in await self.listed()]

    async def validate_model(self, model_id: str) -> ProviderCapabilityMatrix:
        return self._record(await self.look_up(model_id))

    async def complete(self, request: ProviderCompletionInput) -> AsyncGenerator[StreamEvent, None]:
        target = self.target(request.model_id)
        converted = self._convert(_canonical(request), target)
        async with aclosing(self.send(converted, target)) as events:
            async for event in events:
                yield event

    async def count_tokens(self, request: ProviderCompletionInput) -> int:
        return (await self.count(_canonical(request))).tokens

    def target(self, model_id: str) -> Target:
        row = self.transport
        narrowing = narrowing_for(self.settings.base_url, model_id)
        return Target(
            api=self.settings.api,
            model_id=model_id,
            provider_id=self.provider_id,
            conversion=ConversionRow(
                row.from_anthropic_canonical, row.tool_schema, row.image_input, row.thinking, row.cache_control
            ),
            supports=CapabilitySet.of(CAPABILITIES) - (ONLY_IF_CARRIED - row.carried),
            json_schema=narrowing.json_schema if narrowing else row.json_schema,
            json_mode=row.json_mode,
            dialect=self.dialect,
        )

    @abstractmethod
    async def listed(self) -> tuple[ListedModel, ...]: ...

    @abstractmethod
    def send(self, converted: Converted, target: Target) -> AsyncGenerator[StreamEvent, None]: ...

    @abstractmethod
    async def answer(self, converted: Converted, target: Target) -> Completion: ...

    async def look_up(self, model_id: str) -> ListedModel:
        return find_listed(model_id, await self.listed())

    async def count(self, request: CanonicalRequest, family: TokenizerFamily = TokenizerFamily.UNKNOWN) -> TokenCount:
        return estimate_request(request, family)

    async def aclose(self) -> None:
        """Closes the socket, where there is one."""
        return

    def _record(self, model: ListedModel) -> ProviderCapabilityMatrix:
        return matrix_record(model, self.settings, self.transport)

    def _convert(self, request: CanonicalRequest, target: Target, *, stream: bool = True) -> Converted:
        return convert(replace(request, stream=stream), target)


def require_sendable(converted: Converted) -> None:
    """Raises ProviderError (BLOCKED) with every reason (seed 000 §8.2-5)."""
    if converted.blocked:
        raise ProviderError(failure(FailureKind.BLOCKED, "; ".join(converted.blocked)))


def _canonical(request: ProviderCompletionInput) -> CanonicalRequest:
    """Raises ProviderError (BAD_REQUEST) with the place in the request."""
    try:
        return from_completion_input(request)
    except CanonicalError as error:
        problem = failure(FailureKind.BAD_REQUEST, str(error), mend="Mend the request there")
    raise ProviderError(problem)


MOST_COMPARED = 2000
"""How many listed ids are looked at for one that is near."""


def find_listed(model_id: str, models: Sequence[ListedModel]) -> ListedModel:
    """Exactly this id. Raises ProviderError (MODEL_NOT_FOUND), which names the nearest one."""
    found = next((model for model in models if model.model_id == model_id), None)
    if found:
        return found
    near = difflib.get_close_matches(model_id, [model.model_id for model in models[:MOST_COMPARED]], 1, 0.6)
    mend = f"Did you mean {near[0]}?" if near else f"It lists {len(models)} models, none like this one"
    raise ProviderError(failure(FailureKind.MODEL_NOT_FOUND, mend=mend))
