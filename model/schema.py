"""JSON Schema of models.yaml, made from the field table: for editors (yaml-language-server) and check-jsonschema.

Draft 7, since that is what editors know best. It accepts what capdeck reads without a finding, so an empty value
(`notes:`) is fine too, and refuses unknown keys so that a typing mistake shows while one writes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from model.config.fields import TOP, Field, Kind
from model.config.values import LARGEST_COUNT

DRAFT = "http://json-schema.org/draft-07/schema#"
MODELINE = "# yaml-language-server: $schema="
"""How a YAML file names its schema to editors, in a comment at its top."""

_NOT_BLANK = r"\S"
_REF = r"^[A-Za-z0-9._-]+/.*\S"
_PATTERNS = {
    "provider_id": r"^[A-Za-z0-9._-]+$",
    "model_id": r"^\S(.*\S)?$",
    "auth_ref": r"^(env:[A-Za-z_][A-Za-z0-9_]*|file:(/|~/|[A-Za-z]:[\\/]).+|keyring:.+/.+|none|mock_.*)$",
}
_STATED_ELSEWHERE = frozenset({"providers", "provider_kind"})
"""Required of all files together: a project file may leave to the global one what it does not change."""
_NAMES_MODELS = frozenset({"exclude_models", "chain"})


def schema() -> dict[str, Any]:
    """The whole schema as plain data."""
    return {
        "$schema": DRAFT,
        "title": "models.yaml",
        "description": "Which AI models you have, what each can do, and who does which job (capdeck).",
        **_mapping(TOP),
        "patternProperties": {"^x-": {"description": "Your own; capdeck leaves it alone."}},
    }


def _mapping(fields: Mapping[str, Field]) -> dict[str, Any]:
    shape: dict[str, Any] = {
        "type": "object",
        "properties": {name: _described(field) for name, field in fields.items()},
        "additionalProperties": False,
    }
    required = [name for name, field in fields.items() if field.required and name not in _STATED_ELSEWHERE]
    return shape | {"required": required} if required else shape


def _described(field: Field) -> dict[str, Any]:
    shape = {"description": field.help, **_shape(field)}
    if field.examples:
        shape["examples"] = list(field.examples)
    if field.default is not None:
        shape["default"] = _plain(field.default)
    return shape if field.required and field.name not in _STATED_ELSEWHERE else _or_empty(shape)


def _or_empty(shape: dict[str, Any]) -> dict[str, Any]:
    """A key with nothing behind it counts as left out."""
    if "enum" in shape:
        return shape | {"enum": [*shape["enum"], None]}
    return shape | {"type": [shape["type"], "null"]}


def _plain(value: object) -> Any:
    return list(value) if isinstance(value, tuple) else getattr(value, "value", value)


def _shape(field: Field) -> dict[str, Any]:
    match field.kind:
        case Kind.TEXT:
            return {
                "type": "string",
                "pattern": _PATTERNS.get(field.name, _REF if field.name == "model" else _NOT_BLANK),
            }
        case Kind.FLAG:
            return {"type": "boolean"}
        case Kind.COUNT:
            return {"type": "integer", "minimum": 1, "maximum": LARGEST_COUNT}
        case Kind.SCORE:
            return {"type": "integer", "minimum": 0, "maximum": 100}
        case Kind.CHOICE:
            return {"enum": list(field.allowed)}
        case Kind.TEXTS:
            item = {"type": "string", "pattern": _REF} if field.name in _NAMES_MODELS else {"type": "string"}
            return {"type": "array", "items": item}
        case Kind.SECTION:
            return _mapping(field.fields)
        case Kind.ROWS:
            return {"type": "array", "items": _mapping(field.fields)}
        case Kind.TABLE:
            return {"type": "object", "additionalProperties": _or_empty(_mapping(field.fields))}
