"""The trial screen: offline in the demo, over a server that takes its time, and with everything that goes wrong."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from adapters import attempts
from adapters.base import require_sendable
from adapters.conversion import JsonAnswer, convert
from adapters.conversion.canonical import Text
from adapters.conversion.completion import StopReason, Usage
from adapters.conversion.events import BlockStart, MessageDelta, MessageStart, MessageStop, StreamEvent, TextDelta
from adapters.errors import Failure, FailureKind, ProviderError, failure
from adapters.json_answers import JsonVerdict
from adapters.model_target import target_of
from adapters.offline import OfflineAdapter
from adapters.redaction import Redactor
from adapters.settings import ProviderSettings, settings_of
from adapters.trial import prompt_request
from model.vocabulary import Capability
from tests.adapters.streams import OPENAI_STREAM
from tests.tui.cli.model_server import KEY, Caller, config, refuse, say, serving
from tests.tui.conftest import Open, Typed, press
from tests.tui.test_app import SMALL, settle, text_of
from tui.app import CapdeckApp
from tui.screens.trial import Trial
from tui.screens.trial_answer import MOST_CHARACTERS
from tui.screens.trial_form import Form
from tui.screens.trial_run import Ask, Ready


class Ticks:
    """A clock that goes on by a quarter of a second each time that it is asked."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 0.25
        return self.now


@pytest.fixture(autouse=True)
def _clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Trial, "clock", Ticks())


class Again:
    """The next request begins here."""


class Scripted(OfflineAdapter):
    """Sends what the test says; `closed` tells that the stream was left, as a socket would be."""

    is_offline = False

    def __init__(self, settings: ProviderSettings, *script: str | BaseException | Again | None) -> None:
        """None = nothing more comes until somebody gives up."""
        super().__init__(settings)
        self.script = iter(script)
        self.closed = False
        self.sent = 0

    async def send(self, converted: Any, target: Any) -> AsyncGenerator[StreamEvent, None]:
        require_sendable(converted)
        self.sent += 1
        try:
            yield MessageStart("id", "m", Usage(input_tokens=3))
            yield BlockStart(0, Text(""))
            for step in self.script:
                if isinstance(step, Again):
                    break
                if step is None:
                    await asyncio.Event().wait()
                elif isinstance(step, BaseException):
                    raise step
                else:
                    yield TextDelta(0, step)
            yield MessageDelta(StopReason.END_TURN, usage=Usage(output_tokens=9))
            yield MessageStop()
        finally:
            self.closed = True


class Script:
    """An opener whose adapter does what the script says, one script a trial."""

    def __init__(self, *scripts: tuple[str | BaseException | Again | None, ...] | Failure) -> None:
        self.scripts = list(scripts)
        self.adapters: list[Scripted] = []
        self.prompts: list[str] = []
        self.forms: list[Form] = []

    def __call__(self, ask: Ask) -> Ready | Failure:
        self.prompts.append(ask.prompt)
        self.forms.append(ask.form)
        script = self.scripts.pop(0)
        if isinstance(script, Failure):
            return script
        adapter = Scripted(settings_of(ask.row.model.provider, is_trusted=True), *script)
        self.adapters.append(adapter)
        target = target_of(ask.row, allow_lossy=ask.form.allow_lossy)
        request = prompt_request(ask.row, ask.prompt, answer=ask.form.answer)
        return Ready(adapter, target, convert(request, target), Redactor())


async def until(pilot: Pilot[None], text: str) -> None:
    """The screen shows it; a screen that never does ends in pytest's failure, with what it shows."""
    for _ in range(200):
        await pilot.pause()
        if text in text_of(app_of(pilot)):
            return
    raise AssertionError(text_of(app_of(pilot)))


def app_of(pilot: Pilot[None]) -> CapdeckApp:
    assert isinstance(pilot.app, CapdeckApp)
    return pilot.app


async def on_trial(pilot: Pilot[None], opener: Script) -> Trial:
    app = app_of(pilot)
    await settle(pilot)
    trial = Trial(app.snapshot, app.snapshot.matrix.rows[0], opener=opener)
    await app.push_screen(trial)
    await pilot.pause()
    return trial


async def test_offline_in_the_demo(open_app: Open) -> None:
    app = open_app()
    app.demo = True
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("down", "t")
        await pilot.pause()
        assert "nobody is called, the answer is made up" in text_of(app)
        await press(pilot, Typed("hi you"), "enter")
        await until(pilot, "ended: end_turn")
        shown = text_of(app)
        assert "nobody was asked. You wrote: hi you" in " ".join(shown.split())
        assert "conversion lossless" in shown
        assert "first token 0.25 s" in shown
        assert "no cost: nobody was asked" in " ".join(shown.split())
        await pilot.press("escape")
        await pilot.pause()
        assert not isinstance(app.screen, Trial)


async def test_in_the_demo_even_a_local_model_is_not_called(open_app: Open) -> None:
    app = open_app()
    app.demo = True
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        rows = {str(row.ref): row for row in app.snapshot.matrix.rows}
        await app.push_screen(Trial(app.snapshot, rows["local/gpt-oss:20b"], offline=True))
        await pilot.press("x", "enter")
        await until(pilot, "nobody was asked. You wrote: x")


async def test_without_a_model_under_the_cursor_it_says_so(open_app: Open) -> None:
    app = open_app()
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await settle(pilot)
        app.query_one("MatrixGrid").focus()
        await pilot.press("g", "t")
        await pilot.pause()
        assert not isinstance(app.screen, Trial)
        assert "move to a model" in text_of(app)


async def test_numbers_of_an_answer(open_app: Open) -> None:
    app = open_app()
    async with app.run_test(size=(120, 30)) as pilot:
        await on_trial(pilot, Script(("Hel", "lo")))
        await pilot.press("x", "enter")
        await until(pilot, "3 tokens in, 9 out")
        await until(pilot, "$0.")
        shown = text_of(app)
        assert "Hello" in shown
        assert "first token 0.25 s · 32.0 tokens/s · 0.75 s in all" in shown


async def test_escape_cancels_closes_and_says_what_goes_on(open_app: Open) -> None:
    app = open_app(SMALL)
    script = Script(("Hello", None), ("again",))
    async with app.run_test(size=(80, 24)) as pilot:
        await on_trial(pilot, script)
        await pilot.press("x", "enter")
        await until(pilot, "Hello")
        assert not script.adapters[0].closed
        await pilot.press("enter")
        await until(pilot, "this trial goes on: esc cancels it")
        await pilot.press("escape")
        await until(pilot, "may bill for it")
        assert script.adapters[0].closed
        assert "Hello" in text_of(app), "what came stays"
        await press(pilot, "backspace", Typed("other"), "enter")
        await until(pilot, "again")
        assert script.prompts == ["x", "other"]
        assert "Hello" not in text_of(app)


async def test_cancelled_before_anything_was_sent(open_app: Open) -> None:
    import threading

    gate = threading.Event()
    script = Script(("never",))

    def slow(ask: Ask) -> Ready | Failure:
        gate.wait(5)
        return script(ask)

    app = open_app(SMALL)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await app.push_screen(Trial(app.snapshot, app.snapshot.matrix.rows[0], opener=slow))
        await pilot.press("x", "enter", "escape")
        try:
            await until(pilot, "cancelled before anything was sent")
        finally:
            gate.set()


@pytest.mark.parametrize(
    ("script", "told"),
    [
        ((ProviderError(failure(FailureKind.RATE_LIMITED, status=429, said="[/x] slow \x1b]0;x")),), "[/x] slow ␛]0;x"),
        (("half", ProviderError(failure(FailureKind.TRUNCATED))), "the answer broke off before its end"),
        ((ValueError("a mistake"),), "a mistake in capdeck ended this trial (ValueError)"),
        (failure(FailureKind.NO_CREDENTIAL), "no credential was found"),
        (failure(FailureKind.UNTRUSTED), "capdeck trust"),
    ],
)
async def test_what_goes_wrong_is_told(open_app: Open, script: Any, told: str) -> None:
    app = open_app(SMALL)
    async with app.run_test(size=(120, 30)) as pilot:
        await on_trial(pilot, Script(script, ("fine",)))
        await pilot.press("x", "enter")
        await until(pilot, told)
        await pilot.press("enter")
        await until(pilot, "fine")


async def test_foreign_text_is_shown_not_obeyed(open_app: Open) -> None:
    app = open_app(SMALL)
    async with app.run_test(size=(120, 30)) as pilot:
        await on_trial(pilot, Script(("[bold]x[/nope]", "\x1b]0;t\x07", "[@click=app.quit]q[/]")))
        await pilot.press("x", "enter")
        await until(pilot, "[bold]x[/nope]␛]0;t␇[@click=app.quit]q[/]")


async def test_an_endless_answer_does_not_stop_the_screen(open_app: Open) -> None:
    app = open_app(SMALL)
    async with app.run_test(size=(80, 24)) as pilot:
        trial = await on_trial(pilot, Script(("a" * MOST_CHARACTERS, "b" * 10, "c" * MOST_CHARACTERS)))
        await pilot.press("x", "enter")
        await until(pilot, "ended: end_turn")
        assert trial.answer.text.endswith("characters that are shown")
        assert len(trial.answer.text) < MOST_CHARACTERS + 100


async def test_it_follows_the_answer_until_somebody_scrolls(open_app: Open) -> None:
    app = open_app(SMALL)
    lines = tuple(f"line {number}\n" for number in range(60))
    async with app.run_test(size=(80, 24)) as pilot:
        trial = await on_trial(pilot, Script(lines))
        await pilot.press("x", "enter")
        await until(pilot, "line 59")
        await pilot.press("pageup", "pageup", "pageup", "pageup", "pageup", "pageup")
        await until(pilot, "line 0")
        assert trial.answer.scroll_y == 0


async def test_an_empty_prompt_sends_nothing(open_app: Open) -> None:
    app = open_app(SMALL)
    script = Script()
    async with app.run_test(size=(80, 24)) as pilot:
        await on_trial(pilot, script)
        await pilot.press("space", "enter")
        await until(pilot, "write a prompt first")
        assert script.prompts == []


async def test_over_a_server_the_socket_closes(open_app: Open) -> None:
    def reply(caller: Caller) -> None:
        caller.begin()
        caller.send(*OPENAI_STREAM[:2])
        caller.wait_for_end()

    with serving(reply) as server:
        app = open_app(config(server.url), environ={"CAPDECK_TEST_KEY": KEY})
        async with app.run_test(size=(80, 24)) as pilot:
            await settle(pilot)
            await pilot.press("down", "t")
            await pilot.press("x", "enter")
            await until(pilot, "Hel")
            await pilot.press("escape")
            await until(pilot, "may bill for it")
            assert await asyncio.to_thread(server.left.wait, 5)


@pytest.mark.parametrize("reply", [refuse(401, f"bad key {KEY}"), say("it is ", KEY[:9], KEY[9:], ".")])
async def test_no_screen_shows_the_key(open_app: Open, reply: Any) -> None:
    with serving(reply) as server:
        app = open_app(config(server.url), environ={"CAPDECK_TEST_KEY": KEY})
        async with app.run_test(size=(120, 30)) as pilot:
            await settle(pilot)
            await pilot.press("down", "t")
            await pilot.press("x", "enter")
            await until(pilot, "«secret»")
            assert KEY[-12:] not in text_of(app)
            assert not any(KEY in worker.description for worker in app.workers)


async def on_probe(pilot: Pilot[None]) -> None:
    await settle(pilot)
    await pilot.press("down", "t", "ctrl+t")


async def test_a_probe_from_here_asks_first_and_reaches_the_matrix(open_app: Open) -> None:
    with serving(refuse(400, "tools are not supported")) as server:
        app = open_app(config(server.url), environ={"CAPDECK_TEST_KEY": KEY})
        async with app.run_test(size=(120, 40)) as pilot:
            await on_probe(pilot)
            await until(pilot, "y send these")
            assert "Look up the city of Paris" in text_of(app)
            assert server.bodies == []
            await pilot.press("y")
            await until(pilot, "kept in ")
            assert len(server.bodies) == 4
            (row,) = app.snapshot.matrix.rows
            assert row.observed
            assert Capability.TOOL_USE in row.observed.flags.no
            await pilot.press("escape", "escape")
            await pilot.pause()
            assert not isinstance(app.screen, Trial)


async def test_a_probe_is_cancelled(open_app: Open) -> None:
    with serving(lambda caller: caller.wait_for_end()) as server:
        app = open_app(config(server.url), environ={"CAPDECK_TEST_KEY": KEY})
        async with app.run_test(size=(120, 40)) as pilot:
            await on_probe(pilot)
            await until(pilot, "y send these")
            await pilot.press("y")
            await until(pilot, "sending …")
            await pilot.press("escape")
            await until(pilot, "may bill for it. nothing was kept")


async def test_a_probe_offline_asks_nobody(open_app: Open) -> None:
    app = open_app()
    app.demo = True
    async with app.run_test(size=(120, 40)) as pilot:
        await on_probe(pilot)
        await until(pilot, "offline: nobody is called")
        await pilot.press("y")
        await until(pilot, "nothing was kept; no file was changed")
        assert "inconclusive" in text_of(app)


async def with_json(pilot: Pilot[None], *keys: str, opener: Script) -> Trial:
    trial = await on_trial(pilot, opener)
    await pilot.press("ctrl+o", *keys)
    await pilot.pause()
    return trial


async def test_json_is_checked_and_no_second_request_is_made(open_app: Open) -> None:
    app = open_app(SMALL)
    script = Script(("[1]",))
    async with app.run_test(size=(120, 30)) as pilot:
        trial = await with_json(pilot, "ctrl+l", opener=script)
        assert "answer: JSON object" in text_of(app)
        assert "lossy: yes" in text_of(app)
        assert "second attempt: off" in text_of(app)
        await pilot.press("x", "enter")
        await until(pilot, "JSON, but it breaks what was asked at $: is an array, not object")
        assert trial.form.form.answer == JsonAnswer()
        assert script.forms == [trial.form.form]
        assert "second attempt, stricter" not in text_of(app)
        assert script.adapters[0].sent == 1


async def test_a_second_attempt_that_was_switched_on_is_visible(open_app: Open) -> None:
    app = open_app(SMALL)
    script = Script(("No.", Again(), '{"a": 1}'))
    async with app.run_test(size=(120, 36)) as pilot:
        await with_json(pilot, "ctrl+l", "ctrl+n", opener=script)
        assert "second attempt: ON" in text_of(app)
        await pilot.press("x", "enter")
        await until(pilot, "2 requests in all: 6 tokens in, 18 out · cost not known")
        shown = text_of(app)
        assert "── second attempt, stricter ──" in shown
        for told in ("No.", '{"a": 1}', "not JSON: no JSON stands in it", "valid JSON", "attempt 1: ", "attempt 2: "):
            assert told in shown
        assert script.adapters[0].sent == 2
        await pilot.press("ctrl+o", "escape")
        await pilot.pause()
        assert "answer: any text" in text_of(app)
        assert "second attempt: off" in text_of(app), "it goes with the JSON"


async def test_a_second_attempt_is_cancelled(open_app: Open) -> None:
    app = open_app(SMALL)
    script = Script(("No.", Again(), "half", None))
    async with app.run_test(size=(120, 36)) as pilot:
        await with_json(pilot, "ctrl+l", "ctrl+n", opener=script)
        await pilot.press("x", "enter")
        await until(pilot, "half")
        await pilot.press("escape")
        await until(pilot, "may bill for it")
        assert script.adapters[0].closed
        assert "2 requests in all" in text_of(app)


async def test_a_long_check_is_told_and_can_be_cancelled(open_app: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    async def judge_for_ever(text: str, asked: JsonAnswer) -> JsonVerdict:
        return await asyncio.get_running_loop().create_future()

    monkeypatch.setattr(attempts, "judge_apart", judge_for_ever)
    app = open_app(SMALL)
    script = Script(("{}",))
    async with app.run_test(size=(120, 30)) as pilot:
        await with_json(pilot, "ctrl+l", opener=script)
        await pilot.press("x", "enter")
        await until(pilot, "checking whether it is the JSON asked for")
        await pilot.press("escape")
        await until(pilot, "cancelled")
        assert script.adapters[0].closed


async def test_words_alone_wait_for_lossy(open_app: Open) -> None:
    app = open_app(SMALL)
    script = Script(("{}",))
    async with app.run_test(size=(120, 30)) as pilot:
        await with_json(pilot, opener=script)
        await pilot.press("x", "enter")
        await until(pilot, "^l lets JSON be asked for in words")
        assert script.adapters[0].sent == 0


async def test_a_second_attempt_needs_json(open_app: Open) -> None:
    app = open_app(SMALL)
    async with app.run_test(size=(80, 24)) as pilot:
        await on_trial(pilot, Script())
        await pilot.press("ctrl+n")
        await until(pilot, "a second attempt is for JSON answers: ^o asks for one")
        assert "second attempt: off" in text_of(app)


async def test_a_schema_in_a_file(open_app: Open) -> None:
    app = open_app(SMALL)
    Path("s[b].json").write_text('{"required": ["n"]}')
    Path("bad.json").write_text('{"type": "odd"}')
    pipe = Path("pipe")
    os.mkfifo(pipe) if hasattr(os, "mkfifo") else pipe.mkdir()
    script = Script(('{"m": 1}',))
    async with app.run_test(size=(80, 24)) as pilot:
        trial = await with_json(pilot, "ctrl+l", "ctrl+o", *"none.json", "enter", opener=script)
        await until(pilot, "none.json: No such file")
        await press(pilot, "ctrl+o", Typed(str(pipe)), "enter")
        await until(pilot, f"{pipe}: is no file")
        await press(pilot, "ctrl+o", Typed("bad.json"), "enter")
        await until(pilot, "bad.json:1:10: no usable JSON Schema")
        await press(pilot, "ctrl+o", Typed("s[b].json"), "enter")
        await until(pilot, "answer: JSON of s[b].json")
        await pilot.press("x", "enter")
        await until(pilot, "JSON, but it breaks the schema at $: 'n' is a required property")
        assert trial.form.form.answer == JsonAnswer({"required": ["n"]})


async def test_offline_json_in_the_demo(open_app: Open) -> None:
    app = open_app()
    app.demo = True
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("down", "t", "ctrl+o", "ctrl+l", "x", "enter")
        await until(pilot, "valid JSON")
