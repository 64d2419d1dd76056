"""JSON Schemas of tools for Apis that lack a keyword: rewritten where that is exact, else dropped and told."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from typing import Any

from adapters.conversion.canonical import JsonObject
from model.quick_dataclass import dataclass

_SCHEMAS_BY_NAME = frozenset({"properties", "$defs", "definitions", "dependentSchemas", "patternProperties"})
_SCHEMA_LISTS = frozenset({"allOf", "anyOf", "oneOf", "prefixItems"})
_SCHEMAS = frozenset({"items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames"})


_NOT_STRICT = frozenset(
    {"allOf", "oneOf", "not", "if", "then", "else", "dependentRequired", "dependentSchemas", "patternProperties"}
)
"""Keywords that OpenAI's strict mode refuses."""


def is_strict(schema: JsonObject) -> bool:
    """Whether OpenAI can enforce it (structured outputs): an object at the root, every object closed and whole."""
    return schema.get("type") == "object" and _is_strict(schema)


def _is_strict(schema: object) -> bool:
    if not isinstance(schema, Mapping) or schema.keys() & _NOT_STRICT:
        return False
    if ("properties" in schema or schema.get("type") == "object") and not _is_closed(schema):
        return False
    return all(_is_strict(inner) for inner in _inner_schemas(schema))


def _is_closed(schema: JsonObject) -> bool:
    properties, required = schema.get("properties", {}), schema.get("required", [])
    if not isinstance(properties, Mapping) or not isinstance(required, list):
        return False
    whole = all(name in required for name in properties) and len(required) == len(properties)
    return whole and schema.get("additionalProperties") is False


def _inner_schemas(schema: JsonObject) -> Iterator[object]:
    for key in ("properties", "$defs", "definitions"):
        if isinstance(named := schema.get(key), Mapping):
            yield from named.values()
    if isinstance(choices := schema.get("anyOf"), list):
        yield from choices
    if "items" in schema:
        yield schema["items"]


@dataclass(frozen=True, slots=True)
class FittedSchema:
    """`rewritten` and `dropped` are places inside the schema, such as `properties.kind.const`."""

    schema: dict[str, Any]
    rewritten: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()


def fit_schema(schema: JsonObject, gaps: Set[str]) -> FittedSchema:
    """`gaps`: keywords that the target refuses."""
    fitting = _Fitting(gaps)
    fitted = fitting.schema(schema, "")
    return FittedSchema(fitted, tuple(fitting.rewritten), tuple(fitting.dropped))


class _Fitting:
    def __init__(self, gaps: Set[str]) -> None:
        self._gaps = gaps
        self.rewritten: list[str] = []
        self.dropped: list[str] = []

    def schema(self, schema: JsonObject, path: str) -> dict[str, Any]:
        fitted: dict[str, Any] = {}
        for key, value in schema.items():
            here = f"{path}.{key}" if path else key
            if key not in self._gaps:
                fitted[key] = self._value(key, value, here)
            elif key == "const" and isinstance(value, str) and "enum" not in schema and "enum" not in self._gaps:
                self.rewritten.append(here)
                fitted["enum"] = [value]
            else:
                self.dropped.append(here)
        return fitted

    def _value(self, key: str, value: Any, path: str) -> Any:
        if key in _SCHEMAS_BY_NAME and isinstance(value, Mapping):
            return {name: self._maybe(one, f"{path}.{name}") for name, one in value.items()}
        if key in _SCHEMA_LISTS and isinstance(value, list):
            return [self._maybe(one, f"{path}[{number}]") for number, one in enumerate(value)]
        return self._maybe(value, path) if key in _SCHEMAS else value

    def _maybe(self, value: Any, path: str) -> Any:
        """A schema may also be true or false, and `items` an old-style list."""
        return self.schema(value, path) if isinstance(value, Mapping) else value
