"""Short ways to say a target and a request."""

from __future__ import annotations

from typing import Any

from adapters.conversion import CanonicalRequest, Target, parse_request
from model.capability_set import CapabilitySet
from model.config.rows import ConversionRow
from model.transports import transport_for
from model.vocabulary import Api, Capability

PNG = "iVBORw0KGgoAAAA="
USER: dict[str, Any] = {"role": "user", "content": "hi"}
IMAGE = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PNG}}
IMAGE_URL = {"type": "image", "source": {"type": "url", "url": "https://example.org/a.png"}}
PDF = {"type": "document", "source": {"type": "base64", "media_type": "application/pdf", "data": "JVBERi0="}}
WEATHER = {"name": "weather", "description": "The weather", "input_schema": {"type": "object", "properties": {}}}
MARK = {"type": "ephemeral"}


def text(words: str, **more: Any) -> dict[str, Any]:
    return {"type": "text", "text": words, **more}


def call(name: str = "call_1", **more: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": name, "name": "weather", "input": {"city": "Paris"}, **more}


def result(name: str = "call_1", content: Any = "18 C", **more: Any) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": name, "content": content, **more}


def user(*blocks: Any) -> dict[str, Any]:
    return {"role": "user", "content": list(blocks)}


def assistant(*blocks: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": list(blocks)}


def request(**more: Any) -> CanonicalRequest:
    """A Messages body: one user turn that says hi, unless told otherwise; max_tokens is 100."""
    return parse_request({"model": "m", "max_tokens": 100, "messages": [USER], **more})


def target(api: Api, *, without: tuple[Capability, ...] = (), row: dict[str, Any] | None = None, **more: Any) -> Target:
    """Everything that the Api's row says, for a model that takes everything but `without`."""
    transport = transport_for(api)
    fields: dict[str, Any] = {
        "from_anthropic_canonical": transport.from_anthropic_canonical,
        "tool_schema": transport.tool_schema,
        "image_input": transport.image_input,
        "thinking": transport.thinking,
        "cache_control": transport.cache_control,
    }
    settings: dict[str, Any] = {
        "api": api,
        "model_id": "m",
        "conversion": ConversionRow(**{**fields, **(row or {})}),
        "supports": CapabilitySet.of(Capability) - CapabilitySet.of(without),
        "json_schema": transport.json_schema,
        "json_mode": transport.json_mode,
    }
    return Target(**{**settings, **more})
