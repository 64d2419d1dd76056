"""OpenAI's chat completions → canonical, whole and streamed, with what compatible servers add or leave out."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from adapters.conversion.canonical import Block, JsonObject, Text, Thinking, ToolUse
from adapters.conversion.completion import BadAnswer, Completion, StopReason, Usage, count, inner, reading
from adapters.conversion.events import (
    BlockStart,
    BlockStop,
    InputDelta,
    MessageDelta,
    MessageStart,
    MessageStop,
    StreamEvent,
    call_input,
)
from adapters.conversion.fields import Fields, Place
from adapters.conversion.from_anthropic import failure
from adapters.conversion.streams import StreamDecoder, Talk, made_up_id
from adapters.conversion.target import Target
from adapters.conversion.tool_ids import NO_IDS, ToolIds
from model.conversion import Omission, Word
from model.vocabulary import ThinkingConversion

_STOPS = {
    "stop": StopReason.END_TURN,
    "length": StopReason.MAX_TOKENS,
    "tool_calls": StopReason.TOOL_USE,
    "function_call": StopReason.TOOL_USE,
    "content_filter": StopReason.REFUSAL,
}
_REASONING = ("reasoning_content", "reasoning")


def read_openai(target: Target, body: object) -> Completion:
    """Raises BadAnswer."""
    completion: Completion = reading(lambda: _completion(target, body))
    return completion


def _completion(target: Target, body: object) -> Completion:
    fields = Fields(body, Place(inside="the answer"))
    if "error" in (body if isinstance(body, Mapping) else {}):
        raise BadAnswer("the answer is an error object")
    choices = fields.items("choices")
    if not choices:
        fields.refuse("choices", "a list of at least one choice", choices)
    choice = Fields(choices[0], Place(inside="choices[0]"))
    message = Fields(choice.take("message"), Place(inside="choices[0].message"))
    name = fields.maybe_text("id") or ""
    stop = _STOPS.get(str(choice.take("finish_reason")), StopReason.OTHER)
    thinking, words = _thinking(target, message)
    refusal = message.maybe_text("refusal")
    content = (*thinking, *_spoken(message), *_texts(refusal), *_calls(message, name, stop))
    return Completion(
        name,
        fields.maybe_text("model") or "",
        content,
        final_stop(stop, refused=bool(refusal), called=any(isinstance(block, ToolUse) for block in content)),
        usage=openai_usage(fields.take("usage")),
        words=words,
    )


def final_stop(stop: StopReason, *, refused: bool, called: bool) -> StopReason:
    """Some servers say `stop` after calls; a refusal is told by its own field only."""
    if refused:
        return StopReason.REFUSAL
    return StopReason.TOOL_USE if called and stop in {StopReason.END_TURN, StopReason.OTHER} else stop


def _thinking(target: Target, message: Fields) -> tuple[tuple[Block, ...], tuple[Word, ...]]:
    given = [text for name in _REASONING if (text := message.maybe_text(name))]
    if not given:
        return (), ()
    if target.conversion.thinking is not ThinkingConversion.NATIVE:
        return (), (Omission.THINKING_STRIPPED,)
    return (Thinking(given[0]),), ()


def _spoken(message: Fields) -> Iterator[Block]:
    content = message.take("content")
    if isinstance(content, str) or content is None:
        yield from _texts(content)
        return
    message.place = message.place.within("content")
    for part in content if isinstance(content, list) else message.refuse("content", "a text or a list", content):
        fields = Fields(part, message.place)
        yield from _texts(fields.maybe_text("text") or fields.maybe_text("refusal"))


def _texts(text: str | None) -> Iterator[Block]:
    if text:
        yield Text(text)


def _calls(message: Fields, seed: str, stop: StopReason) -> Iterator[ToolUse]:
    for number, item in enumerate(message.items("tool_calls")):
        call = Fields(item, Place(inside=f"tool_calls[{number}]"))
        function = Fields(call.take("function"), Place(inside=f"tool_calls[{number}].function"))
        name, arguments = function.name("name"), _arguments(function.take("arguments"))
        value = arguments if isinstance(arguments, Mapping) else _input(arguments, name, stop)
        if value is not None:
            yield ToolUse(call.maybe_text("id") or made_up_id(seed, number), name, value)


def _arguments(value: object) -> str | JsonObject:
    """Some servers send the object itself instead of its JSON."""
    return value if isinstance(value, Mapping) else "" if value is None else str(value)


def _input(text: str, name: str, stop: StopReason) -> JsonObject | None:
    return call_input(text, name, cut_off=stop is StopReason.MAX_TOKENS)


def openai_usage(usage: object) -> Usage:
    """`prompt_tokens` counts cached tokens too; Anthropic's `input_tokens` does not."""
    cached = count(inner(usage, "prompt_tokens_details"), "cached_tokens")
    prompt = count(usage, "prompt_tokens")
    return Usage(
        input_tokens=None if prompt is None else max(0, prompt - (cached or 0)),
        output_tokens=count(usage, "completion_tokens"),
        cache_read_tokens=cached,
        thinking_tokens=count(inner(usage, "completion_tokens_details"), "reasoning_tokens"),
    )


@dataclass(slots=True)
class _Call:
    """A call that grows: it starts as a block when its name is known."""

    number: int
    id: str = ""
    name: str = ""
    waiting: str = ""
    block: int | None = None


class OpenAiStream(StreamDecoder):
    """The end is judged by finish_reason: `[DONE]` without one, or neither, is truncated."""

    def __init__(self, target: Target, tool_ids: ToolIds = NO_IDS) -> None:
        super().__init__(target, tool_ids)
        self._seed = ""
        self._started = False
        self._talk = Talk()
        self._calls: dict[object, _Call] = {}
        self._all: list[_Call] = []
        self._last: object = 0
        self._stop: StopReason | None = None
        self._refused = False
        self._usage = Usage()

    def _read(self, body: dict[str, Any]) -> list[StreamEvent]:
        if body.get("error"):
            self.failed = True
            return [failure(body["error"])]
        fields = Fields(body, Place(inside="the event"))
        self._usage = openai_usage(fields.take("usage")).over(self._usage)
        events = list(self._begin(fields))
        for item in fields.items("choices")[:1]:
            events += self._choice(Fields(item, Place(inside="choices[0]")))
        return events

    def _begin(self, fields: Fields) -> Iterator[StreamEvent]:
        if not self._started:
            self._started = True
            self._seed = fields.maybe_text("id") or ""
            yield MessageStart(self._seed, fields.maybe_text("model") or "")

    def _choice(self, choice: Fields) -> Iterator[StreamEvent]:
        delta = Fields(choice.take("delta") or {}, choice.place.within("delta"))
        reasoning = [text for name in _REASONING if (text := delta.maybe_text(name))]
        if reasoning:
            yield from self._reasoned(reasoning[0])
        yield from self._talk.say(delta.maybe_text("content") or "")
        if refusal := delta.maybe_text("refusal"):
            self._refused = True
            yield from self._talk.say(refusal)
        for item in delta.items("tool_calls"):
            yield from self._called(Fields(item, delta.place.within("tool_calls")))
        reason = choice.take("finish_reason")
        if reason is not None:
            self._stop = _STOPS.get(str(reason), StopReason.OTHER)

    def _reasoned(self, text: str) -> Iterator[StreamEvent]:
        if self.carries_thinking:
            yield from self._talk.think(text)
        else:
            self.note(Omission.THINKING_STRIPPED)

    def _called(self, item: Fields) -> Iterator[StreamEvent]:
        function = Fields(item.take("function") or {}, item.place.within("function"))
        name = function.maybe_text("name") or ""
        call = self._call(item.take("index"), item.maybe_text("id") or "", bool(name))
        call.name = call.name or name
        call.waiting += _arguments_text(function.take("arguments"))
        yield from self._start_call(call)
        if call.block is not None and call.waiting:
            yield InputDelta(call.block, call.waiting)
            call.waiting = ""

    def _call(self, index: object, name: str, starts: bool) -> _Call:
        """A piece belongs to the call of its index; without index, to the call of its id, else to the last one.

        Some servers number every call 0: another id together with a name begins another call.
        """
        key = index if isinstance(index, int) else name or self._last
        call = self._calls.get(key)
        if call is None or (starts and name and call.id and name != call.id):
            call = self._calls[key] = _Call(len(self._all))
            self._all.append(call)
        call.id = call.id or name
        self._last = key
        return call

    def _start_call(self, call: _Call) -> Iterator[StreamEvent]:
        if call.block is None and call.name:
            yield from self._talk.pause()
            call.block = self._talk.next_index()
            call.id = call.id or made_up_id(self._seed, call.number)
            yield BlockStart(call.block, ToolUse(call.id, call.name, {}))

    def _close(self) -> list[StreamEvent]:
        if self._stop is None:
            return []
        self.ended = True
        events = list(self._talk.pause())
        events += [BlockStop(call.block) for call in self._all if call.block is not None]
        stop = final_stop(self._stop, refused=self._refused, called=bool(self._all))
        return [*events, MessageDelta(stop, usage=self._usage), MessageStop()]


def _arguments_text(value: object) -> str:
    return json.dumps(value) if isinstance(value, Mapping) else "" if value is None else str(value)
