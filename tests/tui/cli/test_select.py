"""`capdeck select`: the same answer as the library, in text and JSON."""

from __future__ import annotations

import pytest

from model.files import FileSpec
from model.vocabulary import Layer, TaskType
from model.workbench import Workbench
from tests.tui.cli.conftest import Desk, Run
from tests.tui.cli.shapes import SELECT, check
from tui.cli.demo import SAMPLE
from tui.preview_rows import preview


def test_json_is_the_library_s_answer(run: Run, desk: Desk) -> None:
    document = run("select", "execute", "--json").json
    check(document, SELECT)
    snapshot = Workbench([FileSpec(desk.file, Layer.GLOBAL)]).snapshot
    requirement = snapshot.requirements["execute"]
    assert [each["ref"] for each in document["passing"]] == [str(row.ref) for row in snapshot.ranked(requirement)]
    verdicts = {str(row.ref): snapshot.verdict(row, requirement) for row in snapshot.matrix.rows}
    for failing in document["failing"]:
        reasons = [(reason.code.value, reason.text) for reason in verdicts[failing["ref"]].reasons]
        assert [(each["code"], each["text"]) for each in failing["reasons"]] == reasons


def test_keys_are_named_as_the_contract_names_them(run: Run) -> None:
    keys = run("select", "execute", "--json").json["passing"][0]["keys"]
    assert list(keys) == [
        "verdict", "role_default", "preferred", "preferred_tier", "tier_distance", "cost", "score", "ref",
    ]  # fmt: skip
    assert keys["role_default"] is True


def test_a_reason_names_the_cell_and_who_decided_it(run: Run) -> None:
    failing = {each["ref"]: each["reasons"] for each in run("select", "execute", "--json").json["failing"]}
    reason = failing["local/house:30b"][0]
    assert reason["code"] == "unknown"
    assert reason["capability"] == "structured_output"
    assert reason["clause"] == "required.structured_output"
    assert reason["cell"] == {"value": "unknown", "decided_by": "nobody"}


def test_text_tells_the_three_groups(run: Run) -> None:
    answer = run("select", "execute")
    assert answer.code == 0
    assert "execute  needs tool_use, structured_output" in answer.out
    assert "pass  1" in answer.out
    assert "near misses  2" in answer.out
    assert "unknown:structured_output" in answer.out


@pytest.mark.parametrize(
    ("options", "passing"),
    [
        ((), ["anthropic-main/claude-opus-4-7"]),
        (("--min-quality", "cheap"), ["anthropic-main/claude-opus-4-7", "anthropic-main/claude-haiku-4-5"]),
        (("--min-quality", "cheap", "--max-cost", "low"), ["anthropic-main/claude-haiku-4-5"]),
        (("--exclude", "anthropic-main/claude-opus-4-7"), []),
        (("--require", "audio_input"), []),
        (("--min-context", "5M"), []),
        (("--usable",), []),
    ],
)
def test_options_change_the_requirement_for_this_call(run: Run, options: tuple[str, ...], passing: list[str]) -> None:
    answer = run("select", "execute", *options, "--json")
    assert [each["ref"] for each in answer.json["passing"]] == passing
    assert answer.code == (0 if passing else 1)


def test_allow_lossy_lets_an_emulated_capability_do(desk: Desk) -> None:
    desk.write(desk.file.read_text().replace("cost_tier: high", "conversion: {tool_schema: emulated}"))
    answer = desk.run("select", "execute", "--json")
    assert (answer.code, answer.json["passing"]) == (1, [])
    [lossy] = desk.run("select", "execute", "--json", "--allow-lossy").json["passing"]
    assert lossy["verdict"] == lossy["keys"]["verdict"] == "pass_lossy"


def test_ui_artifacts_make_a_review_prefer_eyes(run: Run) -> None:
    requirement = run("select", "review", "--ui-artifacts", "--json").json["requirement"]
    assert requirement["preferred"] == {"image_input": True}


def test_a_task_of_the_users_own(desk: Desk) -> None:
    desk.write(desk.file.read_text() + "requirements:\n  digest: {required: {tool_use: true}, max_cost_tier: free}\n")
    assert [each["ref"] for each in desk.run("select", "digest", "--json").json["passing"]] == ["local/house:30b"]


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (("select", "execut"), "did you mean 'execute'?"),
        (("select", "execute", "--require", "tool-use"), "did you mean 'tool_use'?"),
        (("select", "execute", "--min-quality", "strongest"), "did you mean 'strong'?"),
        (("select", "execute", "--exclude", "claude-opus-4-7"), "did you mean 'anthropic-main/claude-opus-4-7'?"),
        (("select", "execute", "--min-context", "lots"), "write 128000, 128k or 1M"),
    ],
)
def test_a_wrong_word_is_answered_with_the_right_one(run: Run, words: tuple[str, ...], meant: str) -> None:
    answer = run(*words)
    assert answer.code == 2
    assert meant in answer.err
    assert answer.out == ""


@pytest.mark.parametrize("task", [*TaskType, "nightly_digest"])
def test_the_pane_the_command_and_the_library_give_one_answer(desk: Desk, task: str) -> None:
    """Result A4: the same models in the same order with the same reasons."""
    desk.write(SAMPLE.read_text())
    document = desk.run("select", task, "--json").json
    snapshot = Workbench([FileSpec(desk.file, Layer.GLOBAL)]).snapshot
    pane = preview(snapshot, task, 0, frozenset(), 120)
    rows = snapshot.matrix.rows
    shown = {part.name: [str(rows[part.numbers[at]].ref) for at in range(len(part.numbers))] for part in pane.parts}
    assert [each["ref"] for each in document["passing"]] == shown["pass"]
    assert [each["ref"] for each in document["failing"]] == [*shown["near"], *shown["fail"]]
    reasons = {each["ref"]: each["reasons"] for each in document["failing"]}
    for row in range(len(pane)):
        if not pane.is_group(row) and str(pane.row_key(row)) in reasons:
            told = reasons[str(pane.row_key(row))]
            clauses = ", ".join(":".join(filter(None, (each["code"], each["capability"]))) for each in told)
            assert all(each["text"] in pane.text(row) for each in told)
            assert pane.why(row) in (pane.text(row), clauses)
