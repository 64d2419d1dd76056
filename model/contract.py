"""The seeds' records as they go in and out as JSON (seed 000 §2, 3, 5, 6, 8; seed 001 ADR-005).

Field names are the seeds' own. Inside the program the frozen dataclasses of `config`, `resolve` and `judge`
are used; these models stand at the borders and load pydantic, so nothing on the start-up path imports them.
"""

from __future__ import annotations

from typing import Annotated, Any, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from model.vocabulary import (
    Api,
    CacheConversion,
    Canonical,
    CostTier,
    ImageConversion,
    ProviderKind,
    QualityTier,
    ThinkingConversion,
    ToolSchema,
)

Tokens = Annotated[int, Field(gt=0)]
Count = Annotated[int, Field(gt=0)]
Bytes = Annotated[int, Field(gt=0)]


class Record(BaseModel):
    """A record of the contract: immutable, and closed to keys that the seeds do not name."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class ProviderIdentity(Record):
    """Seed 000 §2."""

    provider_id: str
    provider_kind: ProviderKind
    display_name: str
    base_url: str | None = None
    auth_ref: str | None = None
    local: bool


class Supports(Record):
    """The 18 flags of seed 000 §3. In this record a flag is true for `yes` only."""

    text_input: bool = False
    text_output: bool = False
    streaming: bool = False
    tool_use: bool = False
    parallel_tool_use: bool = False
    structured_output: bool = False
    json_mode: bool = False
    thinking: bool = False
    prompt_cache: bool = False
    system_prompt: bool = False
    image_input: bool = False
    image_output: bool = False
    audio_input: bool = False
    audio_output: bool = False
    file_input: bool = False
    computer_use: bool = False
    long_context: bool = False
    batch: bool = False


class PartialSupports(Record):
    """`Partial<supports>`: true = must have, false = must not have, None = no matter."""

    text_input: bool | None = None
    text_output: bool | None = None
    streaming: bool | None = None
    tool_use: bool | None = None
    parallel_tool_use: bool | None = None
    structured_output: bool | None = None
    json_mode: bool | None = None
    thinking: bool | None = None
    prompt_cache: bool | None = None
    system_prompt: bool | None = None
    image_input: bool | None = None
    image_output: bool | None = None
    audio_input: bool | None = None
    audio_output: bool | None = None
    file_input: bool | None = None
    computer_use: bool | None = None
    long_context: bool | None = None
    batch: bool | None = None


class Conversion(Record):
    """`conversion` of seed 000 §3."""

    from_anthropic_canonical: Canonical
    tool_schema: ToolSchema
    image_input: ImageConversion
    thinking: ThinkingConversion
    cache_control: CacheConversion


class Limits(Record):
    """`limits` of seed 000 §3."""

    requests_per_minute: Count | None = None
    tokens_per_minute: Tokens | None = None
    concurrent_requests: Count | None = None
    max_tool_schema_bytes: Bytes | None = None
    max_image_count: Count | None = None
    max_file_bytes: Bytes | None = None


class DefaultUse(Record):
    """`default_use` of seed 000 §3."""

    main: bool = False
    architecture: bool = False
    execute: bool = False
    review: bool = False
    debug: bool = False
    compact: bool = False
    mine_experience: bool = False


class ProviderCapabilityMatrix(Record):
    """Seed 000 §3: one model of one provider, resolved."""

    provider_id: str
    provider_kind: ProviderKind
    model_id: str
    display_name: str | None = None
    enabled: bool
    quality_tier: QualityTier
    cost_tier: CostTier
    context_window_tokens: Tokens | None = None
    max_output_tokens: Tokens | None = None
    supports: Supports
    conversion: Conversion
    limits: Limits | None = None
    default_use: DefaultUse | None = None
    notes: tuple[str, ...] | None = None


class ModelRequirement(Record):
    """Seed 000 §5; `any_of`, `exclude_models` and `tools` are ours (DOMAIN.md §4)."""

    required: PartialSupports = PartialSupports()
    preferred: PartialSupports | None = None
    min_quality_tier: QualityTier | None = None
    max_cost_tier: CostTier | None = None
    min_context_window_tokens: Tokens | None = None
    allow_lossy_conversion: bool = False
    any_of: tuple[dict[str, bool | int], ...] = ()
    exclude_models: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()


class AllowedModel(Record):
    """An entry of `allowed_models`."""

    provider_id: str
    model_id: str


class ModelAssignment(Record):
    """Seed 000 §6. Forced without a model, or select with an empty list, cannot be built."""

    mode: Annotated[str, Field(pattern="^(scheduler_forced|agent_select)$")]
    provider_id: str | None = None
    model_id: str | None = None
    allowed_models: tuple[AllowedModel, ...] | None = None
    requirement: ModelRequirement
    reason: str

    @model_validator(mode="after")
    def _names_a_model(self) -> Self:
        if self.mode == "scheduler_forced" and not (self.provider_id and self.model_id):
            raise ValueError("scheduler_forced names no model")
        if self.mode == "agent_select" and not self.allowed_models:
            raise ValueError("agent_select allows no model")
        return self


class ProviderConversionReport(Record):
    """Seed 000 §8: what a conversion of real messages lost."""

    status: Canonical
    omissions: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    required_confirmation: bool = False


class ProviderSwitchReport(Record):
    """ADR-005 phase 3: what moving a conversation to another Api changed; the last two are ours."""

    from_api: Api
    to_api: Api
    thinking_blocks_dropped: int = 0
    thinking_blocks_downgraded: int = 0
    tool_call_ids_remapped: int = 0
    synthetic_tool_results_inserted: int = 0
    thought_signatures_dropped: int = 0
    images_dropped: int = 0
    turns_dropped: int = 0


class ProviderCompletionInput(Record):
    """Seed 000 §7: a request in canonical form (Anthropic content blocks)."""

    model_id: str
    canonical_format: Annotated[str, Field(pattern="^anthropic$")] = "anthropic"
    messages: tuple[dict[str, Any], ...]
    tools: tuple[dict[str, Any], ...] | None = None
    tool_choice: dict[str, Any] | None = None
    system: str | tuple[dict[str, Any], ...] | None = None
    max_output_tokens: Tokens | None = None
    temperature: float | None = None
    metadata: dict[str, Any] | None = None
