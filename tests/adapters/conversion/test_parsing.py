"""What is no canonical request is told with its place and what was expected, and never with its content."""

from __future__ import annotations

from typing import Any

import pytest

from adapters.conversion import CanonicalError, JsonAnswer, convert, from_completion_input, parse_request
from adapters.conversion.blocks import block_json
from adapters.conversion.canonical import Opaque, Text
from model.contract import ProviderCompletionInput
from model.vocabulary import Api
from tests.adapters.conversion.build import (
    IMAGE,
    IMAGE_URL,
    PDF,
    USER,
    WEATHER,
    assistant,
    call,
    result,
    target,
    text,
    user,
)

SECRET = "sk-canary-0123456789"
BAD: list[tuple[dict[str, Any], int | None, int | None, str]] = [
    ({}, None, None, "messages: expected a list of at least one message, found nothing"),
    ({"messages": []}, None, None, "messages: expected a list of at least one message, found a list"),
    ({"messages": ["x"]}, 0, None, "message 0: expected a message object, found a text"),
    ({"messages": [{"role": "tool", "content": "x"}]}, 0, None, "role: expected user, assistant or system"),
    ({"messages": [USER, {"role": "user"}]}, 1, None, "content: expected a text or a list of blocks, found nothing"),
    ({"messages": [user(7)]}, 0, 0, "message 0, block 0: expected a content block, found a whole number"),
    ({"messages": [user({})]}, 0, 0, "type: expected a text, found nothing"),
    ({"messages": [user(text("a"), {"type": "text"})]}, 0, 1, "text.text: expected a text, found nothing"),
    ({"messages": [user({"type": "image"})]}, 0, 0, "image.source: expected a source object, found nothing"),
    (
        {"messages": [user({"type": "image", "source": {"type": "text", "data": SECRET}})]},
        0,
        0,
        "image.source: expected a base64, url or file source",
    ),
    (
        {"messages": [user({"type": "image", "source": {"type": "ftp"}})]},
        0,
        0,
        "expected base64, url, file, text or content",
    ),
    ({"messages": [assistant({**call(), "id": " "})]}, 0, 0, "tool_use.id: expected a text that is not empty"),
    ({"messages": [assistant({**call(), "input": SECRET})]}, 0, 0, "tool_use.input: expected an object, found a text"),
    ({"messages": [user(result(content=7))]}, 0, 0, "content: expected a text or a list of blocks"),
    ({"messages": [user(result(content=[call()]))]}, 0, 0, "content: expected text, images and documents"),
    ({"messages": [user(result(is_error="yes"))]}, 0, 0, "is_error: expected true or false, found a text"),
    ({"messages": [user(call())]}, 0, 0, "expected no tool_use in a message of the user"),
    ({"messages": [assistant(result())]}, 0, 0, "expected no tool_result in a message of the assistant"),
    ({"messages": [{"role": "system", "content": [IMAGE]}]}, 0, 0, "expected no image in a message of the system"),
    ({"messages": [USER], "system": 7}, None, None, "system: expected a text or a list of text blocks"),
    ({"messages": [USER], "system": [IMAGE]}, None, None, "system[0]: expected a text block"),
    ({"messages": [USER], "tools": [{"name": "x"}]}, None, None, "tools[0].input_schema: expected an object"),
    (
        {"messages": [USER], "tool_choice": {"type": "some"}},
        None,
        None,
        "tool_choice.type: expected auto, any, tool or",
    ),
    ({"messages": [USER], "tool_choice": {"type": "tool"}}, None, None, "tool_choice.name: expected a text"),
    ({"messages": [USER], "max_tokens": 0}, None, None, "max_tokens: expected a whole number above 0"),
    ({"messages": [USER], "temperature": "hot"}, None, None, "temperature: expected a number, found a text"),
    ({"messages": [USER], "stream": 1}, None, None, "stream: expected true or false, found a whole number"),
    ({"messages": [USER], "stop_sequences": [1]}, None, None, "stop_sequences: expected a list of texts"),
    (
        {"messages": [USER], "output_config": {"format": {"type": "yaml"}}},
        None,
        None,
        "output_config.format.type: expected json_schema or json_object",
    ),
]


@pytest.mark.parametrize(("body", "message", "block", "words"), BAD, ids=lambda value: str(value)[:60])
def test_a_bad_request_names_its_place(body: dict[str, Any], message: int, block: int, words: str) -> None:
    with pytest.raises(CanonicalError) as caught:
        parse_request({"model": "m", **body})
    assert (caught.value.message_index, caught.value.block_index) == (message, block)
    assert words in str(caught.value)
    assert SECRET not in str(caught.value)


@pytest.mark.parametrize("body", [None, [], "x", 7, {"messages": [USER]}])
def test_what_is_no_request_at_all(body: object) -> None:
    with pytest.raises(CanonicalError):
        parse_request(body)


@pytest.mark.parametrize(
    "block",
    [
        text("a", citations=[{"type": "x"}], cache_control={"type": "ephemeral"}),
        {**IMAGE, "transformations": {}},
        IMAGE_URL,
        {**PDF, "title": "t", "context": "c", "citations": {"enabled": True}},
        {"type": "document", "source": {"type": "content", "content": [text("a"), IMAGE]}},
        {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "a"}},
        result(content=[text("a"), IMAGE, PDF], is_error=True),
        {"type": "hologram", "beam": {"x": 1}},
    ],
    ids=lambda block: block["type"],
)
def test_a_block_is_written_as_it_was_read(block: dict[str, Any]) -> None:
    (read,) = parse_request({"model": "m", "messages": [user(block)]}).messages[0].content
    assert block_json(read) == block


def test_an_unknown_kind_is_kept() -> None:
    (read,) = parse_request({"model": "m", "messages": [user({"type": "hologram", "a": 1})]}).messages[0].content
    assert read == Opaque("hologram", {"type": "hologram", "a": 1})


def test_the_seeds_record_is_read_the_same_way() -> None:
    record = ProviderCompletionInput(
        model_id="m", messages=(USER,), tools=(WEATHER,), system="S", max_output_tokens=5, temperature=0.5
    )
    request = from_completion_input(record, stream=True, answer=JsonAnswer())
    body = {"messages": [USER], "tools": [WEATHER], "system": "S", "max_tokens": 5, "temperature": 0.5, "stream": True}
    same = parse_request({"model": "m", **body, "output_config": {"format": {"type": "json_object"}}})
    assert request == same
    assert request.system == (Text("S"),)


def test_unknown_keys_are_kept_apart() -> None:
    request = parse_request({"model": "m", "messages": [USER], "service_tier": "auto", "output_config": {"new": 1}})
    assert request.extra == {"service_tier": "auto", "output_config": {"new": 1}}


@pytest.mark.parametrize("levels", [150, 5000])
@pytest.mark.parametrize("inside", ["schema", "results"])
def test_json_that_nests_too_deep(inside: str, levels: int) -> None:
    schema: Any = {}
    block: Any = text("x")
    for _ in range(levels):
        schema, block = {"items": schema}, result(content=[block])
    deep = {"tools": [{"name": "f", "input_schema": schema}]} if inside == "schema" else {"messages": [user(block)]}
    with pytest.raises(CanonicalError, match="at most 100 levels"):
        parse_request({"model": "m", "messages": [USER], **deep})


def test_a_schema_as_deep_as_is_allowed() -> None:
    schema: Any = {}
    for _ in range(90):
        schema = {"items": schema}
    body = {"model": "m", "messages": [USER], "tools": [{"name": "f", "input_schema": schema}]}
    for api in (Api.OPENAI_COMPLETIONS, Api.GOOGLE_VERTEX):
        convert(parse_request(body), target(api))
