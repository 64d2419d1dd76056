"""What reaches a model over its wire: its Api's transport row, narrowed by its conversion block (DOMAIN.md §2.2)."""

from __future__ import annotations

from functools import lru_cache

from model.capability_set import CapabilitySet
from model.config.merge import Model
from model.config.rows import ConversionRow
from model.quick_dataclass import dataclass
from model.transports import Narrowing, Transport, narrowing_for, transport_for
from model.vocabulary import (
    CAPABILITIES,
    CacheConversion,
    Canonical,
    Capability,
    ImageConversion,
    JsonLevel,
    ThinkingConversion,
    ToolSchema,
)

_ALL = CapabilitySet.of(CAPABILITIES).mask
_TOOLS = Capability.TOOL_USE.bit | Capability.PARALLEL_TOOL_USE.bit
_CARRIED = CapabilitySet.of(
    (
        Capability.STREAMING,
        Capability.BATCH,
        Capability.AUDIO_INPUT,
        Capability.AUDIO_OUTPUT,
        Capability.FILE_INPUT,
        Capability.IMAGE_OUTPUT,
        Capability.COMPUTER_USE,
    )
)


@dataclass(frozen=True, slots=True)
class Carriage:
    """What reaches this model over its wire: its transport row, narrowed by its conversion block."""

    transport: Transport
    conversion: ConversionRow
    narrowing: Narrowing | None
    blocked: CapabilitySet
    emulated: CapabilitySet


def effective_conversion(transport: Transport, stated: ConversionRow) -> ConversionRow:
    """The model's own `conversion` over the Api's row."""
    return ConversionRow(
        stated.from_anthropic_canonical or transport.from_anthropic_canonical,
        stated.tool_schema or transport.tool_schema,
        stated.image_input or transport.image_input,
        stated.thinking or transport.thinking,
        stated.cache_control or transport.cache_control,
    )


def carriage_of(model: Model) -> Carriage:
    """What reaches this model over its wire."""
    narrowing = narrowing_for(model.provider.effective_base_url, model.ref.model_id)
    return _carriage(transport_for(model.provider.api), model.conversion, narrowing)


@lru_cache(maxsize=1024)
def _carriage(transport: Transport, stated: ConversionRow, narrowing: Narrowing | None) -> Carriage:
    """Few distinct ones serve thousands of models."""
    conversion = effective_conversion(transport, stated)
    schema = narrowing.json_schema if narrowing else transport.json_schema
    blocked, emulated = _CARRIED.mask & ~transport.carried.mask, 0
    for capability, level in ((Capability.STRUCTURED_OUTPUT, schema), (Capability.JSON_MODE, transport.json_mode)):
        blocked |= capability.bit if level is JsonLevel.UNSUPPORTED else 0
        emulated |= capability.bit if level is JsonLevel.PROMPT_ONLY else 0
    blocked |= _blocked_by(conversion)
    emulated |= _emulated_by(conversion)
    return Carriage(transport, conversion, narrowing, CapabilitySet(blocked), CapabilitySet(emulated & ~blocked))


def _blocked_by(conversion: ConversionRow) -> int:
    if conversion.from_anthropic_canonical is Canonical.UNSUPPORTED:
        return _ALL
    blocked = _TOOLS if conversion.tool_schema is ToolSchema.UNSUPPORTED else 0
    blocked |= Capability.IMAGE_INPUT.bit if conversion.image_input is ImageConversion.UNSUPPORTED else 0
    blocked |= Capability.THINKING.bit if conversion.thinking is ThinkingConversion.UNSUPPORTED else 0
    return blocked | (Capability.PROMPT_CACHE.bit if conversion.cache_control is CacheConversion.UNSUPPORTED else 0)


def _emulated_by(conversion: ConversionRow) -> int:
    emulated = _TOOLS if conversion.tool_schema is ToolSchema.EMULATED else 0
    emulated |= Capability.IMAGE_INPUT.bit if conversion.image_input is ImageConversion.ARTIFACT_LINK else 0
    emulated |= Capability.THINKING.bit if conversion.thinking is ThinkingConversion.STRIPPED else 0
    return emulated | (Capability.PROMPT_CACHE.bit if conversion.cache_control is CacheConversion.IGNORED else 0)
