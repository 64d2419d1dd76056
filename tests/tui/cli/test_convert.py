"""`capdeck convert`: what would be sent, what is lost, why it may not be sent; and bad input with its place."""

from __future__ import annotations

import json
from typing import Any

import pytest

from adapters.conversion import Target, convert, parse_request
from adapters.model_target import target_of
from model.files import FileSpec
from model.model_ref import ModelRef
from model.vocabulary import Layer
from model.workbench import Workbench
from tests.tui.cli.conftest import Desk, Run
from tests.tui.cli.shapes import MAYBE_COUNT, MAYBE_TEXT, TEXT, check, document, record, rows

HOUSE, OPUS = "local/house:30b", "anthropic-main/claude-opus-4-7"
REPORT = record(
    status={"enum": ["lossless", "lossy", "unsupported"]}, omissions=rows(TEXT), warnings=rows(TEXT),
    required_confirmation={"type": "boolean"},
)  # fmt: skip
CONVERT = document(
    ref=TEXT, api=TEXT, request={"type": ["object", "null"]}, conversion_report=REPORT, blocked=rows(TEXT),
    steps=rows(record(message=MAYBE_COUNT, block=MAYBE_COUNT, kind=TEXT, action=TEXT, detail=MAYBE_TEXT)),
    switch_report=rows(record(from_api=TEXT, to_api=TEXT, thinking_blocks_dropped={"type": "integer"})),
)  # fmt: skip
THINKING = {"type": "thinking", "thinking": "hm", "signature": "s"}
TALK: dict[str, Any] = {
    "system": "Be brief.",
    "max_tokens": 50,
    "messages": [
        {"role": "user", "content": "Hi"},
        {"role": "assistant", "content": [THINKING, {"type": "text", "text": "Hello"}]},
        {"role": "user", "content": "Bye"},
    ],
}


def ask(run: Run, value: Any, *words: str) -> Any:
    return run("convert", "-", *words, input=value if isinstance(value, str) else json.dumps(value))


def house(desk: Desk, **options: Any) -> Target:
    row = Workbench([FileSpec(desk.file, Layer.GLOBAL)]).snapshot.matrix.get(ModelRef.parse(HOUSE))
    assert row
    return target_of(row, **options)


def test_json_is_the_library_s_conversion(run: Run, desk: Desk) -> None:
    answer = ask(run, TALK, "--to", HOUSE, "--allow-lossy", "--json")
    check(answer.json, CONVERT)
    made = convert(parse_request({**TALK, "model": "house:30b"}), house(desk, allow_lossy=True))
    assert answer.json["request"] == made.body
    assert answer.json["conversion_report"] == made.report.model_dump(mode="json")
    assert (answer.code, answer.json["api"], answer.json["switch_report"]) == (0, "ollama-chat", [])


def test_the_request_goes_out_and_the_report_aside(run: Run) -> None:
    answer = ask(run, TALK["messages"][:1], "--to", HOUSE)
    assert answer.code == 0
    assert json.loads(answer.out)["messages"] == [{"role": "user", "content": "Hi"}]
    assert answer.err == "conversion lossless\n"


def test_blocked_tells_every_reason_and_prints_no_request(run: Run) -> None:
    given = {**TALK, "tools": [{"name": "t", "input_schema": {"type": "object"}}], "foo": 1}
    answer = ask(run, given, "--to", HOUSE, "--require", "thinking", "--require", "image_input")
    assert (answer.code, answer.out) == (1, "")
    assert "blocked  thinking is required" in answer.err
    assert "blocked  image_input is required" in answer.err
    assert "message 1 block 0: thinking stripped" in answer.err
    shown = ask(run, given, "--to", HOUSE, "--require", "thinking", "--json")
    check(shown.json, CONVERT)
    assert (shown.code, shown.json["request"]) == (1, None)
    assert shown.json["blocked"]


def test_lossy_is_blocked_until_it_is_allowed(run: Run) -> None:
    assert ask(run, TALK, "--to", HOUSE).code == 1
    assert ask(run, TALK, "--to", HOUSE, "--allow-lossy").code == 0


def test_what_a_task_requires_must_arrive(run: Run) -> None:
    answer = ask(run, TALK["messages"][:1], "--to", HOUSE, "--task", "execute")
    assert answer.code == 1
    assert "structured_output is required and does not reach the model" in answer.err


def test_messages_that_say_who_made_them_are_moved(run: Run) -> None:
    made = {"api": "ollama-chat", "provider": "x", "model": "qwen"}
    talk = [TALK["messages"][0], {**TALK["messages"][1], **made}, TALK["messages"][2]]
    answer = ask(run, talk, "--to", OPUS, "--json")
    check(answer.json, CONVERT)
    (report,) = answer.json["switch_report"]
    assert (report["from_api"], report["to_api"]) == ("ollama-chat", "anthropic-messages")
    assert report["thinking_blocks_dropped"] == 1
    assert answer.json["conversion_report"]["status"] == "lossless"
    text = ask(run, talk, "--to", OPUS)
    assert "switch ollama-chat → anthropic-messages: thinking blocks dropped 1" in text.err


def test_an_aborted_turn_is_left_behind(run: Run) -> None:
    cut = {**TALK["messages"][1], "api": "anthropic-messages", "stopReason": "aborted"}
    answer = ask(run, [TALK["messages"][0], cut, TALK["messages"][2]], "--to", HOUSE, "--json")
    assert answer.json["switch_report"][0]["turns_dropped"] == 1


@pytest.mark.parametrize(
    ("given", "place", "message"),
    [
        ('{"messages": [\n  {"role": }]}', "-:2:12: ", "not JSON"),
        ("", "-:1:1: ", "not JSON"),
        ('{"messages": [NaN]}', "-: ", "NaN is no JSON number"),
        ("[" * 100_000, "-: ", "nests too deep"),
        ("{}", "-: ", "a list of at least one message"),
        ("3", "-: ", "a request object"),
        ([{"role": "user", "content": "a"}, {"role": "boss", "content": "b"}], "-: ", "messages[1]"),
        ([{"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "text"}]}], "-: ", "[0].content[1]"),
        ([{"role": "user", "content": "a", "api": "smoke-signals"}], "-: ", "ollama-chat"),
    ],
)  # fmt: skip
def test_bad_input_has_a_place(run: Run, given: Any, place: str, message: str) -> None:
    answer = ask(run, given, "--to", HOUSE)
    assert answer.code == 2
    assert answer.out == ""
    assert answer.err.startswith(f"{place}error[request-invalid]")
    assert message in answer.err


def test_bytes_that_are_no_text_and_files_that_are_not_there(run: Run, desk: Desk) -> None:
    desk.write(b'{"a":\n "\xff"}', "bad.json")
    assert run("convert", "bad.json", "--to", HOUSE).err.startswith("bad.json:2: error[request-invalid] not UTF-8")
    assert run("convert", "none.json", "--to", HOUSE).err.startswith("none.json: error[io] No such file")
    assert run("convert", ".", "--to", HOUSE).code == 2


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--to", "local/house"), "did you mean 'local/house:30b'"),
        (("--to", HOUSE, "--task", "execut"), "did you mean 'execute'"),
        (("--to", HOUSE, "--require", "tool_uses"), "did you mean 'tool_use'"),
        ((), "--to"),
    ],
)
def test_bad_words_are_refused(run: Run, words: tuple[str, ...], message: str) -> None:
    answer = ask(run, TALK, *words)
    assert answer.code == 2
    assert message in answer.err


def test_a_secret_in_the_request_is_not_printed(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    secret = "sk-canary-convert-7f3a9c51e2b8"
    monkeypatch.setenv("CAPDECK_TEST_KEY", secret)
    talk = [{"role": "user", "content": f"my key is {secret}"}]
    for words in ((), ("--json",)):
        answer = ask(run, talk, "--to", OPUS, *words)
        assert "my key is «secret»" in answer.out
        assert secret not in answer.out + answer.err


def test_control_characters_are_shown_not_obeyed(run: Run) -> None:
    talk = [{"role": "user", "content": "\x1b]0;x\x07\u202e"}]
    for words in ((), ("--json",)):
        answer = ask(run, talk, "--to", HOUSE, *words)
        assert not {"\x1b", "\x07", "\u202e"} & set(answer.out + answer.err)
        assert json.loads(answer.out)
