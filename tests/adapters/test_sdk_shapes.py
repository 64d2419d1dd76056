"""Our made-up answers and what we send are of the vendors' shapes, by their own SDKs' types."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from model.contract import ProviderCompletionInput
from model.vocabulary import ProviderKind
from tests.adapters.opening import adapter, collect
from tests.adapters.streams import ANTHROPIC_STREAM, OLLAMA_STREAM, OPENAI_STREAM, answer_for
from tests.adapters.wire import Server

anthropic = pytest.importorskip("anthropic")
openai = pytest.importorskip("openai")
pydantic = pytest.importorskip("pydantic")


def test_the_streams_of_these_tests_are_real_ones() -> None:
    events = pydantic.TypeAdapter(anthropic.types.RawMessageStreamEvent)
    for event in ANTHROPIC_STREAM:
        if event["type"] not in {"ping", "brand_new_event"}:
            events.validate_python(event)
    for chunk in OPENAI_STREAM:
        openai.types.chat.ChatCompletionChunk.model_validate(chunk)
    ollama = pytest.importorskip("ollama")
    for line in OLLAMA_STREAM:
        ollama.ChatResponse.model_validate(line)


def walked(value: Any) -> Any:
    """The SDKs' types read lists lazily: only what is walked is checked."""
    if isinstance(value, Mapping):
        return {key: walked(item) for key, item in value.items()}
    if isinstance(value, str | bytes) or not hasattr(value, "__iter__"):
        return value
    return [walked(item) for item in value]


TOOL = {"name": "t", "description": "d", "input_schema": {"type": "object", "properties": {"a": {"type": "string"}}}}
IMAGE = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}}
FULL = ProviderCompletionInput(
    model_id="m1",
    system="Be brief.",
    tools=(TOOL,),
    tool_choice={"type": "auto"},
    max_output_tokens=50,
    messages=(
        {"role": "user", "content": [{"type": "text", "text": "Look"}, IMAGE]},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "toolu_1", "name": "t", "input": {"a": "b"}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_1", "content": "c"}]},
    ),
)


async def sent(kind: ProviderKind) -> Any:
    path, answer = answer_for(kind)
    server = Server({("POST", path): answer})
    await collect(adapter(kind, server).complete(FULL))
    return server.body()


async def test_what_goes_to_anthropic() -> None:
    from anthropic.types.message_create_params import MessageCreateParamsStreaming

    body = await sent(ProviderKind.ANTHROPIC)
    types = pydantic.TypeAdapter(MessageCreateParamsStreaming)  # must outlive the lazy lists
    assert set(walked(types.validate_python(body))) == set(body)


@pytest.mark.parametrize("kind", [ProviderKind.OPENAI, ProviderKind.OPENROUTER])
async def test_what_goes_to_openai_and_openrouter(kind: ProviderKind) -> None:
    from openai.types.chat.completion_create_params import CompletionCreateParamsStreaming

    body = await sent(kind)
    body.pop("provider", None)  # OpenRouter's own
    types = pydantic.TypeAdapter(CompletionCreateParamsStreaming)
    assert set(walked(types.validate_python(body))) == set(body)


async def test_what_goes_to_ollama() -> None:
    ollama = pytest.importorskip("ollama")
    from ollama._types import ChatRequest

    assert ollama
    ChatRequest.model_validate(await sent(ProviderKind.OLLAMA))


def test_a_listed_row_is_anthropics_own() -> None:
    from adapters.listing import anthropic_model

    row = {
        "type": "model", "id": "m", "display_name": "M", "created_at": "2026-01-01T00:00:00Z", "lifecycle": "active",
        "max_input_tokens": 5, "max_tokens": 5,
    }  # fmt: skip
    anthropic.types.ModelInfo.model_validate(row)
    model = anthropic_model(row)
    assert model is not None
    assert (model.context_window_tokens, model.lifecycle) == (5, "active")
