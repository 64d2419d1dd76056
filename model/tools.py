"""Which tools survive on which wire and model (DOMAIN.md §8; seed 001, ADR-005).

A hard filter, no heuristics: a tool is taken away only where it cannot work. A tool without metadata works everywhere,
and an unknown Api keeps every tool.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from model.config.fields import CapabilityTier
from model.model_ref import ModelRef
from model.quick_dataclass import dataclass
from model.tool_rows import BUILTIN_TOOLS, Origin, ToolCompatibility, compatibility_of, from_definition, from_row
from model.transports import Transport, transport_for
from model.vocabulary import Api, Capability, QualityTier, Support, ToolSchema

if TYPE_CHECKING:
    from model.bitmap import Bitmap, Mask
    from model.config.merge import Config
    from model.resolve import ResolvedModel

FLOOR_OF_TIER: Mapping[CapabilityTier, QualityTier] = {
    CapabilityTier.LIGHT: QualityTier.LOCAL,
    CapabilityTier.STANDARD: QualityTier.STANDARD,
    CapabilityTier.HEAVY: QualityTier.STRONG,
}
"""gsd-2's words as quality floors: light = cheap or local, standard = standard, heavy = strong or frontier."""

HOST_CAPS: Mapping[str, int] = {"api.groq.com": 128}
"""Endpoints that refuse a request with more tools than this."""


class Removal(StrEnum):
    """Why a tool is taken away."""

    NO_TOOL_USE = "no_tool_use"
    IMAGES = "images"
    SCHEMA = "schema"
    TIER = "tier"
    CAP = "cap"
    PLUGIN = "plugin"


@dataclass(frozen=True, slots=True)
class KeptTool:
    """A tool that stays. `note` says what had to be done to keep it."""

    name: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class RemovedTool:
    """A tool that is taken away; `ref` is the model it is taken from, None where a bare Api was asked."""

    name: str
    code: Removal
    text: str
    ref: ModelRef | None = None


@dataclass(frozen=True, slots=True)
class FilteredTools:
    """The answer of the filter, both lists in the order of the tools given."""

    kept: tuple[KeptTool, ...]
    removed: tuple[RemovedTool, ...]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(tool.name for tool in self.kept)


@dataclass(frozen=True, slots=True)
class Wire:
    """All that the filter looks at: few distinct wires serve thousands of models.

    `quality` None = no model in view, so that no tier is checked.
    """

    api: Api
    calls_tools: bool = True
    quality: QualityTier | None = None
    max_tools: int | None = None

    @property
    def keeps_all(self) -> bool:
        """Nothing is known of the Api, so nothing is taken from it (seed 001)."""
        return self.api is Api.UNKNOWN


def wire_of_api(api: Api, base_url: str | None = None) -> Wire:
    """An Api as such, without a model; `base_url` for the caps that hang on a host."""
    transport = transport_for(api)
    cap = _least(transport.max_tools, host_cap(base_url))
    return Wire(api, transport.tool_schema is not ToolSchema.UNSUPPORTED, max_tools=cap)


def wire_of(row: ResolvedModel) -> Wire:
    provider = row.model.provider
    cap = _least(row.carriage.transport.max_tools, host_cap(provider.effective_base_url))
    calls_tools = row.support(Capability.TOOL_USE) is not Support.NO
    return Wire(provider.api, calls_tools, row.quality_tier.value, cap)


def _least(*caps: int | None) -> int | None:
    return min((cap for cap in caps if cap is not None), default=None)


@lru_cache(maxsize=4096)
def host_cap(base_url: str | None) -> int | None:
    """The most tools that this endpoint takes; None = no known limit."""
    try:
        host = (urlsplit(base_url or "").hostname or "").rstrip(".")
    except ValueError:
        return None
    return HOST_CAPS.get(host)


# -- one tool ---------------------------------------------------------------------------------------------------------
def _lacks(tool: ToolCompatibility, wire: Wire) -> tuple[Removal, str] | None:
    """What the tool's metadata asks for that this wire or model does not have."""
    if wire.keeps_all or not tool.asks_anything:
        return None
    transport = transport_for(wire.api)
    if tool.produces_images and not transport.images_in_tool_results:
        return Removal.IMAGES, f"its results hold images, which {wire.api.value} does not take in a tool result"
    gaps = sorted(tool.schema_features & transport.missing_schema_features - transport.rewritten_schema_features)
    if gaps:
        return Removal.SCHEMA, f"its schema uses {', '.join(gaps)}, which {wire.api.value} does not take"
    tier = tool.min_capability_tier
    if tier and wire.quality and not wire.quality.meets(FLOOR_OF_TIER[tier]):
        return Removal.TIER, f"it needs a {tier.value} model, and quality_tier is {wire.quality.value}"
    return None


def _note(tool: ToolCompatibility, transport: Transport) -> str:
    """What is done to the tool so that it can stay."""
    rewritten = sorted(tool.schema_features & transport.rewritten_schema_features)
    return f"its schema is rewritten without {', '.join(rewritten)}" if rewritten else ""


@lru_cache(maxsize=512)
def _apis_that_keep(tool: ToolCompatibility) -> tuple[Api, ...]:
    return tuple(api for api in Api if _lacks(tool, Wire(api)) is None)


# -- many tools -------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Toolbox:
    """The known tools and the providers with a cap on their number. Built from the config; immutable.

    `answers` keeps what was worked out per wire and tools, since models share wires.
    """

    tools: Mapping[str, ToolCompatibility] = field(default_factory=lambda: BUILTIN_TOOLS)
    caps: Mapping[str, int] = field(default_factory=dict)
    _answers: dict[tuple[Wire, tuple[str, ...]], FilteredTools] = field(default_factory=dict, repr=False, compare=False)

    def of(self, name: str) -> ToolCompatibility:
        """The tool's row; for an MCP tool without one the cautious default; else nothing is asked of anybody."""
        return self.tools.get(name) or compatibility_of(name)

    def knows(self, name: str) -> bool:
        """Whether the name is a built-in's, a row's of the user's, or follows the MCP pattern."""
        return self.of(name).origin is not Origin.NOBODY

    def with_definitions(self, definitions: Iterable[Mapping[str, object]]) -> Toolbox:
        """This toolbox and tools given with their JSON Schema, whose features are discovered."""
        found = (from_definition(definition, self.tools) for definition in definitions)
        return replace(self, tools={**self.tools, **{tool.name: tool for tool in found if tool}}, _answers={})

    # -- for verdicts: only what metadata asks for; that tools are called at all is the capability tool_use ------------
    def mask(self, bitmap: Bitmap, names: Sequence[str]) -> Iterable[Mask]:
        """For each tool the rows on which it is kept."""
        for position, name in enumerate(names):
            yield self._keeping(bitmap, self.of(name)) & ~self._over_cap(bitmap, position)

    def _over_cap(self, bitmap: Bitmap, position: int) -> Mask:
        """The rows whose endpoint takes no tool at this place of the list."""
        over = 0
        if position >= min(self.caps.values(), default=position + 1):
            for provider_id, cap in self.caps.items():
                over |= bitmap.provider(provider_id) if position >= cap else 0
        return over

    def _keeping(self, bitmap: Bitmap, tool: ToolCompatibility) -> Mask:
        if not tool.asks_anything:
            return bitmap.all
        mask = 0
        for api in _apis_that_keep(tool):
            mask |= bitmap.api(api)
        if tool.min_capability_tier:
            mask &= bitmap.meets_floor(FLOOR_OF_TIER[tool.min_capability_tier]) | bitmap.api(Api.UNKNOWN)
        return mask

    def rejects(self, row: ResolvedModel, names: Sequence[str]) -> list[tuple[str, str]]:
        """The tools that this model cannot have, each with the reason."""
        if not names:
            return []
        wire = replace(wire_of(row), calls_tools=True)
        return [(tool.name, tool.text) for tool in self.filter(wire, names).removed]

    # -- for a session: what is sent ------------------------------------------------------------------------------
    def filter(self, wire: Wire, names: Sequence[str]) -> FilteredTools:
        """The tools that stay, in their order, and those taken away, each with its reason."""
        key = (wire, tuple(names))
        found = self._answers.get(key)
        if found is None:
            found = self._answers[key] = self._filter(wire, key[1])
        return found

    def _filter(self, wire: Wire, names: tuple[str, ...]) -> FilteredTools:
        kept: list[KeptTool] = []
        removed: list[RemovedTool] = []
        cap = None if wire.keeps_all else wire.max_tools
        for name in names:
            lack = self._why_not(self.of(name), wire)
            if lack is None and cap is not None and len(kept) >= cap:
                lack = Removal.CAP, f"the endpoint takes {cap} tools at most, the first {cap} stay"
            if lack:
                removed.append(RemovedTool(name, *lack))
            else:
                kept.append(KeptTool(name, _note(self.of(name), transport_for(wire.api))))
        return FilteredTools(tuple(kept), tuple(removed))

    @staticmethod
    def _why_not(tool: ToolCompatibility, wire: Wire) -> tuple[Removal, str] | None:
        if not wire.calls_tools and not wire.keeps_all:
            return Removal.NO_TOOL_USE, "no tool_use, so no tool can be called"
        return _lacks(tool, wire)

    def filter_for(self, row: ResolvedModel, names: Sequence[str]) -> FilteredTools:
        """As `filter`, for one model, whose ref the removed tools carry."""
        found = self.filter(wire_of(row), names)
        return replace(found, removed=tuple(replace(tool, ref=row.ref) for tool in found.removed))


NO_TOOLS = Toolbox()


def filter_tools(api: Api, names: Sequence[str], toolbox: Toolbox = NO_TOOLS) -> FilteredTools:
    """ADR-005's filter by Api alone."""
    return toolbox.filter(wire_of_api(api), names)


def toolbox_of(config: Config) -> Toolbox:
    """Built-in rows, the user's rows over them, and the endpoints with a cap."""
    rows = (from_row(row) for row in config.tools)
    caps = {
        provider.provider_id: cap
        for provider in config.providers
        if provider.api is not Api.UNKNOWN
        and (cap := wire_of_api(provider.api, provider.effective_base_url).max_tools) is not None
    }
    return Toolbox({**BUILTIN_TOOLS, **{tool.name: tool for tool in rows if tool}}, caps)


def tools_removed(toolbox: Toolbox, rows: Iterable[ResolvedModel], names: Sequence[str]) -> tuple[RemovedTool, ...]:
    """What each of these models would be without; `names` are usually `tools_in_play`."""
    return tuple(tool for row in rows for tool in toolbox.filter_for(row, names).removed)


def tools_in_play(config: Config, needed: Sequence[str] = ()) -> tuple[str, ...]:
    """The tools that a task needs, then those that the files have rows of."""
    return tuple(dict.fromkeys([*needed, *(row.name for row in config.tools if row.name)]))
