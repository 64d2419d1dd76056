"""What an endpoint lists and the file lacks, as rows in the file's own style."""

from __future__ import annotations

from pathlib import Path

from adapters.listing import ListedModel
from adapters.offers import adding, facts_of, missing_at_endpoint, missing_from_file
from model.capability_set import CapabilitySet
from model.config.rows import Flags
from model.files import FileSpec
from model.vocabulary import Capability, Layer
from model.workbench import Change, Workbench

TEXT = """\
providers:
  # the house's own
  - provider_id: local
    provider_kind: ollama
    models:
      - model_id: qwen3   # quick
        quality_tier: cheap
      - model_id: gone
      - model_id: off
        enabled: false
"""
LISTED = (
    ListedModel("qwen3:latest"),
    ListedModel(
        "llama4",
        "Llama 4",
        131072,
        4096,
        Flags(CapabilitySet.of((Capability.TOOL_USE,)), CapabilitySet.of((Capability.IMAGE_INPUT,))),
    ),
    ListedModel("plain"),
    ListedModel("plain"),
    ListedModel("bad\x1b[2J"),
)


def bench(path: Path, text: str = TEXT) -> Workbench:
    path.write_text(text)
    return Workbench([FileSpec(path, Layer.GLOBAL)])


def test_what_the_file_lacks_and_what_the_endpoint_lacks(tmp_path: Path) -> None:
    snapshot = bench(tmp_path / "models.yaml").snapshot
    assert [str(offer.ref) for offer in missing_from_file(snapshot, "local", LISTED)] == ["local/llama4", "local/plain"]
    assert [str(ref) for ref in missing_at_endpoint(snapshot, "local", LISTED)] == ["local/gone"]


def test_an_entry_says_what_the_endpoint_says_and_no_more() -> None:
    assert facts_of(LISTED[1]) == {
        "display_name": "Llama 4",
        "context_window_tokens": 131072,
        "max_output_tokens": 4096,
        "supports": {"tool_use": True, "image_input": False},
    }
    assert facts_of(LISTED[2]) == {}


def test_the_ticked_ones_become_one_change_in_the_lists_order(tmp_path: Path) -> None:
    workbench = bench(tmp_path / "models.yaml")
    fix = adding(workbench.snapshot, missing_from_file(workbench.snapshot, "local", LISTED))
    assert fix is not None
    assert fix.title == "add 2 models of local"
    workbench.apply(Change(fix.title, {fix.file: fix.edits}))
    text = workbench.files[0].doc.text if workbench.files[0].doc else ""
    assert text.startswith(TEXT)
    assert [row.ref.model_id for row in workbench.snapshot.matrix.rows] == ["qwen3", "gone", "off", "llama4", "plain"]
    assert "      - model_id: llama4\n        display_name: Llama 4\n" in text
    workbench.undo()
    assert not workbench.changed_files


def test_a_provider_without_models_gets_a_list(tmp_path: Path) -> None:
    workbench = bench(tmp_path / "models.yaml", "providers: [{provider_id: local, provider_kind: ollama}]\n")
    fix = adding(workbench.snapshot, missing_from_file(workbench.snapshot, "local", LISTED))
    assert fix is not None
    workbench.apply(Change(fix.title, {fix.file: fix.edits}))
    assert [row.ref.model_id for row in workbench.snapshot.matrix.rows] == ["qwen3:latest", "llama4", "plain"]


def test_nothing_ticked_is_nothing_to_do(tmp_path: Path) -> None:
    assert adding(bench(tmp_path / "models.yaml").snapshot, ()) is None
