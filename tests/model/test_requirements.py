"""What each task asks: the seed's table, what files change of it, and that it reads back as it was written."""

from __future__ import annotations

from dataclasses import replace

import pytest
import yaml
from hypothesis import given

from model.requirements import DEFAULTS, Requirement, default_for, requirements, with_ui_artifacts, written
from model.snapshot import Surroundings, derive
from model.vocabulary import CostTier, Layer, QualityTier, Role, TaskType
from tests.examples import examples
from tests.model.cases import REQUIREMENTS
from tests.model.samples import open_file_text, open_text

TABLE = {
    # required | preferred | floor (preferred tier)
    "main": ("streaming tool_use", "prompt_cache long_context", "strong"),
    "architecture": ("structured_output long_context", "thinking prompt_cache", "strong frontier"),
    "execute": ("tool_use structured_output", "thinking long_context", "strong frontier"),
    "review": ("structured_output", "", "strong"),
    "debug": ("tool_use structured_output", "image_input long_context", "strong"),
    "compact": ("", "prompt_cache", "standard"),
    "mine_experience": ("structured_output", "long_context", "standard"),
    "ui_screenshot_analysis": ("image_input", "structured_output", "strong"),
    "image_generation": ("image_output", "image_input", ""),
}


@pytest.mark.parametrize("task", TABLE)
def test_the_seed_s_table(task: str) -> None:
    required, preferred, tiers = TABLE[task]
    default = DEFAULTS[task]
    assert " ".join(default.required) == required
    assert " ".join(default.preferred) == preferred
    found = [tier.value for tier in (default.min_quality_tier, default.preferred_tier) if tier]
    assert found == tiers.split()
    assert not default.allow_lossy_conversion
    assert default.role == (Role(task) if task in list(Role) else None)


def test_compact_takes_either_a_long_context_or_a_window_that_will_do() -> None:
    ways = DEFAULTS["compact"].any_of
    assert [(list(way.required), way.min_context_window_tokens) for way in ways] == [
        (["long_context"], None), ([], 128_000),
    ]  # fmt: skip


def test_the_table_is_the_whole_seed() -> None:
    assert list(DEFAULTS) == list(TABLE) == [task.value for task in TaskType]
    assert all(type(default.task) is str for default in DEFAULTS.values())


def test_only_a_review_changes_with_ui_artifacts() -> None:
    changed = [task for task, default in DEFAULTS.items() if with_ui_artifacts(default) != default]
    assert changed == ["review"]


def test_a_file_replaces_field_by_field_and_adds_tasks_of_its_own() -> None:
    found = open_text(
        "requirements:\n"
        "  execute: {required: {tool_use: true, batch: false}, max_cost_tier: low}\n"
        "  nightly: {min_context_window_tokens: 9000}\n"
    ).requirements
    execute = found["execute"]
    assert ([*execute.required], [*execute.forbidden], execute.max_cost_tier) == (["tool_use"], ["batch"], CostTier.LOW)
    assert execute.preferred == DEFAULTS["execute"].preferred
    assert execute.min_quality_tier is QualityTier.STRONG
    assert found["nightly"] == Requirement("nightly", min_context_window_tokens=9_000)
    assert list(found) == [*TABLE, "nightly"]


def test_the_project_s_word_comes_before_the_global_one() -> None:
    project = open_file_text("requirements: {execute: {max_cost_tier: low}}", "project.yaml", Layer.PROJECT)
    global_ = open_file_text(
        "requirements: {execute: {max_cost_tier: high, min_quality_tier: frontier}}", "global.yaml", Layer.GLOBAL
    )
    execute = derive((project, global_), Surroundings()).requirements["execute"]
    assert (execute.max_cost_tier, execute.min_quality_tier) == (CostTier.LOW, QualityTier.FRONTIER)


def test_without_blocks_there_are_the_nine_defaults() -> None:
    assert requirements({}) == DEFAULTS
    assert default_for("anything") == Requirement("anything")


def test_exclusions_that_are_no_refs_exclude_nobody() -> None:
    requirement = Requirement("main", exclude_models=("nonsense", "a/b", "/", "a/ "))
    assert [str(ref) for ref in requirement.excluded] == ["a/b"]


@examples()
@given(REQUIREMENTS)
def test_what_is_written_reads_back_the_same(requirement: Requirement) -> None:
    text = yaml.safe_dump({"requirements": {"mine": written(requirement)}})
    found = open_text(text).requirements["mine"]
    assert found == replace(requirement, task="mine", preferred_tier=None)
