"""What one tool asks of a wire and a model: ADR-005's `ToolCompatibility`, and where it comes from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import TYPE_CHECKING

from model.config.fields import CapabilityTier, SchemaFeature
from model.quick_dataclass import dataclass

if TYPE_CHECKING:
    from model.config.rows import ToolRow


class Origin(StrEnum):
    """Who says what a tool asks for."""

    BUILT_IN = "built_in"
    USER = "user"
    MCP_DEFAULT = "mcp_default"
    SCHEMA = "schema"
    NOBODY = "nobody"


@dataclass(frozen=True, slots=True)
class ToolCompatibility:
    """One tool. Nothing stated = compatible with everything."""

    name: str
    produces_images: bool = False
    schema_features: frozenset[str] = frozenset()
    min_capability_tier: CapabilityTier | None = None
    origin: Origin = Origin.NOBODY

    @property
    def asks_anything(self) -> bool:
        return self.produces_images or bool(self.schema_features) or self.min_capability_tier is not None


_PLAIN = ("bash", "read", "write", "edit", "grep", "find", "ls", "lsp", "hashline_edit", "hashline_read")
_OF_THE_BROWSER = ("screenshot", "zoom")

BUILTIN_TOOLS: Mapping[str, ToolCompatibility] = {
    **{name: ToolCompatibility(name, origin=Origin.BUILT_IN) for name in _PLAIN},
    **{name: ToolCompatibility(name, produces_images=True, origin=Origin.BUILT_IN) for name in _OF_THE_BROWSER},
}
"""gsd-2's rows: ten tools that ask nothing, and the browser's two that answer with pictures."""

MCP_PREFIX = "mcp__"
"""How a tool of an MCP server is named: `mcp__SERVER__TOOL`."""


def compatibility_of(name: str) -> ToolCompatibility:
    """A tool without a row. A server's schema is not known beforehand, so an MCP tool is taken to use
    patternProperties until its schema is seen."""
    if name.startswith(MCP_PREFIX):
        return ToolCompatibility(
            name, schema_features=frozenset({SchemaFeature.PATTERN_PROPERTIES.value}), origin=Origin.MCP_DEFAULT
        )
    return ToolCompatibility(name)


def from_row(row: ToolRow) -> ToolCompatibility | None:
    """A row of `tools:`; None if it has no name."""
    if row.name is None:
        return None
    return ToolCompatibility(
        row.name,
        bool(row.produces_images),
        frozenset(row.schema_features or ()),
        row.min_capability_tier,
        Origin.USER,
    )


def from_definition(
    definition: Mapping[str, object], known: Mapping[str, ToolCompatibility] = BUILTIN_TOOLS
) -> ToolCompatibility | None:
    """A tool as it is sent (canonical: `name`, `input_schema`): its row in `known`, with the features that its schema
    really uses. None for a definition without a name."""
    name = definition.get("name")
    if not isinstance(name, str) or not name:
        return None
    row = known.get(name) or ToolCompatibility(name)
    if "input_schema" not in definition:
        return known.get(name) or compatibility_of(name)
    features = row.schema_features | schema_features(definition["input_schema"])
    return ToolCompatibility(name, row.produces_images, features, row.min_capability_tier, Origin.SCHEMA)


_FEATURES = frozenset(feature.value for feature in SchemaFeature)
_NAMED_SCHEMAS = frozenset(
    {"properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies"}
)
"""Keywords whose keys are names of the author's own, each with a schema."""
_PLAIN_DATA = frozenset({"const", "enum", "default", "examples"})


def schema_features(schema: object) -> frozenset[str]:
    """The `SchemaFeature`s that a JSON Schema uses anywhere, told apart from properties that bear such names."""
    found: set[str] = set()
    seen: set[int] = set()
    waiting = [schema]
    while waiting and len(found) < len(_FEATURES):
        part = waiting.pop()
        if id(part) in seen:
            continue
        seen.add(id(part))
        if isinstance(part, Mapping):
            found |= _FEATURES & part.keys()
            waiting.extend(_subschemas(part))
        elif isinstance(part, list | tuple):
            waiting.extend(part)
    return frozenset(found)


def _subschemas(schema: Mapping[str, object]) -> Iterator[object]:
    for keyword, value in schema.items():
        if keyword in _NAMED_SCHEMAS:
            yield from value.values() if isinstance(value, Mapping) else ()
        elif keyword not in _PLAIN_DATA:
            yield value
