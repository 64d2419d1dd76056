"""A resolved model as a target: its cells, limits, narrowing and its endpoint's dialect."""

from __future__ import annotations

from typing import Any

import pytest

from adapters.conversion.target import MaxTokensField, Target
from adapters.model_target import target_of
from model.capability_set import CapabilitySet
from model.catalog import Catalog
from model.config.merge import LayeredFile, merge
from model.config.read import read_config
from model.resolve import resolve
from model.vocabulary import Api, Capability, JsonLevel, Layer, ThinkingConversion


def target(provider: dict[str, Any], model: dict[str, Any], **options: Any) -> Target:
    data = {"providers": [{"provider_id": "p", **provider, "models": [{"model_id": "m", **model}]}]}
    config = merge((LayeredFile(Layer.GLOBAL, "global", read_config(data, "global")),))
    (row,) = resolve(config, Catalog(())).rows
    return target_of(row, **options)


OPENAI = {"provider_kind": "openai", "auth_ref": "env:KEY"}


def test_cells_limits_and_conversion() -> None:
    found = target(
        OPENAI,
        {"supports": {"tool_use": True, "thinking": True, "image_input": False}, "limits": {"max_image_count": 3}},
        required=CapabilitySet.of([Capability.TOOL_USE]),
        code_changing=True,
    )
    assert (found.api, found.model_id, found.provider_id) == (Api.OPENAI_COMPLETIONS, "m", "p")
    assert {Capability.TOOL_USE, Capability.THINKING} <= set(found.supports)
    assert Capability.IMAGE_INPUT not in found.supports
    assert found.limits.max_image_count == 3
    assert found.conversion.thinking is ThinkingConversion.STRIPPED
    assert found.code_changing
    assert not found.allow_lossy


def test_what_nobody_states_counts_only_when_permissive() -> None:
    assert Capability.TOOL_USE not in target(OPENAI, {}).supports
    assert Capability.TOOL_USE in target(OPENAI, {}, permissive=True).supports


@pytest.mark.parametrize(
    ("provider", "field", "version"),
    [
        (OPENAI, MaxTokensField.MAX_COMPLETION_TOKENS, "2026-10-21"),
        ({**OPENAI, "provider_kind": "openrouter"}, MaxTokensField.MAX_TOKENS, "2026-10-21"),
        (
            {**OPENAI, "provider_kind": "anthropic_compatible", "base_url": "https://h.example"},
            MaxTokensField.MAX_COMPLETION_TOKENS,
            "2023-06-01",
        ),
    ],
)
def test_the_dialect_is_the_endpoints(provider: dict[str, Any], field: MaxTokensField, version: str) -> None:
    dialect = target(provider, {}).dialect
    assert (dialect.max_tokens_field, dialect.anthropic_version) == (field, version)


def test_a_narrowing_reaches_the_target() -> None:
    narrow = {**OPENAI, "provider_kind": "openai_compatible", "base_url": "https://api.deepseek.com"}
    assert target(narrow, {}).json_schema is JsonLevel.UNSUPPORTED
    assert target(OPENAI, {}).json_schema is JsonLevel.NATIVE
