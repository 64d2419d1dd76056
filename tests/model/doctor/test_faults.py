"""The planted faults: one small file each, found at its place, alone, and gone once mended.

A file begins with `# expect: LINE:COLUMN SEVERITY CODE` and, where a mend is offered, `# fix: N lines away, M new`;
`# layer:` and `# untrusted:` say how it is opened. A project file lies over a good global file.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from model.doctor.codes import CODES
from model.files import FileSpec
from model.findings import Finding
from model.vocabulary import Layer
from model.workbench import Change, Workbench
from tests.model.doctor.cases import report, surroundings

CORPUS = Path(__file__).parents[2] / "corpus" / "faults"
FAULTS = sorted(CORPUS.glob("*.yaml"))
GOOD = """\
providers:
  - provider_id: anthropic-main
    provider_kind: anthropic
    auth_ref: env:ANTHROPIC_API_KEY
    models:
      - model_id: claude-opus-4-7
        quality_tier: frontier
        default_use: {main: true, architecture: true, execute: true, review: true, debug: true, compact: true,
                      mine_experience: true}
"""


def heading(text: str, name: str) -> str | None:
    found = re.search(rf"^# {name}: (.*)$", text, re.MULTILINE)
    return found[1] if found else None


def opened(fault: Path, folder: Path) -> Workbench:
    """The file as its heading says; a copy, so that it may be mended."""
    text = fault.read_text(encoding="utf-8")
    layer = Layer(heading(text, "layer") or "global")
    path = folder / fault.name
    path.write_text(text, encoding="utf-8")
    specs = [FileSpec(path, layer)]
    if layer is Layer.PROJECT:
        (folder / "global.yaml").write_text(GOOD, encoding="utf-8")
        specs.append(FileSpec(folder / "global.yaml", Layer.GLOBAL))
    untrusted = heading(text, "untrusted")
    return Workbench(specs, surroundings(untrusted=frozenset({untrusted} if untrusted else ())))


def shown(workbench: Workbench, finding: Finding) -> str:
    line, column = workbench.snapshot.file(finding.spot.file).line_column(finding.spot) or (0, 0)
    return f"{line}:{column} {finding.severity.value} {finding.code}"


def test_there_are_enough_and_every_code_that_a_file_can_show_is_among_them() -> None:
    planted = {str(heading(fault.read_text(encoding="utf-8"), "expect")).split()[2] for fault in FAULTS}
    only_elsewhere = {
        "config-unreadable",
        "config-refused",
        "capability-observed-otherwise",
        "limit-window-over-observed",
        "catalog-stale",
        "fallback-no-key",
        "fallback-untrusted",
    }
    assert len(FAULTS) >= 60
    assert planted | only_elsewhere == {code for code, told in CODES.items() if not told.online}


@pytest.mark.parametrize("fault", FAULTS, ids=lambda path: path.stem)
def test_a_planted_fault_is_found_at_its_place_and_nothing_else(fault: Path, tmp_path: Path) -> None:
    workbench = opened(fault, tmp_path)
    found = report(workbench)
    assert [shown(workbench, finding) for finding in found.findings] == [
        heading(fault.read_text(encoding="utf-8"), "expect")
    ]


@pytest.mark.parametrize("fault", FAULTS, ids=lambda path: path.stem)
def test_a_mend_changes_its_own_lines_and_leaves_nothing_to_find(fault: Path, tmp_path: Path) -> None:
    workbench = opened(fault, tmp_path)
    (finding,) = report(workbench).findings
    expected = heading(fault.read_text(encoding="utf-8"), "fix")
    if finding.fix is None:
        assert expected is None
        return
    change = Change(finding.fix.title, {finding.fix.file: finding.fix.edits})
    lines = workbench.diff(change).splitlines()[2:]
    removed, added = (sum(line.startswith(sign) for line in lines) for sign in "-+")
    assert f"{removed} lines away, {added} lines new" == expected
    workbench.apply(change)
    assert finding.code not in {each.code for each in report(workbench).findings}


def test_every_finding_of_the_corpus_says_how_to_mend_it(tmp_path: Path) -> None:
    for fault in FAULTS:
        for finding in report(opened(fault, tmp_path)).findings:
            assert finding.message, fault.name
            assert finding.help or finding.fix or finding.code == "config-not-yaml", fault.name
            assert "\n" not in finding.message + finding.help + finding.evidence, fault.name
