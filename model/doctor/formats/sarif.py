"""SARIF 2.1.0 (OASIS), as code scanning reads it."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import quote

from model.doctor.codes import CODES, Explanation
from model.doctor.formats.places import Located, Places
from model.doctor.report import Report
from model.findings import Finding, Severity, breadcrumb

_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


def sarif(report: Report, places: Places, root: Path, version: str) -> str:
    """Findings that a `policy.ignore` entry accepts are results too, and suppressed. `version` is capdeck's."""
    found = [(finding, False) for finding in report.findings] + [(finding, True) for finding in report.ignored]
    rules = sorted({finding.code for finding, _ in found})
    numbers = {code: number for number, code in enumerate(rules)}
    results = [_result(Located.of(finding, places, root), numbers, ignored) for finding, ignored in found]
    driver = {"name": "capdeck", "semanticVersion": version, "rules": [_rule(code) for code in rules]}
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2, ensure_ascii=False) + "\n"


def _rule(code: str) -> dict[str, Any]:
    """A plugin's code has no explanation of ours."""
    known = CODES.get(code)
    family = code.partition("-")[0]
    return {"id": code, "properties": {"tags": [family]}} | (_explained(known) if known else {})


def _explained(known: Explanation) -> dict[str, Any]:
    return {
        "shortDescription": {"text": known.title},
        "fullDescription": {"text": known.why},
        "help": {"text": known.mend},
        "defaultConfiguration": {"level": _LEVELS[known.severity]},
    }


def _result(located: Located, numbers: Mapping[str, int], ignored: bool) -> dict[str, Any]:
    finding = located.finding
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "ruleIndex": numbers[finding.code],
        "level": _LEVELS[finding.severity],
        "message": {"text": located.text},
        "locations": [_location(located, finding)],
    }
    return result | ({"suppressions": [{"kind": "inSource"}]} if ignored else {})


def _location(located: Located, finding: Finding) -> dict[str, Any]:
    region = {"startLine": located.line, "startColumn": located.column}
    location: dict[str, Any] = {"physicalLocation": {"artifactLocation": {"uri": _uri(located.path)}, "region": region}}
    crumb = breadcrumb(finding.spot.path)
    return location | ({"logicalLocations": [{"fullyQualifiedName": crumb}]} if crumb else {})


def _uri(path: str) -> str:
    absolute = PurePosixPath(path).is_absolute()
    return ("file://" if absolute else "") + quote(os.fsencode(path))
