"""Findings as text: place, severity, code and message; then the breadcrumb and how to mend it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from model.findings import Finding, Severity, breadcrumb
from tui.cli.errors import located
from tui.safe_text import safe_text

if TYPE_CHECKING:
    from model.doctor import Report
    from model.snapshot import Snapshot
    from tui.cli.output import Output

_COLOURS = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.INFO: "cyan"}


def print_report(out: Output, snapshot: Snapshot, report: Report) -> None:
    for finding in report.findings:
        _print_finding(out, snapshot, finding)
    if report.findings:
        out.line()
    out.line(summary(report))
    for what in report.not_checked:
        out.line(f"not checked: {safe_text(what)}")


def _print_finding(out: Output, snapshot: Snapshot, finding: Finding) -> None:
    line, column = snapshot.file(finding.spot.file).line_column(finding.spot) or (None, None)
    head = located(finding.severity, finding.code, finding.message, file=finding.spot.file, line=line, column=column)
    word = f"{finding.severity}[{finding.code}]"
    out.line(head.replace(word, out.style(word, fg=_COLOURS[finding.severity]), 1))
    for more in (breadcrumb(finding.spot.path), finding.evidence, finding.help):
        if more:
            out.line(f"  {safe_text(more)}")
    if finding.fix:
        how = "--fix does it" if finding.fix.safe else f"--fix --select {finding.code} does it"
        out.line(f"  mend: {safe_text(finding.fix.title)} ({how})")


def summary(report: Report) -> str:
    """`2 errors, 1 warning, no infos; 41 things checked`"""
    counts = ((report.errors, "error"), (report.warnings, "warning"), (report.infos, "info"))
    told = ", ".join(f"{count or 'no'} {word}{'' if count == 1 else 's'}" for count, word in counts)
    ignored = f", {len(report.ignored)} accepted by policy.ignore" if report.ignored else ""
    return f"{told}; {report.checked} things checked{ignored}"
