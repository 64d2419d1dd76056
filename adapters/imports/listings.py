"""The model lists of OpenRouter (`GET /models`) and Ollama (`GET /api/tags`, or one `/api/show` a model), saved."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from adapters.imports.entries import Entry
from adapters.imports.gathering import Gathering
from adapters.imports.imported import ImportedModel
from adapters.imports.services import Vendor, vendor_named
from adapters.listing import MOST_MODELS, ListedModel, ollama_show, ollama_tag, openrouter_model


def read_openrouter(top: Entry, into: Gathering) -> None:
    _read(top, "data", "openrouter", openrouter_model, into)


def read_ollama(top: Entry, into: Gathering) -> None:
    _read(top, "models", "ollama", _ollama_row, into)


def _ollama_row(row: Mapping[str, Any]) -> ListedModel | None:
    """What `/api/show` tells may have been put into the row."""
    tag = ollama_tag(row)
    return ollama_show(tag.model_id, row) if tag else None


def _read(
    top: Entry, key: str, name: str, listed: Callable[[Mapping[str, Any]], ListedModel | None], into: Gathering
) -> None:
    vendor = vendor_named(name)
    assert isinstance(vendor, Vendor)
    service = replace(vendor.service, auth_ref=f"env:{vendor.variable}" if vendor.variable else None)
    provider = into.provider(name, service)
    for number, entry in enumerate(top.entries(key)):
        model = listed(entry.raw)
        if number >= MOST_MODELS:
            into.left.add((key,), f"only the first {MOST_MODELS:,} models are read")
            break
        if model is None or not entry.is_usable(model.model_id):
            into.left.add(entry.path, "names no model that can be carried")
            continue
        made = ImportedModel(
            model.model_id,
            display_name=model.display_name if model.display_name and entry.is_usable(model.display_name) else None,
            context_window_tokens=model.context_window_tokens,
            max_output_tokens=model.max_output_tokens,
            supports=model.flags,
        )
        into.model(provider, made, entry.path)
        if model.input_price is not None:
            into.left.add((*entry.path, "pricing"), "a price: prices come dated, from genai-prices")
        if model.retires_at:
            into.left.add((*entry.path, "expiration_date"), "models.yaml has no counterpart; the catalog keeps it")
    top.close("no model")
