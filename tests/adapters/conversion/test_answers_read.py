"""Whole answers of three Apis in canonical form, after the vendors' documents and what compatible servers send."""

from __future__ import annotations

from typing import Any

import pytest

from adapters.conversion import BadAnswer, Completion, StopReason, Usage, decode_response
from adapters.conversion.canonical import Opaque, RedactedThinking, Text, Thinking, ToolUse
from model.conversion import Omission
from model.vocabulary import Api, ThinkingConversion
from tests.adapters.conversion.build import target
from tests.adapters.conversion.sdk_types import check_message

NATIVE = {"thinking": ThinkingConversion.NATIVE}
STRIPPED = {"thinking": ThinkingConversion.STRIPPED}
OPENAI = target(Api.OPENAI_COMPLETIONS)
OPENAI_THINKS = target(Api.OPENAI_COMPLETIONS, row=NATIVE)
OLLAMA = target(Api.OLLAMA_CHAT)
ANTHROPIC = target(Api.ANTHROPIC_MESSAGES)
SECRET = "sk-canary-0123456789"


def openai(message: dict[str, Any], finish: str | None = "stop", **more: Any) -> dict[str, Any]:
    choice = {"index": 0, "message": {"role": "assistant", **message}, "finish_reason": finish}
    return {"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice], **more}


def ollama(message: dict[str, Any], **more: Any) -> dict[str, Any]:
    body = {"model": "m", "created_at": "2026-11-30T00:00:00Z", "message": {"role": "assistant", **message}}
    return {**body, "done": True, "done_reason": "stop", **more}


def anthropic(*content: dict[str, Any], stop: str = "end_turn", **more: Any) -> dict[str, Any]:
    usage = {"input_tokens": 3, "output_tokens": 2}
    body = {"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": list(content)}
    return {**body, "stop_reason": stop, "stop_sequence": None, "usage": usage, **more}


def function(arguments: Any = '{"city": "Paris"}', **more: Any) -> dict[str, Any]:
    return {"id": "call_1", "type": "function", "function": {"name": "weather", "arguments": arguments}, **more}


CALL = ToolUse("call_1", "weather", {"city": "Paris"})
ANSWERS: list[tuple[str, Any, dict[str, Any], tuple[Any, ...], StopReason]] = [
    ("openai: text", OPENAI, openai({"content": "hello"}), (Text("hello"),), StopReason.END_TURN),
    ("openai: cut off", OPENAI, openai({"content": "hel"}, "length"), (Text("hel"),), StopReason.MAX_TOKENS),
    ("openai: filtered", OPENAI, openai({"content": ""}, "content_filter"), (), StopReason.REFUSAL),
    (
        "openai: a refusal",
        OPENAI,
        openai({"content": None, "refusal": "I cannot"}),
        (Text("I cannot"),),
        StopReason.REFUSAL,
    ),
    (
        "openai: parts",
        OPENAI,
        openai({"content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}),
        (Text("a"), Text("b")),
        StopReason.END_TURN,
    ),
    (
        "openai: calls",
        OPENAI,
        openai({"content": None, "tool_calls": [function(), function(id="call_2")]}, "tool_calls"),
        (CALL, ToolUse("call_2", "weather", {"city": "Paris"})),
        StopReason.TOOL_USE,
    ),
    (
        "openai: calls under `stop`",
        OPENAI,
        openai({"content": "so", "tool_calls": [function()]}),
        (Text("so"), CALL),
        StopReason.TOOL_USE,
    ),
    (
        "openai: no arguments",
        OPENAI,
        openai({"tool_calls": [function("")]}, "tool_calls"),
        (ToolUse("call_1", "weather", {}),),
        StopReason.TOOL_USE,
    ),
    (
        "openai: arguments as an object",
        OPENAI,
        openai({"tool_calls": [function({"city": "Paris"})]}, "tool_calls"),
        (CALL,),
        StopReason.TOOL_USE,
    ),
    (
        "openai: a call cut off half-way",
        OPENAI,
        openai({"content": "so", "tool_calls": [function('{"city": "Pa')]}, "length"),
        (Text("so"),),
        StopReason.MAX_TOKENS,
    ),
    (
        "openai: reasoning where the row carries it",
        OPENAI_THINKS,
        openai({"content": "a", "reasoning_content": "hmm"}),
        (Thinking("hmm"), Text("a")),
        StopReason.END_TURN,
    ),
    (
        "openai: reasoning under OpenRouter's name",
        OPENAI_THINKS,
        openai({"content": "a", "reasoning": "hmm"}),
        (Thinking("hmm"), Text("a")),
        StopReason.END_TURN,
    ),
    (
        "openai: reasoning elsewhere is not carried",
        OPENAI,
        openai({"content": "a", "reasoning_content": "hmm"}),
        (Text("a"),),
        StopReason.END_TURN,
    ),
    ("openai: a reason nobody knows", OPENAI, openai({"content": "a"}, "sunset"), (Text("a"),), StopReason.OTHER),
    ("ollama: text", OLLAMA, ollama({"content": "hello"}), (Text("hello"),), StopReason.END_TURN),
    (
        "ollama: thinking",
        OLLAMA,
        ollama({"content": "a", "thinking": "hmm"}),
        (Thinking("hmm"), Text("a")),
        StopReason.END_TURN,
    ),
    (
        "ollama: cut off",
        OLLAMA,
        ollama({"content": "hel"}, done_reason="length"),
        (Text("hel"),),
        StopReason.MAX_TOKENS,
    ),
    (
        "ollama: a call with an id",
        OLLAMA,
        ollama(
            {"content": "", "tool_calls": [{"id": "call_1", "function": {"name": "weather", "arguments": CALL.input}}]}
        ),
        (CALL,),
        StopReason.TOOL_USE,
    ),
    (
        "ollama: an old server without done_reason",
        OLLAMA,
        {key: value for key, value in ollama({"content": "a"}).items() if key != "done_reason"},
        (Text("a"),),
        StopReason.END_TURN,
    ),
    (
        "anthropic: everything",
        ANTHROPIC,
        anthropic(
            {"type": "thinking", "thinking": "hmm", "signature": "c2ln"},
            {"type": "redacted_thinking", "data": "eA=="},
            {"type": "text", "text": "a", "citations": None},
            {"type": "tool_use", "id": "toolu_1", "name": "weather", "input": {}},
            stop="tool_use",
        ),
        (Thinking("hmm", "c2ln"), RedactedThinking("eA=="), Text("a"), ToolUse("toolu_1", "weather", {})),
        StopReason.TOOL_USE,
    ),
    (
        "anthropic: thinking where the row strips it",
        target(Api.ANTHROPIC_MESSAGES, row=STRIPPED),
        anthropic({"type": "thinking", "thinking": "hmm", "signature": ""}, {"type": "text", "text": "a"}),
        (Text("a"),),
        StopReason.END_TURN,
    ),
    ("anthropic: refused", ANTHROPIC, anthropic(stop="refusal"), (), StopReason.REFUSAL),
    (
        "anthropic: a reason nobody knows",
        ANTHROPIC,
        anthropic({"type": "text", "text": "a"}, stop="sunset"),
        (Text("a"),),
        StopReason.OTHER,
    ),
]
every_answer = pytest.mark.parametrize(
    ("name", "on", "body", "content", "stop"), ANSWERS, ids=[answer[0] for answer in ANSWERS]
)


@every_answer
def test_an_answer(name: str, on: Any, body: dict[str, Any], content: tuple[Any, ...], stop: StopReason) -> None:
    completion = decode_response(on, body)
    assert completion.content == content
    assert completion.stop_reason is stop


@every_answer
def test_in_canonical_form_the_vendor_reads_it(
    name: str, on: Any, body: dict[str, Any], content: tuple[Any, ...], stop: StopReason
) -> None:
    check_message(decode_response(on, body).to_json())


def test_what_was_not_carried_is_said() -> None:
    body = openai({"content": "a", "reasoning_content": "hmm"})
    assert decode_response(OPENAI, body).words == (Omission.THINKING_STRIPPED,)
    assert decode_response(OPENAI_THINKS, body).words == ()


def test_a_call_without_an_id_gets_one_that_stays() -> None:
    body = ollama({"tool_calls": [{"function": {"name": "f", "arguments": {}}}] * 2})
    first, second = decode_response(OLLAMA, body).content
    assert isinstance(first, ToolUse)
    assert isinstance(second, ToolUse)
    assert first.id != second.id
    assert decode_response(OLLAMA, body).content == (first, second)


def test_unknown_blocks_of_anthropic_are_kept() -> None:
    block = {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {}}
    assert decode_response(ANTHROPIC, anthropic(block)).content == (Opaque("server_tool_use", block),)


USAGE: list[tuple[Any, dict[str, Any], Usage]] = [
    (OPENAI, openai({"content": "a"}), Usage()),
    (OPENAI, openai({"content": "a"}, usage={"prompt_tokens": 10, "completion_tokens": 2}), Usage(10, 2)),
    (
        OPENAI,
        openai(
            {"content": "a"},
            usage={
                "prompt_tokens": 10,
                "completion_tokens": 8,
                "prompt_tokens_details": {"cached_tokens": 4},
                "completion_tokens_details": {"reasoning_tokens": 6},
            },
        ),
        Usage(6, 8, cache_read_tokens=4, thinking_tokens=6),
    ),
    (OPENAI, openai({"content": "a"}, usage={"prompt_tokens": "many", "completion_tokens": -1}), Usage()),
    (OLLAMA, ollama({"content": "a"}, prompt_eval_count=5, eval_count=7), Usage(5, 7)),
    (
        ANTHROPIC,
        anthropic(usage={"input_tokens": 1, "output_tokens": 2, "cache_read_input_tokens": 3}),
        Usage(1, 2, cache_read_tokens=3),
    ),
]


@pytest.mark.parametrize(("on", "body", "usage"), USAGE)
def test_usage_says_only_what_the_provider_said(on: Any, body: dict[str, Any], usage: Usage) -> None:
    assert decode_response(on, body).usage == usage


BAD: list[tuple[Any, Any, str]] = [
    (OPENAI, [], "the answer: expected an object"),
    (OPENAI, {"choices": []}, "choices: expected a list of at least one choice"),
    (OPENAI, {"error": {"message": SECRET}}, "an error object"),
    (OPENAI, openai({"content": 7}), "content: expected a text or a list"),
    (OPENAI, openai({"tool_calls": [function(f'{{"{SECRET}')]}, "tool_calls"), "arguments are no JSON object"),
    (OPENAI, openai({"tool_calls": [function("[1]")]}, "tool_calls"), "arguments are no JSON object"),
    (OPENAI, openai({"tool_calls": [{"id": "x"}]}, "tool_calls"), "tool_calls[0].function: expected an object"),
    (OLLAMA, {"error": "model not found"}, "an error object"),
    (OLLAMA, ollama({"content": "a"}, done=False), "done: expected true"),
    (ANTHROPIC, anthropic({"type": "text"}), "the answer.content[0].text.text: expected a text"),
    (target(Api.GOOGLE_VERTEX), {}, "no adapter for google-vertex"),
]


@pytest.mark.parametrize(("on", "body", "words"), BAD)
def test_a_bad_answer_is_told_without_its_content(on: Any, body: Any, words: str) -> None:
    with pytest.raises(BadAnswer) as caught:
        decode_response(on, body)
    assert words in str(caught.value)
    assert SECRET not in str(caught.value)


def test_the_answer_becomes_the_next_message() -> None:
    completion: Completion = decode_response(OPENAI, openai({"content": "hello"}))
    assert completion.message.content == (Text("hello"),)
