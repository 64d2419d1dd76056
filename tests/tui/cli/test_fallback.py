"""`capdeck fallback`: the ladder, the board, the simulation and the record, in text and JSON."""

from __future__ import annotations

import json

import pytest

from model.fallback import Failure, Outage, board, ladder, simulate
from model.files import FileSpec
from model.model_ref import ModelRef
from model.snapshot import Snapshot
from model.vocabulary import Layer
from model.workbench import Workbench
from tests.model.fallback.house import HOUSE
from tests.tui.cli.conftest import Answer, Desk
from tests.tui.cli.shapes import FILES, FLAG, MAYBE_COUNT, MAYBE_TEXT, REASON, TEXT, check, document, record, rows
from tests.tui.cli.test_startup import loaded

CANDIDATE = record(ref=TEXT, taken=FLAG, reasons=rows(REASON), notes=rows(TEXT), first_token_milliseconds=MAYBE_COUNT)
RUNG = record(rung={"type": "integer"}, open=FLAG, why=TEXT, candidates=rows(CANDIDATE))
LADDER = document(
    files=FILES,
    task=TEXT,
    original=TEXT,
    failure=TEXT,
    rungs={**rows(RUNG), "minItems": 5, "maxItems": 5},
    configured=RUNG,
    selected=MAYBE_TEXT,
    record={
        "anyOf": [
            record(first_token_milliseconds={**rows(MAYBE_COUNT), "minItems": 2, "maxItems": 2}),
            {"type": "null"},
        ]
    },
    chain=rows(record(ref=TEXT, rung={"type": "integer"}, first_token_milliseconds=MAYBE_COUNT)),
    ways_out=rows(record(title=TEXT, ref=MAYBE_TEXT)),
)
BOARD = document(files=FILES, tasks=rows(record(task=TEXT, selected=MAYBE_TEXT, chain=rows(record(ref=TEXT)))))
SIMULATION = document(
    files=FILES, outages={"type": "integer"}, tasks=rows(record(task=TEXT, single_provider=MAYBE_TEXT))
)


@pytest.fixture
def house(bare_desk: Desk) -> Desk:
    bare_desk.write(HOUSE)
    return bare_desk


def snapshot_of(desk: Desk) -> Snapshot:
    return Workbench([FileSpec(desk.file, Layer.GLOBAL)]).snapshot


def climb(desk: Desk, *words: str) -> Answer:
    return desk.run("fallback", "home/first", "--task", "execute", *words)


def test_json_is_the_library_s_answer_with_every_candidate(house: Desk) -> None:
    answer = climb(house, "--json", "--down", "away/peer")
    check(answer.json, LADDER)
    original, outage = ModelRef.parse("home/first"), Outage(models=frozenset({ModelRef.parse("away/peer")}))
    found = ladder(snapshot_of(house), "execute", original, Failure.PROVIDER_DOWN, outage)
    assert answer.json["selected"] == str(found.selected) == "away/big"
    shown = [
        (rung["rung"], each["ref"], each["taken"], [why["code"] for why in each["reasons"]])
        for rung in answer.json["rungs"]
        for each in rung["candidates"]
    ]
    assert shown == [
        (view.rung.value, each.name, each.taken, [why.code.value for why in each.reasons])
        for view in found.rungs[1:]
        for each in view.candidates
    ]
    assert answer.code == 0


def test_the_record_holds_what_the_seed_demands(house: Desk) -> None:
    found = climb(house, "--json").json["record"]
    assert found["original"] == {"provider_id": "home", "model_id": "first"}
    assert found["selected"] == {"provider_id": "away", "model_id": "peer"}
    assert found["reason"]
    assert found["capability_differences"]["became_emulated"] == ["thinking"]
    assert found["conversion_report"]["status"] == "lossy"
    assert found["context_window_tokens"] == [200000, 128000]


def test_blocked_is_exit_code_1_with_a_way_out(house: Desk) -> None:
    answer = climb(house, "--json", "--down", "away")
    assert (answer.code, answer.json["selected"], answer.json["record"]) == (1, None, None)
    assert answer.json["ways_out"][-1]["title"].startswith("add a model")
    text = climb(house, "--down", "away")
    assert text.code == 1
    assert "blocked" in text.out


def test_text_draws_each_rung_with_its_reasons(house: Desk) -> None:
    out = climb(house).out
    assert "1  closed  home is gone (provider_down)" in out
    assert "● away/peer  takes over" in out
    assert "· away/deaf  missing:tool_use" in out
    assert "emulated: thinking" in out
    assert "chain  away/peer → nobody" in out


@pytest.mark.parametrize(
    ("words", "selected"),
    [
        (("--failure", "model_missing"), "home/second"),
        (("--failure", "context_overflow"), "home/grand"),
        (("--down", "api.openai.com"), None),
        (("--down", "https://api.openai.com/v1"), None),
        (("--down", "away/peer", "--down", "away/big"), None),
        (("--usable",), None),
    ],
)
def test_options(house: Desk, words: tuple[str, ...], selected: str | None) -> None:
    assert climb(house, *words, "--json").json["selected"] == selected


def test_the_board_is_the_library_s(house: Desk) -> None:
    answer = house.run("fallback", "--board", "--down", "home", "--json")
    check(answer.json, BOARD)
    found = board(snapshot_of(house), Outage(providers=frozenset({"home"})))
    assert [(each["task"], each["selected"]) for each in answer.json["tasks"]] == [
        (row.task, row.now and str(row.now)) for row in found.rows
    ]
    assert {each["task"]: each["turn"] for each in answer.json["changes"]}["execute"] == "moved"


def test_a_task_that_the_outage_ends_is_exit_code_1(house: Desk) -> None:
    assert house.run("fallback", "--board").code == 0
    answer = house.run("fallback", "--board", "--down", "home", "--down", "away")
    assert answer.code == 1
    assert "nobody (was home/first)" in answer.out
    assert "execute would be saved by" in answer.out
    assert "fall back to SVG, assets or prompts" in answer.out


def test_the_board_as_markdown(house: Desk) -> None:
    answer = house.run("fallback", "--board", "--down", "home", "--format", "md")
    assert "| execute | away/peer | home/first |" in answer.out


def test_the_simulation_is_the_library_s(house: Desk) -> None:
    answer = house.run("fallback", "--simulate", "--json")
    check(answer.json, SIMULATION)
    found = simulate(snapshot_of(house))
    assert answer.json["total"] == {"safe": found.total.safe, "cases": found.total.cases}
    execute = next(each for each in answer.json["tasks"] if each["task"] == "execute")
    assert execute["fatal"] == [["home", "away"]]
    text = house.run("fallback", "--simulate")
    assert "double outages" in text.out
    assert (answer.code, text.code) == (0, 0)


def test_random_outages_follow_the_seed(house: Desk) -> None:
    words = ("fallback", "--simulate", "--random", "40", "--seed", "7", "--json")
    first = house.run(*words).json
    assert first["outages"] == 40
    assert house.run(*words).json == first


def test_a_record_lands_in_the_store(house: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CAPDECK_STATE", str(house.home / "state"))
    assert climb(house, "--record", "--json").json["recorded"] == 1
    assert "recorded as 2" in climb(house, "--record", "--down", "away").out
    blocked, taken = house.run("sessions", "--json").json["sessions"]
    assert (taken["outcome"], taken["model_id"], taken["original"]) == ("selected", "peer", "home/first")
    assert (blocked["outcome"], blocked["model_id"]) == ("blocked", None)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((), "name the model that fails and the task"),
        (("home/first",), "name the model that fails and the task"),
        (("--board", "--simulate"), "not both"),
        (("home/first", "--board"), "without REF"),
        (("--random", "3", "home/first", "--task", "execute"), "goes with --simulate"),
        (("home/first", "--task", "execute", "--format", "md"), "only the board"),
        (("home/furst", "--task", "execute"), "did you mean 'home/first'?"),
        (("home/first", "--task", "exekute"), "did you mean 'execute'?"),
        (("home/first", "--task", "execute", "--failure", "provider_dwn"), "did you mean 'provider_down'?"),
        (("--board", "--down", "hame"), "did you mean 'home'?"),
    ],
)
def test_bad_usage_says_how_to_mend_it(house: Desk, words: tuple[str, ...], told: str) -> None:
    answer = house.run("fallback", *words)
    assert answer.code == 2
    assert told in answer.err
    assert answer.out == ""
    assert "Traceback" not in answer.err


@pytest.mark.parametrize(
    "words", [("home/first", "--task", "execute"), ("--board", "--down", "home"), ("--simulate",)], ids=" ".join
)
def test_the_text_forms_load_nothing_heavy(house: Desk, words: tuple[str, ...]) -> None:
    code, modules = loaded(house, "fallback", *words)
    assert code == 0
    assert not {"textual", "rich", "pydantic", "httpx", "ruamel", "ruamel.yaml", "sqlite3", "asyncio"} & modules


def test_hostile_names_are_shown_not_obeyed(bare_desk: Desk) -> None:
    name = "evil\\e[31m[b]"
    bare_desk.write(
        "providers:\n  - provider_id: a\n    provider_kind: ollama\n    models:\n"
        f'      - {{model_id: "{name}", quality_tier: strong, supports: {{streaming: true, tool_use: true}}}}\n'
    )
    for words in (("--board",), ("--board", "--format", "md"), ("--simulate",)):
        assert "\x1b" not in bare_desk.run("fallback", *words).out
    ref = json.loads(bare_desk.run("fallback", "--board", "--json").out)["tasks"][0]["selected"]
    answer = bare_desk.run("fallback", ref, "--task", "main")
    assert "\x1b" not in answer.out + answer.err
    assert answer.code == 1
