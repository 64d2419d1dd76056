"""`capdeck assign` and `sessions`: the library's answer, recorded and told again."""

from __future__ import annotations

import sqlite3

import pytest

from model.assignment import Risk, Situation, assign
from model.files import FileSpec
from model.vocabulary import Layer
from model.workbench import Workbench
from tests.tui.cli.conftest import Desk, Run
from tests.tui.cli.shapes import FLAG, MAYBE_COUNT, MAYBE_TEXT, REASON, TEXT, check, document, record, rows

OPUS = "anthropic-main/claude-opus-4-7"
ASSIGN = document(
    task=TEXT, mode={"enum": ["scheduler_forced", "agent_select"]}, provider_id=MAYBE_TEXT, model_id=MAYBE_TEXT,
    allowed_models={"type": ["array", "null"], "items": record(provider_id=TEXT, model_id=TEXT)},
    requirement={"type": "object"}, reason=TEXT, warnings=rows(TEXT), recorded=MAYBE_COUNT,
    tools_removed=rows(record(ref=TEXT, tool=TEXT, code=TEXT, why=TEXT)),
    blocked={"anyOf": [{"type": "null"}, record(
        near_misses=rows(record(ref=TEXT, reason=REASON)),
        proposals=rows(record(ref=TEXT, title=TEXT, steps=rows(TEXT), denied_by=rows(record(layer=TEXT)), diff=TEXT)),
        advice=MAYBE_TEXT,
    )]},
)  # fmt: skip
SESSIONS = document(
    store=TEXT,
    sessions=rows(record(
        id=MAYBE_COUNT, kind=TEXT, at=TEXT, task=MAYBE_TEXT, outcome=TEXT, model_provider_id=MAYBE_TEXT,
        model_id=MAYBE_TEXT, original=MAYBE_TEXT, reason=MAYBE_TEXT, details={"type": "object"},
    )),
)  # fmt: skip


@pytest.fixture(autouse=True)
def _state(monkeypatch: pytest.MonkeyPatch, desk: Desk) -> None:
    monkeypatch.setenv("CAPDECK_STATE", str(desk.home / "state"))


def test_json_is_the_library_s_answer(run: Run, desk: Desk) -> None:
    answer = run("assign", "execute", "--risk", "high", "--json")
    check(answer.json, ASSIGN)
    snapshot = Workbench([FileSpec(desk.file, Layer.GLOBAL)]).snapshot
    made = assign(snapshot, "execute", Situation(risk=Risk.HIGH))
    found = answer.json
    assert (found["mode"], f"{found['provider_id']}/{found['model_id']}") == (made.mode.value, str(made.chosen))
    assert found["reason"] == made.reason
    assert answer.code == 0


def test_the_agent_chooses_from_those_who_pass(run: Run) -> None:
    found = run("assign", "execute", "--json").json
    assert (found["mode"], found["provider_id"]) == ("agent_select", None)
    assert found["allowed_models"] == [{"provider_id": "anthropic-main", "model_id": "claude-opus-4-7"}]


def test_a_pin_is_taken_and_warned_of(run: Run) -> None:
    answer = run("assign", "execute", "--pin", "local/house:30b")
    assert answer.code == 0
    assert "scheduler_forced  local/house:30b" in answer.out
    assert "unknown:structured_output" in answer.out


def test_blocked_is_told_with_the_way_out_and_changes_nothing(run: Run, desk: Desk) -> None:
    before = desk.file.read_bytes()
    answer = run("assign", "execute", "--review-of", OPUS, "--json")
    assert answer.code == 1
    check(answer.json, ASSIGN)
    blocked = answer.json["blocked"]
    assert [near["ref"] for near in blocked["near_misses"]] == [
        OPUS,
        "anthropic-main/claude-haiku-4-5",
        "local/house:30b",
    ]
    assert "structured_output" in blocked["proposals"][0]["diff"]
    assert desk.file.read_bytes() == before
    text = run("assign", "execute", "--review-of", OPUS)
    assert "the smallest changes that would unblock it" in text.out
    assert "state supports.structured_output: true of local/house:30b" in text.out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("execut",), "did you mean 'execute'"),
        (("execute", "--pin", "local/house"), "did you mean 'local/house:30b'"),
        (("execute", "--review-of", "nobody"), "nobody"),
        (("execute", "--risk", "hihg"), "did you mean 'high'"),
        (("execute", "--failed-attempts", "-1"), "-1"),
    ],
)
def test_bad_words_are_refused(run: Run, words: tuple[str, ...], message: str) -> None:
    answer = run("assign", *words)
    assert answer.code == 2
    assert message in answer.err


def test_what_is_recorded_is_told_by_sessions(run: Run, desk: Desk) -> None:
    assert run("sessions").out.startswith("nothing is recorded in ")
    first = run("assign", "execute", "--record", "--json").json["recorded"]
    run("assign", "image_generation", "--record")
    answer = run("sessions", "--json")
    check(answer.json, SESSIONS)
    assert [(each["task"], each["outcome"]) for each in answer.json["sessions"]] == [
        ("image_generation", "blocked"), ("execute", "agent_select"),
    ]  # fmt: skip
    assert answer.json["sessions"][1]["id"] == first
    assert "image_generation" not in run("sessions", "--task", "execute").out
    assert run("sessions", "--kind", "probe", "--json").json["sessions"] == []
    assert len(run("sessions", "--limit", "1", "--json").json["sessions"]) == 1


def test_a_project_s_store_lies_in_the_project(run: Run, desk: Desk) -> None:
    desk.write("providers: []\n", "work/.air/shared/models.yaml")
    run("assign", "execute", "--record", "--project", desk.home / "work")
    assert (desk.home / "work" / ".air" / "local" / "capdeck.db").is_file()
    assert not (desk.home / "state").exists()


def test_a_secret_never_reaches_the_store(run: Run, desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CAPDECK_TEST_KEY", "claude-opus-4-7")  # the id of a model, so that a record would hold it
    answer = run("assign", "execute", "--record")
    assert answer.code == 2
    assert "nothing was stored" in answer.err
    assert run("sessions", "--json").json["sessions"] == []


def test_a_newer_store_is_a_clear_error(run: Run, desk: Desk) -> None:
    run("assign", "execute", "--record")
    with sqlite3.connect(desk.home / "state" / "capdeck.db") as connection:
        connection.execute("PRAGMA user_version = 7")
    for words in (("sessions",), ("assign", "execute", "--record")):
        answer = run(*words)
        assert answer.code == 2
        assert "error[session-store]" in answer.err
        assert "newer capdeck" in answer.err


def test_the_work_s_own_words_count(run: Run) -> None:
    answer = run(
        "assign", "execute", "--tag", "docs", "--keyword", "migration", "--files", "7", "--lines", "900", "--json"
    )
    assert answer.code == 0
    assert FLAG


def test_completion_of_tasks_and_refs(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("_CAPDECK_COMPLETE", "bash_complete")
    for line, word, expected in (
        ("capdeck assign exe", "2", "plain,execute"),
        ("capdeck assign execute --pin loc", "4", "plain,local/house:30b"),
        ("capdeck assign execute --risk h", "4", "plain,high"),
        ("capdeck sessions --kind f", "3", "plain,fallback"),
    ):
        monkeypatch.setenv("COMP_WORDS", line)
        monkeypatch.setenv("COMP_CWORD", word)
        assert expected in run().out.split()
