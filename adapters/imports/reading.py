"""`read_import`: one file of another tool → what it brings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from adapters.imports import aichat, continue_dev, crush, listings, litellm, opencode
from adapters.imports.entries import Entry
from adapters.imports.gathering import Gathering
from adapters.imports.imported import Imported, ImportKind, ImportRefused
from adapters.imports.sources import Source, read_json, read_jsonc, read_yaml
from model.config.values import type_name

_K = ImportKind
_FORMATS = {
    _K.LITELLM: read_yaml,
    _K.AICHAT: read_yaml,
    _K.CONTINUE: read_yaml,
    _K.OPENCODE: read_jsonc,
    _K.CRUSH: read_json,
    _K.OPENROUTER: read_json,
    _K.OLLAMA: read_json,
}
_READERS: dict[ImportKind, Callable[[Entry, Gathering], None]] = {
    _K.LITELLM: litellm.read,
    _K.AICHAT: aichat.read,
    _K.CONTINUE: continue_dev.read,
    _K.OPENCODE: opencode.read,
    _K.CRUSH: crush.read,
    _K.OPENROUTER: listings.read_openrouter,
    _K.OLLAMA: listings.read_ollama,
}
_HEADS = {
    _K.LITELLM: ("model_list", list),
    _K.AICHAT: ("clients", list),
    _K.CONTINUE: ("models", list),
    _K.OPENCODE: ("provider", dict),
    _K.CRUSH: ("providers", dict),
    _K.OPENROUTER: ("data", list),
    _K.OLLAMA: ("models", list),
}
"""The key that holds the models, and what stands behind it."""


def read_import(kind: ImportKind, data: bytes, name: str) -> Imported:
    """`name` is the file's. Raises ImportRefused for what is not of that kind or holds nothing to import."""
    source = _FORMATS[kind](data, name)
    into = Gathering(kind, name, source)
    if kind is _K.AICHAT and isinstance(source.data, list):
        aichat.read_list(_rows(source.data, into), into)
    else:
        _demand_shape(kind, source)
        _READERS[kind](Entry(source.data, (), into.left), into)
    imported = into.finished()
    if not imported.providers:
        raise ImportRefused(f"holds nothing of {kind.value} that models.yaml could take", _first_reason(imported))
    return imported


def _rows(items: list[Any], into: Gathering) -> list[Entry]:
    for number, item in enumerate(items):
        if not isinstance(item, dict):
            into.left.add((number,), f"must be a mapping, not {type_name(item)}")
    return [Entry(item, (number,), into.left) for number, item in enumerate(items) if isinstance(item, dict)]


def _demand_shape(kind: ImportKind, source: Source) -> None:
    key, shape = _HEADS[kind]
    if not isinstance(source.data, dict):
        raise ImportRefused(f"expected a mapping at the top, found {type_name(source.data)}", _meant(source.data))
    value = source.data.get(key)
    if not isinstance(value, shape):
        wanted = "a list" if shape is list else "a mapping"
        found = f"is {type_name(value)}, not {wanted}" if key in source.data else "is not there"
        raise ImportRefused(f"{key} {found}: it holds the models of {kind.value}", _meant(source.data))


def _meant(data: object) -> str:
    """Which tool's file it looks like."""
    if isinstance(data, list):
        return "is it aichat's models.yaml? then: capdeck import aichat" if data else ""
    found = data if isinstance(data, dict) else {}
    if isinstance(found.get("providers"), list):
        return "it looks like a models.yaml: open it with capdeck FILE"
    kinds = [kind for kind, (key, shape) in _HEADS.items() if isinstance(found.get(key), shape)]
    return f"it looks like a file of {' or '.join(kind.value for kind in kinds)}" if kinds else ""


def _first_reason(imported: Imported) -> str:
    first = next(iter(imported.not_carried), None)
    return f"{first.place}: {first.why}" if first else ""
