"""A value that fits a JSON Schema, always the same one: the JSON answers of offline mode (seed 004)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

MAX_DEPTH = 16
MAX_ITEMS = 32
MAX_LENGTH = 1000


def example_of(schema: Any, root: Any = None, depth: int = 0) -> Any:
    """By const, default, the first of enum, the first of anyOf or oneOf, then by type; keys are sorted.

    Deeper than 16 levels it is null. `pattern` and `format` are not looked at, so that the value may miss those.
    """
    if not isinstance(schema, Mapping) or depth > MAX_DEPTH:
        return None
    root = schema if root is None else root
    for word in ("const", "default"):
        if word in schema:
            return schema[word]
    if isinstance(schema.get("$ref"), str):
        return example_of(_referred(schema["$ref"], root), root, depth + 1)
    for word in ("enum", "anyOf", "oneOf"):
        options = schema.get(word)
        if isinstance(options, list) and options:
            return options[0] if word == "enum" else example_of(options[0], root, depth + 1)
    return _of_type(schema, root, depth)


def _of_type(schema: Mapping[str, Any], root: Any, depth: int) -> Any:
    kind = schema.get("type")
    if isinstance(kind, list):
        kind = kind[0] if kind else None
    match kind:
        case "object":
            return _object(schema, root, depth)
        case "array":
            count = min(_size(schema, "minItems"), MAX_ITEMS)
            return [example_of(schema.get("items"), root, depth + 1) for _ in range(count)]
        case "string":
            return "x" * min(_size(schema, "minLength"), MAX_LENGTH)
        case "integer" | "number":
            return schema.get("minimum", 0)
        case "boolean":
            return False
    return _object(schema, root, depth) if "properties" in schema else None


def _object(schema: Mapping[str, Any], root: Any, depth: int) -> dict[str, Any]:
    """Required properties only: what may be left out is left out, so that a recursive schema ends."""
    properties, required = schema.get("properties"), schema.get("required")
    if not isinstance(properties, Mapping):
        return {}
    names = [name for name in required if name in properties] if isinstance(required, list) else list(properties)
    return {name: example_of(properties[name], root, depth + 1) for name in sorted(names)}


def _referred(reference: str, root: Any) -> Any:
    """A `#/a/b` reference; any other gives None."""
    value = root if reference.startswith("#") else None
    for part in reference.removeprefix("#").strip("/").split("/"):
        name = part.replace("~1", "/").replace("~0", "~")
        if name:
            value = value.get(name) if isinstance(value, Mapping) else None
    return value


def _size(schema: Mapping[str, Any], name: str) -> int:
    value = schema.get(name)
    return value if isinstance(value, int) and value > 0 else 0
