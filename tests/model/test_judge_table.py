"""The seed's nine tasks over fourteen models, every answer written down by hand from DOMAIN.md §2 and §4.

Left: who passes, best first. Right: why each of the others does not. Read it beside the file below.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from model.capability_set import CapabilitySet
from model.config.rows import Alternative
from model.model_ref import ModelRef
from model.requirements import Requirement, with_ui_artifacts
from model.snapshot import Snapshot
from model.verdicts import Outcome
from model.vocabulary import Capability, Layer
from tests.model.samples import open_text

FILE = """
providers:
  - provider_id: anthropic          # anthropic-messages: native but for JSON mode
    provider_kind: anthropic
    models:
      - model_id: grand
        quality_tier: frontier
        cost_tier: high
        context_window_tokens: 1000000
        supports: {streaming: true, tool_use: true, structured_output: true, thinking: true, prompt_cache: true,
                   image_input: true, image_output: false}
        default_use: {architecture: true, execute: true, review: true}
      - model_id: middle
        quality_tier: strong
        cost_tier: medium
        context_window_tokens: 200000
        supports: {streaming: true, tool_use: true, structured_output: true, thinking: false, prompt_cache: true,
                   image_input: true}
        default_use: {main: true, debug: true, compact: true}
      - model_id: small
        quality_tier: cheap
        cost_tier: low
        context_window_tokens: 200000
        supports: {streaming: true, tool_use: true, structured_output: true, image_input: true}
      - model_id: retired
        enabled: false
        quality_tier: frontier
        cost_tier: high
        context_window_tokens: 200000
        supports: {streaming: true, tool_use: true, structured_output: true}
  - provider_id: openai             # openai-completions: thinking stripped, cache marks ignored
    provider_kind: openai
    models:
      - model_id: big
        quality_tier: frontier
        cost_tier: high
        context_window_tokens: 400000
        supports: {streaming: true, tool_use: true, structured_output: true, thinking: true, prompt_cache: true,
                   image_input: true}
      - model_id: thin
        quality_tier: strong
        cost_tier: medium
        context_window_tokens: 128000
        supports: {streaming: true, tool_use: true, structured_output: true, image_input: false}
  - provider_id: router
    provider_kind: openrouter
    models:
      - model_id: silent            # nothing stated but the tiers
        quality_tier: strong
        cost_tier: low
      - model_id: painter           # no tier
        cost_tier: medium
        supports: {streaming: true, image_output: true}
  - provider_id: home
    provider_kind: ollama
    models:
      - model_id: llama
        quality_tier: local
        cost_tier: free
        context_window_tokens: 131072
        supports: {streaming: true, tool_use: true, structured_output: true, thinking: true}
      - model_id: coder
        quality_tier: standard
        cost_tier: free
        context_window_tokens: 32768
        supports: {streaming: true, tool_use: true, structured_output: true}
  - provider_id: gateway            # declared only: what is not stated here is not known
    provider_kind: openai_compatible
    base_url: https://gateway.example/v1
    models:
      - model_id: declared
        quality_tier: strong
        cost_tier: low
        context_window_tokens: 256000
        supports: {streaming: true, tool_use: true, structured_output: true}
      - model_id: undeclared
        quality_tier: strong
        cost_tier: low
        context_window_tokens: 256000
        supports: {tool_use: true}
      - model_id: stub              # its tools are only emulated
        quality_tier: strong
        cost_tier: free
        context_window_tokens: 256000
        supports: {streaming: true, tool_use: true, structured_output: true}
        conversion: {tool_schema: emulated}
  - provider_id: odd                # a custom wire without `api`: JSON is asked for in words only
    provider_kind: custom
    base_url: https://odd.example
    models:
      - model_id: mystery           # no window
        quality_tier: strong
        cost_tier: low
        supports: {streaming: true, tool_use: true, structured_output: true, image_input: true}
"""


ANSWERS = {
    "main": (
        # default for main, then preferred prompt_cache + long_context: 4, 3 (cache emulated), 2, 0, 0; the cheaper
        "middle grand big declared mystery thin",
        {
            "small": "quality_floor",
            "retired": "disabled",
            "silent": "unknown:streaming unknown:tool_use",
            "painter": "quality_floor unknown:tool_use",
            "llama": "quality_floor",
            "coder": "quality_floor",
            "undeclared": "unknown:streaming",
            "stub": "emulated:tool_use",
        },
    ),
    "architecture": (
        # default; thinking and prompt_cache both emulated are worth as much as one native, then frontier; then price
        "grand big middle stub declared",
        {
            "small": "quality_floor",
            "retired": "disabled",
            "thin": "missing:long_context",
            "silent": "unknown:structured_output unknown:long_context",
            "painter": "quality_floor unknown:structured_output unknown:long_context",
            "llama": "quality_floor missing:long_context",
            "coder": "quality_floor missing:long_context",
            "undeclared": "unknown:structured_output",
            "mystery": "emulated:structured_output unknown:long_context",
        },
    ),
    "execute": (
        # default; emulated thinking + long_context 3; then long_context alone: declared is cheaper than middle
        "grand big declared middle thin",
        {
            "small": "quality_floor",
            "retired": "disabled",
            "silent": "unknown:tool_use unknown:structured_output",
            "painter": "quality_floor unknown:tool_use unknown:structured_output",
            "llama": "quality_floor",
            "coder": "quality_floor",
            "undeclared": "unknown:structured_output",
            "stub": "emulated:tool_use",
            "mystery": "emulated:structured_output",
        },
    ),
    "review": (
        # default; nothing preferred without UI artifacts: nearest the floor, cheaper, name; big is a tier above
        "grand stub declared middle thin big",
        {
            "small": "quality_floor",
            "retired": "disabled",
            "silent": "unknown:structured_output",
            "painter": "quality_floor unknown:structured_output",
            "llama": "quality_floor",
            "coder": "quality_floor",
            "undeclared": "unknown:structured_output",
            "mystery": "emulated:structured_output",
        },
    ),
    "debug": (
        # default; long_context + image_input: 4 and 4 (name decides), 2, 0
        "middle grand big declared thin",
        {
            "small": "quality_floor",
            "retired": "disabled",
            "silent": "unknown:tool_use unknown:structured_output",
            "painter": "quality_floor unknown:tool_use unknown:structured_output",
            "llama": "quality_floor",
            "coder": "quality_floor",
            "undeclared": "unknown:structured_output",
            "stub": "emulated:tool_use",
            "mystery": "emulated:structured_output",
        },
    ),
    "compact": (
        # default; native cache, emulated cache, none: free, low, low, medium. thin has exactly the 128,000 that will do
        "middle grand big stub declared undeclared thin",
        {
            "small": "quality_floor",
            "retired": "disabled",
            "silent": "unknown_context",
            "painter": "quality_floor unknown_context",
            "llama": "quality_floor",
            "coder": "context_window",
            "mystery": "unknown_context",
        },
    ),
    "mine_experience": (
        # long_context: strong (free, low, medium) before frontier; without it: coder is at the floor, thin above it
        "stub declared middle grand big coder thin",
        {
            "small": "quality_floor",
            "retired": "disabled",
            "silent": "unknown:structured_output",
            "painter": "quality_floor unknown:structured_output",
            "llama": "quality_floor",
            "undeclared": "unknown:structured_output",
            "mystery": "emulated:structured_output",
        },
    ),
    "ui_screenshot_analysis": (
        # structured_output native: strong before frontier; mystery's is emulated
        "middle grand big mystery",
        {
            "small": "quality_floor",
            "retired": "disabled unknown:image_input",
            "thin": "missing:image_input",
            "silent": "unknown:image_input",
            "painter": "quality_floor unknown:image_input",
            "llama": "quality_floor unknown:image_input",
            "coder": "quality_floor unknown:image_input",
            "declared": "unknown:image_input",
            "undeclared": "unknown:image_input",
            "stub": "unknown:image_input",
        },
    ),
    "image_generation": (
        # no adapter carries made images, so even painter, which makes them, fails on its wire
        "",
        {
            "grand": "missing:image_output",
            "middle": "transport:image_output",
            "small": "transport:image_output",
            "retired": "disabled transport:image_output",
            "big": "transport:image_output",
            "thin": "transport:image_output",
            "silent": "transport:image_output",
            "painter": "transport:image_output",
            "llama": "transport:image_output",
            "coder": "transport:image_output",
            "declared": "transport:image_output",
            "undeclared": "transport:image_output",
            "stub": "transport:image_output",
            "mystery": "transport:image_output",
        },
    ),
}


@pytest.fixture(scope="module")
def snapshot() -> Snapshot:
    return open_text(FILE)


@pytest.mark.parametrize("task", ANSWERS)
def test_who_passes_and_in_which_order(snapshot: Snapshot, task: str) -> None:
    found = [row.ref.model_id for row in snapshot.ranked(snapshot.requirements[task])]
    assert found == ANSWERS[task][0].split()


@pytest.mark.parametrize("task", ANSWERS)
def test_why_the_others_fail(snapshot: Snapshot, task: str) -> None:
    verdicts = {row.ref.model_id: snapshot.verdict(row, snapshot.requirements[task]) for row in snapshot.matrix.rows}
    found = {name: " ".join(map(str, verdict.reasons)) for name, verdict in verdicts.items() if not verdict.passes}
    assert found == ANSWERS[task][1]


def test_the_table_speaks_of_every_model_and_task(snapshot: Snapshot) -> None:
    names = {row.ref.model_id for row in snapshot.matrix.rows}
    assert len(names) == 14
    assert list(ANSWERS) == list(snapshot.requirements)
    assert all({*passing.split(), *failing} == names for passing, failing in ANSWERS.values())


def test_a_review_of_ui_artifacts_prefers_who_sees_them(snapshot: Snapshot) -> None:
    order = [row.ref.model_id for row in snapshot.ranked(with_ui_artifacts(snapshot.requirements["review"]))]
    assert order == ["grand", "middle", "big", "stub", "declared", "thin"]


def test_with_lossy_conversion_emulated_tools_will_do_and_rank_last(snapshot: Snapshot) -> None:
    execute = replace(snapshot.requirements["execute"], allow_lossy_conversion=True)
    order = [row.ref.model_id for row in snapshot.ranked(execute)]
    assert order == ["grand", "big", "declared", "middle", "thin", "stub", "mystery"]
    needs_thinking = replace(execute, required=execute.required | execute.preferred)
    assert [row.ref.model_id for row in snapshot.ranked(needs_thinking)] == ["grand"]
    big = snapshot.matrix.get(ModelRef("openai", "big"))
    assert big
    assert [str(reason) for reason in snapshot.verdict(big, needs_thinking).reasons] == ["transport:thinking"]


def test_of_two_ways_that_hold_the_one_without_emulation_counts(snapshot: Snapshot) -> None:
    emulated, native = (Alternative(CapabilitySet.of((each,))) for each in (Capability.TOOL_USE, Capability.STREAMING))
    stub = snapshot.matrix.get(ModelRef("gateway", "stub"))
    assert stub
    for ways in ((emulated, native), (native, emulated)):
        asked = Requirement("mine", any_of=ways, allow_lossy_conversion=True)
        assert snapshot.verdict(stub, asked).outcome is Outcome.PASS
    only = Requirement("mine", any_of=(emulated,), allow_lossy_conversion=True)
    assert snapshot.verdict(stub, only).outcome is Outcome.PASS_LOSSY


def test_the_cells_behind_the_reasons(snapshot: Snapshot) -> None:
    decided = {
        ("openai/thin", Capability.LONG_CONTEXT): Layer.DERIVED,
        ("router/painter", Capability.IMAGE_OUTPUT): Layer.TRANSPORT,
        ("anthropic/grand", Capability.IMAGE_OUTPUT): Layer.FILE,
        ("router/silent", Capability.TOOL_USE): Layer.NOBODY,
        ("odd/mystery", Capability.STRUCTURED_OUTPUT): Layer.TRANSPORT,
    }
    for (ref, capability), layer in decided.items():
        row = snapshot.matrix.get(ModelRef.parse(ref))
        assert row
        assert row.decided_by(capability) is layer, ref
