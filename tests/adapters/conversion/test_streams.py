"""Streams of three Apis as canonical events; every stream is also assembled and compared with the whole answer."""

from __future__ import annotations

import json
from typing import Any

import pytest

from adapters.conversion import Assembly, BadAnswer, Failed, StopReason, StreamEvent, Truncated, Usage, stream_decoder
from adapters.conversion.canonical import RedactedThinking, Text, Thinking, ToolUse
from adapters.conversion.events import BlockStart, MessageStop, Ping, TextDelta, UnknownEvent
from model.conversion import Omission
from model.vocabulary import Api, ThinkingConversion
from tests.adapters.conversion.build import target
from tests.adapters.conversion.sdk_types import check_event

NATIVE = {"thinking": ThinkingConversion.NATIVE}
OPENAI = target(Api.OPENAI_COMPLETIONS)
OPENAI_THINKS = target(Api.OPENAI_COMPLETIONS, row=NATIVE)
OLLAMA = target(Api.OLLAMA_CHAT)
ANTHROPIC = target(Api.ANTHROPIC_MESSAGES)


def chunk(delta: dict[str, Any] | None = None, finish: str | None = None, **more: Any) -> dict[str, Any]:
    choices = [] if delta is None else [{"index": 0, "delta": delta, "finish_reason": finish}]
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": "m",
        "choices": choices,
        **more,
    }


def piece(index: int | None, arguments: Any, name: str | None = None, tool_id: str | None = None) -> dict[str, Any]:
    function = {"arguments": arguments} | ({} if name is None else {"name": name})
    call: dict[str, Any] = {"function": function} | ({} if index is None else {"index": index})
    return {"tool_calls": [call | ({} if tool_id is None else {"id": tool_id, "type": "function"})]}


def line(message: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"model": "m", "created_at": "t", "message": {"role": "assistant", **message}, "done": False, **more}


def played(on: Any, *events: Any) -> list[StreamEvent]:
    decoder = stream_decoder(on)
    told = [one for event in events for one in decoder.feed(event if isinstance(event, str) else json.dumps(event))]
    return told + decoder.finish()


def assembled(events: list[StreamEvent]) -> Assembly:
    assembly = Assembly()
    for event in events:
        assembly.add(event)
    return assembly


START = {
    "type": "message_start",
    "message": {"id": "msg_1", "model": "m", "usage": {"input_tokens": 9, "output_tokens": 1}},
}


def block(index: int, start: dict[str, Any], *deltas: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        {"type": "content_block_start", "index": index, "content_block": start},
        *({"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas),
        {"type": "content_block_stop", "index": index},
    ]


def end(reason: str = "end_turn") -> list[dict[str, Any]]:
    delta = {"stop_reason": reason, "stop_sequence": None}
    return [{"type": "message_delta", "delta": delta, "usage": {"output_tokens": 5}}, {"type": "message_stop"}]


TEXT_DELTA = {"type": "text_delta", "text": "hi"}
STREAMS: list[tuple[str, Any, list[Any], tuple[Any, ...], StopReason, Usage]] = [
    (
        "openai: text, then usage, then the end",
        OPENAI,
        [
            chunk({"role": "assistant", "content": ""}),
            chunk({"content": "hel"}),
            chunk({"content": "lo"}),
            chunk({}, "stop"),
            chunk(usage={"prompt_tokens": 9, "completion_tokens": 2}),
            "[DONE]",
        ],
        (Text("hello"),),
        StopReason.END_TURN,
        Usage(9, 2),
    ),
    (
        "openai: an end without [DONE]",
        OPENAI,
        [chunk({"content": "a"}), chunk({}, "length")],
        (Text("a"),),
        StopReason.MAX_TOKENS,
        Usage(),
    ),
    (
        "openai: two calls in pieces",
        OPENAI,
        [
            chunk({"content": "so"}),
            chunk(piece(0, "", "weather", "call_1")),
            chunk(piece(0, '{"ci')),
            chunk(piece(0, 'ty": "Paris"}')),
            chunk(piece(1, "{}", "weather", "call_2")),
            chunk({}, "tool_calls"),
            "[DONE]",
        ],
        (Text("so"), ToolUse("call_1", "weather", {"city": "Paris"}), ToolUse("call_2", "weather", {})),
        StopReason.TOOL_USE,
        Usage(),
    ),
    (
        "openai: pieces of two calls mixed",
        OPENAI,
        [
            chunk(piece(0, '{"a"', "f", "call_1")),
            chunk(piece(1, '{"b"', "g", "call_2")),
            chunk(piece(0, ": 1}")),
            chunk(piece(1, ": 2}")),
            chunk({}, "stop"),
        ],
        (ToolUse("call_1", "f", {"a": 1}), ToolUse("call_2", "g", {"b": 2})),
        StopReason.TOOL_USE,
        Usage(),
    ),
    (
        "openai: calls without index",
        OPENAI,
        [
            chunk(piece(None, '{"a": 1}', "f", "call_1")),
            chunk(piece(None, '{"b"', "g", "call_2")),
            chunk(piece(None, ": 2}")),
            chunk({}, "tool_calls"),
        ],
        (ToolUse("call_1", "f", {"a": 1}), ToolUse("call_2", "g", {"b": 2})),
        StopReason.TOOL_USE,
        Usage(),
    ),
    (
        "openai: every call is number 0",
        OPENAI,
        [chunk(piece(0, '{"a": 1}', "f", "call_1")), chunk(piece(0, "{}", "g", "call_2")), chunk({}, "tool_calls")],
        (ToolUse("call_1", "f", {"a": 1}), ToolUse("call_2", "g", {})),
        StopReason.TOOL_USE,
        Usage(),
    ),
    (
        "openai: the name comes late",
        OPENAI,
        [chunk(piece(0, '{"a"', None, "call_1")), chunk(piece(0, ": 1}", "f")), chunk({}, "tool_calls")],
        (ToolUse("call_1", "f", {"a": 1}),),
        StopReason.TOOL_USE,
        Usage(),
    ),
    (
        "openai: reasoning, then text",
        OPENAI_THINKS,
        [chunk({"reasoning_content": "h"}), chunk({"reasoning": "mm"}), chunk({"content": "a"}), chunk({}, "stop")],
        (Thinking("hmm"), Text("a")),
        StopReason.END_TURN,
        Usage(),
    ),
    (
        "openai: a refusal",
        OPENAI,
        [chunk({"refusal": "I can"}), chunk({"refusal": "not"}), chunk({}, "stop"), "[DONE]"],
        (Text("I cannot"),),
        StopReason.REFUSAL,
        Usage(),
    ),
    (
        "ollama: thinking, text, a call",
        OLLAMA,
        [
            line({"content": "", "thinking": "hmm"}),
            line({"content": "hel"}),
            line({"content": "lo"}),
            line({"content": "", "tool_calls": [{"id": "c1", "function": {"name": "f", "arguments": {"a": 1}}}]}),
            line({"content": ""}, done=True, done_reason="stop", prompt_eval_count=4, eval_count=6),
        ],
        (Thinking("hmm"), Text("hello"), ToolUse("c1", "f", {"a": 1})),
        StopReason.TOOL_USE,
        Usage(4, 6),
    ),
    (
        "anthropic: everything",
        ANTHROPIC,
        [
            START,
            {"type": "ping"},
            *block(
                0,
                {"type": "thinking", "thinking": "", "signature": ""},
                {"type": "thinking_delta", "thinking": "hmm"},
                {"type": "signature_delta", "signature": "c2ln"},
            ),
            *block(1, {"type": "redacted_thinking", "data": "eA=="}),
            *block(2, {"type": "text", "text": ""}, TEXT_DELTA, TEXT_DELTA),
            *block(
                3,
                {"type": "tool_use", "id": "toolu_1", "name": "f", "input": {}},
                {"type": "input_json_delta", "partial_json": ""},
                {"type": "input_json_delta", "partial_json": '{"a": 1}'},
            ),
            *end("tool_use"),
        ],
        (Thinking("hmm", "c2ln"), RedactedThinking("eA=="), Text("hihi"), ToolUse("toolu_1", "f", {"a": 1})),
        StopReason.TOOL_USE,
        Usage(9, 5),
    ),
]
every_stream = pytest.mark.parametrize(
    ("name", "on", "events", "content", "stop", "usage"), STREAMS, ids=[stream[0] for stream in STREAMS]
)


@every_stream
def test_a_stream(
    name: str, on: Any, events: list[Any], content: tuple[Any, ...], stop: StopReason, usage: Usage
) -> None:
    completion = assembled(played(on, *events)).completion()
    assert completion.content == content
    assert completion.stop_reason is stop
    assert completion.usage == usage


@every_stream
def test_the_vendor_reads_the_canonical_events(
    name: str, on: Any, events: list[Any], content: tuple[Any, ...], stop: StopReason, usage: Usage
) -> None:
    for event in played(on, *events):
        check_event(event.to_json())


@every_stream
def test_each_block_is_opened_and_closed_once(
    name: str, on: Any, events: list[Any], content: tuple[Any, ...], stop: StopReason, usage: Usage
) -> None:
    told = [event.to_json() for event in played(on, *events)]
    opened = [event["index"] for event in told if event["type"] == "content_block_start"]
    closed = [event["index"] for event in told if event["type"] == "content_block_stop"]
    assert opened == list(range(len(content)))
    assert sorted(closed) == opened
    assert [event["type"] for event in told][-1] == "message_stop"


@every_stream
@pytest.mark.parametrize("kept", [0, 1])
def test_a_stream_that_breaks_off_is_truncated(
    name: str, on: Any, events: list[Any], content: tuple[Any, ...], stop: StopReason, usage: Usage, kept: int
) -> None:
    with pytest.raises(Truncated):
        played(on, *events[:kept])


def test_done_without_a_reason_is_truncated() -> None:
    with pytest.raises(Truncated):
        played(OPENAI, chunk({"content": "a"}), "[DONE]")


def test_text_is_told_at_once() -> None:
    decoder = stream_decoder(OPENAI)
    decoder.feed(json.dumps(chunk({"role": "assistant"})))
    assert decoder.feed(json.dumps(chunk({"content": "a"}))) == [BlockStart(0, Text("")), TextDelta(0, "a")]
    assert decoder.feed(json.dumps(chunk({"content": "b"}))) == [TextDelta(0, "b")]


def test_what_comes_after_the_end_is_ignored() -> None:
    decoder = stream_decoder(OPENAI)
    decoder.feed(json.dumps(chunk({"content": "a"}, "stop")))
    assert isinstance(decoder.feed("[DONE]")[-1], MessageStop)
    assert decoder.feed(json.dumps(chunk({"content": "late"}))) == []
    assert decoder.finish() == []


FAILURES: list[tuple[Any, Any, Failed]] = [
    (OPENAI, {"error": {"message": "overloaded", "code": 502}}, Failed("502", "overloaded")),
    (OPENAI, {"error": "no luck"}, Failed("error", "no luck")),
    (OLLAMA, {"error": "out of memory"}, Failed("error", "out of memory")),
    (
        ANTHROPIC,
        {"type": "error", "error": {"type": "overloaded_error", "message": "busy"}},
        Failed("overloaded_error", "busy"),
    ),
]


@pytest.mark.parametrize(("on", "event", "failed"), FAILURES)
def test_an_error_inside_a_stream_is_an_event_and_the_end(on: Any, event: Any, failed: Failed) -> None:
    decoder = stream_decoder(on)
    assert decoder.feed(json.dumps(event)) == [failed]
    assert decoder.feed(json.dumps(event)) == []
    assert decoder.finish() == []


def test_pings_and_unknown_events_of_anthropic() -> None:
    decoder = stream_decoder(ANTHROPIC)
    assert decoder.feed('{"type": "ping"}', "ping") == [Ping()]
    assert decoder.feed("{}", "ping") == [Ping()]
    assert decoder.feed('{"type": "sunset", "a": 1}') == [UnknownEvent("sunset", {"type": "sunset", "a": 1})]


@pytest.mark.parametrize(
    ("start", "empty"),
    [
        ({"type": "tool_use", "id": "toolu_1", "name": "f"}, ToolUse("toolu_1", "f", {})),
        ({"type": "text"}, Text("")),
        ({"type": "thinking"}, Thinking("")),
    ],
)
def test_a_block_may_start_without_what_is_still_empty(start: dict[str, Any], empty: Any) -> None:
    told = played(ANTHROPIC, START, *block(0, start), *end())
    assert BlockStart(0, empty) in told


def test_an_unknown_delta_is_kept_and_harms_nothing() -> None:
    odd = {"type": "content_block_delta", "index": 0, "delta": {"type": "aroma_delta", "aroma": "x"}}
    start, stop = block(0, {"type": "text", "text": ""}, TEXT_DELTA)[:2], end()
    told = played(ANTHROPIC, START, *start, odd, *stop)
    assert UnknownEvent("aroma_delta", odd) in told
    assert assembled(told).completion().content == (Text("hi"),)


def test_thinking_is_left_out_where_the_row_strips_it() -> None:
    stripped = {"thinking": ThinkingConversion.STRIPPED}
    thought = block(0, {"type": "thinking", "thinking": ""}, {"type": "thinking_delta", "thinking": "secret"})
    for on, events in (
        (
            target(Api.ANTHROPIC_MESSAGES, row=stripped),
            [START, *thought, *block(1, {"type": "text", "text": "a"}), *end()],
        ),
        (OPENAI, [chunk({"reasoning": "secret"}), chunk({"content": "a"}, "stop")]),
        (target(Api.OLLAMA_CHAT, row=stripped), [line({"thinking": "secret"}), line({"content": "a"}, done=True)]),
    ):
        decoder = stream_decoder(on)
        told = [one for event in events for one in decoder.feed(json.dumps(event))] + decoder.finish()
        assert "secret" not in str([event.to_json() for event in told])
        assert decoder.words == (Omission.THINKING_STRIPPED,)
        assert assembled(told).completion().content == (Text("a"),)


@pytest.mark.parametrize("data", ["{", "[]", "7", "nothing", "[" * 100_000])
def test_an_event_that_is_no_json_object(data: str) -> None:
    for on in (OPENAI, OLLAMA, ANTHROPIC):
        with pytest.raises(BadAnswer):
            stream_decoder(on).feed(data)


def test_a_delta_for_no_block() -> None:
    with pytest.raises(BadAnswer):
        assembled(played(ANTHROPIC, START, {"type": "content_block_delta", "index": 4, "delta": TEXT_DELTA}, *end()))


def test_half_a_call_counts_only_where_the_answer_was_cut_off() -> None:
    half = chunk(piece(0, '{"a"', "f", "call_1"))
    assert assembled(played(OPENAI, half, chunk({}, "length"))).completion().content == ()
    with pytest.raises(BadAnswer):
        assembled(played(OPENAI, half, chunk({}, "tool_calls"))).completion()


def test_blank_data_is_nothing() -> None:
    assert stream_decoder(OPENAI).feed(" \n") == []
