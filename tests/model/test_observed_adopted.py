"""What was observed stands beside; adopting it is one edit."""

from __future__ import annotations

from datetime import date

import pytest

from model.capability_set import CapabilitySet
from model.config.rows import Flags
from model.doctor import examine
from model.editing import CannotEdit
from model.model_ref import ModelRef
from model.provenance import explain_field
from model.resolve import Observed
from model.session_observations import WrittenDown
from model.snapshot import Snapshot, Surroundings
from model.targets import adopt_observed
from model.vocabulary import Capability, Layer, Support
from tests.model.samples import open_text

REF = ModelRef("house", "m")
TEXT = """\
providers:
  - provider_id: house
    provider_kind: ollama
    models:
      - model_id: m
        context_window_tokens: 131072
        supports: {image_input: true}
"""
SEEN = Observed(
    Flags(CapabilitySet.of((Capability.TOOL_USE,)), CapabilitySet.of((Capability.IMAGE_INPUT,))),
    4096,
    None,
    "http://127.0.0.1:11434",
    date(2026, 11, 1),
)


def observed() -> Snapshot:
    return open_text(TEXT, Surroundings(observations=WrittenDown({REF: SEEN})))


def test_it_stands_beside_and_decides_nothing() -> None:
    row = observed().matrix.rows[0]
    assert row.support(Capability.TOOL_USE) is Support.UNKNOWN
    explanation = explain_field(row, "context_window_tokens")
    assert (explanation.value, explanation.decided_by) == ("131072", Layer.FILE)
    last = explanation.words[-1]
    assert (last.layer, last.value, last.decides) == (Layer.OBSERVED, "4096", False)


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("supports.tool_use", "supports: {tool_use: true, image_input: true}"),
        ("supports.image_input", "supports: {image_input: false}"),
        ("context_window_tokens", "context_window_tokens: 4096"),
    ],
)
def test_adopting_is_one_edit(name: str, line: str) -> None:
    snapshot = observed()
    change = adopt_observed(snapshot, REF, name)
    (file,) = snapshot.files
    assert file.doc is not None
    assert line in [each.strip() for each in file.doc.apply(*change.edits[file.name]).text.splitlines()]


@pytest.mark.parametrize("name", ["supports.thinking", "max_output_tokens", "quality_tier"])
def test_what_was_never_seen_cannot_be_adopted(name: str) -> None:
    with pytest.raises(CannotEdit, match="never observed"):
        adopt_observed(observed(), REF, name)


def test_the_doctor_offers_it() -> None:
    findings = {each.code: each for each in examine(observed()).findings}
    for code, title in (("capability-observed-otherwise", "false"), ("limit-window-over-observed", "4,096")):
        fix = findings[code].fix
        assert fix is not None
        assert fix.title == f"write what was observed: {title}"
        assert not fix.safe
