"""What one file says, as typed values. None means: this file does not state it (or states it wrongly, see findings)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, fields
from typing import TYPE_CHECKING

from model.capability_set import NO_CAPABILITIES, CapabilitySet
from model.config.fields import CapabilityTier, UnknownCapabilities
from model.model_ref import ModelRef
from model.quick_dataclass import dataclass
from model.vocabulary import (
    Api,
    CacheConversion,
    Canonical,
    CostTier,
    ImageConversion,
    ProviderKind,
    QualityTier,
    Role,
    ScoreDimension,
    ThinkingConversion,
    TokenizerFamily,
    ToolSchema,
)

if TYPE_CHECKING:
    from model.document import YamlPath
    from model.findings import Finding


@dataclass(frozen=True, slots=True)
class Flags:
    """Stated capabilities: what is in neither set is not stated."""

    yes: CapabilitySet = NO_CAPABILITIES
    no: CapabilitySet = NO_CAPABILITIES

    @property
    def stated(self) -> CapabilitySet:
        return self.yes | self.no


@dataclass(frozen=True, slots=True)
class ConversionRow:
    """The fields of `conversion` that a file states."""

    from_anthropic_canonical: Canonical | None = None
    tool_schema: ToolSchema | None = None
    image_input: ImageConversion | None = None
    thinking: ThinkingConversion | None = None
    cache_control: CacheConversion | None = None


@dataclass(frozen=True, slots=True)
class LimitsRow:
    """Seed 000 §3 `limits`; requests and tokens a minute, requests at a time, bytes, images."""

    requests_per_minute: int | None = None
    tokens_per_minute: int | None = None
    concurrent_requests: int | None = None
    max_tool_schema_bytes: int | None = None
    max_image_count: int | None = None
    max_file_bytes: int | None = None


@dataclass(frozen=True, slots=True)
class ModelRow:
    """One entry of `models`. `default_use` holds only the roles that are stated."""

    path: YamlPath
    model_id: str | None = None
    display_name: str | None = None
    enabled: bool | None = None
    quality_tier: QualityTier | None = None
    cost_tier: CostTier | None = None
    context_window_tokens: int | None = None
    max_output_tokens: int | None = None
    supports: Flags = Flags()
    conversion: ConversionRow = ConversionRow()
    limits: LimitsRow = LimitsRow()
    default_use: Mapping[Role, bool] = field(default_factory=dict)
    notes: tuple[str, ...] | None = None
    scores: Mapping[ScoreDimension, int] = field(default_factory=dict)
    aliases: tuple[str, ...] | None = None
    tokenizer_family: TokenizerFamily | None = None
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True)
class ProviderRow:
    """One entry of `providers`."""

    path: YamlPath
    provider_id: str | None = None
    provider_kind: ProviderKind | None = None
    display_name: str | None = None
    base_url: str | None = None
    auth_ref: str | None = None
    local: bool | None = None
    enabled: bool | None = None
    api: Api | None = None
    models: tuple[ModelRow, ...] = ()
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True)
class Alternative:
    """One way to satisfy `any_of`: all of it must hold."""

    required: CapabilitySet = NO_CAPABILITIES
    forbidden: CapabilitySet = NO_CAPABILITIES
    min_context_window_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class RequirementRow:
    """`requirements.<task>`: each stated field replaces that field of the task's default as a whole."""

    path: YamlPath
    required: Flags | None = None
    preferred: Flags | None = None
    min_quality_tier: QualityTier | None = None
    max_cost_tier: CostTier | None = None
    min_context_window_tokens: int | None = None
    allow_lossy_conversion: bool | None = None
    any_of: tuple[Alternative, ...] | None = None
    exclude_models: tuple[str, ...] | None = None
    tools: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class ToolRow:
    """ADR-005 ToolCompatibility of one tool."""

    path: YamlPath
    name: str | None = None
    produces_images: bool | None = None
    schema_features: tuple[str, ...] | None = None
    min_capability_tier: CapabilityTier | None = None


@dataclass(frozen=True, slots=True)
class ChainRow:
    """A configured fallback chain, for a task or for one model."""

    path: YamlPath
    task: str | None = None
    model: str | None = None
    chain: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class IgnoreRow:
    """A finding that the user accepts."""

    path: YamlPath
    code: str | None = None
    at: str | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class PolicyRow:
    """`policy` as one file states it."""

    unknown_capabilities: UnknownCapabilities | None = None
    allow_higher_tier: bool | None = None
    allow_lower_tier_for: tuple[str, ...] | None = None
    allow_online_checks: bool | None = None
    allow_proxy: bool | None = None
    long_context_tokens: int | None = None
    code_changing: tuple[str, ...] | None = None
    rank_by_score: bool | None = None
    ignore: tuple[IgnoreRow, ...] | None = None


@dataclass(frozen=True, slots=True)
class FileConfig:
    """All that one file says. `findings` are of the file as a whole and of what stands outside `providers`."""

    providers: tuple[ProviderRow, ...] = ()
    requirements: Mapping[str, RequirementRow] = field(default_factory=dict)
    tools: tuple[ToolRow, ...] = ()
    fallbacks: tuple[ChainRow, ...] = ()
    policy: PolicyRow = PolicyRow()
    findings: tuple[Finding, ...] = ()
    data: object = field(default=None, compare=False, repr=False)
    """What it was read from, so that the next reading knows what did not change."""

    def all_findings(self) -> list[Finding]:
        """In the order of the file's rows."""
        found = list(self.findings)
        for provider in self.providers:
            found += provider.findings
            for model in provider.models:
                found += model.findings
        return found


def stated(row: object) -> dict[str, object]:
    """The fields of a row that the file states, by name."""
    pairs = ((each.name, getattr(row, each.name)) for each in fields(row))  # type: ignore[arg-type]  # any row dataclass
    return {name: value for name, value in pairs if value is not None}


def ref_of(provider: ProviderRow, model: ModelRow) -> ModelRef | None:
    """The model's ref; None where either id is missing or bad."""
    if provider.provider_id is None or model.model_id is None:
        return None
    return ModelRef(provider.provider_id, model.model_id)
