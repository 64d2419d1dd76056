"""The report of disagreements: every one has a reason, and the one in docs/ is up to date."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from model.catalog import Catalog, builtin
from model.catalog.report import differences, left_open, main, report
from model.catalog.snapshot import Snapshot, read_litellm, read_models_dev
from tests.model.catalog.rows import row
from tests.shared_data import shared_path

DOCS = Path(__file__).parents[3] / "docs" / "catalog-disagreements.md"
LITELLM = {
    "good-1": {"litellm_provider": "openai", "max_input_tokens": 9, "max_output_tokens": 1, "supports_vision": True}
}
MODELS_DEV = {"openai": {"models": {"good-1": {"limit": {"output": 2}, "modalities": {"input": ["text"]}}}}}


def snapshots() -> list[Snapshot]:
    return [read_litellm(json.dumps(LITELLM).encode()), read_models_dev(json.dumps(MODELS_DEV).encode())]


def test_says_what_each_says_and_why() -> None:
    catalog = Catalog([row(max_output_tokens=None, note="a | b")])
    (difference,) = differences(catalog, snapshots())
    assert (difference.field, difference.ours, difference.theirs) == ("context_window_tokens", "200,000", ("9", ""))
    assert [(one.field, one.theirs) for one in left_open(catalog, snapshots())] == [
        ("max_output_tokens", ("1", "2")),
        ("image_input", ("yes", "no")),
    ]
    text = report(catalog, snapshots(), ["a.json", "b.json"])
    assert r"| `good-1` | context_window_tokens | 200,000 | 9 |  | a \| b |" in text


def test_the_reason_is_the_note_or_else_the_vendors_document() -> None:
    (noted,) = differences(Catalog([row(max_output_tokens=None, note="so it is")]), snapshots())
    (sourced,) = differences(Catalog([row(max_output_tokens=None)]), snapshots())
    (neither,) = differences(Catalog([row(max_output_tokens=None, source="snapshot: x")]), snapshots())
    assert noted.reason == "so it is"
    assert sourced.reason == "so the vendor's document: https://vendor.example/models/good-1"
    assert neither.reason == ""


def test_writes_the_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "litellm_1.json").write_text(json.dumps(LITELLM))
    target = tmp_path / "report.md"
    assert main([str(tmp_path), str(target)]) == 2
    assert "no modelsdev*.json" in capsys.readouterr().err
    (tmp_path / "modelsdev_1.json").write_text(json.dumps(MODELS_DEV))
    assert main([str(tmp_path), str(target)]) == 0
    assert target.read_text().startswith("# Where the catalog and the public lists disagree")
    assert main([]) == 2


def test_every_disagreement_of_our_catalog_has_a_reason(tmp_path: Path) -> None:
    folder = shared_path("data/catalogs")
    (litellm_file,) = folder.glob("litellm*.json")
    (models_dev_file,) = folder.glob("modelsdev*.json")
    lists = [read_litellm(litellm_file.read_bytes()), read_models_dev(models_dev_file.read_bytes())]
    found = [*differences(builtin(), lists), *left_open(builtin(), lists)]
    assert [(one.row.model_id, one.field) for one in found if not one.reason] == []
    assert report(builtin(), lists, [litellm_file.name, models_dev_file.name]) == DOCS.read_text(encoding="utf-8")
