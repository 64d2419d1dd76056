"""The events of a canonical stream, and the assembly of an answer from them (Anthropic's streaming messages)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import field, replace
from typing import Any

from adapters.conversion.blocks import block_json
from adapters.conversion.canonical import Block, JsonObject, RedactedThinking, Text, Thinking, ToolUse
from adapters.conversion.completion import BadAnswer, Completion, StopReason, Usage, stop_json
from model.quick_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class MessageStart:
    id: str
    model: str
    usage: Usage = field(default_factory=Usage)

    def to_json(self) -> dict[str, Any]:
        message = Completion(self.id, self.model, (), StopReason.OTHER, usage=self.usage).to_json()
        return {"type": "message_start", "message": message}


@dataclass(frozen=True, slots=True)
class BlockStart:
    """`block` is still empty; its deltas fill it."""

    index: int
    block: Block

    def to_json(self) -> dict[str, Any]:
        body = block_json(self.block)
        return {"type": "content_block_start", "index": self.index, "content_block": body}


@dataclass(frozen=True, slots=True)
class TextDelta:
    index: int
    text: str

    def to_json(self) -> dict[str, Any]:
        return _delta(self.index, "text_delta", text=self.text)


@dataclass(frozen=True, slots=True)
class ThinkingDelta:
    index: int
    thinking: str

    def to_json(self) -> dict[str, Any]:
        return _delta(self.index, "thinking_delta", thinking=self.thinking)


@dataclass(frozen=True, slots=True)
class SignatureDelta:
    index: int
    signature: str

    def to_json(self) -> dict[str, Any]:
        return _delta(self.index, "signature_delta", signature=self.signature)


@dataclass(frozen=True, slots=True)
class InputDelta:
    """A piece of the JSON of a tool call's input."""

    index: int
    partial_json: str

    def to_json(self) -> dict[str, Any]:
        return _delta(self.index, "input_json_delta", partial_json=self.partial_json)


@dataclass(frozen=True, slots=True)
class CitationDelta:
    index: int
    citation: JsonObject

    def to_json(self) -> dict[str, Any]:
        return _delta(self.index, "citations_delta", citation=dict(self.citation))


@dataclass(frozen=True, slots=True)
class BlockStop:
    index: int

    def to_json(self) -> dict[str, Any]:
        return {"type": "content_block_stop", "index": self.index}


@dataclass(frozen=True, slots=True)
class MessageDelta:
    stop_reason: StopReason
    stop_sequence: str | None = None
    usage: Usage = field(default_factory=Usage)

    def to_json(self) -> dict[str, Any]:
        delta = {"stop_reason": stop_json(self.stop_reason), "stop_sequence": self.stop_sequence}
        return {"type": "message_delta", "delta": delta, "usage": self.usage.to_json()}


@dataclass(frozen=True, slots=True)
class MessageStop:
    def to_json(self) -> dict[str, Any]:
        return {"type": "message_stop"}


@dataclass(frozen=True, slots=True)
class Ping:
    def to_json(self) -> dict[str, Any]:
        return {"type": "ping"}


@dataclass(frozen=True, slots=True)
class Failed:
    """The provider reported an error in the middle of a stream; no end mark follows."""

    kind: str
    message: str

    def to_json(self) -> dict[str, Any]:
        return {"type": "error", "error": {"type": self.kind, "message": self.message}}


@dataclass(frozen=True, slots=True)
class UnknownEvent:
    """An event or delta of a kind that nobody here knows, kept as it came."""

    name: str
    raw: JsonObject

    def to_json(self) -> dict[str, Any]:
        return dict(self.raw)


Delta = TextDelta | ThinkingDelta | SignatureDelta | InputDelta | CitationDelta
StreamEvent = MessageStart | BlockStart | Delta | BlockStop | MessageDelta | MessageStop | Ping | Failed | UnknownEvent


def _delta(index: int, kind: str, **value: Any) -> dict[str, Any]:
    return {"type": "content_block_delta", "index": index, "delta": {"type": kind, **value}}


class Assembly:
    """Collects a stream's events into the answer that they tell."""

    def __init__(self) -> None:
        self._start = MessageStart("", "")
        self._blocks: dict[int, Block] = {}
        self._inputs: dict[int, str] = {}
        self._end = MessageDelta(StopReason.OTHER)

    def add(self, event: StreamEvent) -> None:
        """Raises BadAnswer for a delta to a block that was never started, or of another kind."""
        match event:
            case MessageStart():
                self._start = event
            case BlockStart():
                self._blocks[event.index] = event.block
            case TextDelta() | ThinkingDelta() | SignatureDelta() | InputDelta() | CitationDelta():
                self._blocks[event.index] = self._grown(event)
            case MessageDelta():
                self._end = replace(event, usage=event.usage.over(self._end.usage))
            case _:
                pass

    def _grown(self, event: Delta) -> Block:
        match self._blocks.get(event.index), event:
            case Text() as text, TextDelta():
                return replace(text, text=text.text + event.text)
            case Text() as text, CitationDelta():
                return replace(text, citations=(*text.citations, event.citation))
            case Thinking() as thinking, ThinkingDelta():
                return replace(thinking, thinking=thinking.thinking + event.thinking)
            case (Thinking() as thinking, SignatureDelta()):
                return replace(thinking, signature=thinking.signature + event.signature)
            case block, InputDelta() if block is not None and not isinstance(block, Text | Thinking | RedactedThinking):
                self._inputs[event.index] = self._inputs.get(event.index, "") + event.partial_json
                return block
        raise BadAnswer(f"a {type(event).__name__} for block {event.index}, which is not one of that kind")

    def completion(self) -> Completion:
        """What came so far. Raises BadAnswer if a call's input is no JSON object, unless the answer was cut off."""
        stop = self._end.stop_reason
        content = tuple(block for index in sorted(self._blocks) if (block := self._whole(index, stop)) is not None)
        usage = self._end.usage.over(self._start.usage)
        return Completion(self._start.id, self._start.model, content, stop, self._end.stop_sequence, usage)

    def _whole(self, index: int, stop: StopReason) -> Block | None:
        block = self._blocks[index]
        if isinstance(block, ToolUse) and self._inputs.get(index):
            value = call_input(self._inputs[index], block.name, cut_off=stop is StopReason.MAX_TOKENS)
            return None if value is None else replace(block, input=value)
        return block


def call_input(text: str, name: str, *, cut_off: bool) -> JsonObject | None:
    """A call's input out of its JSON. None for a half one at the end of an answer that was cut off.

    Raises BadAnswer.
    """
    try:
        value = json.loads(text) if text.strip() else {}
    except (json.JSONDecodeError, RecursionError):
        value = None
    if isinstance(value, Mapping):
        return value
    if cut_off:
        return None
    raise BadAnswer(f"the call of {name!r}: its arguments are no JSON object")
