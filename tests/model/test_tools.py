"""Tools: what metadata, schema, tier, caps and the unknown Api do to a tool set (DOMAIN.md §8, ADR-005)."""

from __future__ import annotations

import pytest

from model.config.fields import CapabilityTier, SchemaFeature
from model.judge import judge, passing
from model.requirements import Requirement
from model.snapshot import Snapshot
from model.tool_rows import BUILTIN_TOOLS, Origin, ToolCompatibility, from_definition, schema_features
from model.tools import NO_TOOLS, Removal, Toolbox, filter_tools, tools_in_play, wire_of_api
from model.vocabulary import Api, QualityTier
from tests.model.samples import open_text, row

PLAIN = ("bash", "read", "write", "edit", "grep", "find", "ls", "lsp", "hashline_edit", "hashline_read")
TAKES_IMAGES = {
    Api.ANTHROPIC_MESSAGES,
    Api.ANTHROPIC_VERTEX,
    Api.GOOGLE_GENERATIVE_AI,
    Api.GOOGLE_GEMINI_CLI,
    Api.GOOGLE_VERTEX,
    Api.BEDROCK_CONVERSE_STREAM,
    Api.UNKNOWN,
}
GOOGLE = {Api.GOOGLE_GENERATIVE_AI, Api.GOOGLE_GEMINI_CLI, Api.GOOGLE_VERTEX}


def toolbox(*tools: ToolCompatibility) -> Toolbox:
    return Toolbox({**BUILTIN_TOOLS, **{tool.name: tool for tool in tools}})


@pytest.mark.parametrize("api", list(Api))
def test_tools_without_metadata_stay_everywhere(api: Api) -> None:
    names = (*PLAIN, "something_of_my_own")
    assert filter_tools(api, names).names == names


@pytest.mark.parametrize("api", list(Api))
def test_a_tool_that_answers_with_images_stays_where_tool_results_may_hold_images(api: Api) -> None:
    assert (filter_tools(api, ["screenshot"]).names == ("screenshot",)) == (api in TAKES_IMAGES)


@pytest.mark.parametrize("api", list(Api))
def test_an_mcp_tool_is_taken_to_use_patternproperties(api: Api) -> None:
    assert (filter_tools(api, ["mcp__files__search"]).names == ()) == (api in GOOGLE)


def test_the_reason_names_what_is_missing() -> None:
    removed = filter_tools(Api.GOOGLE_VERTEX, ["mcp__a__b"]).removed[0]
    assert (removed.code, removed.text) == (
        Removal.SCHEMA,
        "its schema uses patternProperties, which google-vertex does not take",
    )


def test_what_a_schema_rewrite_saves_is_kept_and_says_so() -> None:
    tools = toolbox(ToolCompatibility("pick", schema_features=frozenset({"const"})))
    kept = filter_tools(Api.GOOGLE_GENERATIVE_AI, ["pick"], tools).kept[0]
    assert (kept.name, kept.note) == ("pick", "its schema is rewritten without const")
    assert filter_tools(Api.ANTHROPIC_MESSAGES, ["pick"], tools).kept[0].note == ""


@pytest.mark.parametrize(
    ("needs", "enough"),
    [
        (CapabilityTier.LIGHT, {QualityTier.LOCAL, QualityTier.CHEAP, QualityTier.STANDARD, QualityTier.STRONG,
                                QualityTier.FRONTIER}),
        (CapabilityTier.STANDARD, {QualityTier.STANDARD, QualityTier.STRONG, QualityTier.FRONTIER}),
        (CapabilityTier.HEAVY, {QualityTier.STRONG, QualityTier.FRONTIER}),
    ],
)  # fmt: skip
def test_the_least_model_is_checked(needs: CapabilityTier, enough: set[QualityTier]) -> None:
    tools = toolbox(ToolCompatibility("refactor", min_capability_tier=needs))
    for quality in QualityTier:
        model = row(f"quality_tier: {quality.value}")
        assert (tools.filter_for(model, ["refactor"]).names == ("refactor",)) == (quality in enough), quality


def test_an_unknown_api_keeps_every_tool() -> None:
    tools = toolbox(
        ToolCompatibility("all", True, frozenset({"const", "patternProperties"}), CapabilityTier.HEAVY),
    )
    model = row("quality_tier: local", provider="{provider_kind: custom, base_url: 'https://example.com'}")
    assert model.model.provider.api is Api.UNKNOWN
    assert tools.filter_for(model, ["all", "bash"]).names == ("all", "bash")
    assert tools.rejects(model, ["all"]) == []


def test_a_model_without_tool_use_gets_no_tools() -> None:
    for model in (row("supports: {tool_use: false}"), row("conversion: {tool_schema: unsupported}")):
        removed = NO_TOOLS.filter_for(model, ["bash"]).removed
        assert [(tool.code, tool.ref) for tool in removed] == [(Removal.NO_TOOL_USE, model.ref)]


GROQ = "https://api.groq.com/openai/v1"


@pytest.mark.parametrize(
    ("count", "base_url", "kept"),
    [
        (127, GROQ, 127),
        (128, GROQ, 128),
        (200, GROQ, 128),
        (200, "https://api.openai.com/v1", 200),
        (200, "https://api.groq.com.example.org", 200),
        (200, None, 200),
        (200, "https://[broken", 200),
    ],
)
def test_groq_takes_128_tools_and_order_is_kept(count: int, base_url: str | None, kept: int) -> None:
    names = tuple(f"tool_{number}" for number in range(count))
    found = NO_TOOLS.filter(wire_of_api(Api.OPENAI_COMPLETIONS, base_url), names)
    assert found.names == names[:kept]
    assert [(tool.name, tool.code) for tool in found.removed] == [(name, Removal.CAP) for name in names[kept:]]


def test_the_cap_counts_what_is_left_after_the_other_reasons() -> None:
    names = ("screenshot", *(f"tool_{number}" for number in range(128)))
    found = NO_TOOLS.filter(wire_of_api(Api.OPENAI_COMPLETIONS, GROQ), names)
    assert found.names == names[1:]
    assert [tool.code for tool in found.removed] == [Removal.IMAGES]


# -- schema features --------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("schema", "features"),
    [
        ({"type": "object", "properties": {"a": {"const": 1}}}, {"const"}),
        ({"anyOf": [{"type": "string"}, {"items": {"patternProperties": {"^x": {}}}}]}, {"patternProperties"}),
        ({"$defs": {"a": {"patternProperties": {"^x": {"const": 2}}}}}, {"const", "patternProperties"}),
        ({"properties": {"const": {"type": "string"}, "patternProperties": {"type": "object"}}}, set()),
        ({"enum": [{"const": 1}], "default": {"const": 1}, "examples": [{"const": 1}]}, set()),
        ({"additionalProperties": False, "required": ["const"]}, set()),
        (True, set()),
        (None, set()),
        ("const", set()),
    ],
)
def test_schema_features_are_discovered(schema: object, features: set[str]) -> None:
    assert schema_features(schema) == features


def test_a_schema_that_holds_itself_ends() -> None:
    schema: dict[str, object] = {"type": "object"}
    schema["properties"] = {"child": schema}
    assert schema_features(schema) == frozenset()


def test_a_given_schema_stands_for_the_mcp_default() -> None:
    tool = from_definition({"name": "mcp__a__b", "input_schema": {"type": "object"}})
    assert tool == ToolCompatibility("mcp__a__b", origin=Origin.SCHEMA)
    without_schema = from_definition({"name": "mcp__a__b"})
    assert without_schema
    assert without_schema.origin is Origin.MCP_DEFAULT


def test_definitions_add_to_what_rows_say() -> None:
    schema = {"properties": {"a": {"const": 1}}}
    box = NO_TOOLS.with_definitions([{"name": "screenshot", "input_schema": schema}, {"no": "name"}])
    assert box.of("screenshot").produces_images
    assert box.of("screenshot").schema_features == {SchemaFeature.CONST}


# -- from a file ------------------------------------------------------------------------------------------------------
FILE = """
providers:
  - provider_id: google
    provider_kind: custom
    api: google-generative-ai
    base_url: https://generativelanguage.googleapis.com
    models: [{model_id: gemini, quality_tier: strong, supports: {tool_use: true}}]
  - provider_id: groq
    provider_kind: openai_compatible
    base_url: https://api.groq.com/openai/v1
    models: [{model_id: small, quality_tier: cheap, supports: {tool_use: true}}]
tools:
  - {name: paint, produces_images: true, min_capability_tier: standard}
  - {name: pick, schema_features: [const]}
  - {name: bash, schema_features: [patternProperties]}
  - {produces_images: true}
"""


def outcomes(snapshot: Snapshot, requirement: Requirement) -> dict[str, list[str]]:
    return {
        str(each.ref): [str(reason) for reason in snapshot.verdict(each, requirement).reasons]
        for each in snapshot.matrix.rows
    }


def test_rows_of_the_file_count_in_verdicts_and_replace_built_in_ones() -> None:
    snapshot = open_text(FILE)
    assert outcomes(snapshot, Requirement("mine", tools=("paint", "pick", "bash", "read", "never_heard_of"))) == {
        "google/gemini": ["tool:bash"],
        "groq/small": ["tool:paint"],
    }


def test_a_tool_nobody_knows_is_compatible_and_known_to_be_unknown() -> None:
    box = open_text(FILE).given.toolbox
    assert [box.knows(name) for name in ("paint", "read", "mcp__a__b", "never_heard_of")] == [True, True, True, False]


def test_a_task_that_needs_a_tool_needs_tool_use() -> None:
    snapshot = open_text(
        "providers: [{provider_id: a, provider_kind: openai, models: [{model_id: m, supports: {tool_use: false}}]}]"
    )
    model = snapshot.matrix.rows[0]
    verdict = judge(model, Requirement("mine", tools=("bash",)), snapshot.given)
    assert [(str(reason), reason.clause) for reason in verdict.reasons] == [("missing:tool_use", "tools")]
    assert not passing(snapshot.bitmap, Requirement("mine", tools=("bash",)), snapshot.given).any
    assert judge(model, Requirement("mine"), snapshot.given).passes


def test_more_tools_than_the_endpoint_takes_fail_a_verdict() -> None:
    snapshot = open_text(FILE)
    names = tuple(f"tool_{number}" for number in range(130))
    assert outcomes(snapshot, Requirement("mine", tools=names)) == {
        "google/gemini": [],
        "groq/small": ["tool:tool_128", "tool:tool_129"],
    }
    assert passing(snapshot.bitmap, Requirement("mine", tools=names), snapshot.given).any == 0b01


def test_the_last_tool_that_the_endpoint_takes_still_passes() -> None:
    snapshot = open_text(FILE)
    for count, rows in ((128, 0b11), (129, 0b01)):
        requirement = Requirement("mine", tools=tuple(f"tool_{number}" for number in range(count)))
        assert passing(snapshot.bitmap, requirement, snapshot.given).any == rows
        assert len(outcomes(snapshot, requirement)["groq/small"]) == count - 128


def test_the_tools_in_play_are_the_needed_and_the_files_own() -> None:
    assert tools_in_play(open_text(FILE).config, ("read", "pick")) == ("read", "pick", "paint", "bash")
