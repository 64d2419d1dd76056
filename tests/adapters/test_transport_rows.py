"""Every row of the transport table that is ours, against what the adapter really sends and reads (seed 004).

Rows on paper have no adapter; tests/adapters/test_registry.py holds that.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from adapters.conversion.canonical import JsonAnswer, Thinking
from adapters.conversion.convert import convert
from adapters.conversion.events import TextDelta
from adapters.conversion.requests import from_completion_input, parse_request
from adapters.errors import FailureKind, ProviderError
from adapters.registry import SPEAKERS, open_adapter
from model.contract import ProviderCompletionInput
from model.transports import TRANSPORTS, Transport
from model.vocabulary import (
    Api,
    CacheConversion,
    Canonical,
    Capability,
    ImageConversion,
    JsonLevel,
    ProviderKind,
    ThinkingConversion,
    ToolSchema,
)
from tests.adapters.opening import ASK, adapter, assembled, collect, connections, settings
from tests.adapters.streams import answer_for, chunk, line
from tests.adapters.wire import Handler, Server, ndjson_reply, sse_reply

KINDS = {
    Api.ANTHROPIC_MESSAGES: ProviderKind.ANTHROPIC,
    Api.OPENAI_COMPLETIONS: ProviderKind.OPENAI,
    Api.OLLAMA_CHAT: ProviderKind.OLLAMA,
}
PNG = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}}
TOOL = {"name": "t", "description": "d", "input_schema": {"type": "object", "properties": {"a": {"type": "string"}}}}
apis = pytest.mark.parametrize("api", KINDS)


def test_every_api_that_we_speak_stands_here() -> None:
    assert set(KINDS) == set(SPEAKERS)


def body_for(api: Api, **given: Any) -> dict[str, Any]:
    """What goes over the wire for a Messages request with these fields; the conversion may be lossy here."""
    request = parse_request({"model": "m1", "max_tokens": 16, "messages": [{"role": "user", "content": "x"}], **given})
    one = adapter(KINDS[api], Server({}))
    return convert(request, one.target("m1")).draft


def row_of(api: Api) -> Transport:
    return adapter(KINDS[api], Server({})).transport


@apis
def test_the_adapter_carries_its_apis_row(api: Api) -> None:
    assert row_of(api) is TRANSPORTS[api]
    assert not TRANSPORTS[api].on_paper


@apis
def test_canonical(api: Api) -> None:
    """Lossless means: the canonical request is the body."""
    body = body_for(api, system=[{"type": "text", "text": "s"}], tools=[TOOL])
    same = body["messages"] == [{"role": "user", "content": [{"type": "text", "text": "x"}]}]
    assert same is (row_of(api).from_anthropic_canonical is Canonical.LOSSLESS)


@apis
def test_tools(api: Api) -> None:
    (tool,) = body_for(api, tools=[TOOL])["tools"]
    assert (tool == TOOL) is (row_of(api).tool_schema is ToolSchema.NATIVE)
    assert json.dumps(TOOL["input_schema"]) in json.dumps(tool)


@apis
def test_images(api: Api) -> None:
    body = body_for(api, messages=[{"role": "user", "content": [PNG]}])
    assert ("iVBORw0KGgo=" in json.dumps(body)) is (row_of(api).image_input is ImageConversion.NATIVE)


@apis
def test_images_in_tool_results(api: Api) -> None:
    """Where the row says no, the image moves out of the result."""
    turns = [
        {"role": "user", "content": "x"},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "toolu_1", "name": "t", "input": {}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_1", "content": [PNG]}]},
    ]
    messages = body_for(api, messages=turns, tools=[TOOL])["messages"]
    with_image = [message for message in messages if "iVBORw0KGgo=" in json.dumps(message)]
    assert len(with_image) == 1
    inside = "tool_result" in json.dumps(with_image[0])
    assert inside is row_of(api).images_in_tool_results


@apis
def test_cache_marks(api: Api) -> None:
    marked = [{"type": "text", "text": "s", "cache_control": {"type": "ephemeral"}}]
    carried = "cache_control" in json.dumps(body_for(api, system=marked))
    assert carried is (row_of(api).cache_control is CacheConversion.NATIVE)


@apis
def test_json_schema_and_json_mode(api: Api) -> None:
    one = adapter(KINDS[api], Server({}))
    schema = {"type": "object", "properties": {"unheard_of": {"type": "string"}}, "required": ["unheard_of"]}
    for answer, level in ((JsonAnswer(schema), one.transport.json_schema), (JsonAnswer(), one.transport.json_mode)):
        body = convert(from_completion_input(ASK, answer=answer), one.target("m1")).draft
        fields = {name for name in ("output_config", "response_format", "format") if name in body}
        assert bool(fields) is (level is JsonLevel.NATIVE)


ANTHROPIC_THINKING: list[dict[str, Any]] = [
    {"type": "message_start", "message": {"id": "m", "model": "m1", "role": "assistant", "content": [], "usage": {}}},
    {"type": "content_block_start", "index": 0, "content_block": {"type": "thinking", "thinking": ""}},
    {"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", "thinking": "hm"}},
    {"type": "content_block_stop", "index": 0},
    {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 1}},
    {"type": "message_stop"},
]
OPENAI_THINKING = [chunk({"reasoning_content": "hm"}), chunk({"content": "y"}), chunk({}, "stop")]
OLLAMA_THINKING = [
    {**line(""), "message": {"role": "assistant", "content": "", "thinking": "hm"}},
    line("y", True, done_reason="stop"),
]
THINKING: dict[Api, Handler] = {
    Api.ANTHROPIC_MESSAGES: lambda _: sse_reply(*ANTHROPIC_THINKING, named=True),
    Api.OPENAI_COMPLETIONS: lambda _: sse_reply(*OPENAI_THINKING),
    Api.OLLAMA_CHAT: lambda _: ndjson_reply(*OLLAMA_THINKING),
}


@apis
async def test_thinking(api: Api) -> None:
    path, _ = answer_for(KINDS[api])
    events = await collect(adapter(KINDS[api], Server({("POST", path): THINKING[api]})).complete(ASK))
    thought = any(isinstance(block, Thinking) for block in assembled(events).content)
    assert thought is (row_of(api).thinking is ThinkingConversion.NATIVE)


@apis
async def test_streaming(api: Api) -> None:
    path, answer = answer_for(KINDS[api])
    events = await collect(adapter(KINDS[api], Server({("POST", path): answer})).complete(ASK))
    pieces = sum(isinstance(event, TextDelta) for event in events)
    assert (pieces > 1) is (Capability.STREAMING in row_of(api).carried)


@apis
def test_files(api: Api) -> None:
    pdf = {"type": "document", "source": {"type": "base64", "media_type": "application/pdf", "data": "JVBERi0="}}
    body = body_for(api, messages=[{"role": "user", "content": [pdf, {"type": "text", "text": "x"}]}])
    assert ("JVBERi0=" in json.dumps(body)) is (Capability.FILE_INPUT in row_of(api).carried)


NOT_CARRIED = [
    Capability.BATCH,
    Capability.AUDIO_INPUT,
    Capability.AUDIO_OUTPUT,
    Capability.IMAGE_OUTPUT,
    Capability.COMPUTER_USE,
]


@apis
@pytest.mark.parametrize("capability", NOT_CARRIED)
def test_what_no_adapter_carries(api: Api, capability: Capability) -> None:
    assert capability not in row_of(api).carried


@apis
def test_tool_call_ids(api: Api) -> None:
    odd = "toolu_" + "a|b/ü" * 40
    turns = [
        {"role": "user", "content": "x"},
        {"role": "assistant", "content": [{"type": "tool_use", "id": odd, "name": "t", "input": {}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": odd, "content": "y"}]},
    ]
    body = body_for(api, messages=turns, tools=[TOOL])
    ids = list(_values(body["messages"], lambda key: key in {"id", "tool_use_id", "tool_call_id"}))
    assert all(row_of(api).tool_call_ids.takes(identifier) for identifier in ids)
    assert len(set(ids)) <= 1


def _values(value: Any, wanted: Callable[[str], bool]) -> list[str]:
    if isinstance(value, dict):
        own = [item for key, item in value.items() if wanted(key) and isinstance(item, str)]
        return own + [found for item in value.values() for found in _values(item, wanted)]
    return [found for item in value for found in _values(item, wanted)] if isinstance(value, list) else []


@pytest.mark.parametrize("key", ["mock_x", "sk-real-key-123456"])
@pytest.mark.parametrize(("model_id", "allowed"), [("deepseek-v4-flash", True), ("deepseek-other", False)])
async def test_the_narrowing_of_deepseek_holds_offline_too(key: str, model_id: str, allowed: bool) -> None:
    given = settings(ProviderKind.OPENAI_COMPATIBLE, "https://api.deepseek.com")
    path, answer = "/chat/completions", answer_for(ProviderKind.OPENAI)[1]
    one = open_adapter(given, connections(Server({("POST", path): answer}), key=key))
    ask = ProviderCompletionInput(model_id=model_id, messages=ASK.messages)
    target = one.target(model_id)
    converted = convert(from_completion_input(ask, answer=JsonAnswer({"type": "object"}), stream=True), target)
    if allowed:
        assert await collect(one.send(converted, target))
        return
    with pytest.raises(ProviderError) as caught:
        await collect(one.send(converted, target))
    assert caught.value.kind is FailureKind.BLOCKED
