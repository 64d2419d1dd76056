"""`capdeck try`: one streamed answer and what it took; refusals before any call; no secret anywhere."""

from __future__ import annotations

import json
import os
import signal
from decimal import Decimal
from pathlib import Path

import pytest

from adapters.conversion import CanonicalRequest, Message, Target, convert
from adapters.conversion.canonical import Speaker, Text
from adapters.redaction import Redactor
from adapters.trial import Piece, PieceKind
from model.capability_set import CapabilitySet
from model.carriage import effective_conversion
from model.config.rows import ConversionRow
from model.transports import transport_for
from model.vocabulary import Api
from tests.adapters.streams import OPENAI_STREAM, chunk
from tests.tui.cli.conftest import Answer, Desk
from tests.tui.cli.model_server import KEY, Caller, config, put, refuse, say, serving
from tests.tui.cli.shapes import FLAG, MAYBE_TEXT, TEXT, check, document, record, rows
from tests.tui.cli.test_convert import REPORT
from tests.tui.cli.test_startup import loaded
from tui.cli.output import Output
from tui.cli.try_text import Printer

M1 = "near/m1"
SECONDS = {"type": ["number", "null"]}
TRY = document(**{"try": rows(record(
    ref=TEXT, outcome={"enum": ["done", "blocked", "cancelled"]}, offline=FLAG, text=TEXT, content=rows({}),
    stop_reason=MAYBE_TEXT, usage={"type": "object"}, cost_usd=MAYBE_TEXT, first_token_seconds=SECONDS,
    tokens_per_second=SECONDS, seconds=SECONDS, conversion_report=REPORT, blocked=rows(TEXT), steps=rows({}),
    json={"type": ["object", "null"]}, attempts=rows({"type": "object"}),
))})  # fmt: skip


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch, desk: Desk) -> None:
    monkeypatch.setenv("CAPDECK_TEST_KEY", KEY)


def no_canary(answer: Answer) -> None:
    assert KEY not in answer.out + answer.err
    assert KEY[-12:] not in answer.out + answer.err


def test_the_answer_goes_out_and_the_rest_aside(desk: Desk) -> None:
    with serving(say("Hel", "lo\n", "you")) as server:
        put(desk, server)
        answer = desk.run("try", M1, "Say hi", "--system", "Be brief.")
    assert (answer.code, answer.out) == (0, "Hello\nyou\n")
    report, told = answer.err.splitlines()
    assert report == "conversion lossless"
    assert told.startswith("first token ")
    assert "9 tokens in, 2 out" in told
    assert "no charge: own server" in told
    assert "ended: end_turn" in told
    (sent,) = server.bodies
    assert [each["content"] for each in sent["messages"]] == ["Be brief.", "Say hi"]
    assert sent["stream"]
    assert 500 in sent.values(), "never more than the model's own longest answer"


def test_json_is_one_document(desk: Desk) -> None:
    with serving(say("Hel", "lo")) as server:
        put(desk, server)
        answer = desk.run("try", M1, "Say hi", "--max-tokens", "7", "--json")
    check(answer.json, TRY)
    (row,) = answer.json["try"]
    assert (row["outcome"], row["text"], row["stop_reason"], row["cost_usd"]) == ("done", "Hello", "end_turn", "0")
    assert row["usage"]["output_tokens"] == 2
    assert 0 < row["first_token_seconds"] <= row["seconds"]
    assert answer.err == ""
    assert 7 in server.bodies[0].values()


def test_a_prompt_from_standard_input(desk: Desk) -> None:
    with serving(say("ok")) as server:
        put(desk, server)
        assert desk.run("try", M1, "-", input="from a pipe").code == 0
    assert server.bodies[0]["messages"][-1]["content"] == "from a pipe"


def test_what_the_model_says_is_shown_not_obeyed(desk: Desk) -> None:
    with serving(say("\x1b]0;x\x07", "a\tb\u202e", "[/x]")) as server:
        put(desk, server)
        answer = desk.run("try", M1, "x")
    assert answer.out == "␛]0;x␇a    b\ufffd[/x]\n"


def test_thinking_stays_hidden(capsys: pytest.CaptureFixture[str]) -> None:
    request = CanonicalRequest(model_id="m", messages=(Message(Speaker.USER, (Text("x"),)),))
    printer = Printer(Output(Redactor(), as_json=False, no_color=True), convert(request, target()))
    for kind, text in ((PieceKind.THINKING, "a plan"), (PieceKind.THINKING, " of mine"), (PieceKind.TEXT, "Done.")):
        printer.show(Piece(kind, text))
    printer.end()
    shown = capsys.readouterr()
    assert (shown.out, shown.err) == ("Done.\n", "conversion lossless\nthinking …\n")


def target() -> Target:
    row = transport_for(Api.OPENAI_COMPLETIONS)
    return Target(
        api=row.api, model_id="m", conversion=effective_conversion(row, ConversionRow()), supports=CapabilitySet()
    )


def test_a_call_is_told_not_made(desk: Desk) -> None:
    call = {"index": 0, "id": "c", "type": "function", "function": {"name": "rm", "arguments": '{"a": 1}'}}

    def reply(caller: Caller) -> None:
        caller.begin()
        caller.send(OPENAI_STREAM[0], chunk({"tool_calls": [call]}))
        caller.send(chunk({}, "tool_calls"))
        caller.wfile.write(b"data: [DONE]\n\n")

    with serving(reply) as server:
        put(desk, server)
        answer = desk.run("try", M1, "x")
    assert answer.code == 0
    assert "calls a tool (not executed): rm" in answer.err


def test_a_model_that_does_not_stream_is_asked_for_a_whole_answer(desk: Desk) -> None:
    def reply(caller: Caller) -> None:
        caller.begin(media_type="application/json")
        choice = {"index": 0, "message": {"role": "assistant", "content": "Whole"}, "finish_reason": "stop"}
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        caller.wfile.write(json.dumps({"id": "c", "model": "m1", "choices": [choice], "usage": usage}).encode())

    with serving(reply) as server:
        desk.write(config(server.url).replace("streaming: true", "streaming: false"))
        answer = desk.run("try", M1, "x")
    assert (answer.code, answer.out) == (0, "Whole\n")
    assert not server.bodies[0].get("stream")


def test_offline_keys_call_nobody(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    for key in ("mock_x", " "):
        monkeypatch.setenv("CAPDECK_TEST_KEY", key)
        answer = desk.run("try", "anthropic-main/claude-haiku-4-5", "Hello there")
        assert answer.code == 0
        assert "nobody was asked. You wrote: Hello there" in answer.out
        assert "no cost: nobody was asked" in answer.err


def test_the_price_is_that_of_the_table(desk: Desk) -> None:
    from adapters.conversion.completion import Usage
    from adapters.trial import cost_at
    from model.files import FileSpec
    from model.vocabulary import Layer
    from model.workbench import Workbench

    rows_ = {str(row.ref): row for row in Workbench([FileSpec(desk.file, Layer.GLOBAL)]).snapshot.matrix.rows}
    haiku, house = rows_["anthropic-main/claude-haiku-4-5"].model, rows_["local/house:30b"].model
    usage = Usage(input_tokens=1_000_000, output_tokens=0)
    assert cost_at(haiku.provider, haiku.ref.model_id, usage) == Decimal(1)
    assert cost_at(house.provider, house.ref.model_id, usage) == 0
    assert cost_at(haiku.provider, "nobody-knows-it", usage) is None


@pytest.mark.parametrize(
    ("status", "message", "code", "told"),
    [
        (401, f"bad key {KEY}", "provider-unauthorized", "the key was rejected"),
        (403, "no", "provider-forbidden", "the key may not do this"),
        (404, "no such model m1", "provider-", "m1"),
        (429, "slow down", "provider-rate-limited", "Wait"),
        (500, "oops", "provider-server-error", "Try again later"),
    ],
)
def test_failures_are_explained(desk: Desk, status: int, message: str, code: str, told: str) -> None:
    with serving(refuse(status, message)) as server:
        put(desk, server)
        text, as_json = desk.run("try", M1, "x"), desk.run("try", M1, "x", "--json")
    assert (text.code, as_json.code) == (2, 2)
    assert f"error[{code}" in text.err
    assert told in text.err
    assert as_json.json["error"]["code"].startswith(code)
    no_canary(text)
    no_canary(as_json)


def test_an_answer_that_breaks_off_is_no_answer(desk: Desk) -> None:
    def reply(caller: Caller) -> None:
        caller.begin()
        caller.send(*OPENAI_STREAM[:2])

    with serving(reply) as server:
        put(desk, server)
        answer = desk.run("try", M1, "x")
    assert answer.code == 2
    assert answer.out == "Hel\n"
    assert "error[provider-truncated]" in answer.err


def test_nobody_listens(desk: Desk) -> None:
    with serving(say("x")) as server:
        put(desk, server)
    answer = desk.run("try", M1, "x")
    assert answer.code == 2
    assert "error[provider-refused]" in answer.err
    assert "Start the server" in answer.err


def test_ctrl_c_closes_the_socket_and_says_what_it_does_not_stop(desk: Desk) -> None:
    def reply(caller: Caller) -> None:
        caller.begin()
        caller.send(*OPENAI_STREAM[:2])
        os.kill(os.getpid(), signal.SIGINT)
        caller.wait_for_end()

    for words in ((), ("--json",)):
        with serving(reply) as server:
            put(desk, server)
            answer = desk.run("try", M1, "x", *words)
            assert server.left.wait(5), "the socket is closed"
        assert answer.code == 130
        if words:
            check(answer.json, TRY)
            assert answer.json["try"][0]["outcome"] == "cancelled"
        else:
            assert "The provider may go on working, and may bill for it." in answer.err


def test_a_blocked_request_is_not_sent(desk: Desk) -> None:
    with serving(say("x")) as server:
        put(desk, server)
        answer = desk.run("try", M1, "x", "--require", "image_input")
        as_json = desk.run("try", M1, "x", "--task", "execute", "--json")
    assert (answer.code, answer.out) == (1, "")
    assert "blocked  image_input is required" in answer.err
    check(as_json.json, TRY)
    assert (as_json.code, as_json.json["try"][0]["outcome"]) == (1, "blocked")
    assert server.bodies == []


def test_an_endpoint_of_a_project_file_rests_until_it_is_trusted(desk: Desk) -> None:
    with serving(say("ok")) as server:
        desk.write(config(server.url), "work/.air/shared/models.yaml")
        words = ("try", M1, "x", "--project", str(desk.home / "work"))
        refused = desk.run(*words)
        assert refused.code == 2
        assert "error[provider-untrusted]" in refused.err
        assert "capdeck trust near" in refused.err
        assert server.bodies == []
        assert desk.run("trust", "near", "--yes", "--project", str(desk.home / "work")).code == 0
        assert desk.run(*words).code == 0


def test_a_disabled_model_is_warned_of(desk: Desk) -> None:
    with serving(say("ok")) as server:
        put(desk, server, enabled=False)
        answer = desk.run("try", M1, "x")
    assert answer.code == 0
    assert answer.err.startswith("warning: near/m1 is disabled")


def test_a_key_in_the_prompt_is_not_sent(desk: Desk) -> None:
    with serving(say("ok")) as server:
        put(desk, server)
        answer = desk.run("try", M1, f"what is {KEY}?")
    assert answer.code == 2
    assert "error[provider-secret-in-body]" in answer.err
    assert server.bodies == []
    no_canary(answer)


@pytest.mark.parametrize("words", [(), ("--json",)])
def test_a_key_that_comes_back_in_pieces_is_hidden(desk: Desk, words: tuple[str, ...]) -> None:
    with serving(say("it is ", KEY[:9], KEY[9:], ".")) as server:
        put(desk, server)
        answer = desk.run("try", M1, "x", *words)
    assert answer.code == 0
    assert "it is «secret»." in answer.out
    no_canary(answer)


def test_bad_words_are_refused(desk: Desk) -> None:
    assert "did you mean 'local/house:30b'" in desk.run("try", "local/house", "x").err
    assert desk.run("try", "local/house:30b", "x", "--timeout", "0").code == 2
    assert desk.run("try", "local/house:30b", "x", "--max-tokens", "many").code == 2
    assert desk.run("try", "local/house:30b").code == 2


def test_no_key_and_no_endpoint_are_told(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CAPDECK_TEST_KEY")
    answer = desk.run("try", "anthropic-main/claude-haiku-4-5", "x")
    assert answer.code == 2
    assert "CAPDECK_TEST_KEY is not set" in answer.err
    desk.write(config("http://example.test/v1"))
    assert "error[provider-" in desk.run("try", M1, "x").err
    assert Path(desk.file).exists()


@pytest.mark.parametrize(
    "words", [("try", "anthropic-main/claude-haiku-4-5", "x"), ("probe", "local/house:30b", "--dry-run")], ids=" ".join
)
def test_no_screen_is_loaded_and_no_price_table_without_need(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    monkeypatch.setenv("CAPDECK_TEST_KEY", "mock_x")
    code, modules = loaded(desk, *words)
    assert code == 0
    assert not {"textual", "genai_prices"} & modules
