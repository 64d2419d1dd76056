"""A trial that asks for JSON: one attempt, and a second, stricter one only where it was chosen and the first failed."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any

import httpx
import pytest

from adapters import attempts
from adapters.attempts import Attempt, Conducted, conduct, cost_of_all
from adapters.contract import ProviderAdapter
from adapters.conversion import Converted, JsonAnswer, StopReason, Target, Usage, convert
from adapters.conversion.canonical import CanonicalRequest, Message, Speaker, Text
from adapters.json_answers import Found, JsonOutcome
from adapters.redaction import Redactor
from adapters.secrets import Secret
from adapters.trial import Ending, Piece
from model.vocabulary import JsonLevel, ProviderKind
from tests.adapters.opening import KEY, adapter
from tests.adapters.streams import OPENAI_STREAM, chunk
from tests.adapters.wire import Handler, Pieces, Server, json_reply, reply, sse_reply

SCHEMA = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
PATH = ("POST", "/v1/chat/completions")


def says(text: str, finish: str = "stop") -> Handler:
    return lambda _: sse_reply(
        OPENAI_STREAM[0], chunk({"content": text}), chunk({}, finish), OPENAI_STREAM[4], done=True
    )


@dataclass
class Watching:
    pieces: list[str] = field(default_factory=list)
    seconds: list[tuple[Attempt, Converted]] = field(default_factory=list)
    checks: int = 0

    def show(self, piece: Piece) -> None:
        self.pieces.append(piece.text)

    def begin_check(self) -> None:
        self.checks += 1

    def begin_second(self, first: Attempt, converted: Converted) -> None:
        self.seconds.append((first, converted))


@dataclass
class Trial:
    """One model that is asked for JSON; `server` answers in the order given, and fails a request too many."""

    answers: tuple[Handler, ...]
    answer: JsonAnswer | None = field(default_factory=lambda: JsonAnswer(SCHEMA))
    level: JsonLevel = JsonLevel.PROMPT_ONLY
    kind: ProviderKind = ProviderKind.OPENAI
    redactor: Redactor = field(default_factory=Redactor)
    watcher: Watching = field(default_factory=Watching)

    def __post_init__(self) -> None:
        self.server = Server({PATH: list(self.answers)})

    def opened(self) -> tuple[ProviderAdapter, Converted, Target]:
        one = adapter(self.kind, self.server)
        target = replace(one.target("m1"), json_schema=self.level, json_mode=self.level, allow_lossy=True)
        request = CanonicalRequest(
            model_id="m1",
            messages=(Message(Speaker.USER, (Text("Give me n"),)),),
            system=(Text("Be kind."),),
            answer=self.answer,
            stream=True,
        )
        return one, convert(request, target), target

    async def run(self, *, second: bool = False) -> Conducted:
        one, converted, target = self.opened()
        return await conduct(one, converted, target, self.redactor, self.watcher, second_attempt=second)

    def system(self, index: int) -> str:
        content = self.server.body(index)["messages"][0]["content"]
        return content if isinstance(content, str) else "\n".join(part["text"] for part in content)


@pytest.mark.parametrize("second", [False, True])
@pytest.mark.parametrize(
    ("text", "found"),
    [('{"n": 1}', Found.WHOLE), ('```json\n{"n": 1}\n```', Found.FENCED), ('So {"n": 1}.', Found.AMONG_WORDS)],
)
async def test_a_good_answer_needs_no_second(text: str, found: Found, second: bool) -> None:
    trial = Trial((says(text),))
    done = await trial.run(second=second)
    assert done.ending is Ending.DONE
    assert done.verdict
    assert (done.verdict.outcome, done.verdict.found, done.verdict.value) == (JsonOutcome.VALID, found, {"n": 1})
    assert len(done.attempts) == len(trial.server.requests) == 1
    assert '"required": ["n"]' in trial.system(0)
    assert done.last.converted.report.omissions == ("JSON schema asked for in words",)


async def test_without_being_chosen_there_is_no_second() -> None:
    trial = Trial((says("No."),))
    done = await trial.run()
    assert done.verdict
    assert done.verdict.outcome is JsonOutcome.NOT_JSON
    assert len(trial.server.requests) == 1
    assert trial.watcher.seconds == []


async def test_the_second_is_stricter_and_the_last() -> None:
    trial = Trial((says('{"n": "one"}'), says("Still no.")))
    done = await trial.run(second=True)
    assert [each.verdict and each.verdict.outcome for each in done.attempts] == [
        JsonOutcome.BREAKS_SCHEMA,
        JsonOutcome.NOT_JSON,
    ]
    assert len(trial.server.requests) == 2
    first, second = trial.system(0), trial.system(1)
    assert "- at $.n: is a string, not integer" in second
    assert "Be kind." in first
    assert "Be kind." in second
    assert first.count('"required"') == second.count('"required"') == 1
    assert "one" not in trial.server.body(1)["messages"][1]["content"], "the answer is not sent again"
    assert done.usage == Usage(18, 4)
    assert done.seconds == sum(each.reading.seconds for each in done.attempts)
    ((told, converted),) = trial.watcher.seconds
    assert told == done.attempts[0]
    assert converted == done.attempts[1].converted
    assert trial.watcher.checks == 2


async def test_a_second_that_is_good_counts() -> None:
    trial = Trial((says("Let me think."), says('{"n": 2}')), level=JsonLevel.NATIVE)
    done = await trial.run(second=True)
    assert done.verdict
    assert done.verdict.is_valid
    assert done.last.reading.text == '{"n": 2}'
    assert "response_format" in trial.server.body(0)
    assert "response_format" in trial.server.body(1)
    assert '"required": ["n"]' not in trial.system(0)
    assert '"required": ["n"]' in trial.system(1), "what the server did not hold is said in words too"


async def test_json_of_any_shape() -> None:
    trial = Trial((says("[1]"), says('{"a": []}')), answer=JsonAnswer())
    done = await trial.run(second=True)
    assert "- at $: is an array, not object" in trial.system(1)
    assert done.verdict
    assert done.verdict.is_valid


def unkind(_: httpx.Request) -> httpx.Response:
    return json_reply({"error": {"message": "response_format is not supported"}}, 400)


def broken_off(_: httpx.Request) -> httpx.Response:
    return sse_reply(*OPENAI_STREAM[:2])


@pytest.mark.parametrize("answer", [unkind, broken_off, lambda _: json_reply({}, 503)])
async def test_what_failed_is_not_asked_again(answer: Handler) -> None:
    trial = Trial((answer,), level=JsonLevel.NATIVE)
    done = await trial.run(second=True)
    assert (done.ending, done.verdict) == (Ending.FAILED, None)
    assert (len(trial.server.requests), trial.watcher.checks) == (1, 0)


async def test_what_is_blocked_is_not_asked_at_all() -> None:
    trial = Trial((), level=JsonLevel.UNSUPPORTED)
    done = await trial.run(second=True)
    assert done.ending is Ending.BLOCKED
    assert trial.server.requests == []


async def test_a_model_that_declines_is_not_pressed() -> None:
    trial = Trial((says("I will not.", "content_filter"),))
    done = await trial.run(second=True)
    assert done.last.reading.completion
    assert done.last.reading.completion.stop_reason is StopReason.REFUSAL
    assert len(trial.server.requests) == 1


async def test_a_second_that_fails_leaves_the_first_verdict() -> None:
    trial = Trial((says("No."), unkind))
    done = await trial.run(second=True)
    assert done.ending is Ending.FAILED
    assert done.verdict
    assert done.verdict.outcome is JsonOutcome.NOT_JSON
    assert done.usage == Usage(), "what the second took is not known, so the sum is not"


async def test_without_json_nothing_is_judged() -> None:
    trial = Trial((says("No."),), answer=None)
    done = await trial.run(second=True)
    assert (done.verdict, len(trial.server.requests), trial.watcher.checks) == (None, 1, 0)


async def test_an_answer_without_words_and_one_that_was_cut() -> None:
    empty = await Trial((says(""),)).run()
    assert empty.verdict
    assert [str(error) for error in empty.verdict.errors] == ["there is no text"]
    cut = await Trial((says('{"n": ', "length"),)).run()
    assert cut.verdict
    assert "cut at the longest answer allowed" in str(cut.verdict.errors[-1])


async def test_secrets_are_hidden_in_what_is_told() -> None:
    escaped = "".join(f"\\u{ord(letter):04x}" for letter in KEY)
    trial = Trial((says(f'{{"n": {{"{escaped}": 1}}}}'), says("x")), redactor=Redactor([Secret(KEY)]))
    trial.answer = JsonAnswer({"properties": {"n": {"additionalProperties": {"type": "string"}}}})
    done = await trial.run(second=True)
    assert done.attempts[0].verdict
    assert done.attempts[0].verdict.errors[0].path == "$.n['«secret»']"
    assert "«secret»" in repr(trial.watcher.seconds)
    assert KEY not in repr(done.verdict)
    assert KEY not in repr(trial.watcher.seconds)
    assert len(trial.server.requests) == 2


async def test_half_a_character_in_a_key_does_not_stop_the_second() -> None:
    trial = Trial((says('{"n": {"\\ud800\\n": 1}}'), says('{"n": 1}')))
    trial.answer = JsonAnswer({"properties": {"n": {"additionalProperties": {"type": "string"}}}})
    done = await trial.run(second=True)
    assert (done.ending, len(trial.server.requests)) == (Ending.DONE, 2)
    assert "- at $.n['?" in trial.system(1)


async def begun(trial: Trial, second: bool = True) -> asyncio.Task[Conducted]:
    return asyncio.create_task(trial.run(second=second))


async def until(holds: Any) -> None:
    for _ in range(2000):
        if holds():
            return
        await asyncio.sleep(0.001)
    raise AssertionError("it never came to that")


def stalls(_: httpx.Request) -> httpx.Response:
    return reply(Pieces([b'data: {"choices": [{"index": 0, "delta": {"content": "Hel"}}]}\n\n'], stall=True), {
        "content-type": "text/event-stream"
    })  # fmt: skip


@pytest.mark.parametrize(("answers", "begun_attempts"), [((stalls,), 1), ((says("No."), stalls), 2)])
async def test_cancelled_during_an_attempt(answers: tuple[Handler, ...], begun_attempts: int) -> None:
    trial = Trial(answers)
    task = await begun(trial)
    await until(lambda: "Hel" in trial.watcher.pieces)
    task.cancel()
    done = await task
    assert done.ending is Ending.CANCELLED
    assert len(done.attempts) == len(trial.server.requests) == begun_attempts
    assert done.last.reading.ending is Ending.CANCELLED


async def test_cancelled_between_two_attempts(monkeypatch: pytest.MonkeyPatch) -> None:
    reached = asyncio.Event()

    async def judging(*_: Any) -> None:
        reached.set()
        await asyncio.Event().wait()

    monkeypatch.setattr(attempts, "_judged", judging)
    trial = Trial((says("No."),))
    task = await begun(trial)
    await reached.wait()
    task.cancel()
    done = await task
    assert done.ending is Ending.CANCELLED
    assert done.last.reading.ending is Ending.DONE
    assert (len(trial.server.requests), trial.watcher.seconds) == (1, [])


def test_the_cost_of_all(monkeypatch: pytest.MonkeyPatch) -> None:
    prices = {1: Decimal(2), 2: Decimal(3)}
    monkeypatch.setattr(attempts, "cost_at", lambda _provider, _model, usage: prices.get(usage.input_tokens))
    provider: Any = None
    assert cost_of_all(provider, "m", [Usage(1), Usage(2)]) == 5
    assert cost_of_all(provider, "m", [Usage(1), Usage()]) is None


def test_usage_is_summed_where_it_is_known() -> None:
    assert Usage(1, 2, None, 3).plus(Usage(10, 20, 4)) == Usage(11, 22, 4, 3)
    assert Usage(1, 2).plus(Usage()) == Usage()
