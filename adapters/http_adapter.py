"""An adapter over one HTTP channel: the two ways to get an answer, lists in pages, and what a server tells besides."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Mapping
from dataclasses import replace
from typing import Any, ClassVar, Protocol, Self

from adapters.base import Adapter, require_sendable
from adapters.conversion.completion import BadAnswer, Completion
from adapters.conversion.decode import decode_response, stream_decoder
from adapters.conversion.events import StreamEvent
from adapters.conversion.target import Converted, Target
from adapters.delivery import Delivery
from adapters.errors import Failure, FailureKind, ProviderError, failure
from adapters.http import Answer, Channel
from adapters.ratelimits import read_rate_limits
from adapters.settings import ProviderSettings
from adapters.sse import EventDecoder, ServerEvent
from model.endpoint import Endpoint
from model.quick_dataclass import dataclass
from model.transports import Transport

MOST_PAGES = 20
"""How many pages of a model list are read at most."""


class Framing(Protocol):
    """Bytes of a stream → its messages."""

    def feed(self, piece: bytes) -> list[ServerEvent]: ...

    def end(self) -> list[ServerEvent]: ...


@dataclass(frozen=True, slots=True)
class Wire:
    """Where an Api's requests go, relative to base_url, and how its streams look.

    `guarded` is a free GET that needs the key, where the model list is known to need none.
    """

    models: str
    completions: str
    guarded: str = ""
    media_types: tuple[str, ...] = ("text/event-stream",)


class HttpAdapter(Adapter):
    """An adapter over one HTTP channel; a subclass names the paths and reads the lists."""

    wire: ClassVar[Wire]

    def __init__(self, settings: ProviderSettings, transport: Transport, channel: Channel) -> None:
        super().__init__(settings, transport)
        self._channel = channel

    async def aclose(self) -> None:
        await self._channel.aclose()

    @property
    def url(self) -> str:
        """Where requests go; holds no secret."""
        return self._channel.endpoint.url

    @property
    def has_key(self) -> bool:
        return self._channel.secret is not None

    @property
    def is_near(self) -> bool:
        """A server of the user's own, which may be asked by its product's paths too."""
        return self.settings.is_local or self._channel.endpoint.is_loopback

    def without_key(self) -> Self:
        """The same adapter, sending no key."""
        return type(self)(self.settings, self.transport, replace(self._channel, secret=None))

    def at(self, endpoint: Endpoint) -> Self:
        """The same adapter with another path of the same host."""
        if endpoint.origin != self._channel.endpoint.origin:
            raise ValueError("a key goes to no other host")
        return type(self)(self.settings, self.transport, replace(self._channel, endpoint=endpoint))

    @property
    def endpoint(self) -> Endpoint:
        return self._channel.endpoint

    async def get_guarded(self) -> None:
        """A free GET that should need the key. Raises ProviderError."""
        await self._get(self.wire.guarded or self.wire.models)

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
        """The list's pages: `cursor` names the query that takes the id after which the next page begins.

        All of them together within the deadline of one request. Raises ProviderError.
        """
        try:
            async with asyncio.timeout(self._channel.limits.total_seconds):
                return await self._read_pages(query, cursor)
        except TimeoutError:
            problem = failure(FailureKind.TIMEOUT)
        raise ProviderError(problem)

    async def _read_pages(self, query: Mapping[str, str], cursor: str) -> list[Any]:
        pages: list[Any] = []
        seen: set[str] = set()
        after: str | None = None
        while len(pages) < MOST_PAGES:
            page = await self._get(self.wire.models, {**query, **({cursor: after} if after else {})})
            pages.append(page)
            after = page.get("last_id") if isinstance(page, Mapping) and page.get("has_more") is True else None
            if not isinstance(after, str) or after in seen:
                break
            seen.add(after)
        return pages

    async def _get(self, path: str, query: Mapping[str, str] | None = None) -> Any:
        return self._read(await self._channel.get(path, query))

    async def _post(self, path: str, body: Mapping[str, Any]) -> Any:
        return self._read(await self._channel.post(path, body))

    async def get_at_root(self, path: str) -> Any | None:
        """What the server itself tells beside its Api, such as /props; None where it has no such path."""
        channel = self._channel.at_root()
        async with channel:
            try:
                return (await channel.get(path)).json
            except ProviderError as error:
                if error.kind in {FailureKind.NOT_FOUND, FailureKind.MODEL_NOT_FOUND, FailureKind.MALFORMED}:
                    return None
                raise

    def _read(self, answer: Answer) -> Any:
        self.rate_limits = read_rate_limits(answer.headers)
        return answer.json
