"""Ollama's /api/chat answers → canonical, whole and as NDJSON lines."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from adapters.conversion.canonical import Block, Text, Thinking, ToolUse
from adapters.conversion.completion import BadAnswer, Completion, StopReason, Usage, count, reading
from adapters.conversion.events import (
    BlockStart,
    BlockStop,
    Failed,
    InputDelta,
    MessageDelta,
    MessageStart,
    MessageStop,
    StreamEvent,
)
from adapters.conversion.fields import Fields, Place
from adapters.conversion.from_openai import final_stop
from adapters.conversion.streams import StreamDecoder, Talk, made_up_id
from adapters.conversion.target import Target
from adapters.conversion.tool_ids import NO_IDS, ToolIds
from model.conversion import Omission
from model.vocabulary import ThinkingConversion

_STOPS = {"stop": StopReason.END_TURN, "length": StopReason.MAX_TOKENS}


def read_ollama(target: Target, body: object) -> Completion:
    """Raises BadAnswer; also for an answer that says it is not done."""
    completion: Completion = reading(lambda: _completion(target, body))
    return completion


def _completion(target: Target, body: object) -> Completion:
    fields = Fields(body, Place(inside="the answer"))
    if fields.take("error") is not None:
        raise BadAnswer("the answer is an error object")
    if not fields.flag("done"):
        fields.refuse("done", "true", False)
    message = Fields(fields.take("message"), Place(inside="message"))
    model, seed = fields.maybe_text("model") or "", fields.maybe_text("created_at") or ""
    thinking, text = message.maybe_text("thinking"), message.maybe_text("content")
    keeps = target.conversion.thinking is ThinkingConversion.NATIVE
    calls = tuple(_calls(message, seed, 0))
    spoken: tuple[Block, ...] = (Text(text),) if text else ()
    thought: tuple[Block, ...] = (Thinking(thinking),) if thinking and keeps else ()
    return Completion(
        made_up_id(seed, 0).replace("call_", "msg_"),
        model,
        (*thought, *spoken, *calls),
        _stop(fields.take("done_reason"), bool(calls)),
        usage=ollama_usage(body),
        words=(Omission.THINKING_STRIPPED,) if thinking and not keeps else (),
    )


def _stop(reason: object, called: bool) -> StopReason:
    """Old servers give no reason at all: done is done."""
    stop = StopReason.END_TURN if reason is None else _STOPS.get(str(reason), StopReason.OTHER)
    return final_stop(stop, refused=False, called=called)


def ollama_usage(body: object) -> Usage:
    return Usage(count(body, "prompt_eval_count"), count(body, "eval_count"))


def _calls(message: Fields, seed: str, first: int) -> Iterator[ToolUse]:
    for number, item in enumerate(message.items("tool_calls"), first):
        call = Fields(item, Place(inside=f"tool_calls[{number}]"))
        function = Fields(call.take("function"), Place(inside=f"tool_calls[{number}].function"))
        name, arguments = function.name("name"), function.maybe_object("arguments") or {}
        yield ToolUse(call.maybe_text("id") or made_up_id(seed, number), name, arguments)


class OllamaStream(StreamDecoder):
    """Each line is an object; the one with `done` is the last. An `error` may come instead, under status 200."""

    def __init__(self, target: Target, tool_ids: ToolIds = NO_IDS) -> None:
        super().__init__(target, tool_ids)
        self._seed: str | None = None
        self._talk = Talk()
        self._calls = 0

    def _read(self, body: dict[str, Any]) -> list[StreamEvent]:
        if body.get("error") is not None:
            self.failed = True
            return [Failed("error", str(body["error"]))]
        fields = Fields(body, Place(inside="the line"))
        events = list(self._begin(fields))
        message = Fields(fields.take("message") or {}, Place(inside="message"))
        events += self._thought(message.maybe_text("thinking") or "")
        events += self._talk.say(message.maybe_text("content") or "")
        for call in _calls(message, self._seed or "", self._calls):
            events += self._called(call)
        if fields.flag("done"):
            events += self._end(fields.take("done_reason"), body)
        return events

    def _begin(self, fields: Fields) -> Iterator[StreamEvent]:
        seed, model = fields.maybe_text("created_at") or "", fields.maybe_text("model") or ""
        if self._seed is None:
            self._seed = seed
            yield MessageStart(made_up_id(seed, 0).replace("call_", "msg_"), model)

    def _thought(self, text: str) -> Iterator[StreamEvent]:
        if text and not self.carries_thinking:
            self.note(Omission.THINKING_STRIPPED)
        elif text:
            yield from self._talk.think(text)

    def _called(self, call: ToolUse) -> Iterator[StreamEvent]:
        """A call comes whole."""
        yield from self._talk.pause()
        index = self._talk.next_index()
        self._calls += 1
        yield BlockStart(index, ToolUse(call.id, call.name, {}))
        yield InputDelta(index, json.dumps(dict(call.input), ensure_ascii=False))
        yield BlockStop(index)

    def _end(self, reason: object, body: dict[str, Any]) -> Iterator[StreamEvent]:
        self.ended = True
        yield from self._talk.pause()
        yield MessageDelta(_stop(reason, self._calls > 0), usage=ollama_usage(body))
        yield MessageStop()

    def _close(self) -> list[StreamEvent]:
        return []
