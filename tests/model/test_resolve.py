"""Three truths → one matrix: which layer decides each cell, and what the wire makes of it (DOMAIN.md §2)."""

from __future__ import annotations

import datetime

import pytest

from model.capability_set import CapabilitySet
from model.catalog import Catalog, CatalogRow, Vendor
from model.config.merge import LayeredFile, merge
from model.config.read import read_config
from model.config.rows import Flags
from model.document import YamlDoc
from model.model_ref import ModelRef
from model.provenance import explain, explain_field
from model.resolve import Matrix, Observed, ResolvedModel, resolve
from model.transports import NARROWINGS, TRANSPORTS
from model.vocabulary import Api, Capability, Layer, Support, TokenizerFamily

C = Capability
ROW = CatalogRow(
    "known",
    Vendor.OPENAI,
    "Known",
    ("known-2026",),
    400_000,
    32_000,
    yes=CapabilitySet.of([C.TOOL_USE, C.STRUCTURED_OUTPUT, C.THINKING, C.PROMPT_CACHE, C.IMAGE_INPUT, C.STREAMING]),
    no=CapabilitySet.of([C.IMAGE_OUTPUT]),
    tokenizer_family=TokenizerFamily.O200K_BASE,
    source="https://example.com/models",
    checked=datetime.date(2026, 11, 1),
)
CATALOG = Catalog([ROW])


def matrix(project: str | None = None, global_: str | None = None, **more: object) -> Matrix:
    texts = ((Layer.PROJECT, project), (Layer.GLOBAL, global_))
    files = tuple(
        LayeredFile(layer, layer.value, read_config(YamlDoc.parse(text.encode()).data, layer.value))
        for layer, text in texts
        if text is not None
    )
    return resolve(merge(files), CATALOG, **more)  # type: ignore[arg-type]


def one(kind: str = "openai", model: str = "known", provider: str = "", **fields: str) -> ResolvedModel:
    lines = "".join(f", {name}: {value}" for name, value in fields.items())
    text = f"providers: [{{provider_id: p, provider_kind: {kind}{provider}, models: [{{model_id: {model}{lines}}}]}}]"
    return matrix(global_=text).rows[0]


def test_file_beats_catalog_beats_kind_default() -> None:
    row = one(supports="{tool_use: false}")
    assert (row.support(C.TOOL_USE), row.decided_by(C.TOOL_USE)) == (Support.NO, Layer.GLOBAL)
    assert (row.support(C.STRUCTURED_OUTPUT), row.decided_by(C.STRUCTURED_OUTPUT)) == (Support.YES, Layer.CATALOG)
    assert (row.support(C.SYSTEM_PROMPT), row.decided_by(C.SYSTEM_PROMPT)) == (Support.YES, Layer.KIND_DEFAULT)
    assert (row.support(C.JSON_MODE), row.decided_by(C.JSON_MODE)) == (Support.UNKNOWN, Layer.NOBODY)
    assert C.TOOL_USE in row.contradicted


def test_project_beats_global_field_by_field() -> None:
    rows = matrix(
        "providers: [{provider_id: p, models: [{model_id: m, supports: {json_mode: false}, cost_tier: low}]}]",
        "providers: [{provider_id: p, provider_kind: openai, models: "
        "[{model_id: m, supports: {json_mode: true, tool_use: true}, quality_tier: strong, cost_tier: high}]}]",
    ).rows
    assert len(rows) == 1
    row = rows[0]
    assert (row.support(C.JSON_MODE), row.decided_by(C.JSON_MODE)) == (Support.NO, Layer.PROJECT)
    assert (row.support(C.TOOL_USE), row.decided_by(C.TOOL_USE)) == (Support.YES, Layer.GLOBAL)
    assert (row.cost_tier.value, row.cost_tier.layer) == ("low", Layer.PROJECT)
    assert (row.quality_tier.value, row.quality_tier.layer) == ("strong", Layer.GLOBAL)


def test_the_wire_strips_thinking_and_ignores_cache_marks() -> None:
    row = one("openai")
    assert row.support(C.THINKING) is Support.EMULATED
    assert row.support(C.PROMPT_CACHE) is Support.EMULATED
    assert row.decided_by(C.THINKING) is Layer.TRANSPORT
    assert one("anthropic").support(C.THINKING) is Support.YES


@pytest.mark.parametrize(
    ("conversion", "capability", "value"),
    [
        ("{from_anthropic_canonical: unsupported}", C.TEXT_INPUT, Support.NO),
        ("{tool_schema: emulated}", C.TOOL_USE, Support.EMULATED),
        ("{tool_schema: unsupported}", C.TOOL_USE, Support.NO),
        ("{image_input: artifact_link}", C.IMAGE_INPUT, Support.EMULATED),
        ("{image_input: unsupported}", C.IMAGE_INPUT, Support.NO),
        ("{thinking: unsupported}", C.THINKING, Support.NO),
        ("{cache_control: native}", C.PROMPT_CACHE, Support.YES),
        ("{tool_schema: native}", C.TOOL_USE, Support.YES),
    ],
)
def test_the_models_conversion_narrows_its_cells(conversion: str, capability: Capability, value: Support) -> None:
    assert one("openai", conversion=conversion).support(capability) is value


def test_a_compatible_endpoint_counts_only_what_the_file_declares() -> None:
    row = one("openai_compatible", provider=", base_url: https://x.example/v1")
    assert row.support(C.STRUCTURED_OUTPUT) is Support.UNKNOWN
    assert row.support(C.TOOL_USE) is Support.YES, "what is not declared-only still comes from the catalog"
    declared = one("openai_compatible", provider=", base_url: https://x.example/v1", supports="{image_input: true}")
    assert declared.support(C.IMAGE_INPUT) is Support.YES
    catalog = next(word for word in explain(row, C.STRUCTURED_OUTPUT).words if word.layer is Layer.CATALOG)
    assert catalog.value == "yes"
    assert "not adopted" in catalog.detail


def test_prompt_only_json_is_emulated() -> None:
    row = one("anthropic", supports="{json_mode: true}")
    assert row.support(C.JSON_MODE) is Support.EMULATED
    assert row.support(C.STRUCTURED_OUTPUT) is Support.YES


def test_deepseek_schema_is_narrowed_to_its_default_model() -> None:
    provider = ", base_url: https://api.deepseek.com"
    other = one("openai_compatible", "other", provider, supports="{structured_output: true}")
    default = one("openai_compatible", "deepseek-v4-flash", provider, supports="{structured_output: true}")
    assert other.support(C.STRUCTURED_OUTPUT) is Support.NO
    assert default.support(C.STRUCTURED_OUTPUT) is Support.YES
    assert NARROWINGS[0].reason in next(
        word.detail for word in explain(other, C.STRUCTURED_OUTPUT).words if word.layer is Layer.TRANSPORT
    )


@pytest.mark.parametrize(
    ("window", "value"), [("199999", Support.NO), ("200000", Support.YES), (None, Support.UNKNOWN)]
)
def test_long_context_is_derived_from_the_window(window: str | None, value: Support) -> None:
    fields = {"context_window_tokens": window} if window else {}
    assert one(model="unheard-of", **fields).support(C.LONG_CONTEXT) is value


def test_window_and_output_come_from_the_catalog_too() -> None:
    row = one()
    assert (row.context_window_tokens.value, row.context_window_tokens.layer) == (400_000, Layer.CATALOG)
    assert row.decided_by(C.LONG_CONTEXT) is Layer.DERIVED
    explanation = explain_field(one(context_window_tokens="1000"), "context_window_tokens")
    assert [(word.layer, word.value, word.decides) for word in explanation.words] == [
        (Layer.GLOBAL, "1000", True),
        (Layer.CATALOG, "400000", False),
    ]


def test_an_alias_finds_its_row_and_a_substring_does_not() -> None:
    assert one(model="known-2026").support(C.TOOL_USE) is Support.YES
    assert one(model="known-20").support(C.TOOL_USE) is Support.UNKNOWN


def test_what_was_observed_stands_beside_and_decides_nothing() -> None:
    class Seen:
        def of(self, ref: ModelRef) -> Observed | None:
            flags = Flags(no=CapabilitySet.of([C.TOOL_USE]))
            return Observed(flags, 8192, None, "http://127.0.0.1:8080", datetime.date(2026, 11, 2))

    text = "providers: [{provider_id: p, provider_kind: openai, models: [{model_id: known}]}]"
    row = matrix(global_=text, observations=Seen()).rows[0]
    assert row.support(C.TOOL_USE) is Support.YES
    assert C.TOOL_USE in row.contradicted
    assert explain(row, C.TOOL_USE).words[-1].layer is Layer.OBSERVED


def test_every_cell_names_exactly_one_deciding_word_or_nobody() -> None:
    row = one(supports="{tool_use: false}", conversion="{thinking: unsupported}")
    for capability in Capability:
        explanation = explain(row, capability)
        deciding = [word for word in explanation.words if word.decides]
        assert len(deciding) == (0 if explanation.decided_by is Layer.NOBODY else 1), capability
        assert all(word.layer is explanation.decided_by for word in deciding)


def test_a_file_place_is_kept_for_each_word() -> None:
    explanation = explain(one(supports="{tool_use: false}"), C.TOOL_USE)
    assert explanation.words[0].spot is not None
    assert explanation.words[0].spot.path == ("providers", 0, "models", 0, "supports", "tool_use")


def test_there_is_a_row_for_every_api() -> None:
    assert set(TRANSPORTS) == set(Api)


def test_models_that_did_not_change_are_not_resolved_again() -> None:
    from model.document import Put

    text = "providers: [{provider_id: p, provider_kind: openai, models: [{model_id: a}, {model_id: b}]}]"
    doc = YamlDoc.parse(text.encode())
    files = (LayeredFile(Layer.FILE, "f", read_config(doc.data, "f")),)
    config = merge(files)
    before = resolve(config, CATALOG)
    edited = doc.apply(Put(("providers", 0, "models", 0, "cost_tier"), "low"))
    again = (LayeredFile(Layer.FILE, "f", read_config(edited.data, "f", files[0].config)),)
    after = resolve(merge(again, config), CATALOG, previous=before)
    assert after.rows[1] is before.rows[1]
    assert after.rows[0].cost_tier.value == "low"


def test_a_projects_word_does_not_make_a_remote_host_local() -> None:
    def provider(layer: Layer, url: str) -> bool:
        text = f"providers: [{{provider_id: p, provider_kind: openai_compatible, base_url: {url}, local: true}}]"
        file = LayeredFile(layer, "f", read_config(YamlDoc.parse(text.encode()).data, "f"))
        return merge((file,)).providers[0].local

    assert provider(Layer.GLOBAL, "https://gpu.example") is True
    assert provider(Layer.PROJECT, "https://gpu.example") is False
    assert provider(Layer.PROJECT, "http://127.0.0.1:8080") is True


def test_a_project_file_does_not_loosen_the_users_policy() -> None:
    project = "policy: {unknown_capabilities: permissive, allow_online_checks: true, long_context_tokens: 5}"
    file = LayeredFile(Layer.PROJECT, "f", read_config(YamlDoc.parse(project.encode()).data, "f"))
    policy = merge((file,)).policy
    assert not policy.permissive
    assert not policy.allow_online_checks
    assert policy.long_context_tokens == 5
