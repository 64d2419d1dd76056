"""What must never reach a provider (seed 000 §8; DOMAIN.md §7): required losses, sizes, forbidden images."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from adapters.conversion import Blocked, Dialect, convert
from model.capability_set import CapabilitySet
from model.contract import Limits
from model.vocabulary import (
    Api,
    CacheConversion,
    Canonical,
    Capability,
    ImageConversion,
    JsonLevel,
    ThinkingConversion,
    ToolSchema,
)
from tests.adapters.conversion.build import IMAGE, IMAGE_URL, PDF, USER, WEATHER, assistant, request, target, user

OPENAI, OLLAMA, ANTHROPIC = Api.OPENAI_COMPLETIONS, Api.OLLAMA_CHAT, Api.ANTHROPIC_MESSAGES
TOOL_BYTES = len(
    '[{"type":"function","function":{"name":"weather","parameters":{"type":"object","properties":{}},'
    '"description":"The weather"}}]'
)


def needs(*capabilities: Capability) -> CapabilitySet:
    return CapabilitySet.of(capabilities)


BLOCKED: list[tuple[str, dict[str, Any], Any, str]] = [
    ("thinking stripped", {}, target(OPENAI, required=needs(Capability.THINKING)), "thinking is required"),
    ("cache ignored", {}, target(OPENAI, required=needs(Capability.PROMPT_CACHE)), "prompt_cache is required"),
    (
        "cache unsupported",
        {},
        target(
            ANTHROPIC,
            row={"cache_control": CacheConversion.UNSUPPORTED},
            required=needs(Capability.PROMPT_CACHE),
        ),
        "prompt_cache is required",
    ),
    (
        "tools unsupported",
        {"tools": [WEATHER]},
        target(OPENAI, row={"tool_schema": ToolSchema.UNSUPPORTED}, required=needs(Capability.TOOL_USE)),
        "tool_use is required",
    ),
    (
        "parallel tools need tools",
        {},
        target(OPENAI, row={"tool_schema": ToolSchema.UNSUPPORTED}, required=needs(Capability.PARALLEL_TOOL_USE)),
        "tool_use is required",
    ),
    (
        "images unsupported",
        {},
        target(OPENAI, row={"image_input": ImageConversion.UNSUPPORTED}, required=needs(Capability.IMAGE_INPUT)),
        "image_input is required",
    ),
    (
        "a required capability that the model lacks",
        {},
        target(OPENAI, without=(Capability.AUDIO_INPUT,), required=needs(Capability.AUDIO_INPUT)),
        "audio_input is required",
    ),
    (
        "a required document that does not go",
        {"messages": [user({"type": "document", "source": {"type": "url", "url": "https://example.org/a.pdf"}})]},
        target(OPENAI, required=needs(Capability.FILE_INPUT)),
        "file_input is required: documents dropped",
    ),
    (
        "a row that takes no canonical messages",
        {},
        target(OPENAI, row={"from_anthropic_canonical": Canonical.UNSUPPORTED}),
        "takes no canonical messages",
    ),
    ("an image by URL for Ollama", {"messages": [user(IMAGE_URL)]}, target(OLLAMA), "takes no images by URL"),
    (
        "an image by URL for an endpoint that fetches none",
        {"messages": [user(IMAGE_URL)]},
        target(OPENAI, dialect=Dialect(image_urls=False)),
        "message 0, block 0: openai-completions takes no images by URL",
    ),
    (
        "too many images",
        {"messages": [user(IMAGE, IMAGE)]},
        target(OPENAI, limits=Limits(max_image_count=1)),
        "holds 2 images, max_image_count is 1",
    ),
    (
        "tools too big",
        {"tools": [WEATHER]},
        target(OPENAI, limits=Limits(max_tool_schema_bytes=TOOL_BYTES - 1)),
        f"take {TOOL_BYTES} bytes, max_tool_schema_bytes is {TOOL_BYTES - 1}",
    ),
    (
        "a file too big",
        {"messages": [user(PDF)]},
        target(ANTHROPIC, limits=Limits(max_file_bytes=4)),
        "a file takes 5 bytes, max_file_bytes is 4",
    ),
    (
        "a document of text too big",
        {
            "messages": [
                user({"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "héllo"}})
            ]
        },
        target(ANTHROPIC, limits=Limits(max_file_bytes=5)),
        "a file takes 6 bytes, max_file_bytes is 5",
    ),
    (
        "tools too big, with half a character",
        {"tools": [{**WEATHER, "description": "\ud800"}]},
        target(OPENAI, limits=Limits(max_tool_schema_bytes=9)),
        "max_tool_schema_bytes is 9",
    ),
    (
        "an endpoint without JSON",
        {"output_config": {"format": {"type": "json_schema", "schema": {}}}},
        target(OPENAI, json_schema=JsonLevel.UNSUPPORTED),
        "asked for JSON",
    ),
    ("nothing left", {"messages": [user({"type": "text", "text": " "})]}, target(ANTHROPIC), "nothing is left to send"),
    ("an Api that capdeck does not speak", {}, target(Api.GOOGLE_VERTEX), "no adapter for google-vertex"),
]


@pytest.mark.parametrize(("name", "given", "on", "why"), BLOCKED, ids=[case[0] for case in BLOCKED])
@pytest.mark.parametrize("allow_lossy", [False, True])
def test_nothing_is_sent(name: str, given: dict[str, Any], on: Any, why: str, allow_lossy: bool) -> None:
    converted = convert(request(**given), replace(on, allow_lossy=allow_lossy))
    assert converted.report.status is Canonical.UNSUPPORTED
    assert any(why in reason for reason in converted.blocked)
    with pytest.raises(Blocked, match=r"\w"):
        _ = converted.body


FITS: list[tuple[str, dict[str, Any], Any]] = [
    ("as many images", {"messages": [user(IMAGE, IMAGE)]}, target(OPENAI, limits=Limits(max_image_count=2))),
    ("as many bytes", {"tools": [WEATHER]}, target(OPENAI, limits=Limits(max_tool_schema_bytes=TOOL_BYTES))),
    ("a file of that size", {"messages": [user(PDF)]}, target(ANTHROPIC, limits=Limits(max_file_bytes=5))),
    ("no tools at all", {}, target(OPENAI, limits=Limits(max_tool_schema_bytes=1))),
]


@pytest.mark.parametrize(("name", "given", "on"), FITS, ids=[case[0] for case in FITS])
def test_at_the_limit_it_goes(name: str, given: dict[str, Any], on: Any) -> None:
    converted = convert(request(**given), on)
    assert converted.blocked == ()
    assert converted.body == converted.draft


EMULATED: list[tuple[str, dict[str, Any], Any]] = [
    (
        "emulated tools",
        {"tools": [WEATHER]},
        {"row": {"tool_schema": ToolSchema.EMULATED}, "required": needs(Capability.TOOL_USE)},
    ),
    (
        "linked images",
        {"messages": [user(IMAGE)]},
        {"row": {"image_input": ImageConversion.ARTIFACT_LINK}, "required": needs(Capability.IMAGE_INPUT)},
    ),
    (
        "a schema in words",
        {"output_config": {"format": {"type": "json_schema", "schema": {}}}},
        {"json_schema": JsonLevel.PROMPT_ONLY, "required": needs(Capability.STRUCTURED_OUTPUT)},
    ),
]


@pytest.mark.parametrize(("name", "given", "on"), EMULATED, ids=[case[0] for case in EMULATED])
def test_a_required_capability_may_be_emulated_only_where_loss_is_allowed(
    name: str, given: dict[str, Any], on: dict[str, Any]
) -> None:
    assert convert(request(**given), target(OPENAI, allow_lossy=True, **on)).blocked == ()
    assert convert(request(**given), target(OPENAI, allow_lossy=False, **on)).report.status is Canonical.UNSUPPORTED


def test_a_setting_of_the_users_own_that_is_left_out_needs_a_confirmation() -> None:
    assert convert(request(top_k=4), target(OPENAI, allow_lossy=True)).report.required_confirmation
    assert convert(request(thinking={"type": "adaptive"}), target(OPENAI)).report.required_confirmation
    assert not convert(request(), target(OPENAI, code_changing=True)).report.required_confirmation


def test_ignored_cache_marks_stay_lossless() -> None:
    marked = {"type": "text", "text": "a", "cache_control": {"type": "ephemeral"}}
    report = convert(request(messages=[user(marked)]), target(OPENAI)).report
    assert (report.status, report.omissions) == (Canonical.LOSSLESS, ())


def test_stripped_thinking_is_no_loss_where_there_is_none() -> None:
    assert convert(request(), target(OPENAI)).report.status is Canonical.LOSSLESS


def test_hidden_reasoning_never_becomes_text() -> None:
    thought = {"type": "thinking", "thinking": "the plan is secret", "signature": "c2ln"}
    for api in (OPENAI, OLLAMA, ANTHROPIC):
        for row in ({}, {"thinking": ThinkingConversion.STRIPPED}):
            body = convert(request(messages=[USER, assistant(thought), USER]), target(api, row=row)).draft
            said = [part for message in body["messages"] for part in _visible(message["content"])]
            assert not any("secret" in str(part) for part in said)


def _visible(content: Any) -> list[Any]:
    blocks = content if isinstance(content, list) else [content]
    return [block for block in blocks if not (isinstance(block, dict) and block.get("type") == "thinking")]
