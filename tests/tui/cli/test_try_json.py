"""`capdeck try` with --json-object, --json-schema and --second-attempt."""

from __future__ import annotations

import json
import os
import signal
from typing import Any

import pytest

from tests.adapters.streams import OPENAI_STREAM
from tests.tui.cli.conftest import Answer, Desk
from tests.tui.cli.model_server import KEY, Caller, Reply, put, refuse, say, serving
from tests.tui.cli.shapes import COUNT, FLAG, MAYBE_TEXT, TEXT, check, document, record, rows
from tests.tui.cli.test_convert import REPORT
from tests.tui.cli.test_startup import loaded
from tests.tui.cli.test_try import SECONDS

M1 = "near/m1"
SCHEMA = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"], "additionalProperties": False}
VERDICT = record(
    valid=FLAG, outcome={"enum": ["valid", "not_json", "breaks_schema", "unchecked"]},
    found={"enum": ["whole", "code_fence", "among_words", None]}, value={},
    errors=rows(record(path=MAYBE_TEXT, clause=MAYBE_TEXT, why=TEXT)),
)  # fmt: skip
MAYBE_VERDICT = {"anyOf": [VERDICT, {"type": "null"}]}
ATTEMPT = record(
    outcome={"enum": ["done", "blocked", "failed", "cancelled"]}, text=TEXT, content=rows({}), stop_reason=MAYBE_TEXT,
    usage={"type": "object"}, cost_usd=MAYBE_TEXT, first_token_seconds=SECONDS, tokens_per_second=SECONDS,
    seconds=SECONDS, conversion_report=REPORT, verdict=MAYBE_VERDICT,
    failure={"anyOf": [record(code=TEXT, message=TEXT), {"type": "null"}]},
)  # fmt: skip
TRY_JSON = document(**{"try": rows(record(
    outcome=TEXT, usage={"type": "object"}, cost_usd=MAYBE_TEXT, attempts=rows(ATTEMPT),
    json=record(
        asked={"enum": ["object", "schema"]}, level={"enum": ["native", "prompt_only", "unsupported"]}, attempts=COUNT,
        verdict=MAYBE_VERDICT,
    ),
))})  # fmt: skip


@pytest.fixture(autouse=True)
def _key_and_schema(monkeypatch: pytest.MonkeyPatch, desk: Desk) -> None:
    monkeypatch.setenv("CAPDECK_TEST_KEY", KEY)
    desk.write(json.dumps(SCHEMA), "s.json")


def in_turn(*replies: Reply) -> Reply:
    """The first request gets the first reply; one too many breaks the connection."""
    left = list(replies)

    def reply(caller: Caller) -> None:
        left.pop(0)(caller)

    return reply


def asked(desk: Desk, *words: str, lossy: bool = True) -> Answer:
    return desk.run("try", M1, "Give me n", *words, *(["--allow-lossy"] if lossy else []))


def row_of(answer: Answer) -> Any:
    check(answer.json, TRY_JSON)
    (row,) = answer.json["try"]
    return row


def system_of(body: Any) -> str:
    content = body["messages"][0]["content"]
    return content if isinstance(content, str) else "\n".join(part["text"] for part in content)


@pytest.mark.parametrize(
    ("text", "code", "told"),
    [
        ('{"n": 1}', 0, "valid JSON, as the schema asks"),
        ('```json\n{"n": 1}\n```', 0, "valid JSON, taken out of a code fence, as the schema asks"),
        ('Here: {"n": 1}.', 0, "valid JSON, taken out of the words around it, as the schema asks"),
        ('{"n": "x"}', 1, "JSON, but it breaks the schema at $.n: is a string, not integer"),
        ("It is 1.", 1, "not JSON: no JSON stands in it"),
        ('{"n": ', 1, "not JSON: line 1, column 7: it breaks off"),
        ('{"n": 1, "\x1b]0;x\x07": 2}', 1, "not JSON: line 1, column 11: invalid control character"),
        ('{"n": 1, "\\u001b]0;x": 2}', 1, 'keys that are not allowed: "\\u001b]0;x"'),
    ],
)
def test_what_was_asked_in_words_is_checked(desk: Desk, text: str, code: int, told: str) -> None:
    with serving(say(text)) as server:
        put(desk, server)
        answer = asked(desk, "--json-schema", "s.json")
    assert answer.code == code
    assert told in answer.err
    assert "\x1b" not in answer.out + answer.err
    assert "lost     JSON schema asked for in words" in answer.err
    assert "requests in all" not in answer.err
    (sent,) = server.bodies
    assert "response_format" not in sent
    assert '"additionalProperties": false' in system_of(sent)


def test_what_the_endpoint_enforces_is_sent_natively_and_checked_all_the_same(desk: Desk) -> None:
    with serving(say('{"n": 1.5}')) as server:
        put(desk, server)
        desk.write(desk.file.read_text().replace("structured_output: false", "structured_output: true"))
        answer = asked(desk, "--json-schema", "s.json", "--json", lossy=False)
    row = row_of(answer)
    assert answer.code == 1
    assert server.bodies[0]["response_format"]["json_schema"]["schema"] == SCHEMA
    assert (row["json"]["asked"], row["json"]["level"], row["json"]["attempts"]) == ("schema", "native", 1)
    assert row["json"]["verdict"] == {
        "valid": False,
        "outcome": "breaks_schema",
        "found": "whole",
        "value": {"n": 1.5},
        "errors": [{"path": "$.n", "clause": "type", "why": "is a number, not integer"}],
    }


def test_a_json_object(desk: Desk) -> None:
    with serving(in_turn(say('So: {"a": [1]}'), say("[1]"))) as server:
        put(desk, server)
        good, bad = asked(desk, "--json-object", "--json"), asked(desk, "--json-object")
    assert (good.code, bad.code) == (0, 1)
    json_ = row_of(good)["json"]
    assert (json_["asked"], json_["verdict"]["found"], json_["verdict"]["value"]) == (
        "object", "among_words", {"a": [1]},
    )  # fmt: skip
    assert "JSON, but it breaks what was asked at $: is an array, not object" in bad.err
    assert "lost     JSON asked for in words" in bad.err


def test_without_allow_lossy_words_are_not_enough(desk: Desk) -> None:
    with serving(say("{}")) as server:
        put(desk, server)
        answer = asked(desk, "--json-object", lossy=False)
    assert answer.code == 1
    assert "--allow-lossy lets JSON be asked for in words" in answer.err
    assert server.bodies == []


def test_any_text_is_not_judged(desk: Desk) -> None:
    with serving(say("No.")) as server:
        put(desk, server)
        answer = desk.run("try", M1, "x", "--json")
    (row,) = answer.json["try"]
    assert (answer.code, row["json"], len(row["attempts"])) == (0, None, 1)


def test_a_second_attempt_shows_both_and_the_sum(desk: Desk) -> None:
    with serving(in_turn(say('{"n": "x"}'), say('{"n": 1}'))) as server:
        put(desk, server)
        answer = asked(desk, "--json-schema", "s.json", "--second-attempt")
    assert (answer.code, answer.out) == (0, '{"n": "x"}\n{"n": 1}\n')
    lines = answer.err.splitlines()
    assert "JSON, but it breaks the schema at $.n: is a string, not integer" in lines
    assert lines.index("asking once more, stricter: a second request") < lines.index("valid JSON, as the schema asks")
    assert sum(line.startswith("attempt ") and "9 tokens in, 2 out" in line for line in lines) == 2
    assert lines[-1] == "2 requests in all: 18 tokens in, 4 out · no charge: own server"
    assert len(server.bodies) == 2
    assert "at $.n: is a string, not integer" in system_of(server.bodies[1])


@pytest.mark.parametrize(("words", "requests"), [((), 1), (("--second-attempt",), 2)])
def test_no_second_attempt_without_being_asked_and_no_third(desk: Desk, words: tuple[str, ...], requests: int) -> None:
    with serving(say("No.")) as server:
        put(desk, server)
        answer = asked(desk, "--json-schema", "s.json", "--json", *words)
    assert answer.code == 1
    assert len(server.bodies) == requests
    row = row_of(answer)
    assert len(row["attempts"]) == row["json"]["attempts"] == requests
    assert row["usage"]["input_tokens"] == 9 * requests
    assert row["cost_usd"] == "0"
    assert [each["text"] for each in row["attempts"]] == ["No."] * requests


def test_a_refused_call_is_not_made_again(desk: Desk) -> None:
    with serving(refuse(400, "response_format is not supported")) as server:
        put(desk, server)
        answer = asked(desk, "--json-object", "--second-attempt")
    assert answer.code == 2
    assert len(server.bodies) == 1


@pytest.mark.parametrize("words", [(), ("--json",)])
def test_a_second_attempt_that_fails_is_told_beside_the_first(desk: Desk, words: tuple[str, ...]) -> None:
    with serving(in_turn(say("No."), refuse(429, f"slow down {KEY}"))) as server:
        put(desk, server)
        answer = asked(desk, "--json-object", "--second-attempt", *words)
    assert answer.code == 1
    assert KEY not in answer.out + answer.err
    if words:
        row = row_of(answer)
        assert [each["outcome"] for each in row["attempts"]] == ["done", "failed"]
        assert row["attempts"][1]["failure"]["code"] == "rate_limited"
        assert row["json"]["verdict"]["outcome"] == "not_json"
        assert row["usage"]["input_tokens"] is None
    else:
        assert answer.out == "No.\n"
        assert "HTTP 429: a rate limit or quota is used up" in answer.err
        assert "2 requests in all: tokens not counted" in answer.err


def test_ctrl_c_in_the_second_attempt(desk: Desk) -> None:
    def stall(caller: Caller) -> None:
        caller.begin()
        caller.send(*OPENAI_STREAM[:2])
        os.kill(os.getpid(), signal.SIGINT)
        caller.wait_for_end()

    with serving(in_turn(say("No."), stall)) as server:
        put(desk, server)
        answer = asked(desk, "--json-object", "--second-attempt", "--json")
        assert server.left.wait(5), "the socket is closed"
    assert answer.code == 130
    assert [each["outcome"] for each in row_of(answer)["attempts"]] == ["done", "cancelled"]


def test_offline_the_answer_fits_a_simple_schema(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CAPDECK_TEST_KEY", "mock_x")
    haiku = "anthropic-main/claude-haiku-4-5"
    desk.write('{"type": "string", "pattern": "^a+$"}', "p.json")
    good = desk.run("try", haiku, "x", "--json-schema", "s.json", "--second-attempt", "--json")
    bad = desk.run("try", haiku, "x", "--json-schema", "p.json", "--second-attempt")
    assert good.code == 0
    assert (row_of(good)["text"], row_of(good)["json"]["attempts"]) == ('{"n": 0}', 1)
    assert bad.code == 1
    assert 'does not hold pattern "^a+$"' in bad.err
    assert "2 requests in all" in bad.err
    assert "no cost: nobody was asked" in bad.err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--json-object", "--json-schema", "s.json"), "exclude each other"),
        (("--second-attempt",), "--second-attempt is for JSON answers"),
        (("--json-schema", "none.json"), "none.json: error[io] No such file"),
        (("--json-schema", "bad.json"), "bad.json:2:11: error[schema-invalid] no usable JSON Schema: 'odd' is not"),
        (("--json-schema", "half.json"), "half.json:1:10: error[schema-invalid] not JSON: it breaks off"),
        (("--json-schema", "far.json"), "leads to no place in it, and nothing is fetched"),
    ],
)
def test_bad_words_and_bad_schemas_send_nothing(desk: Desk, words: tuple[str, ...], told: str) -> None:
    desk.write('{"allOf": [\n {"type": "odd"}]}', "bad.json")
    desk.write('{"type": ', "half.json")
    desk.write('{"$ref": "http://127.0.0.1:9/x.json"}', "far.json")
    with serving(say("{}")) as server:
        put(desk, server)
        answer, as_json = asked(desk, *words), asked(desk, *words, "--json")
    assert (answer.code, as_json.code) == (2, 2)
    assert told in answer.err
    assert server.bodies == []
    if "bad.json" in words:
        assert as_json.json["error"]["path"] == "allOf[0].type"


def test_jsonschema_loads_only_for_json(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CAPDECK_TEST_KEY", "mock_x")
    code, modules = loaded(desk, "try", "anthropic-main/claude-haiku-4-5", "x")
    assert (code, "jsonschema" in modules) == (0, False)
