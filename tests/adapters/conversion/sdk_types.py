"""What the vendors' own packages say of a request or an answer; a test skips where they are not installed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

import pytest
from pydantic import TypeAdapter

from model.vocabulary import Api


def check_request(api: Api, body: Mapping[str, Any]) -> None:
    """Raises pydantic's ValidationError, or AssertionError for a key that the vendor does not know."""
    _CHECKS[api](body)


def _anthropic(body: Mapping[str, Any]) -> None:
    params = pytest.importorskip("anthropic.types.message_create_params", reason="anthropic is not installed")
    kind = params.MessageCreateParamsStreaming if body.get("stream") else params.MessageCreateParamsNonStreaming
    _typed(kind, body)


def _openai(body: Mapping[str, Any]) -> None:
    params = pytest.importorskip("openai.types.chat.completion_create_params", reason="openai is not installed")
    kind = params.CompletionCreateParamsStreaming if body.get("stream") else params.CompletionCreateParamsNonStreaming
    _typed(kind, body)


def _ollama(body: Mapping[str, Any]) -> None:
    types = pytest.importorskip("ollama._types", reason="ollama is not installed")
    parsed = types.ChatRequest.model_validate(body)
    for message in body["messages"]:
        images = [{"value": image} for image in message.get("images", ())]
        types.Message.model_validate({**message, "images": images})
    assert set(body) <= set(type(parsed).model_fields)


def _typed(kind: Any, body: Mapping[str, Any]) -> None:
    _walk(_adapter(kind).validate_python(body))
    assert set(body) <= _keys(kind)


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    """Kept, because lazy fields go on using their adapter after it has answered."""
    return TypeAdapter(kind)


def _keys(kind: Any) -> set[str]:
    return set(kind.__required_keys__) | set(kind.__optional_keys__)


def _walk(value: Any) -> None:
    """The SDKs' iterable fields are checked only while they are read."""
    if isinstance(value, Mapping):
        for inner in value.values():
            _walk(inner)
    elif isinstance(value, Iterable) and not isinstance(value, str | bytes):
        for inner in value:
            _walk(inner)


_CHECKS = {Api.ANTHROPIC_MESSAGES: _anthropic, Api.OPENAI_COMPLETIONS: _openai, Api.OLLAMA_CHAT: _ollama}


def check_message(body: Mapping[str, Any]) -> None:
    types = pytest.importorskip("anthropic.types", reason="anthropic is not installed")
    types.Message.model_validate(body)


def check_event(body: Mapping[str, Any]) -> None:
    types = pytest.importorskip("anthropic.types", reason="anthropic is not installed")
    if body["type"] not in {"ping", "error"}:
        _adapter(types.RawMessageStreamEvent).validate_python(body)
