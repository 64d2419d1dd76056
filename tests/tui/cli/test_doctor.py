"""`capdeck doctor`: findings with places, exit codes, mends."""

from __future__ import annotations

import pytest

from tests.tui.cli.conftest import Desk
from tests.tui.cli.shapes import DOCTOR, check

FAULTY = """\
providers:
  - provider_id: main
    provider_kind: antropic
    auth_ref: env:CAPDECK_TEST_KEY
    models:
      - model_id: one
        quality_tier: strongest
        supports: {tool_use: "true", thinkin: true}
        context_window_tokens: 1000
        max_output_tokens: 2000
      - model_id: one
"""


@pytest.fixture
def faulty(bare_desk: Desk) -> Desk:
    bare_desk.write(FAULTY)
    return bare_desk


def test_each_finding_has_its_place_code_and_mend(faulty: Desk) -> None:
    answer = faulty.run("doctor")
    assert answer.code == 1
    assert f"{faulty.file}:8:30: error[config-quoted-boolean] tool_use is the text 'true'" in answer.out
    assert "  providers[0].models[0].supports.tool_use" in answer.out.splitlines()
    assert "mend: write true (--fix does it)" in answer.out
    assert "did you mean 'anthropic'?" in answer.out


def test_json_tells_the_same_findings(faulty: Desk) -> None:
    answer = faulty.run("doctor", "--json")
    assert answer.code == 1
    check(answer.json, DOCTOR)
    places = {(each["code"], each["line"], each["column"]) for each in answer.json["findings"]}
    assert {("config-quoted-boolean", 8, 30), ("config-wrong-value", 7, 23), ("config-unknown-key", 8, 38)} <= places
    text = faulty.run("doctor").out
    assert all(f":{line}:{column}: " in text and f"[{code}]" in text for code, line, column in places)
    quoted = next(each for each in answer.json["findings"] if each["code"] == "config-quoted-boolean")
    assert "+        supports: {tool_use: true, thinkin: true}" in quoted["fix"]["diff"]


def test_counts_are_those_of_the_findings(faulty: Desk) -> None:
    document = faulty.run("doctor", "--json").json
    errors = [each for each in document["findings"] if each["severity"] == "error"]
    assert document["summary"]["errors"] == len(errors) > 0


def test_select_and_ignore_take_codes_and_families(faulty: Desk) -> None:
    def codes(*options: str) -> set[str]:
        return {each["code"] for each in faulty.run("doctor", *options, "--json").json["findings"]}

    assert codes("--select", "config-quoted-boolean") == {"config-quoted-boolean"}
    assert "config-quoted-boolean" not in codes("--ignore", "config-quoted-boolean")
    assert not [code for code in codes("--ignore", "config") if code.startswith("config-")]
    assert faulty.run("doctor", "--select", "limit-output-over-window", "--ignore", "limit").code == 0


def test_an_unknown_code_is_answered_with_the_nearest(faulty: Desk) -> None:
    answer = faulty.run("doctor", "--select", "config-quoted-bolean")
    assert answer.code == 2
    assert "did you mean 'config-quoted-boolean'?" in answer.err


def test_warnings_fail_only_when_strict(desk: Desk) -> None:
    options = ("--select", "auth-env-unset")
    assert desk.run("doctor", *options).code == 0
    assert desk.run("doctor", *options, "--strict").code == 1


def test_fix_shows_the_diff_and_asks(faulty: Desk) -> None:
    answer = faulty.run("doctor", "--fix", input="n\n")
    assert "+        supports: {tool_use: true, thinkin: true}" in answer.out
    assert faulty.file.read_text() == FAULTY
    faulty.run("doctor", "--fix", input="y\n")
    assert faulty.file.read_text() == FAULTY.replace('"true"', "true")


def test_fix_with_yes_does_not_ask(faulty: Desk) -> None:
    answer = faulty.run("doctor", "--fix", "--yes", "--json")
    assert "config-quoted-boolean" not in {each["code"] for each in answer.json["findings"]}
    assert faulty.file.read_text() == FAULTY.replace('"true"', "true")


def test_a_mend_that_is_a_decision_needs_its_code(faulty: Desk) -> None:
    faulty.run("doctor", "--fix", "--yes", "--select", "config-unknown-key")
    assert faulty.file.read_text() == FAULTY.replace("thinkin", "thinking")


def test_nobody_to_ask_means_nothing_written(faulty: Desk) -> None:
    answer = faulty.run("doctor", "--fix")
    assert answer.code == 2
    assert "--yes writes without asking" in answer.err
    assert faulty.run("doctor", "--fix", "--json").code == 2
    assert faulty.file.read_text() == FAULTY


def test_a_code_is_explained(faulty: Desk) -> None:
    answer = faulty.run("explain", "config-quoted-boolean")
    assert answer.code == 0
    assert answer.out.startswith("config-quoted-boolean  error  ")
    document = faulty.run("explain", "config-quoted-boolean", "--json").json
    assert {"code", "title", "why", "how_to_mend", "example"} <= set(document)
    assert "did you mean 'config-quoted-boolean'?" in faulty.run("explain", "config-quoted").err


TWELVE = """\
providers:
  - provider_id: one
    provider_kind: antropic
    auth_ref: env:CAPDECK_TEST_KEY
    models:
      - model_id: a
        quality_tier: strongest
        supports: {tool_use: "true", thinkin: true}
        context_window_tokens: 1000
        max_output_tokens: 2000
      - model_id: a
      - display_name: no id
  - provider_id: two
    provider_kind: openai
    provider_kind: openai
    supports: {tool_use: true}
    models: {b: {}}
  - provider_id: three
    provider_kind: anthropic
    models:
      - {model_id: claude-opus-4-7, cost_tier: 5, limits: {requests_per_minute: many}}
"""


def test_twelve_faults_are_twelve_findings_each_with_its_place(bare_desk: Desk) -> None:
    path = bare_desk.write(TWELVE)
    answer = bare_desk.run("doctor", "--json")
    found = {(each["code"], each["line"]) for each in answer.json["findings"]}
    assert {
        ("config-wrong-value", 3), ("auth-missing", 13), ("config-wrong-value", 7),
        ("config-quoted-boolean", 8), ("config-unknown-key", 8), ("limit-output-over-window", 10),
        ("config-missing-id", 12), ("config-duplicate-key", 15), ("config-wrong-level", 16),
        ("config-not-a-list", 17), ("auth-missing", 18), ("config-wrong-type", 21),
    } <= found  # fmt: skip
    assert answer.code == 1
    lines = bare_desk.run("doctor").out.splitlines()
    assert all(any(line.startswith(f"{path}:{at}:") and f"[{code}]" in line for line in lines) for code, at in found)


def test_other_programs_read_it(faulty: Desk) -> None:
    import json
    from xml.etree import ElementTree

    count = len(faulty.run("doctor", "--json").json["findings"])
    sarif = faulty.run("doctor", "--format", "sarif")
    assert sarif.code == 1
    assert len(json.loads(sarif.out)["runs"][0]["results"]) == count
    junit = ElementTree.fromstring(faulty.run("doctor", "--format", "junit").out)
    assert len(list(junit.iter("testcase"))) == count
    lines = faulty.run("doctor", "--format", "github").out.splitlines()
    assert len(lines) == count
    assert all(line.startswith(("::error ", "::warning ", "::notice ")) for line in lines)
