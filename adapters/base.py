"""What the adapters have in common: the seed's contract in terms of our types, and the two ways to get an answer."""

from __future__ import annotations

import difflib
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Protocol

from adapters.contract import TokenCount
from adapters.conversion.canonical import CanonicalRequest
from adapters.conversion.completion import BadAnswer, Completion
from adapters.conversion.convert import convert
from adapters.conversion.decode import decode_response, stream_decoder
from adapters.conversion.events import StreamEvent
from adapters.conversion.fields import CanonicalError
from adapters.conversion.requests import from_completion_input
from adapters.conversion.target import Converted, Dialect, Target
from adapters.delivery import Delivery
from adapters.errors import Failure, FailureKind, ProviderError, failure
from adapters.http import Answer, Channel
from adapters.listing import ListedModel
from adapters.ratelimits import RateLimits, read_rate_limits
from adapters.records import matrix_record
from adapters.settings import ProviderSettings
from adapters.sse import EventDecoder, ServerEvent
from adapters.tokens import estimate_request
from model.config.rows import ConversionRow
from model.contract import ProviderCapabilityMatrix, ProviderCompletionInput
from model.transports import Transport
from model.vocabulary import CAPABILITIES, CapabilitySet, TokenizerFamily

MOST_PAGES = 100
"""How many pages of a model list are read at most."""


class Framing(Protocol):
    """Bytes of a stream → its messages."""

    def feed(self, piece: bytes) -> list[ServerEvent]: ...

    def end(self) -> list[ServerEvent]: ...


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
        return Target(
            api=self.settings.api,
            model_id=model_id,
            provider_id=self.provider_id,
            conversion=ConversionRow(
                row.from_anthropic_canonical, row.tool_schema, row.image_input, row.thinking, row.cache_control
            ),
            supports=CapabilitySet.of(CAPABILITIES),
            json_schema=row.json_schema,
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


@dataclass(frozen=True, slots=True)
class Wire:
    """Where an Api's requests go, relative to base_url, and how its streams look."""

    models: str
    completions: str
    media_types: tuple[str, ...] = ("text/event-stream",)


class HttpAdapter(Adapter):
    """An adapter over one HTTP channel; a subclass names the paths and reads the lists."""

    wire: ClassVar[Wire]

    def __init__(self, settings: ProviderSettings, transport: Transport, channel: Channel) -> None:
        super().__init__(settings, transport)
        self._channel = channel

    async def aclose(self) -> None:
        await self._channel.aclose()

    async def send(self, converted: Converted, target: Target) -> AsyncGenerator[StreamEvent, None]:
        if not converted.request.stream:
            converted = self._convert(converted.request, target)
        body = self._body(converted)
        delivery = Delivery(stream_decoder(target, converted.tool_ids), self._channel.limits, self._channel.redactor)
        framing = self._framing()
        async with self._channel.stream(self.wire.completions, body, self.wire.media_types) as answer:
            self.rate_limits = read_rate_limits(answer.headers)
            async for piece in answer.pieces:
                for event in delivery.take(framing.feed(piece)):
                    yield event
                if delivery.is_over:
                    return
            for event in delivery.end(framing.end()):
                yield event

    async def answer(self, converted: Converted, target: Target) -> Completion:
        if converted.request.stream:
            converted = self._convert(converted.request, target, stream=False)
        answer = await self._channel.post(self.wire.completions, self._body(converted))
        self.rate_limits = read_rate_limits(answer.headers)
        problem: Failure
        try:
            return self._channel.redactor.clean(decode_response(target, answer.json, converted.tool_ids))
        except BadAnswer as error:
            problem = failure(FailureKind.MALFORMED, self._channel.redactor(str(error)))
        raise ProviderError(problem)

    def _body(self, converted: Converted) -> Mapping[str, Any]:
        """Raises ProviderError (BLOCKED) before any call."""
        require_sendable(converted)
        return converted.body

    def _framing(self) -> Framing:
        return EventDecoder(self._channel.limits)

    async def _pages(self, query: Mapping[str, str], cursor: str) -> list[Any]:
        """The list's pages: `cursor` names the query that takes the id after which the next page begins."""
        pages: list[Any] = []
        seen: set[str] = set()
        after: str | None = None
        while len(pages) < MOST_PAGES:
            page = await self._get(self.wire.models, {**query, **({cursor: after} if after else {})})
            pages.append(page)
            after = page.get("last_id") if isinstance(page, Mapping) and page.get("has_more") is True else None
            if not isinstance(after, str) or after in seen:
                return pages
            seen.add(after)
        return pages

    async def _get(self, path: str, query: Mapping[str, str] | None = None) -> Any:
        return self._read(await self._channel.get(path, query))

    async def _post(self, path: str, body: Mapping[str, Any]) -> Any:
        return self._read(await self._channel.post(path, body))

    def _read(self, answer: Answer) -> Any:
        self.rate_limits = read_rate_limits(answer.headers)
        return answer.json


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


def find_listed(model_id: str, models: Sequence[ListedModel]) -> ListedModel:
    """Exactly this id. Raises ProviderError (MODEL_NOT_FOUND), which names the nearest one."""
    found = next((model for model in models if model.model_id == model_id), None)
    if found:
        return found
    near = difflib.get_close_matches(model_id, [model.model_id for model in models], 1, 0.6)
    mend = f"Did you mean {near[0]}?" if near else f"It lists {len(models)} models, none like this one"
    raise ProviderError(failure(FailureKind.MODEL_NOT_FOUND, mend=mend))
