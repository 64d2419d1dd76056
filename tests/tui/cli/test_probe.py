"""`capdeck probe`: the plan first, then the question; what was seen is kept beside the files."""

from __future__ import annotations

import json
import os
import signal
from datetime import date
from typing import Any

import pytest

from model.model_ref import ModelRef
from model.sessions import SessionStore
from model.vocabulary import Capability
from tests.tui.cli.conftest import Desk
from tests.tui.cli.model_server import KEY, Caller, ModelServer, put, refuse, serving
from tests.tui.cli.shapes import COUNT, MAYBE_TEXT, TEXT, check, document, record, rows
from tests.tui.cli.test_try import no_canary

M1 = "near/m1"
PROBE = document(
    ref=TEXT, endpoint=MAYBE_TEXT, left_out=rows(TEXT), recorded=MAYBE_TEXT,
    probe=rows(record(
        capability=TEXT, outcome={"enum": ["planned", "passed", "failed", "inconclusive"]}, evidence=MAYBE_TEXT,
        seen=MAYBE_TEXT, usage={"type": ["object", "null"]}, input_tokens=COUNT, output_tokens=COUNT,
        most_usd=MAYBE_TEXT,
    )),
)  # fmt: skip


@pytest.fixture(autouse=True)
def _world(monkeypatch: pytest.MonkeyPatch, desk: Desk) -> None:
    monkeypatch.setenv("CAPDECK_TEST_KEY", KEY)
    monkeypatch.setenv("CAPDECK_STATE", str(desk.home / "state"))


def answer(content: str) -> Any:
    choice = {"index": 0, "message": {"role": "assistant", "content": content}, "finish_reason": "stop"}
    usage = {"prompt_tokens": 5, "completion_tokens": 2, "total_tokens": 7}
    return {"id": "c", "model": "m1", "choices": [choice], "usage": usage}


def model(caller: Caller) -> None:
    """Says OK, and refuses tools as one that has none."""
    if "tools" in caller.body:
        return refuse(404, f"No endpoints found that support tool use. {KEY}")(caller)
    caller.begin(media_type="application/json")
    caller.wfile.write(json.dumps(answer("OK")).encode())
    return None


def outcomes(document_: Any) -> dict[str, str]:
    return {row["capability"]: row["outcome"] for row in document_["probe"]}


def store(desk: Desk) -> SessionStore:
    return SessionStore(desk.home / "state" / "capdeck.db")


def asked(server: ModelServer) -> int:
    return len(server.bodies)


def test_a_dry_run_sends_nothing_and_keeps_nothing(desk: Desk) -> None:
    with serving(model) as server:
        put(desk, server)
        text, as_json = desk.run("probe", M1, "--dry-run"), desk.run("probe", M1, "--dry-run", "--json")
        assert asked(server) == 0
    assert f"near/m1: 4 requests, to {server.url}" in text.out
    assert "tool_use" in text.out
    assert "“Look up the city of Paris with the tool.”" in text.out
    check(as_json.json, PROBE)
    assert set(outcomes(as_json.json).values()) == {"planned"}
    assert (text.code, as_json.code, as_json.json["recorded"]) == (0, 0, None)
    assert not store(desk).path.exists()


def test_the_plan_tells_the_most_that_it_may_cost(desk: Desk) -> None:
    plan = desk.run("probe", "anthropic-main/claude-haiku-4-5", "--dry-run", "--json").json
    assert {row["capability"] for row in plan["probe"]} >= {"tool_use", "image_input", "thinking"}
    assert all(float(row["most_usd"]) > 0 for row in plan["probe"])
    assert "long_context" not in outcomes(plan)
    text = desk.run("probe", "anthropic-main/claude-haiku-4-5", "--dry-run").out
    assert "at most $0.0" in text
    assert "prompt_cache, file_input, which no small request could show" in text


def test_it_asks_before_it_sends(desk: Desk) -> None:
    with serving(model) as server:
        put(desk, server)
        no = desk.run("probe", M1, input="n\n")
        nobody = desk.run("probe", M1, input="")
        as_json = desk.run("probe", M1, "--json")
        assert asked(server) == 0
        yes = desk.run("probe", M1, "-C", "text_output", input="y\n")
        assert asked(server) == 1
    assert no.code == 130
    assert "send these? [y/N]" in no.err
    assert (nobody.code, "error[not-confirmed]" in nobody.err) == (2, True)
    assert (as_json.code, as_json.json["error"]["help"]) == (2, "add --yes, or --dry-run")
    assert yes.code == 0


def test_passed_failed_and_inconclusive_are_kept_beside_the_files(desk: Desk) -> None:
    with serving(model) as server:
        put(desk, server)
        before = desk.file.read_bytes()
        words = [word for name in ("text_output", "system_prompt", "tool_use") for word in ("-C", name)]
        found = desk.run("probe", M1, *words, "--yes", "--json")
    check(found.json, PROBE)
    assert found.code == 1
    assert outcomes(found.json) == {"text_output": "passed", "system_prompt": "inconclusive", "tool_use": "failed"}
    no_canary(found)
    seen = store(desk).of(ModelRef("near", "m1"))
    assert seen
    assert (set(seen.flags.yes), set(seen.flags.no)) == ({Capability.TEXT_OUTPUT}, {Capability.TOOL_USE})
    assert (seen.endpoint, seen.seen) == (server.url, date.today())
    told = desk.run("sessions", "--kind", "probe", "--json").json["sessions"]
    assert [each["outcome"] for each in told] == ["no", "unknown", "yes"]
    assert desk.file.read_bytes() == before


def test_a_rejected_key_says_nothing_about_the_model(desk: Desk) -> None:
    with serving(refuse(401, f"bad key {KEY}")) as server:
        put(desk, server)
        found = desk.run("probe", M1, "--yes", "-C", "text_output")
    assert found.code == 0
    assert "inconclusive text_output" in found.out
    assert "HTTP 401: the key was rejected" in found.out
    no_canary(found)
    assert store(desk).of(ModelRef("near", "m1")) is None


def test_offline_nothing_is_asked_and_nothing_promoted(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CAPDECK_TEST_KEY", "mock_x")
    found = desk.run("probe", "anthropic-main/claude-haiku-4-5")
    assert found.code == 0
    assert "offline: nobody is called" in found.err
    assert "inconclusive tool_use" in found.out
    assert "nothing was kept" in found.err
    assert not store(desk).path.exists()


def test_ctrl_c_keeps_what_was_seen_by_then(desk: Desk) -> None:
    def reply(caller: Caller) -> None:
        if len(caller.server.bodies) == 1:
            return model(caller)
        os.kill(os.getpid(), signal.SIGINT)
        return caller.wait_for_end()

    with serving(reply) as server:
        put(desk, server)
        found = desk.run("probe", M1, "--yes", "-C", "text_output", "-C", "system_prompt", "-C", "tool_use", "--json")
        assert server.left.wait(5)
    assert found.code == 130
    assert outcomes(found.json) == {"text_output": "passed", "system_prompt": "planned", "tool_use": "planned"}
    seen = store(desk).of(ModelRef("near", "m1"))
    assert seen
    assert set(seen.flags.yes) == {Capability.TEXT_OUTPUT}


def test_what_is_not_stated_is_probed_when_asked_for(desk: Desk) -> None:
    claimed = outcomes(desk.run("probe", "local/house:30b", "--dry-run", "--json").json)
    more = outcomes(desk.run("probe", "local/house:30b", "--dry-run", "--unknown", "--json").json)
    assert "structured_output" not in claimed
    assert "structured_output" in more
    assert "json_mode" not in more, "the file says no"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("local/house",), "did you mean 'local/house:30b'"),
        (("local/house:30b", "-C", "batch"), "no small request could show batch"),
        (("local/house:30b", "-C", "tool"), "tool"),
        (("local/house:30b", "--timeout", "-1"), "-1"),
    ],
)
def test_bad_words_are_refused(desk: Desk, words: tuple[str, ...], message: str) -> None:
    found = desk.run("probe", *words, "--yes")
    assert found.code == 2
    assert message in found.err


def test_an_untrusted_endpoint_is_not_probed(desk: Desk) -> None:
    with serving(model) as server:
        put(desk, server)
        text = desk.file.read_text()
        desk.write(text, "work/.air/shared/models.yaml")
        desk.file.unlink()
        found = desk.run("probe", M1, "--yes", "--project", str(desk.home / "work"))
        assert asked(server) == 0
    assert found.code == 2
    assert "capdeck trust near" in found.err
