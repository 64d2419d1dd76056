"""SARIF, JUnit and GitHub annotations: well-formed whatever stands in the file, and true to the report."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as xml

import jsonschema
import pytest

from model.doctor import Report
from model.doctor.formats import github, junit, places_of, sarif
from model.findings import Finding, Severity, Spot
from model.workbench import Workbench
from tests.model.doctor.cases import SEED, bench, report

HOSTILE = "evil]]>\x1b[31m<b>&\n::error::gotcha,file=x:y %0A"

TEXT: dict[str, Any] = {
    "type": "object",
    "required": ["text"],
    "properties": {"text": {"type": "string", "minLength": 1}},
}
LEVEL = {"enum": ["none", "note", "warning", "error"]}
SARIF: dict[str, Any] = {
    "type": "object",
    "required": ["version", "runs"],
    "additionalProperties": False,
    "properties": {
        "$schema": {"type": "string", "format": "uri"},
        "version": {"const": "2.1.0"},
        "runs": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["tool"],
                "additionalProperties": False,
                "properties": {
                    "columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
                    "tool": {
                        "type": "object",
                        "required": ["driver"],
                        "properties": {
                            "driver": {
                                "type": "object",
                                "required": ["name"],
                                "additionalProperties": False,
                                "properties": {
                                    "name": {"type": "string"},
                                    "semanticVersion": {"type": "string"},
                                    "rules": {
                                        "type": "array",
                                        "uniqueItems": True,
                                        "items": {
                                            "type": "object",
                                            "required": ["id"],
                                            "properties": {
                                                "id": {"type": "string"},
                                                "shortDescription": TEXT,
                                                "fullDescription": TEXT,
                                                "help": TEXT,
                                                "defaultConfiguration": {"properties": {"level": LEVEL}},
                                            },
                                        },
                                    },
                                },
                            }
                        },
                    },
                    "results": {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "required": ["message"],
                            "additionalProperties": False,
                            "properties": {
                                "ruleId": {"type": "string"},
                                "ruleIndex": {"type": "integer", "minimum": -1},
                                "level": LEVEL,
                                "message": TEXT,
                                "suppressions": {
                                    "items": {
                                        "required": ["kind"],
                                        "properties": {"kind": {"enum": ["inSource", "external"]}},
                                    }
                                },
                                "locations": {
                                    "type": "array",
                                    "items": {
                                        "type": "object",
                                        "required": ["physicalLocation"],
                                        "properties": {
                                            "physicalLocation": {
                                                "type": "object",
                                                "required": ["artifactLocation", "region"],
                                                "properties": {
                                                    "artifactLocation": {
                                                        "required": ["uri"],
                                                        "properties": {
                                                            "uri": {"type": "string", "pattern": "^[!-~]+$"}
                                                        },
                                                    },
                                                    "region": {
                                                        "required": ["startLine"],
                                                        "properties": {
                                                            "startLine": {"type": "integer", "minimum": 1},
                                                            "startColumn": {"type": "integer", "minimum": 1},
                                                        },
                                                    },
                                                },
                                            }
                                        },
                                    },
                                },
                            },
                        },
                    },
                },
            },
        },
    },
}
"""What OASIS SARIF 2.1.0 requires of the parts that are used here."""


@pytest.fixture
def opened(tmp_path: Path) -> Workbench:
    text = SEED.replace("quality_tier: frontier", "quality_tier: frontierr", 1)
    text += "policy:\n  ignore: [{code: role-no-default, at: mine_experience, reason: not used}]\n"
    return bench(tmp_path / "a folder" / "models.yaml", text)


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path) -> None:
    (tmp_path / "a folder").mkdir()


def hostile(workbench: Workbench) -> Report:
    spot = Spot(workbench.files[0].name, ("providers", 0, HOSTILE))
    finding = Finding("config-unknown-key", Severity.ERROR, spot, HOSTILE, HOSTILE, HOSTILE)
    return Report((finding, Finding("plugin-own", Severity.INFO, spot, HOSTILE)), 2)


def parsed(found: Report, workbench: Workbench, root: Path) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(sarif(found, places_of(workbench.snapshot), root, "0.1.0"))
    jsonschema.validate(document, SARIF)
    run: dict[str, Any] = document["runs"][0]
    return run


def test_sarif_has_rules_results_places_and_what_is_ignored(opened: Workbench, tmp_path: Path) -> None:
    run = parsed(report(opened), opened, tmp_path)
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == ["config-wrong-value", "role-no-default"]
    wrong, ignored = run["results"]
    assert (wrong["ruleId"], wrong["level"], wrong["ruleIndex"]) == ("config-wrong-value", "error", 0)
    place = wrong["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "a%20folder/models.yaml"
    assert place["region"] == {"startLine": 9, "startColumn": 23}
    assert "suppressions" not in wrong
    assert ignored["suppressions"] == [{"kind": "inSource"}]
    assert wrong["message"]["text"].endswith("one of: frontier, strong, standard, cheap, local, unknown")


def test_sarif_of_a_file_elsewhere_has_a_file_uri(opened: Workbench, tmp_path: Path) -> None:
    run = parsed(report(opened), opened, tmp_path / "other")
    uri = run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert uri == f"file://{tmp_path}/a%20folder/models.yaml"


def test_sarif_of_a_file_whose_name_is_no_utf8(tmp_path: Path) -> None:
    workbench = bench(tmp_path / os.fsdecode(b"m\xff.yaml"), SEED.replace("cheap", "cheapest", 1))
    run = parsed(report(workbench), workbench, tmp_path)
    assert run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "m%FF.yaml"


def test_sarif_takes_hostile_text_and_codes_of_plugins(opened: Workbench, tmp_path: Path) -> None:
    run = parsed(hostile(opened), opened, tmp_path)
    assert HOSTILE in run["results"][0]["message"]["text"]
    assert run["tool"]["driver"]["rules"][1] == {"id": "plugin-own", "properties": {"tags": ["plugin"]}}


def cases(text: str) -> list[xml.Element]:
    """The cases of a JUnit file, whose counts are right."""
    root = xml.fromstring(text)
    assert root.tag == "testsuites"
    for element in (root, *root):
        assert int(element.attrib["tests"]) == len(list(element.iter("testcase")))
        assert int(element.attrib["failures"]) == len(list(element.iter("failure")))
    assert all({"classname", "name", "time"} <= set(case.attrib) for case in root.iter("testcase"))
    return list(root.iter("testcase"))


def test_junit_has_a_failure_for_what_fails(opened: Workbench, tmp_path: Path) -> None:
    (case,) = cases(junit(report(opened), places_of(opened.snapshot), tmp_path))
    assert case.attrib["name"] == "config-wrong-value providers[0].models[0].quality_tier"
    assert (case.attrib["file"], case.attrib["line"]) == ("a folder/models.yaml", "9")
    failure = case.find("failure")
    assert failure is not None
    assert failure.text is not None
    assert failure.attrib["type"] == "error"
    assert failure.text.startswith("a folder/models.yaml:9:23: quality_tier is 'frontierr'")


def test_junit_lets_an_info_pass_and_survives_hostile_text(opened: Workbench, tmp_path: Path) -> None:
    first, second = cases(junit(hostile(opened), places_of(opened.snapshot), tmp_path))
    assert first.find("failure") is not None
    assert second.find("failure") is None
    assert second.findtext("system-out")
    assert "\x1b" not in (first.findtext("failure") or "")


def test_junit_of_nothing_found_has_one_case_that_passes(opened: Workbench, tmp_path: Path) -> None:
    (case,) = cases(junit(Report(checked=7), places_of(opened.snapshot), tmp_path))
    assert case.attrib["name"] == "7 things checked"


def test_github_has_a_command_a_line(opened: Workbench, tmp_path: Path) -> None:
    text = github(report(opened), places_of(opened.snapshot), tmp_path)
    assert text.startswith(
        "::error file=a folder/models.yaml,line=9,col=23,title=config-wrong-value::quality_tier is 'frontierr'. "
    )
    assert text.count("\n") == 1


def test_no_text_of_a_file_begins_a_github_command(opened: Workbench, tmp_path: Path) -> None:
    lines = github(hostile(opened), places_of(opened.snapshot), tmp_path).splitlines()
    assert [line.partition(" ")[0] for line in lines] == ["::error", "::notice"]
    assert "%0A::error::gotcha,file=x:y %250A" in lines[0]
