"""Reading one file: good values are typed, bad ones are located findings and count as not stated."""

from __future__ import annotations

import pytest

from model.capability_set import CapabilitySet
from model.config.read import read_config
from model.config.rows import Alternative, FileConfig
from model.document import YamlDoc
from model.findings import Finding, breadcrumb
from model.vocabulary import Capability, CostTier, ProviderKind, QualityTier, Role

GOOD = """\
providers:
  - provider_id: main
    provider_kind: anthropic
    auth_ref: env:KEY
    models:
      - model_id: claude-opus-4-7
        quality_tier: frontier
        cost_tier: high
        context_window_tokens: 1_000_000
        supports: {tool_use: true, image_output: false}
        limits: {requests_per_minute: 50}
        default_use: {execute: true, main: false}
        scores: {coding: 95}
        notes: [kept for hard work]
requirements:
  execute: {min_context_window_tokens: 100000, preferred: {prompt_cache: true}}
  nightly: {any_of: [{long_context: true}, {min_context_window_tokens: 64000}], max_cost_tier: low}
tools:
  - {name: screenshot, produces_images: true}
fallbacks:
  - {task: execute, chain: [main/claude-opus-4-7]}
policy: {unknown_capabilities: permissive, ignore: [{code: auth-env-unset, reason: CI}]}
x-mine: anything
"""


def read(text: str) -> FileConfig:
    return read_config(YamlDoc.parse(text.encode()).data, "models.yaml")


def found(text: str) -> list[Finding]:
    return read(text).all_findings()


def model(fields: str) -> str:
    """A file with one model that has these lines of fields."""
    indented = "".join(f"        {line}\n" for line in fields.splitlines())
    return f"providers:\n  - provider_id: p\n    provider_kind: openai\n    models:\n      - model_id: m\n{indented}"


def test_a_good_file_is_typed_and_has_no_findings() -> None:
    config = read(GOOD)
    assert config.all_findings() == []
    row = config.providers[0].models[0]
    assert config.providers[0].provider_kind is ProviderKind.ANTHROPIC
    assert row.quality_tier is QualityTier.FRONTIER
    assert row.cost_tier is CostTier.HIGH
    assert row.context_window_tokens == 1_000_000
    assert row.supports.yes == CapabilitySet.of([Capability.TOOL_USE])
    assert row.supports.no == CapabilitySet.of([Capability.IMAGE_OUTPUT])
    assert row.limits.requests_per_minute == 50
    assert row.default_use == {Role.EXECUTE: True, Role.MAIN: False}
    assert row.notes == ("kept for hard work",)
    assert config.requirements["nightly"].any_of == (
        Alternative(CapabilitySet.of([Capability.LONG_CONTEXT])),
        Alternative(min_context_window_tokens=64000),
    )
    assert config.policy.ignore is not None
    assert config.policy.ignore[0].code == "auth-env-unset"


@pytest.mark.parametrize(
    ("line", "code", "crumb", "help"),
    [
        ('supports: {tool_use: "true"}', "config-quoted-boolean", "supports.tool_use", "quotes"),
        ("supports: {tool_use: yes}", "config-wrong-value", "supports.tool_use", "write true"),
        ("supports: {tool_use: 1}", "config-wrong-type", "supports.tool_use", "true or false"),
        ("supports: {tool_us: true}", "config-unknown-key", "supports.tool_us", "tool_use"),
        ("supports: [tool_use]", "config-wrong-type", "supports", ""),
        ("quality_tier: frontire", "config-wrong-value", "quality_tier", "did you mean 'frontier'"),
        ("quality_tier: [strong]", "config-wrong-type", "quality_tier", "one of"),
        ("context_window_tokens: 200k", "config-wrong-type", "context_window_tokens", "200000"),
        ("context_window_tokens: -1", "config-out-of-range", "context_window_tokens", ""),
        ("max_output_tokens: 12.5", "config-wrong-type", "max_output_tokens", ""),
        ("scores: {coding: 101}", "config-out-of-range", "scores.coding", ""),
        ("notes: one", "config-wrong-type", "notes", "a list of one"),
        ("tool_use: true", "config-wrong-level", "tool_use", "under supports"),
        ("base_url: https://x.example", "config-wrong-level", "base_url", "a provider"),
        ("conversion: {thinking: striped}", "config-wrong-value", "conversion.thinking", "stripped"),
    ],
)
def test_a_bad_value_is_located_and_counts_as_not_stated(line: str, code: str, crumb: str, help: str) -> None:
    config = read(model(line + "\ncost_tier: low"))
    (finding,) = config.all_findings()
    assert finding.code == code
    assert breadcrumb(finding.spot.path) == f"providers[0].models[0].{crumb}"
    assert help in finding.help
    row = config.providers[0].models[0]
    assert row.cost_tier is CostTier.LOW, "the rest of the row stays"
    assert row.supports.stated == CapabilitySet()
    assert row.quality_tier is None


@pytest.mark.parametrize(
    ("text", "code", "crumb"),
    [
        ("providers: {main: {}}", "config-not-a-list", "providers"),
        ("provider: []", "config-unknown-key", "provider"),
        ("models: []", "config-wrong-level", "models"),
        ("- a", "config-wrong-type", ""),
        ("providers: [text]", "config-wrong-type", "providers[0]"),
        ("providers: [{provider_kind: openai}]", "config-missing-id", "providers[0]"),
        ("providers: [{provider_id: a/b, provider_kind: openai}]", "config-bad-id", "providers[0].provider_id"),
        ("providers: [{provider_id: a, provider_kind: openai, models: {m: 1}}]", "config-not-a-list",
         "providers[0].models"),
        ("providers: [{provider_id: a, provider_kind: openai, models: [{}]}]", "config-missing-id",
         "providers[0].models[0]"),
        ("providers: [{provider_id: a, provider_kind: openai, models: [{model_id: 4.5}]}]", "config-wrong-type",
         "providers[0].models[0].model_id"),
        ("requirements: [execute]", "config-wrong-type", "requirements"),
        ("requirements: {execute: {required: {tool_use: maybe}}}", "config-wrong-type",
         "requirements.execute.required.tool_use"),
        ("policy: {long_context_tokens: big}", "config-wrong-type", "policy.long_context_tokens"),
        ("tools: [{name: t, min_capability_tier: big}]", "config-wrong-value", "tools[0].min_capability_tier"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_the_shape_is_located(text: str, code: str, crumb: str) -> None:
    findings = [(each.code, breadcrumb(each.spot.path)) for each in found(text)]
    assert findings == [(code, crumb)]


def test_one_bad_row_takes_no_other_down() -> None:
    text = "providers:\n  - 5\n  - {provider_id: b, provider_kind: ollama, models: [7, {model_id: m}]}\n"
    config = read(text)
    assert [row.model_id for row in config.providers[1].models] == [None, "m"]
    assert len(config.all_findings()) == 2


def test_an_empty_file_is_an_empty_config() -> None:
    assert read("# only a comment\n").all_findings() == []


def test_the_suggestion_is_never_the_word_itself() -> None:
    (finding,) = found(model("default_uses: {main: true}"))
    assert "default_use" in finding.help
    assert finding.fix is not None


def test_unchanged_rows_are_not_read_again() -> None:
    from model.document import Put

    doc = YamlDoc.parse(GOOD.encode())
    before = read_config(doc.data, "f")
    same = read_config(doc.data, "f", before)
    assert same.providers[0] is before.providers[0]
    edited = doc.apply(Put(("providers", 0, "models", 0, "cost_tier"), "low"))
    after = read_config(edited.data, "f", before)
    assert after.providers[0].models[0] is not before.providers[0].models[0]
    assert after.providers[0].models[0].cost_tier is CostTier.LOW
