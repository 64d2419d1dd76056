"""JUnit XML: a suite a file, a case a finding. Errors and warnings are failures; an info passes and is told."""

from __future__ import annotations

import re
from itertools import groupby
from pathlib import Path
from xml.etree import ElementTree as xml

from model.doctor.formats.places import Located, Places
from model.doctor.report import Report
from model.findings import Severity, breadcrumb

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit(report: Report, places: Places, root: Path) -> str:
    """A report without findings has one case that passes, since readers take an empty file for a failed run."""
    located = [Located.of(finding, places, root) for finding in report.findings]
    failures = report.errors + report.warnings
    suites = xml.Element("testsuites", _counts("capdeck doctor", max(1, len(located)), failures))
    for path, group in groupby(located, key=lambda each: each.path):
        _suite(suites, path, list(group))
    if not located:
        suite = xml.SubElement(suites, "testsuite", _counts("capdeck doctor", 1, 0))
        xml.SubElement(suite, "testcase", classname="capdeck.doctor", name=f"{report.checked} things checked", time="0")
    xml.indent(suites)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + xml.tostring(suites, encoding="unicode") + "\n"


def _counts(name: str, tests: int, failures: int) -> dict[str, str]:
    return {"name": name, "tests": str(tests), "failures": str(failures), "errors": "0", "skipped": "0", "time": "0"}


def _suite(suites: xml.Element, path: str, group: list[Located]) -> None:
    failing = sum(each.finding.severity is not Severity.INFO for each in group)
    suite = xml.SubElement(suites, "testsuite", _counts(_text(path), len(group), failing))
    for each in group:
        _case(suite, each)


def _case(suite: xml.Element, located: Located) -> None:
    finding = located.finding
    name = " ".join(part for part in (finding.code, breadcrumb(finding.spot.path)) if part)
    case = xml.SubElement(
        suite, "testcase", classname="capdeck.doctor", name=_text(name), file=_text(located.path),
        line=str(located.line), time="0",
    )  # fmt: skip
    told = _text(f"{located.path}:{located.line}:{located.column}: {located.text}")
    if finding.severity is Severity.INFO:
        xml.SubElement(case, "system-out").text = told
    else:
        failure = xml.SubElement(case, "failure", message=_text(finding.message), type=finding.severity.value)
        failure.text = told


def _text(text: str) -> str:
    """Without the characters that no XML may hold, in whatever form."""
    return _NOT_XML.sub("\ufffd", text)
