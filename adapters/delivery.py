"""What stands between a stream's messages and whoever reads the events: decoding, limits, redaction, typed errors."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial

from adapters.answers import read_stream_error
from adapters.conversion.completion import BadAnswer, Truncated
from adapters.conversion.events import (
    BlockStop,
    Failed,
    InputDelta,
    MessageStop,
    StreamEvent,
    TextDelta,
    ThinkingDelta,
)
from adapters.conversion.streams import StreamDecoder
from adapters.errors import Failure, FailureKind, ProviderError, failure
from adapters.limits import Limits
from adapters.redaction import Redactor, StreamRedactor
from adapters.sse import ServerEvent

_Worded = TextDelta | ThinkingDelta | InputDelta


class Delivery:
    """Messages in, events out; `is_over` once the answer's end mark has come. Raises ProviderError."""

    def __init__(self, decoder: StreamDecoder, limits: Limits, redactor: Redactor) -> None:
        self._decoder = decoder
        self._limits = limits
        self._redactor = redactor
        self._streams: dict[int, tuple[StreamRedactor, _Worded]] = {}
        self._chunks = 0
        self._bytes = 0
        self.is_over = False

    def take(self, messages: Iterable[ServerEvent]) -> Iterator[StreamEvent]:
        for message in messages:
            for event in self._read(partial(self._feed, message), FailureKind.MALFORMED):
                yield from self._pass_on(event)

    def end(self, messages: Iterable[ServerEvent]) -> Iterator[StreamEvent]:
        """The connection is at its end: a last message that cannot be read was cut. Raises as `take`, and TRUNCATED."""
        for message in messages:
            for event in self._read(partial(self._feed, message), FailureKind.TRUNCATED):
                yield from self._pass_on(event)
        for event in self._read(self._decoder.finish, FailureKind.MALFORMED):
            yield from self._pass_on(event)

    def _feed(self, message: ServerEvent) -> list[StreamEvent]:
        return self._decoder.feed(message.data, None if message.event == "message" else message.event)

    def _read(self, read: Callable[[], list[StreamEvent]], when_bad: FailureKind) -> list[StreamEvent]:
        problem: Failure
        try:
            return read()
        except Truncated:
            problem = failure(FailureKind.TRUNCATED)
        except BadAnswer as error:
            problem = failure(when_bad, self._redactor(str(error)))
        raise ProviderError(problem)

    def _pass_on(self, event: StreamEvent) -> Iterator[StreamEvent]:
        if isinstance(event, Failed):
            raise ProviderError(read_stream_error(event.kind, event.message, self._redactor))
        if isinstance(event, TextDelta | ThinkingDelta | InputDelta):
            yield from self._worded(event)
            return
        if isinstance(event, BlockStop):
            yield from self._held_back(event.index)
        self.is_over = self.is_over or isinstance(event, MessageStop)
        yield self._redactor.clean(event)

    def _worded(self, event: _Worded) -> Iterator[StreamEvent]:
        """A delta with words: counted, and redacted even where a secret is cut between two of them."""
        words = _words(event)
        self._count(len(words.encode("utf-8", "surrogatepass")))
        stream, _ = self._streams.setdefault(event.index, (StreamRedactor(self._redactor), event))
        if shown := stream.feed(words):
            yield _with_words(event, shown)

    def _held_back(self, index: int) -> Iterator[StreamEvent]:
        if index in self._streams:
            stream, first = self._streams.pop(index)
            if rest := stream.end():
                yield _with_words(first, rest)

    def _count(self, size: int) -> None:
        self._chunks += 1
        self._bytes += size
        if self._chunks > self._limits.chunks:
            raise ProviderError(failure(FailureKind.OVERFLOW, f"over {self._limits.chunks} pieces"))
        if size > self._limits.chunk_bytes or self._bytes > self._limits.delivered_bytes:
            raise ProviderError(failure(FailureKind.OVERFLOW, "a piece or the text of the answer is too long"))


def _words(event: _Worded) -> str:
    match event:
        case TextDelta():
            return event.text
        case ThinkingDelta():
            return event.thinking
        case InputDelta():
            return event.partial_json


def _with_words(event: _Worded, words: str) -> StreamEvent:
    match event:
        case TextDelta():
            return replace(event, text=words)
        case ThinkingDelta():
            return replace(event, thinking=words)
        case InputDelta():
            return replace(event, partial_json=words)
