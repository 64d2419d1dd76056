"""Who is assigned in which situation, and what a blocked assignment says (seed 000 §6; DOMAIN.md §5)."""

from __future__ import annotations

import pluggy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.assignment import (
    Assignment,
    BadAssignment,
    Blocked,
    Mode,
    NoSuchModel,
    Risk,
    Situation,
    assign,
    same_model,
    to_contract,
)
from model.model_ref import ModelRef
from model.plugins import Hooks, Plugins, hookimpl
from model.ranking import Work
from model.requirements import Requirement
from model.snapshot import Snapshot
from model.tools import Removal
from model.vocabulary import Capability, TaskType
from tests.examples import examples
from tests.model.cases import CIRCUMSTANCES, MODELS, snapshot_of
from tests.model.samples import open_text

FILE = """
providers:
  - provider_id: main
    provider_kind: anthropic
    models:
      - {model_id: claude-opus-4-7, quality_tier: frontier, cost_tier: high, context_window_tokens: 200000,
         scores: {debugging: 10}}
      - {model_id: claude-sonnet-4-6, quality_tier: strong, cost_tier: medium, context_window_tokens: 200000,
         default_use: {execute: true}}
      - {model_id: claude-haiku-4-5, quality_tier: standard, cost_tier: low, context_window_tokens: 200000}
  - provider_id: gateway
    provider_kind: openrouter
    models:
      - {model_id: claude-opus-4-7, quality_tier: frontier, cost_tier: high, context_window_tokens: 200000,
         supports: {tool_use: true, structured_output: true, streaming: true}}
      - {model_id: other, quality_tier: strong, cost_tier: low, context_window_tokens: 200000,
         supports: {tool_use: true, structured_output: true, streaming: true}}
      - {model_id: bare, quality_tier: strong, cost_tier: low}
tools:
  - {name: screenshot, produces_images: true}
"""
OPUS, SONNET, HAIKU = (ModelRef("main", f"claude-{name}") for name in ("opus-4-7", "sonnet-4-6", "haiku-4-5"))
OTHER = ModelRef("gateway", "other")


@pytest.fixture(scope="module")
def snapshot() -> Snapshot:
    return open_text(FILE)


def names(refs: tuple[ModelRef, ...]) -> list[str]:
    return [str(ref) for ref in refs]


def test_normal_work_lets_the_agent_choose_in_ranking_order(snapshot: Snapshot) -> None:
    assignment = assign(snapshot, "execute")
    assert assignment.mode is Mode.AGENT_SELECT
    assert assignment.chosen is None
    assert names(assignment.allowed) == [str(row.ref) for row in snapshot.ranked(snapshot.requirements["execute"])]
    assert assignment.allowed[0] == SONNET
    assert assignment.reason == "4 pass execute, best first"


@pytest.mark.parametrize(
    ("situation", "why"),
    [
        (Situation(risk=Risk.HIGH), "high risk"),
        (Situation(failed_attempts=2), "2 failed attempts"),
        (Situation(deterministic=True), "a deterministic comparison"),
        (Situation(review_of=OTHER), "cross-model review of gateway/other"),
        (Situation(risk=Risk.HIGH, failed_attempts=3), "high risk, 3 failed attempts"),
    ],
)
def test_the_scheduler_forces_where_the_seed_says_so(snapshot: Snapshot, situation: Situation, why: str) -> None:
    assignment = assign(snapshot, "execute", situation)
    assert (assignment.mode, assignment.chosen, assignment.allowed) == (Mode.SCHEDULER_FORCED, SONNET, ())
    assert assignment.reason.startswith(f"{why}: the first of ")


@pytest.mark.parametrize("situation", [Situation(failed_attempts=1), Situation(risk=Risk.LOW), Situation()])
def test_less_than_that_forces_nothing(snapshot: Snapshot, situation: Situation) -> None:
    assert assign(snapshot, "execute", situation).mode is Mode.AGENT_SELECT


def test_cross_model_review_is_by_another_model_not_by_another_name_of_the_same(snapshot: Snapshot) -> None:
    twin = ModelRef("gateway", "claude-opus-4-7")
    assert set(same_model(snapshot, OPUS)) == {OPUS, twin}
    assignment = assign(snapshot, "review", Situation(review_of=OPUS))
    assert assignment.chosen
    assert assignment.chosen not in {OPUS, twin}
    assert {str(OPUS), str(twin)} <= set(assignment.requirement.exclude_models)


def test_the_file_s_own_alias_is_the_same_model() -> None:
    snapshot = open_text(
        "providers: [{provider_id: a, provider_kind: openai, models: [{model_id: m, aliases: [house-model]},"
        " {model_id: house-model}, {model_id: other}]}]"
    )
    for name in ("m", "house-model"):
        assert set(same_model(snapshot, ModelRef("a", name))) == {ModelRef("a", "m"), ModelRef("a", "house-model")}


def test_an_alias_of_the_catalog_is_the_same_model() -> None:
    snapshot = open_text(
        "providers: [{provider_id: a, provider_kind: anthropic, models: [{model_id: claude-haiku-4-5},"
        " {model_id: claude-haiku-4-5-20251001}]}]"
    )
    assert len(same_model(snapshot, ModelRef("a", "claude-haiku-4-5"))) == 2


def test_cheap_work_with_checkable_evidence_goes_to_the_cheaper(snapshot: Snapshot) -> None:
    dear_first = assign(snapshot, "debug").allowed
    cheap_first = assign(snapshot, "debug", Situation(risk=Risk.LOW, evidence_checkable=True))
    assert dear_first[0] == SONNET
    assert "cheaper first" in cheap_first.reason
    assert HAIKU not in cheap_first.allowed  # cheap, but under the floor
    assert "cheaper" not in assign(snapshot, "debug", Situation(evidence_checkable=True)).reason


@pytest.mark.parametrize(("task", "cheaper"), [("compact", True), ("mine_experience", True), ("execute", False)])
def test_summaries_are_cheap_work_unless_somebody_says_otherwise(snapshot: Snapshot, task: str, cheaper: bool) -> None:
    assert ("cheaper first" in assign(snapshot, task).reason) is cheaper
    assert "cheaper first" not in assign(snapshot, task, Situation(evidence_checkable=False)).reason
    assert "cheaper first" not in assign(snapshot, task, Situation(risk=Risk.HIGH)).reason


def test_cheaper_first_puts_the_price_before_the_tiers() -> None:
    text = """
providers:
  - provider_id: a
    provider_kind: openai
    models:
      - {model_id: near, quality_tier: standard, cost_tier: high, supports: {structured_output: true}}
      - {model_id: cheap, quality_tier: frontier, cost_tier: free, supports: {structured_output: true}}
"""
    snapshot = open_text(text)
    assert names(assign(snapshot, "mine_experience").allowed) == ["a/cheap", "a/near"]
    careful = Situation(risk=Risk.NORMAL)
    assert names(assign(snapshot, "mine_experience", careful).allowed) == ["a/near", "a/cheap"]


def test_a_pin_is_honoured_and_says_what_speaks_against_it(snapshot: Snapshot) -> None:
    good = assign(snapshot, "execute", Situation(pin=OTHER))
    assert (good.mode, good.chosen, good.warnings) == (Mode.SCHEDULER_FORCED, OTHER, ())
    assert good.reason == "pinned by the user"
    bad = assign(snapshot, "execute", Situation(pin=HAIKU))
    assert bad.chosen == HAIKU
    assert [warning.rpartition("(")[2] for warning in bad.warnings] == ["quality_floor)"]


def test_a_pin_that_reviews_its_own_work_is_honoured_with_a_warning(snapshot: Snapshot) -> None:
    assignment = assign(snapshot, "review", Situation(pin=OPUS, review_of=OPUS))
    assert assignment.chosen == OPUS
    assert "(excluded)" in assignment.warnings[0]
    assert "cross-model review" in assignment.reason


def test_a_pin_nobody_has_is_refused(snapshot: Snapshot) -> None:
    with pytest.raises(NoSuchModel, match="main/ghost"):
        assign(snapshot, "execute", Situation(pin=ModelRef("main", "ghost")))


def test_ui_artifacts_make_a_review_prefer_who_sees(snapshot: Snapshot) -> None:
    assignment = assign(snapshot, "review", Situation(ui_artifacts=True))
    assert Capability.IMAGE_INPUT in assignment.requirement.preferred


def test_the_work_refines_the_scores() -> None:
    text = """
providers:
  - provider_id: a
    provider_kind: openai
    models:
      - {model_id: coder, quality_tier: strong, supports: {tool_use: true, structured_output: true},
         scores: {coding: 90, debugging: 10}}
      - {model_id: hunter, quality_tier: strong, supports: {tool_use: true, structured_output: true},
         scores: {coding: 40, debugging: 99}}
"""
    snapshot = open_text(text)
    assert assign(snapshot, "execute").allowed[0].model_id == "coder"
    racy = Situation(work=Work(keywords=frozenset({"concurrency"})))
    assert assign(snapshot, "execute", racy).allowed[0].model_id == "hunter"


# -- blocked ----------------------------------------------------------------------------------------------------------
def test_nobody_passes_is_blocked_with_near_misses_and_the_smallest_changes() -> None:
    snapshot = open_text(
        "providers: [{provider_id: a, provider_kind: openai, models: [{model_id: m, quality_tier: strong,"
        " supports: {streaming: true}}, {model_id: n}]}]"
    )
    assignment = assign(snapshot, "main", Situation(risk=Risk.HIGH))
    assert (assignment.chosen, assignment.allowed, assignment.mode) == (None, (), Mode.SCHEDULER_FORCED)
    assert assignment.reason == "high risk; no model passes main: ask the user"
    blocked = assignment.blocked
    assert blocked
    assert [(str(near.ref), str(near.reason)) for near in blocked.near_misses] == [("a/m", "unknown:tool_use")]
    assert blocked.proposals[0].title == "state supports.tool_use: true of a/m"


def test_a_blocked_image_generation_names_the_way_out() -> None:
    snapshot = open_text("providers: [{provider_id: a, provider_kind: openai, models: [{model_id: m}]}]")
    blocked = assign(snapshot, "image_generation").blocked
    assert blocked
    assert "SVG" in blocked.advice


@pytest.mark.parametrize("task", list(TaskType))
def test_an_empty_configuration_blocks_every_task(task: TaskType) -> None:
    blocked = assign(open_text("providers: []"), task.value).blocked
    assert blocked
    assert (blocked.near_misses, blocked.proposals) == ((), ())


def test_forced_without_a_model_and_a_choice_among_none_cannot_be_built() -> None:
    requirement = Requirement("main")
    for mode in Mode:
        with pytest.raises(BadAssignment, match="names no model"):
            Assignment("main", mode, requirement, "")
    with pytest.raises(BadAssignment, match="blocked, and yet"):
        Assignment("main", Mode.AGENT_SELECT, requirement, "", allowed=(OPUS,), blocked=Blocked((), ()))


# -- tools ------------------------------------------------------------------------------------------------------------
def test_the_tools_that_an_assigned_model_does_without_are_named(snapshot: Snapshot) -> None:
    removed = assign(snapshot, "execute").tools_removed
    assert {(tool.ref, tool.name, tool.code) for tool in removed} == {
        (OTHER, "screenshot", Removal.IMAGES),
        (ModelRef("gateway", "claude-opus-4-7"), "screenshot", Removal.IMAGES),
    }
    assert assign(snapshot, "execute", Situation(pin=SONNET)).tools_removed == ()


def test_a_plugin_may_adjust_the_tools(snapshot: Snapshot) -> None:
    class NoScreenshots:
        @hookimpl
        def capdeck_adjust_tool_set(self, kept: tuple[str, ...]) -> list[str]:
            return [name for name in kept if name != "screenshot"]

    manager = pluggy.PluginManager("capdeck")
    manager.add_hookspecs(Hooks)
    manager.register(NoScreenshots(), "quiet")
    assignment = assign(snapshot, "execute", Situation(pin=SONNET), Plugins(manager))
    assert [(tool.code, tool.text) for tool in assignment.tools_removed] == [
        (Removal.PLUGIN, "taken out by the plugin quiet")
    ]


# -- the record -------------------------------------------------------------------------------------------------------
def test_the_seed_s_record(snapshot: Snapshot) -> None:
    record = to_contract(assign(snapshot, "execute", Situation(pin=OTHER)))
    assert (record.mode, record.provider_id, record.model_id) == ("scheduler_forced", "gateway", "other")
    assert record.allowed_models is None
    assert record.requirement.required.tool_use is True
    chosen_from = to_contract(assign(snapshot, "execute"))
    assert chosen_from.provider_id is None
    assert chosen_from.allowed_models
    assert chosen_from.allowed_models[0].model_id == "claude-sonnet-4-6"
    with pytest.raises(BadAssignment):
        to_contract(assign(snapshot, "image_generation"))


SITUATIONS = st.builds(
    Situation,
    risk=st.sampled_from([None, *Risk]),
    failed_attempts=st.integers(0, 3),
    review_of=st.sampled_from([None, ModelRef("p0", "m0")]),
    deterministic=st.booleans(),
    ui_artifacts=st.booleans(),
    evidence_checkable=st.sampled_from([None, True, False]),
)


@examples()
@given(MODELS, CIRCUMSTANCES, st.sampled_from(list(TaskType)), SITUATIONS)
def test_whoever_is_assigned_passes_and_a_record_can_be_made(
    numbers: list[int], circumstances: int, task: TaskType, situation: Situation
) -> None:
    snapshot = snapshot_of(numbers, circumstances)
    assignment = assign(snapshot, task.value, situation)
    taken = (assignment.chosen,) if assignment.chosen else assignment.allowed
    for ref in taken:
        row = snapshot.matrix.get(ref)
        assert row
        assert snapshot.verdict(row, assignment.requirement).passes
        assert situation.review_of is None or row.ref.model_id != situation.review_of.model_id
    assert bool(assignment.blocked) == (not taken)
    if taken:
        assert to_contract(assignment).reason == assignment.reason
