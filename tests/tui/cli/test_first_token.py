"""From a trial or a probe over the session store to the ladder: how long the first token took where it was observed."""

from __future__ import annotations

import json
import os
import sqlite3
from pathlib import Path

import pytest

from model.model_ref import ModelRef
from model.sessions import SessionStore
from tests.tui.cli.conftest import Desk
from tests.tui.cli.model_server import KEY, Caller, ModelServer, refuse, say, serving
from tests.tui.cli.shapes import check
from tests.tui.cli.test_fallback import LADDER
from tests.tui.cli.test_startup import loaded

PROMPT = "a prompt that nobody keeps"
CONFIG = """\
providers:
  - provider_id: near
    provider_kind: openai_compatible
    base_url: {url}
    auth_ref: env:CAPDECK_TEST_KEY
    models:
      - {{model_id: m1, quality_tier: strong, supports: {{streaming: true, tool_use: true}}}}
      - {{model_id: m2, quality_tier: strong, supports: {{streaming: true, tool_use: true}}}}
"""
LADDER_OF_M1 = ("fallback", "near/m1", "--task", "main", "--failure", "model_missing")


@pytest.fixture
def desk(bare_desk: Desk, monkeypatch: pytest.MonkeyPatch) -> Desk:
    monkeypatch.setenv("CAPDECK_TEST_KEY", KEY)
    return bare_desk


def put(desk: Desk, server: ModelServer) -> None:
    desk.write(CONFIG.format(url=server.url))


def store() -> SessionStore:
    return SessionStore(Path(os.environ["CAPDECK_STATE"]) / "capdeck.db")


def milliseconds(model_id: str = "m1") -> int | None:
    seen = store().of(ModelRef("near", model_id))
    return seen.latencies[0].milliseconds if seen and seen.latencies else None


def remember(desk: Desk, model_id: str, time: int) -> None:
    """As if the trials of this model had taken so long."""
    with sqlite3.connect(store().path) as connection:
        connection.execute("UPDATE first_tokens SET milliseconds = ? WHERE model_id = ?", (time, model_id))
    connection.close()


def test_a_trial_is_kept_and_told_on_the_ladder(desk: Desk) -> None:
    with serving(say("Hel", "lo")) as server:
        put(desk, server)
        assert desk.run("try", "near/m1", PROMPT).code == 0
        assert desk.run("try", "near/m2", PROMPT, "--json").code == 0
    assert milliseconds("m1")
    remember(desk, "m1", 420)
    remember(desk, "m2", 1900)
    found = desk.run(*LADDER_OF_M1, "--json").json
    check(found, LADDER)
    times = {each["ref"]: each["first_token_milliseconds"] for rung in found["rungs"] for each in rung["candidates"]}
    assert times == {"near/m1": 420, "near/m2": 1900}
    assert found["record"]["first_token_milliseconds"] == [420, 1900]
    assert [each["first_token_milliseconds"] for each in found["chain"]] == [1900]
    text = desk.run(*LADDER_OF_M1).out
    assert "slower: first token 420 ms → 1.9 s (measured once, " in text
    assert "\n  slower: first token 420 ms → 1.9 s\n" in text
    assert "first token, from the original on: 420 ms → 1.9 s" in text


def test_nothing_observed_is_null_and_leaves_the_text_as_it_was(desk: Desk) -> None:
    desk.write(CONFIG.format(url="http://127.0.0.1:1/v1"))
    found = desk.run(*LADDER_OF_M1, "--json").json
    check(found, LADDER)
    assert found["record"]["first_token_milliseconds"] == [None, None]
    assert "first token" not in desk.run(*LADDER_OF_M1).out


def test_at_another_endpoint_it_is_not_of_this_chain(desk: Desk) -> None:
    with serving(say("Hello")) as server:
        put(desk, server)
        assert desk.run("try", "near/m1", PROMPT).code == 0
    assert "first token" in desk.run(*LADDER_OF_M1).out
    desk.write(CONFIG.format(url="https://elsewhere.example/v1"))
    assert desk.run(*LADDER_OF_M1, "--json").json["record"]["first_token_milliseconds"] == [None, None]
    assert "first token" not in desk.run("explain", "near/m1").out


def test_a_model_says_what_was_observed_of_it(desk: Desk) -> None:
    with serving(say("Hello")) as server:
        put(desk, server)
        assert desk.run("try", "near/m1", PROMPT).code == 0
        where = server.url.removesuffix("/v1")
    remember(desk, "m1", 420)
    assert f"first token 420 ms   observed at {where}: measured once, " in desk.run("explain", "near/m1").out
    found = desk.run("explain", "near/m1", "--json").json["first_token"]
    assert (found["milliseconds"], found["count"], found["endpoint"]) == (420, 1, where)
    assert desk.run("explain", "near/m2", "--json").json["first_token"] is None


def test_a_streaming_probe_is_kept_too(desk: Desk) -> None:
    with serving(say("one ", "two")) as server:
        put(desk, server)
        found = desk.run("probe", "near/m1", "-C", "streaming", "--yes", "--json")
    assert found.json["probe"][0]["outcome"] == "passed"
    assert milliseconds()


@pytest.mark.parametrize("key", ["mock_x", " "])
def test_offline_promotes_nothing(desk: Desk, monkeypatch: pytest.MonkeyPatch, key: str) -> None:
    desk.write(CONFIG.format(url="https://elsewhere.example/v1"))
    monkeypatch.setenv("CAPDECK_TEST_KEY", key)
    assert desk.run("try", "near/m1", PROMPT).code == 0
    assert desk.run("probe", "near/m1", "-C", "streaming").code == 0
    assert not store().path.exists()


def test_an_answer_that_failed_or_came_whole_is_not_kept(desk: Desk) -> None:
    with serving(refuse(401, "no")) as server:
        put(desk, server)
        assert desk.run("try", "near/m1", PROMPT).code == 2
    with serving(_half) as server:
        put(desk, server)
        assert desk.run("try", "near/m1", PROMPT).code == 2
    with serving(_whole) as server:
        desk.write(CONFIG.format(url=server.url).replace("streaming: true", "streaming: false"))
        assert desk.run("try", "near/m1", PROMPT).code == 0
    assert not store().path.exists()


def _half(caller: Caller) -> None:
    caller.begin()
    caller.send({"id": "c", "choices": [{"index": 0, "delta": {"content": "Hel"}}]})


def _whole(caller: Caller) -> None:
    caller.begin(media_type="application/json")
    choice = {"index": 0, "message": {"role": "assistant", "content": "Whole"}, "finish_reason": "stop"}
    caller.wfile.write(json.dumps({"id": "c", "model": "m1", "choices": [choice]}).encode())


def test_the_answer_is_there_even_where_nothing_can_be_kept(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CAPDECK_STATE", str(desk.write("a file", "blocked")))
    with serving(say("Hello")) as server:
        put(desk, server)
        answer = desk.run("try", "near/m1", PROMPT, "--json")
    assert (answer.code, answer.json["try"][0]["text"]) == (0, "Hello")
    assert "the time to the first token is not kept: " in answer.err


def test_neither_key_nor_prompt_nor_answer_is_kept(desk: Desk) -> None:
    with serving(say("an answer", " that nobody keeps")) as server:
        put(desk, server)
        assert desk.run("try", "near/m1", PROMPT, "--system", "be brief").code == 0
    kept = b"".join(path.read_bytes() for path in store().path.parent.rglob("*") if path.is_file())
    assert b"near" in kept
    for text in (KEY, KEY[-12:], PROMPT, "an answer", "be brief"):
        assert text.encode() not in kept


def test_where_nothing_is_kept_the_ladder_still_loads_no_database(desk: Desk) -> None:
    desk.write(CONFIG.format(url="http://127.0.0.1:1/v1"))
    _, modules = loaded(desk, *LADDER_OF_M1)
    assert "sqlite3" not in modules
    _, modules = loaded(desk, "matrix")
    assert "model.latency" not in modules
