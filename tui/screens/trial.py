"""A prompt for the model under the cursor: its answer as it comes, what it took, and beside it the conversion report
and what its JSON is worth."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container
from textual.content import Content
from textual.message import Message
from textual.screen import ModalScreen
from textual.widgets import Static
from textual.worker import Worker

from tui.attempts_text import SECOND_ATTEMPT, verdict_lines
from tui.safe_text import safe_text
from tui.screens.trial_answer import TrialAnswer
from tui.screens.trial_form import TrialForm
from tui.screens.trial_probe import Keep, Probing
from tui.screens.trial_report import TrialReport
from tui.screens.trial_run import Ask, KeepTime, Opener, Ready, make_ready, measured, price, send
from tui.screens.trial_words import before, heading, told
from tui.trial_text import cost_words, failure_lines
from tui.widgets.line_edit import LineEdit

if TYPE_CHECKING:
    from decimal import Decimal

    from adapters.attempts import Attempt, Conducted
    from adapters.conversion import Converted
    from adapters.errors import Failure
    from adapters.trial import Piece
    from model.latency import FirstToken
    from model.resolve import ResolvedModel
    from model.snapshot import Snapshot


class Trial(ModalScreen[None]):
    """Enter sends, escape cancels what runs and leaves otherwise. The worker touches no widget: it posts messages."""

    @dataclass
    class Prepared(Message):
        """The request is converted."""

        converted: Converted

    @dataclass
    class Spoken(Message):
        """Some more of the answer came."""

        piece: Piece

    @dataclass
    class CheckBegun(Message):
        """The answer is whole; whether it is the JSON asked for is being found out."""

    @dataclass
    class SecondBegun(Message):
        """The first answer was not the JSON asked for, and it is asked for once more."""

        first: Attempt
        converted: Converted

    @dataclass
    class Ended(Message):
        """The trial is over, in whichever way."""

        conducted: Conducted
        offline: bool
        first_tokens: tuple[FirstToken, ...]

    @dataclass
    class Priced(Message):
        """What the trial that ended has cost, in USD; None = not known."""

        cost: Decimal | None

    @dataclass
    class Stopped(Message):
        """Cancelled before anything was sent."""

    @dataclass
    class Refused(Message):
        """Nothing was sent."""

        failure: Failure

    @dataclass
    class Broke(Message):
        """A mistake in capdeck ended the trial: the exception's type."""

        type: str

    BINDINGS: ClassVar[list[BindingType]] = [
        ("escape", "stop", "cancel"),
        ("ctrl+t", "probe", "probe"),
        ("ctrl+o", "form('next_answer')", "form of the answer"),
        ("ctrl+l", "form('switch_lossy')", "allow lossy"),
        ("ctrl+n", "form('switch_second')", "second attempt"),
        ("up", "scroll(-1)", "up"),
        ("down", "scroll(1)", "down"),
        ("pageup", "scroll(-10)", "page up"),
        ("pagedown", "scroll(10)", "page down"),
    ]
    DEFAULT_CSS = """
    Trial { layout: vertical; background: $background; }
    Trial #trial-head, Trial #trial-keys { height: 1; background: $panel; text-wrap: nowrap; text-overflow: ellipsis; }
    Trial LineEdit { background: $boost; }
    Trial #trial-body { height: 1fr; layout: horizontal; }
    Trial #trial-report { width: 44; height: 1fr; padding: 0 1; border-left: solid $border; }
    Trial.-narrow #trial-body { layout: vertical; }
    Trial.-narrow #trial-report {
        width: 1fr; height: auto; max-height: 6; border-left: none; border-top: solid $border;
    }
    Trial #trial-told { height: auto; min-height: 1; max-height: 8; background: $surface; padding: 0 1; }
    """
    AUTO_FOCUS = "LineEdit"
    clock: ClassVar[Callable[[], float]] = time.perf_counter
    """Seconds; tests have one of their own."""

    def __init__(
        self,
        snapshot: Snapshot,
        row: ResolvedModel,
        *,
        offline: bool = False,
        opener: Opener = make_ready,
        keep: Keep | None = None,
        keep_time: KeepTime = lambda first_token: None,
    ) -> None:
        """Without `keep` nothing is probed from here; `keep_time` gets what was measured of the first token."""
        super().__init__()
        self._keep, self._keep_time = keep, keep_time
        self._snapshot, self._row, self._offline, self._opener = snapshot, row, offline, opener
        self._sending: Worker[None] | None = None
        self._ended: Trial.Ended | None = None
        self._ask = Ask(snapshot, row, "", offline)
        self.answer, self.form, self.report = TrialAnswer(), TrialForm(), TrialReport()

    def compose(self) -> ComposeResult:
        yield Static(heading(self._row), id="trial-head")
        yield LineEdit(sign="› ", placeholder="a prompt; enter sends it, once")
        yield self.form
        with Container(id="trial-body"):
            yield self.answer
            yield self.report
        yield Static(id="trial-told")
        yield Static(Content(" enter send   esc cancel, leave   ^t probe   ↑ ↓ PgUp PgDn scroll"), id="trial-keys")

    def on_mount(self) -> None:
        self.answer.begin(before(self._row, offline=self._offline))

    # -- sending ----------------------------------------------------------------------------------------------------
    @on(LineEdit.Submitted)
    def _submitted(self, event: LineEdit.Submitted) -> None:
        event.stop()
        if self._sending is not None:
            self._tell("this trial goes on: esc cancels it", "$text-warning")
        elif not event.value.strip():
            self._tell("write a prompt first", "$text-warning")
        else:
            self._ask = Ask(self._snapshot, self._row, event.value, self._offline, self.form.form)
            self.workers.cancel_group(self, "price")
            self.answer.begin()
            self._tell("waiting for the first token …")
            self._sending = self._try()

    @work(exclusive=True, group="trial", exit_on_error=False, description="trial")
    async def _try(self) -> None:
        try:
            await self._conduct(self._ask)
        except asyncio.CancelledError:
            self.post_message(self.Stopped())
            raise
        except Exception as error:  # the one edge: a mistake of ours must not take the app down
            self.post_message(self.Broke(type(error).__name__))

    async def _conduct(self, ask: Ask) -> None:
        ready = await asyncio.to_thread(self._opener, ask)
        if not isinstance(ready, Ready):
            self.post_message(self.Refused(ready))
            return
        self.post_message(self.Prepared(ready.converted))
        second = ask.form.second_attempt
        conducted = await send(ready, type(self).clock, _Watcher(self), second_attempt=second)
        self.post_message(self.Ended(conducted, ready.adapter.is_offline, measured(ask, ready, conducted)))

    @work(exclusive=True, group="price", exit_on_error=False, description="price")
    async def _price(self) -> None:
        if self._ended:
            self.post_message(self.Priced(await price(self._ask, self._ended.conducted)))

    # -- messages of the worker -------------------------------------------------------------------------------------
    @on(Prepared)
    def _prepared(self, event: Prepared) -> None:
        self.report.begin(event.converted)

    @on(Spoken)
    def _spoken(self, event: Spoken) -> None:
        if not self.answer.text:
            self._tell("answering …")
        self.answer.add(event.piece.kind.value, event.piece.text)

    @on(CheckBegun)
    def _check_begun(self) -> None:
        self._tell("checking whether it is the JSON asked for …")

    @on(SecondBegun)
    def _second_begun(self, event: SecondBegun) -> None:
        self.report.begin_second(event.first, event.converted)
        self.answer.divide("second attempt, stricter")
        self._tell(f"{verdict_lines(event.first)[0]}\n{SECOND_ATTEMPT}", "$text-warning")

    @on(Ended)
    def _over(self, event: Ended) -> None:
        self._sending, self._ended = None, event
        self.report.end(event.conducted.last)
        self._tell_taken("cost …")
        for first_token in event.first_tokens:
            self._keep_time(first_token)
        if not event.offline and event.conducted.last.reading.completion:
            self._price()

    @on(Priced)
    def _priced(self, event: Priced) -> None:
        if self._sending is None:
            self._tell_taken(cost_words(event.cost))

    def _tell_taken(self, cost: str) -> None:
        assert self._ended is not None
        conducted, lossy = self._ended.conducted, self._ask.form.allow_lossy
        text = told(conducted, cost, offline=self._ended.offline, allow_lossy=lossy)
        self._tell(text, "$text-error" if conducted.last.reading.failure else "")

    @on(TrialForm.Said)
    def _form_said(self, event: TrialForm.Said) -> None:
        event.stop()
        self._tell(safe_text(event.text), "$text-warning" if event.warning else "")

    @on(Stopped)
    def _stopped(self) -> None:
        self._sending = None
        self._tell("cancelled before anything was sent")

    @on(Refused)
    def _refused(self, event: Refused) -> None:
        self._sending = None
        self._tell("\n".join(failure_lines(event.failure)), "$text-error")

    @on(Broke)
    def _broke(self, event: Broke) -> None:
        self._sending = None
        self._tell(f"a mistake in capdeck ended this trial ({event.type}); please report it", "$text-error")

    def _tell(self, text: str, style: str = "") -> None:
        """Foreign parts of the text are safe already."""
        self.query_one("#trial-told", Static).update(Content.styled(text, style))

    # -- keys -------------------------------------------------------------------------------------------------------
    def action_stop(self) -> None:
        if self._sending is not None:
            self._sending.cancel()
        else:
            self.dismiss()

    def action_probe(self) -> None:
        if self._sending is not None or self._keep is None:
            self._tell("probe when nothing is being answered", "$text-warning")
        else:
            self.app.push_screen(Probing(self._snapshot, self._row, self._keep, offline=self._offline))

    def action_form(self, change: str) -> None:
        """What is being answered keeps the form that it was asked in."""
        getattr(self.form, change)()

    def action_scroll(self, lines: int) -> None:
        self.answer.scroll_relative(y=lines, animate=False)


class _Watcher:
    """Tells the screen what happens in its worker."""

    def __init__(self, trial: Trial) -> None:
        self._trial = trial

    def show(self, piece: Piece) -> None:
        self._trial.post_message(Trial.Spoken(piece))

    def begin_check(self) -> None:
        self._trial.post_message(Trial.CheckBegun())

    def begin_second(self, first: Attempt, converted: Converted) -> None:
        self._trial.post_message(Trial.SecondBegun(first, converted))
