"""Models that their vendor stops answering for, on a given day."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import pytest

from model.catalog import builtin
from model.doctor import Report, examine
from model.findings import Severity
from model.vocabulary import Layer
from model.workbench import Change, Workbench
from tests.model.doctor.cases import SEED, bench

GONE = SEED.replace("claude-sonnet-4-6", "claude-sonnet-4-5")


def day() -> date:
    match = builtin().find("claude-sonnet-4-5")
    assert match is not None
    assert match.row.retirement is not None
    return match.row.retirement.date


def on(workbench: Workbench, days_before: int) -> Report:
    return examine(workbench.snapshot, today=day() - timedelta(days=days_before))


def retirements(found: Report) -> list[tuple[str, Severity, str]]:
    return [
        (each.code, each.severity, each.message.partition(" ")[2])
        for each in found.findings
        if each.code.startswith("retirement")
    ]


@pytest.mark.parametrize(
    ("days_before", "expected"),
    [
        (400, ("retirement-ahead", Severity.INFO, "will be retired in 400 days")),
        (90, ("retirement-ahead", Severity.WARNING, "will be retired in 90 days")),
        (1, ("retirement-ahead", Severity.WARNING, "will be retired in 1 day")),
        (0, ("retirement-past", Severity.ERROR, "is retired today")),
        (-3, ("retirement-past", Severity.ERROR, "was retired 3 days ago")),
    ],
)
def test_how_near_it_is(days_before: int, expected: tuple[str, Severity, str], tmp_path: Path) -> None:
    workbench = bench(tmp_path / "models.yaml", GONE)
    assert retirements(on(workbench, days_before)) == [expected]


def test_the_mend_replaces_the_id_wherever_the_file_names_it(tmp_path: Path) -> None:
    text = GONE + "fallbacks:\n  - {task: execute, chain: [anthropic-main/claude-sonnet-4-5]}\n"
    text += "requirements:\n  review: {exclude_models: [anthropic-main/claude-sonnet-4-5]}\n"
    workbench = bench(tmp_path / "models.yaml", text)
    (finding,) = [each for each in on(workbench, 0).findings if each.code == "retirement-past"]
    assert finding.fix is not None
    assert not finding.fix.safe
    workbench.apply(Change(finding.fix.title, {finding.fix.file: finding.fix.edits}))
    assert workbench.files[0].doc is not None
    assert workbench.files[0].doc.text == text.replace("claude-sonnet-4-5", "claude-sonnet-5-5")


def test_no_mend_where_the_replacement_is_there_already(tmp_path: Path) -> None:
    text = GONE + "      - model_id: claude-sonnet-5-5\n        quality_tier: strong\n"
    (finding,) = [e for e in on(bench(tmp_path / "m.yaml", text), 0).findings if e.code == "retirement-past"]
    assert finding.fix is None
    assert "claude-sonnet-5-5" in finding.help


def test_a_gateway_keeps_its_spelling(tmp_path: Path) -> None:
    text = (
        "providers:\n  - provider_id: openrouter\n    provider_kind: openrouter\n    auth_ref: env:K\n"
        "    models:\n      - {model_id: anthropic/claude-sonnet-4.5, quality_tier: strong}\n"
    )
    found = on(bench(tmp_path / "models.yaml", text), 0)
    (finding,) = [each for each in found.findings if each.code == "retirement-past"]
    assert finding.severity is Severity.WARNING
    assert finding.fix is not None
    assert "write anthropic/claude-sonnet-5.5 everywhere" in finding.fix.title


def test_what_is_switched_off_or_runs_locally_is_left_in_peace(tmp_path: Path) -> None:
    off = GONE.replace("model_id: claude-sonnet-4-5", "model_id: claude-sonnet-4-5\n        enabled: false")
    assert retirements(on(bench(tmp_path / "off.yaml", off), 0)) == []
    local = GONE.replace("    display_name: Anthropic", "    base_url: http://127.0.0.1:9")
    assert retirements(on(bench(tmp_path / "local.yaml", local, Layer.FILE), 0)) == []


def test_the_vendors_page_is_the_evidence(tmp_path: Path) -> None:
    (finding,) = [e for e in on(bench(tmp_path / "m.yaml", GONE), 0).findings if e.code == "retirement-past"]
    assert finding.evidence.startswith("it is the default for main, debug, compact; ")
    assert "https://platform.claude.com/docs/" in finding.evidence
