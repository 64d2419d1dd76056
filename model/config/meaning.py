"""What a key that is unknown at its place was meant to be."""

from __future__ import annotations

from collections.abc import Mapping

from model.config.fields import MODEL, PROVIDER, TOP, Field, Kind
from model.config.values import nearest

_LEVELS: tuple[tuple[str, Mapping[str, Field]], ...] = (("a provider", PROVIDER), ("a model", MODEL), ("the top", TOP))


_OTHER_NAMES: Mapping[str, tuple[str, ...]] = {
    "url": ("base_url",),
    "api_base": ("base_url",),
    "endpoint": ("base_url",),
    "host": ("base_url",),
    "type": ("provider_kind",),
    "kind": ("provider_kind",),
    "id": ("model_id", "provider_id"),
    "model": ("model_id",),
    "provider": ("provider_id",),
    "max_tokens": ("max_output_tokens",),
    "context_length": ("context_window_tokens",),
    "capabilities": ("supports",),
    "vision": ("image_input",),
    "tools": ("tool_use",),
    "function_calling": ("tool_use",),
    "reasoning": ("thinking",),
    "json_schema": ("structured_output",),
}
"""What other tools call the same."""


def meant_key(key: str, fields: Mapping[str, Field]) -> str | None:
    """The key of this level that an unknown one was probably meant to be."""
    named = (name for name in _OTHER_NAMES.get(key.casefold(), ()) if name in fields)
    return next(named, None) or nearest(key, fields)


def home_of(key: str, fields: Mapping[str, Field]) -> str | None:
    """Where a key that is unknown here would be right."""
    for field in fields.values():
        if field.kind is Kind.SECTION and key in field.fields:
            return f"it belongs under {field.name}"
    for name, level in _LEVELS:
        if level is fields:
            continue
        if key in level:
            return f"it belongs to {name}"
    return None
