"""What YAML takes for a number is mended as it stands in the file, not as the number reads."""

from __future__ import annotations

from pathlib import Path

import pytest

from model.findings import Finding
from model.workbench import Change
from tests.model.doctor.cases import bench, report

FILE = """\
providers:
  - provider_id: local
    provider_kind: ollama
    models:
      - model_id: one # kept
"""


def _finding(found: list[Finding], code: str) -> Finding:
    return next(finding for finding in found if finding.code == code)


@pytest.mark.parametrize(
    "written", ["0x1F", "0o17", "1e3", "1_000", "12.50", "405", "+7", "true", ".5", "0b101", ".inf"]
)
@pytest.mark.parametrize("line", ["provider_id: local", "model_id: one"])
def test_the_mend_quotes_the_text_of_the_file(written: str, line: str, tmp_path: Path) -> None:
    key = line.partition(":")[0]
    path = tmp_path / "models.yaml"
    workbench = bench(path, FILE.replace(line, f"{key}: {written}"))
    finding = _finding(list(report(workbench).findings), "config-wrong-type")
    assert finding.fix is not None
    assert not finding.fix.safe
    workbench.apply(Change(finding.fix.title, {finding.fix.file: finding.fix.edits}))
    doc = workbench.files[0].doc
    assert doc is not None
    assert doc.text == FILE.replace(line, f'{key}: "{written}"')
    assert "config-wrong-type" not in [each.code for each in report(workbench).findings]


@pytest.mark.parametrize("written", ["2026-11-30", "yes", "007x", "1.2.3"])
def test_what_is_text_already_is_left_alone(written: str, tmp_path: Path) -> None:
    found = report(bench(tmp_path / "models.yaml", FILE.replace("one", written)))
    assert "config-wrong-type" not in [each.code for each in found.findings]


def test_each_number_of_a_list_is_quoted(tmp_path: Path) -> None:
    text = FILE + "        aliases: [a, 0x1F, 1.50]\n"
    workbench = bench(tmp_path / "models.yaml", text)
    finding = _finding(list(report(workbench).findings), "config-wrong-type")
    assert finding.fix is not None
    workbench.apply(Change(finding.fix.title, {finding.fix.file: finding.fix.edits}))
    assert 'aliases: [a, "0x1F", "1.50"]' in workbench.diff()


def test_the_text_is_that_of_now(tmp_path: Path) -> None:
    """The same number, written otherwise by someone else: the row is not read again, the mend is right all the same."""
    path = tmp_path / "models.yaml"
    workbench = bench(path, FILE.replace("one", "31"))
    path.write_text(FILE.replace("one", "0x1F"), encoding="utf-8")
    workbench.sync()
    finding = _finding(list(report(workbench).findings), "config-wrong-type")
    assert finding.fix is not None
    workbench.apply(Change(finding.fix.title, {finding.fix.file: finding.fix.edits}))
    assert 'model_id: "0x1F" # kept' in workbench.diff()
