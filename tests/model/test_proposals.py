"""The smallest changes: that they suffice, that nothing in them is superfluous, and that they say who denies them."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given

from model.capability_set import CapabilitySet
from model.files import FileSpec
from model.mends import Case
from model.model_ref import ModelRef
from model.proposals import Proposal, change_of, changes_for, smallest_changes
from model.requirements import Requirement, written
from model.snapshot import Snapshot
from model.vocabulary import Capability, Layer
from model.workbench import Workbench
from tests.examples import examples
from tests.model.cases import NUMBERS, REQUIREMENTS, TOOL_ROWS, WINDOWS, Bits
from tests.model.samples import open_text

TASK = "mine"


# -- by hand ----------------------------------------------------------------------------------------------------------
FILE = """
providers:
  - provider_id: a
    provider_kind: openai
    models:
      - {model_id: unstated, quality_tier: strong}
      - {model_id: weak, quality_tier: standard, supports: {tool_use: true}}
      - {model_id: off, enabled: false, quality_tier: strong, supports: {tool_use: true}}
      - {model_id: cannot, quality_tier: strong, supports: {tool_use: false}}
      - {model_id: emulated, quality_tier: strong, supports: {tool_use: true}, conversion: {tool_schema: emulated}}
requirements:
  mine: {required: {tool_use: true}, min_quality_tier: strong}
"""


def titles(text: str, model_id: str) -> list[str]:
    snapshot = open_text(text)
    row = snapshot.matrix.get(ModelRef("a", model_id))
    assert row
    return [proposal.title for proposal in changes_for(snapshot, snapshot.requirements[TASK], row)]


@pytest.mark.parametrize(
    ("model_id", "expected"),
    [
        ("unstated", ["state supports.tool_use: true of a/unstated", "mine: no longer require tool_use"]),
        ("weak", ["mine: lower the floor to standard", "state quality_tier: strong of a/weak"]),
        ("off", ["switch a/off on"]),
        ("cannot", ["mine: no longer require tool_use", "state supports.tool_use: true of a/cannot"]),
        (
            "emulated",
            [
                "mine: allow lossy conversion",
                "mine: no longer require tool_use",
                "state conversion.tool_schema: converted of a/emulated",
            ],
        ),
    ],
)
def test_one_failing_clause_cheapest_first(model_id: str, expected: list[str]) -> None:
    assert titles(FILE, model_id) == expected


def test_a_claim_says_which_layers_deny_it() -> None:
    snapshot = open_text(FILE)
    row = snapshot.matrix.get(ModelRef("a", "cannot"))
    assert row
    claim = changes_for(snapshot, snapshot.requirements[TASK], row)[-1]
    assert [(denial.layer, denial.value) for denial in claim.denied_by] == [(Layer.FILE, "no")]


def test_the_catalog_s_no_is_named_even_where_the_file_says_nothing() -> None:
    text = (
        "providers: [{provider_id: a, provider_kind: openai, models: [{model_id: gpt-4o, quality_tier: strong}]}]\n"
        "requirements: {mine: {required: {thinking: true}}}"
    )
    snapshot = open_text(text)
    proposal = next(
        each
        for each in changes_for(snapshot, snapshot.requirements[TASK], snapshot.matrix.rows[0])
        if "supports.thinking" in each.title
    )
    assert [denial.layer for denial in proposal.denied_by] == [Layer.TRANSPORT, Layer.CATALOG]
    assert "stripped" in str(proposal.denied_by[0])


def test_what_the_catalog_confirms_costs_least() -> None:
    text = (
        "providers: [{provider_id: a, provider_kind: openai_compatible, base_url: 'https://x.example',"
        " models: [{model_id: gpt-4o}]}]\nrequirements: {mine: {required: {image_input: true}}}"
    )
    snapshot = open_text(text)
    first = changes_for(snapshot, snapshot.requirements[TASK], snapshot.matrix.rows[0])[0]
    assert (first.title, first.price, first.denied_by) == ("state supports.image_input: true of a/gpt-4o", 1, ())


def test_several_clauses_need_several_steps() -> None:
    text = FILE.replace(
        "{tool_use: true}, min_quality_tier: strong}", "{tool_use: true, batch: false}, max_cost_tier: low}"
    )
    assert titles(text, "unstated")[0] == (
        "state cost_tier: low of a/unstated; state supports.tool_use: true of a/unstated"
    )


def test_no_edit_makes_a_wire_carry_what_it_does_not() -> None:
    text = (
        "providers: [{provider_id: a, provider_kind: openai, models: [{model_id: m, supports: {image_output: true}}]}]"
    )
    snapshot = open_text(text)
    proposals = smallest_changes(snapshot, snapshot.requirements["image_generation"])
    assert [proposal.title for proposal in proposals] == ["image_generation: no longer require image_output"]


def test_for_a_task_the_nearest_models_are_asked_and_a_change_stands_once() -> None:
    snapshot = open_text(FILE)
    proposals = smallest_changes(snapshot, snapshot.requirements[TASK], limit=4)
    assert [(str(proposal.ref), proposal.price) for proposal in proposals] == [
        ("a/unstated", 2),
        ("a/weak", 3),
        ("a/off", 3),
        ("a/emulated", 3),
    ]


def test_a_requirement_of_the_moment_is_not_written_to_a_file() -> None:
    snapshot = open_text(FILE)
    asked = Requirement(TASK, CapabilitySet.of((Capability.TOOL_USE, Capability.BATCH)))
    row = snapshot.matrix.get(ModelRef("a", "cannot"))
    assert row
    found = changes_for(snapshot, asked, row)
    assert all("no longer require" not in proposal.title for proposal in found)


def test_a_model_that_passes_needs_nothing() -> None:
    snapshot = open_text(
        "providers: [{provider_id: a, provider_kind: openai, models: [{model_id: m}]}]\nrequirements: {mine: {}}"
    )
    assert changes_for(snapshot, snapshot.requirements[TASK], snapshot.matrix.rows[0]) == ()


def test_a_default_task_gets_a_block_of_what_differs(tmp_path: Path) -> None:
    text = (
        "providers: [{provider_id: a, provider_kind: openai, models: [{model_id: m, quality_tier: strong,"
        " supports: {tool_use: true, structured_output: false}}]}]\n"
    )
    bench = workbench(tmp_path, "providers: []\n", text)
    execute = bench.snapshot.requirements["execute"]
    found = changes_for(bench.snapshot, execute, bench.snapshot.matrix.rows[0])
    relaxed = next(each for each in found if each.title == "execute: no longer require structured_output")
    bench.apply(relaxed.change)
    doc = bench.file(str(tmp_path / "global.yaml")).doc
    assert doc
    assert doc.data["requirements"] == {"execute": {"required": {"tool_use": True}}}  # type: ignore[index]  # a mapping
    assert bench.snapshot.passes(bench.snapshot.requirements["execute"]).any


def test_an_edit_goes_where_it_takes_effect(tmp_path: Path) -> None:
    """The project narrows the global file's model: only an edit of the project file helps."""
    bench = workbench(
        tmp_path,
        "providers: [{provider_id: a, models: [{model_id: m, supports: {tool_use: false}}]}]\n",
        "providers: [{provider_id: a, provider_kind: openai, models: [{model_id: m, supports: {tool_use: true}}]}]\n"
        "requirements: {mine: {required: {tool_use: true}}}\n",
    )
    snapshot = bench.snapshot
    found = changes_for(snapshot, snapshot.requirements[TASK], snapshot.matrix.rows[0])
    assert [[Path(name).name for name in proposal.change.edits] for proposal in found] == [
        ["global.yaml"],
        ["project.yaml"],
    ]
    for proposal in found:
        assert passes_after(bench, proposal)


# -- over random files ------------------------------------------------------------------------------------------------
def workbench(folder: Path, project: str, global_: str) -> Workbench:
    (folder / "project.yaml").write_text(project)
    (folder / "global.yaml").write_text(global_)
    return Workbench([FileSpec(folder / "project.yaml", Layer.PROJECT), FileSpec(folder / "global.yaml", Layer.GLOBAL)])


KINDS = ("anthropic", "openai", "ollama", "openai_compatible", "custom")


def _model(bits: Bits, name: str) -> dict[str, Any]:
    model: dict[str, Any] = {"model_id": name}
    tiers = ("frontier", "strong", "standard", "cheap", "local", None)
    model["quality_tier"] = tiers[bits.below(6)]
    model["cost_tier"] = ("high", "medium", "low", "free", None)[bits.below(5)]
    model["context_window_tokens"] = WINDOWS[bits.below(len(WINDOWS))]
    flags = bits.flags()
    model["supports"] = {each.value: each in flags.yes for each in flags.stated}
    if bits.often(4):
        model["conversion"] = {"tool_schema": "emulated", "image_input": "unsupported"}
    if bits.often(9):
        model["conversion"] = {"from_anthropic_canonical": "unsupported"}
    if bits.often(5):
        model["enabled"] = False
    return {key: value for key, value in model.items() if value not in (None, {})}


def _file(number: int, requirement: Requirement | None) -> str:
    bits = Bits(number)
    providers = [
        {
            "provider_id": f"p{position}",
            "provider_kind": KINDS[bits.below(len(KINDS))],
            "base_url": "https://x.example",
            "enabled": not bits.often(6),
            "models": [_model(bits, "m")],
        }
        for position in range(2)
    ]
    tools = [
        {"name": row.name, "schema_features": list(row.schema_features or ()), "min_capability_tier": tier.value}
        for row in TOOL_ROWS
        if (tier := row.min_capability_tier)
    ]
    data: dict[str, Any] = {"providers": providers, "tools": tools}
    if requirement:
        data["requirements"] = {TASK: written(requirement)}
    return yaml.safe_dump(data, sort_keys=False)


def _overlay(number: int) -> str:
    bits = Bits(number)
    model: dict[str, Any] = {"model_id": "m"}
    if bits.often(3):
        model["enabled"] = False
    if bits.often(3):
        model["supports"] = {"tool_use": False}
    return yaml.safe_dump({"providers": [{"provider_id": "p0", "models": [model]}]}, sort_keys=False)


def passes_after(bench: Workbench, proposal: Proposal) -> bool:
    return _passes(bench.preview(proposal.change), proposal.ref, TASK)


def _passes(snapshot: Snapshot, ref: ModelRef, task: str) -> bool:
    row = snapshot.matrix.get(ref)
    assert row
    return snapshot.verdict(row, snapshot.requirements[task]).passes


@examples(0.2, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(NUMBERS, NUMBERS, REQUIREMENTS)
def test_a_proposal_really_lets_the_model_pass_and_no_part_of_it_does(
    tmp_path: Path, number: int, overlay: int, requirement: Requirement
) -> None:
    bench = workbench(tmp_path, _overlay(overlay), _file(number, requirement))
    snapshot = bench.snapshot
    asked = snapshot.requirements[TASK]
    for row in snapshot.matrix.rows:
        verdict = snapshot.verdict(row, asked)
        found = changes_for(snapshot, asked, row, limit=2)
        assert [each.price for each in found] == sorted(each.price for each in found)
        assert not (verdict.passes and found)
        for proposal in found:
            assert passes_after(bench, proposal), proposal.title
            _no_part_suffices(bench, snapshot, proposal)


def _no_part_suffices(bench: Workbench, snapshot: Snapshot, proposal: Proposal) -> None:
    row = snapshot.matrix.get(proposal.ref)
    assert row
    case = Case(snapshot, row, snapshot.requirements[TASK])
    steps = len(proposal.steps)
    sizes = range(1, steps) if steps <= 4 else (1, steps - 1)  # the middle of many would be hundreds of previews
    for size in sizes:
        for part in combinations(proposal.steps, size):
            change = change_of(case, part)
            assert change
            assert not _passes(bench.preview(change), proposal.ref, TASK), [step.title for step in part]


@examples(0.5)
@given(NUMBERS, REQUIREMENTS)
def test_no_claim_against_a_layer_goes_unsaid(number: int, requirement: Requirement) -> None:
    snapshot = open_text(_file(number, requirement))
    for row in snapshot.matrix.rows:
        for proposal in changes_for(snapshot, snapshot.requirements[TASK], row):
            for step in proposal.steps:
                _, _, name = getattr(step, "field", "").partition("supports.")
                if name and step.title.startswith(f"state supports.{name}: true") and Capability(name) in row.no:
                    assert proposal.denied_by
