"""What the stream decoders of all Apis have in common: reading JSON, and judging whether the answer ended."""

from __future__ import annotations

import hashlib
import json
from abc import ABC, abstractmethod
from collections.abc import Generator, Iterator
from dataclasses import replace
from typing import Any

from adapters.conversion.canonical import Text, Thinking, ToolUse
from adapters.conversion.completion import BadAnswer, Truncated, reading
from adapters.conversion.events import BlockStart, BlockStop, StreamEvent, TextDelta, ThinkingDelta
from adapters.conversion.target import Target
from adapters.conversion.tool_ids import NO_IDS, ToolIds
from model.conversion import Word
from model.vocabulary import ThinkingConversion

DONE = "[DONE]"


class StreamDecoder(ABC):
    """Turns one provider's stream into canonical events, in order, each as soon as it is known."""

    def __init__(self, target: Target, tool_ids: ToolIds = NO_IDS) -> None:
        self._tool_ids = tool_ids
        self.carries_thinking = target.conversion.thinking is ThinkingConversion.NATIVE
        self.ended = False
        self.failed = False
        self._words: dict[Word, None] = {}

    @property
    def words(self) -> tuple[Word, ...]:
        """What of the answer was not carried."""
        return tuple(self._words)

    def note(self, word: Word) -> None:
        self._words[word] = None

    def feed(self, data: str, event: str | None = None) -> list[StreamEvent]:
        """One SSE event's data, or one line of NDJSON. What comes after the end is ignored. Raises BadAnswer."""
        if self.ended or self.failed or not data.strip():
            return []
        if data.strip() == DONE:
            return self._done()
        body = parse_object(data)
        if event is not None:
            body.setdefault("type", event)
        events: list[StreamEvent] = reading(lambda: self._read(body))
        return [self._named(one) for one in events]

    def finish(self) -> list[StreamEvent]:
        """The connection is at its end. Raises Truncated if the answer is not."""
        if self.ended or self.failed:
            return []
        events = self._close()
        if not self.ended:
            raise Truncated("the stream ended without its end mark: the answer is not whole")
        return events

    def _named(self, event: StreamEvent) -> StreamEvent:
        """A call under an id that was renamed on the way out gets its own name back."""
        if isinstance(event, BlockStart) and isinstance(event.block, ToolUse):
            return replace(event, block=replace(event.block, id=self._tool_ids.from_wire(event.block.id)))
        return event

    def _done(self) -> list[StreamEvent]:
        return self.finish()

    @abstractmethod
    def _read(self, body: dict[str, Any]) -> list[StreamEvent]:
        """The events that one JSON object tells."""

    @abstractmethod
    def _close(self) -> list[StreamEvent]:
        """The last events, if all that is needed for an end has come; sets `ended` then."""


class Talk:
    """The blocks of an answer whose provider has none: hands out indexes, opens and closes text and thinking."""

    def __init__(self) -> None:
        self._blocks = 0
        self._open: tuple[type[Text | Thinking], int] | None = None

    def next_index(self) -> int:
        self._blocks += 1
        return self._blocks - 1

    def say(self, text: str) -> Iterator[StreamEvent]:
        if text:
            index = yield from self._in(Text)
            yield TextDelta(index, text)

    def think(self, text: str) -> Iterator[StreamEvent]:
        if text:
            index = yield from self._in(Thinking)
            yield ThinkingDelta(index, text)

    def pause(self) -> Iterator[StreamEvent]:
        """Closes what is open: something else begins, or the end has come."""
        if self._open is not None:
            yield BlockStop(self._open[1])
        self._open = None

    def _in(self, kind: type[Text | Thinking]) -> Generator[StreamEvent, None, int]:
        if self._open is None or self._open[0] is not kind:
            yield from self.pause()
            self._open = (kind, self.next_index())
            yield BlockStart(self._open[1], kind(""))
        return self._open[1]


def parse_object(data: str) -> dict[str, Any]:
    try:
        body = json.loads(data)
    except (json.JSONDecodeError, RecursionError):
        raise BadAnswer("an event of the stream is no JSON") from None
    if not isinstance(body, dict):
        raise BadAnswer("an event of the stream is JSON, but no object")
    return body


def made_up_id(seed: str, number: int) -> str:
    """An id for a call that came without one: the same each time for the same answer."""
    return f"call_{hashlib.sha256(f'{seed}/{number}'.encode(errors='surrogatepass')).hexdigest()[:16]}"
