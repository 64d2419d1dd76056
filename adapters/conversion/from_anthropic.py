"""Anthropic's answers → canonical: the form is the same, so it is only read with care."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from adapters.conversion.blocks import parse_block
from adapters.conversion.canonical import Block, RedactedThinking, Thinking
from adapters.conversion.completion import Completion, StopReason, Usage, count, inner, reading
from adapters.conversion.events import (
    BlockStart,
    BlockStop,
    CitationDelta,
    Failed,
    InputDelta,
    MessageDelta,
    MessageStart,
    MessageStop,
    Ping,
    SignatureDelta,
    StreamEvent,
    TextDelta,
    ThinkingDelta,
    UnknownEvent,
)
from adapters.conversion.fields import Fields, Place
from adapters.conversion.streams import StreamDecoder
from adapters.conversion.target import Target
from adapters.conversion.tool_ids import NO_IDS, ToolIds
from model.conversion import Omission
from model.vocabulary import ThinkingConversion

_ANSWER = Place(inside="the answer")


def read_anthropic(target: Target, body: object) -> Completion:
    """Raises BadAnswer."""
    completion: Completion = reading(lambda: _completion(body))
    if target.conversion.thinking is ThinkingConversion.NATIVE or not _thought(completion.content):
        return completion
    spoken = tuple(block for block in completion.content if not _is_thinking(block))
    return replace(completion, content=spoken, words=(Omission.THINKING_STRIPPED,))


def _completion(body: object) -> Completion:
    fields = Fields(body, _ANSWER)
    content = tuple(
        parse_block(item, Place(inside=f"the answer.content[{index}]"))
        for index, item in enumerate(fields.items("content"))
    )
    return Completion(
        id=fields.maybe_text("id") or "",
        model=fields.maybe_text("model") or "",
        content=content,
        stop_reason=StopReason.of(fields.take("stop_reason")),
        stop_sequence=fields.maybe_text("stop_sequence"),
        usage=anthropic_usage(fields.take("usage")),
    )


def _is_thinking(block: Block) -> bool:
    return isinstance(block, Thinking | RedactedThinking)


def _thought(content: tuple[Block, ...]) -> bool:
    return any(_is_thinking(block) for block in content)


def anthropic_usage(usage: object) -> Usage:
    return Usage(
        count(usage, "input_tokens"),
        count(usage, "output_tokens"),
        count(usage, "cache_read_input_tokens"),
        count(usage, "cache_creation_input_tokens"),
        count(inner(usage, "output_tokens_details"), "thinking_tokens"),
    )


class AnthropicStream(StreamDecoder):
    """Events pass through; blocks of thinking do not where the model's row strips them."""

    def __init__(self, target: Target, tool_ids: ToolIds = NO_IDS) -> None:
        super().__init__(target, tool_ids)
        self._hidden: set[int] = set()

    def _read(self, body: dict[str, Any]) -> list[StreamEvent]:
        index = body.get("index")
        event = _event(body)
        if isinstance(event, BlockStart) and _is_thinking(event.block) and not self.carries_thinking:
            self._hidden.add(event.index)
            self.note(Omission.THINKING_STRIPPED)
        if isinstance(event, MessageStop):
            self.ended = True
        if isinstance(event, Failed):
            self.failed = True
        return [] if index in self._hidden else [event]

    def _close(self) -> list[StreamEvent]:
        return []


def _event(body: dict[str, Any]) -> StreamEvent:
    fields = Fields(body, Place(inside="the event"))
    kind = fields.name("type")
    match kind:
        case "message_start":
            message = Fields(fields.take("message"), Place(inside="message_start.message"))
            name, model = message.maybe_text("id"), message.maybe_text("model")
            return MessageStart(name or "", model or "", anthropic_usage(message.take("usage")))
        case "content_block_start":
            return BlockStart(_index(fields), _started(fields.object("content_block")))
        case "content_block_delta":
            return _delta(_index(fields), fields.object("delta"), body)
        case "content_block_stop":
            return BlockStop(_index(fields))
        case "message_delta":
            delta = Fields(fields.take("delta"), Place(inside="message_delta.delta"))
            reason, sequence = StopReason.of(delta.take("stop_reason")), delta.maybe_text("stop_sequence")
            return MessageDelta(reason, sequence, anthropic_usage(fields.take("usage")))
        case "message_stop":
            return MessageStop()
        case "ping":
            return Ping()
        case "error":
            error = fields.take("error")
            return failure(error)
    return UnknownEvent(kind, body)


_STILL_EMPTY: dict[str, dict[str, Any]] = {
    "text": {"text": ""},
    "thinking": {"thinking": ""},
    "tool_use": {"input": {}},
}


def _started(block: dict[str, Any]) -> Block:
    """A block before its deltas; some servers leave out what is still empty (llama.cpp: a call's input)."""
    return parse_block(_STILL_EMPTY.get(str(block.get("type")), {}) | block, Place(inside="content_block_start"))


def _index(fields: Fields) -> int:
    value = fields.take("index")
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return value
    return fields.refuse("index", "a whole number from 0", value)


def _delta(index: int, delta: dict[str, Any], body: dict[str, Any]) -> StreamEvent:
    fields = Fields(delta, Place(inside="delta"))
    match fields.name("type"):
        case "text_delta":
            return TextDelta(index, fields.text("text"))
        case "thinking_delta":
            return ThinkingDelta(index, fields.text("thinking"))
        case "signature_delta":
            return SignatureDelta(index, fields.text("signature"))
        case "input_json_delta":
            return InputDelta(index, fields.text("partial_json"))
        case "citations_delta":
            return CitationDelta(index, fields.object("citation"))
        case other:
            return UnknownEvent(other, body)


def failure(error: object) -> Failed:
    """An error object of any Api: `type` or `code`, and `message`; some send only a text."""
    if isinstance(error, Mapping):
        kind = error.get("type") or error.get("code") or "error"
        return Failed(str(kind), str(error.get("message", "")))
    return Failed("error", str(error))
