"""Annotations of GitHub Actions: one workflow command a line."""

from __future__ import annotations

from pathlib import Path

from model.doctor.formats.places import Located, Places
from model.doctor.report import Report
from model.findings import Severity

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}


def github(report: Report, places: Places, root: Path) -> str:
    """`::error file=…,line=…,col=…,title=…::…` for each finding."""
    return "".join(f"{_line(Located.of(finding, places, root))}\n" for finding in report.findings)


def _line(located: Located) -> str:
    finding = located.finding
    properties = {"file": located.path, "line": located.line, "col": located.column, "title": finding.code}
    told = ",".join(f"{name}={_property(str(value))}" for name, value in properties.items())
    return f"::{_COMMANDS[finding.severity]} {told}::{_data(located.text)}"


def _data(text: str) -> str:
    """Escaped as the runner unescapes it, so that no text of a file can begin a command of its own."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
