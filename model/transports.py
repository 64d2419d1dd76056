"""What each wire protocol carries: one declarative row an Api (DOMAIN.md §2; seeds 001 and 004).

Rows of Apis with an adapter of ours are asserted against that adapter by a test. The others are "on paper": the facts
of the gsd-2 registry decide, and what those leave open is as in the unknown row.
"""

from __future__ import annotations

import re
from dataclasses import replace

from model.capability_set import CapabilitySet
from model.config.fields import SchemaFeature
from model.quick_dataclass import dataclass
from model.vocabulary import (
    Api,
    CacheConversion,
    Canonical,
    Capability,
    ImageConversion,
    JsonLevel,
    ProviderKind,
    ThinkingConversion,
    ToolSchema,
)


@dataclass(frozen=True, slots=True)
class ToolCallIds:
    """Which tool-call ids a wire takes: the most characters, and a pattern of one allowed character."""

    longest: int
    character: str = r"[A-Za-z0-9_-]"

    def takes(self, identifier: str) -> bool:
        return len(identifier) <= self.longest and re.fullmatch(f"(?:{self.character})+", identifier) is not None


@dataclass(frozen=True, slots=True)
class Transport:
    """One row. `carried` names what besides text, tools, images, thinking, caching and JSON reaches the model."""

    api: Api
    from_anthropic_canonical: Canonical
    tool_schema: ToolSchema
    image_input: ImageConversion
    thinking: ThinkingConversion
    cache_control: CacheConversion
    json_schema: JsonLevel
    json_mode: JsonLevel
    carried: CapabilitySet
    images_in_tool_results: bool
    tool_call_ids: ToolCallIds
    missing_schema_features: frozenset[SchemaFeature] = frozenset()
    rewritten_schema_features: frozenset[SchemaFeature] = frozenset()
    max_tools: int | None = None
    on_paper: bool = False
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Narrowing:
    """A row that carries less for some provider or model (seed 004), with its reason."""

    reason: str
    json_schema: JsonLevel
    host: str = ""
    except_models: frozenset[str] = frozenset()


DECLARED_ONLY = CapabilitySet.of(
    (Capability.IMAGE_INPUT, Capability.JSON_MODE, Capability.STRUCTURED_OUTPUT, Capability.STREAMING)
)
"""What an endpoint of a compatible or custom kind carries only once the file declares it (seed 004)."""

_STREAMING = CapabilitySet.of((Capability.STREAMING,))
_STREAMING_AND_FILES = CapabilitySet.of((Capability.STREAMING, Capability.FILE_INPUT))

UNKNOWN = Transport(
    Api.UNKNOWN,
    Canonical.LOSSY,
    ToolSchema.CONVERTED,
    ImageConversion.NATIVE,
    ThinkingConversion.STRIPPED,
    CacheConversion.IGNORED,
    json_schema=JsonLevel.PROMPT_ONLY,
    json_mode=JsonLevel.PROMPT_ONLY,
    carried=_STREAMING,
    images_in_tool_results=False,
    tool_call_ids=ToolCallIds(512, r"[\s\S]"),
    on_paper=True,
    reason="nothing is known of this Api",
)

PORTABLE = replace(
    UNKNOWN,
    tool_schema=ToolSchema.UNSUPPORTED,
    image_input=ImageConversion.UNSUPPORTED,
    carried=CapabilitySet(),
    on_paper=False,
    reason="a plugin's adapter that declares no row: text, chat and prompt-only JSON",
)
"""Seed 004's default for a custom adapter."""

_SAFE_IDS = ToolCallIds(64)
_GOOGLE_GAPS = frozenset(SchemaFeature)


def _on_paper(
    api: Api,
    *,
    thinking: ThinkingConversion = ThinkingConversion.STRIPPED,
    images_in_tool_results: bool = False,
    ids: ToolCallIds = _SAFE_IDS,
    json_mode: JsonLevel = JsonLevel.PROMPT_ONLY,
    missing: frozenset[SchemaFeature] = frozenset(),
    rewritten: frozenset[SchemaFeature] = frozenset(),
) -> Transport:
    return replace(
        UNKNOWN,
        api=api,
        thinking=thinking,
        json_schema=JsonLevel.NATIVE,
        json_mode=json_mode,
        images_in_tool_results=images_in_tool_results,
        tool_call_ids=ids,
        missing_schema_features=missing,
        rewritten_schema_features=rewritten,
        reason="on paper: gsd-2 registry; no adapter of ours",
    )


def _google(api: Api) -> Transport:
    return _on_paper(
        api,
        images_in_tool_results=True,
        json_mode=JsonLevel.NATIVE,
        missing=_GOOGLE_GAPS,
        rewritten=frozenset({SchemaFeature.CONST}),
    )


_ROWS = (
    Transport(
        Api.ANTHROPIC_MESSAGES,
        Canonical.LOSSLESS,
        ToolSchema.NATIVE,
        ImageConversion.NATIVE,
        ThinkingConversion.NATIVE,
        CacheConversion.NATIVE,
        json_schema=JsonLevel.NATIVE,
        json_mode=JsonLevel.PROMPT_ONLY,
        carried=_STREAMING_AND_FILES,
        images_in_tool_results=True,
        tool_call_ids=_SAFE_IDS,
        reason="our adapter for Anthropic messages",
    ),
    _on_paper(Api.ANTHROPIC_VERTEX, thinking=ThinkingConversion.NATIVE, images_in_tool_results=True),
    _on_paper(Api.OPENAI_RESPONSES, ids=ToolCallIds(512, r"[\s\S]"), json_mode=JsonLevel.NATIVE),
    _on_paper(Api.AZURE_OPENAI_RESPONSES, ids=ToolCallIds(512, r"[\s\S]"), json_mode=JsonLevel.NATIVE),
    _on_paper(Api.OPENAI_CODEX_RESPONSES, json_mode=JsonLevel.NATIVE),
    Transport(
        Api.OPENAI_COMPLETIONS,
        Canonical.LOSSY,
        ToolSchema.CONVERTED,
        ImageConversion.NATIVE,
        ThinkingConversion.STRIPPED,
        CacheConversion.IGNORED,
        json_schema=JsonLevel.NATIVE,
        json_mode=JsonLevel.NATIVE,
        carried=_STREAMING_AND_FILES,
        images_in_tool_results=False,
        tool_call_ids=_SAFE_IDS,
        reason="our adapter for OpenAI chat completions",
    ),
    _google(Api.GOOGLE_GENERATIVE_AI),
    _google(Api.GOOGLE_GEMINI_CLI),
    _google(Api.GOOGLE_VERTEX),
    _on_paper(Api.MISTRAL_CONVERSATIONS, ids=ToolCallIds(9, r"[A-Za-z0-9]")),
    _on_paper(Api.BEDROCK_CONVERSE_STREAM, images_in_tool_results=True),
    Transport(
        Api.OLLAMA_CHAT,
        Canonical.LOSSY,
        ToolSchema.CONVERTED,
        ImageConversion.NATIVE,
        ThinkingConversion.NATIVE,
        CacheConversion.IGNORED,
        json_schema=JsonLevel.NATIVE,
        json_mode=JsonLevel.NATIVE,
        carried=_STREAMING,
        images_in_tool_results=False,
        tool_call_ids=_SAFE_IDS,
        reason="our adapter for Ollama chat",
    ),
    UNKNOWN,
)

TRANSPORTS: dict[Api, Transport] = {row.api: row for row in _ROWS}

NARROWINGS = (
    Narrowing(
        "DeepSeek enforces a JSON Schema on its default model only (seed 004)",
        json_schema=JsonLevel.UNSUPPORTED,
        host="api.deepseek.com",
        except_models=frozenset({"deepseek-v4-flash"}),
    ),
)


def transport_for(api: Api) -> Transport:
    return TRANSPORTS[api]


def narrowing_for(base_url: str | None, model_id: str) -> Narrowing | None:
    """The narrowing that applies to this model on this endpoint."""
    for narrowing in NARROWINGS:
        if base_url and narrowing.host in base_url and model_id not in narrowing.except_models:
            return narrowing
    return None


def declares_transport(kind: ProviderKind | None) -> bool:
    return kind is not None and kind.declares_transport
