"""The JSON of `doctor` (CLI.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from model.findings import Finding, Fix, breadcrumb
from tui.cli.shapes import files_shape

if TYPE_CHECKING:
    from model.doctor import Report
    from model.workbench import Workbench


def doctor_shape(bench: Workbench, report: Report) -> dict[str, Any]:
    summary = {
        "errors": report.errors,
        "warnings": report.warnings,
        "infos": report.infos,
        "checked": report.checked,
        "not_checked": list(report.not_checked),
    }
    return {
        "files": files_shape(bench.snapshot),
        "findings": [finding_shape(bench, finding) for finding in report.findings],
        "ignored": [finding_shape(bench, finding) for finding in report.ignored],
        "summary": summary,
    }


def finding_shape(bench: Workbench, finding: Finding) -> dict[str, Any]:
    line, column = bench.file(finding.spot.file).line_column(finding.spot) or (None, None)
    return {
        "code": finding.code,
        "severity": finding.severity.value,
        "family": finding.family.value,
        "file": finding.spot.file,
        "line": line,
        "column": column,
        "path": breadcrumb(finding.spot.path),
        "message": finding.message,
        "evidence": finding.evidence or None,
        "help": finding.help or None,
        "fix": _fix_shape(bench, finding.fix) if finding.fix else None,
    }


def _fix_shape(bench: Workbench, fix: Fix) -> dict[str, Any] | None:
    """None where the edit cannot be done faithfully, since then there is no mend to offer."""
    from model.workbench import Change, ReadOnly, Unsafe

    try:
        diff = bench.diff(Change(fix.title, {fix.file: fix.edits}))
    except (Unsafe, ReadOnly):
        return None
    return {"title": fix.title, "safe": fix.safe, "diff": diff}
