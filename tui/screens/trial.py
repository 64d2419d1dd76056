"""A prompt for the model under the cursor: its answer as it comes, what it took, and the conversion report beside."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.screen import ModalScreen
from textual.widgets import Static
from textual.worker import Worker

from tui.safe_text import safe_text
from tui.screens.trial_answer import TrialAnswer
from tui.screens.trial_probe import Keep, Probing, keep_in_store
from tui.screens.trial_run import Ask, KeepTime, Opener, Ready, make_ready, measured, price, send
from tui.trial_text import conversion_lines, cost_words, failure_lines, reading_words
from tui.widgets.line_edit import LineEdit

if TYPE_CHECKING:
    from decimal import Decimal

    from adapters.conversion import Converted
    from adapters.errors import Failure
    from adapters.trial import Piece, Reading
    from model.latency import FirstToken
    from model.resolve import ResolvedModel
    from model.snapshot import Snapshot
    from tui.app import CapdeckApp

_COLOURS = {"blocked": "$text-error", "lost": "$text-warning", "note": "$text-muted"}


def try_model(app: CapdeckApp) -> None:
    """Opens the trial of the model under the cursor, or says that there is none."""
    from tui.panes.matrix import MatrixPane
    from tui.records import keep_first_token

    ref = app.query_one(MatrixPane).ref
    row = app.snapshot.matrix.get(ref) if ref else None
    if row is None:
        app.say("move to a model in the matrix first", warning=True)
        return
    keep, keep_time = partial(keep_in_store, app, row.ref), partial(keep_first_token, app)
    app.push_screen(Trial(app.snapshot, row, offline=app.demo, keep=keep, keep_time=keep_time))


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
    class Ended(Message):
        """The answer is over, in whichever way."""

        reading: Reading
        offline: bool
        first_token: FirstToken | None

    @dataclass
    class Priced(Message):
        """What the answer that ended has cost, in USD; None = not known."""

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
    Trial #trial-answer { width: 1fr; height: 1fr; padding: 0 1; scrollbar-size-vertical: 1; }
    Trial #trial-report { width: 44; height: 1fr; padding: 0 1; border-left: solid $border; }
    Trial.-narrow #trial-body { layout: vertical; }
    Trial.-narrow #trial-report {
        width: 1fr; height: auto; max-height: 6; border-left: none; border-top: solid $border;
    }
    Trial #trial-told { height: auto; min-height: 1; max-height: 5; background: $surface; padding: 0 1; }
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
        keep_time: KeepTime | None = None,
    ) -> None:
        """Without `keep` nothing is probed from here; `keep_time` gets what was measured of the first token."""
        super().__init__()
        self._keep, self._keep_time = keep, keep_time
        self._snapshot, self._row, self._offline, self._opener = snapshot, row, offline, opener
        self._sending: Worker[None] | None = None
        self._ended: Trial.Ended | None = None
        self._ask = Ask(snapshot, row, "", offline)
        self.answer = TrialAnswer()

    def compose(self) -> ComposeResult:
        yield Static(self._heading(), id="trial-head")
        yield LineEdit(sign="› ", placeholder="a prompt; enter sends it, once")
        with Container(id="trial-body"):
            yield self.answer
            with VerticalScroll(id="trial-report"):
                yield Static(Content.styled("The conversion report comes here.", "$text-muted"), id="trial-lines")
        yield Static(id="trial-told")
        yield Static(Content(" enter send   esc cancel, leave   ^t probe   ↑ ↓ PgUp PgDn scroll"), id="trial-keys")

    def on_mount(self) -> None:
        self.answer.begin(self._before())

    def _heading(self) -> Content:
        api = self._row.model.provider.api.value
        return Content.assemble(
            (" trial ", "bold reverse"), f" {safe_text(str(self._row.ref))}  ", (api, "$text-muted")
        )

    def _before(self) -> list[str]:
        """What to know before something is sent."""
        where = safe_text(_address(self._row))
        goes = "Demo: nobody is called, the answer is made up." if self._offline else f"It goes to {where}."
        lines = ["Nothing is sent before enter. One attempt; no tool is executed.", goes]
        return lines if self._row.enabled else [*lines, "This model is disabled in the file."]

    # -- sending ----------------------------------------------------------------------------------------------------
    @on(LineEdit.Submitted)
    def _submitted(self, event: LineEdit.Submitted) -> None:
        event.stop()
        if self._sending is not None:
            self._tell("still answering: esc cancels it", "$text-warning")
        elif not event.value.strip():
            self._tell("write a prompt first", "$text-warning")
        else:
            self._ask = Ask(self._snapshot, self._row, event.value, self._offline)
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
        reading = await send(ready, type(self).clock, self._speak)
        self.post_message(self.Ended(reading, ready.adapter.is_offline, measured(ask, ready, reading)))

    @work(exclusive=True, group="price", exit_on_error=False, description="price")
    async def _price(self) -> None:
        if self._ended:
            self.post_message(self.Priced(await price(self._ask, self._ended.reading)))

    def _speak(self, piece: Piece) -> None:
        self.post_message(self.Spoken(piece))

    # -- messages of the worker -------------------------------------------------------------------------------------
    @on(Prepared)
    def _prepared(self, event: Prepared) -> None:
        lines = [_coloured(line) for line in conversion_lines(event.converted)]
        self.query_one("#trial-lines", Static).update(Content("\n").join(lines))

    @on(Spoken)
    def _spoken(self, event: Spoken) -> None:
        if not self.answer.text:
            self._tell("answering …")
        self.answer.add(event.piece.kind.value, event.piece.text)

    @on(Ended)
    def _over(self, event: Ended) -> None:
        self._sending, self._ended = None, event
        self._tell_reading("cost …")
        if event.first_token and self._keep_time:
            self._keep_time(event.first_token)
        if not event.offline and event.reading.completion:
            self._price()

    @on(Priced)
    def _priced(self, event: Priced) -> None:
        if self._sending is None:
            self._tell_reading(cost_words(event.cost))

    def _tell_reading(self, cost: str) -> None:
        from adapters.errors import CANCELLED_NOTICE

        assert self._ended is not None
        reading = self._ended.reading
        lines = failure_lines(reading.failure) if reading.failure else []
        lines += [CANCELLED_NOTICE] if reading.ending.value == "cancelled" else []
        if reading.completion:
            lines.append(" · ".join(reading_words(reading, cost, offline=self._ended.offline)))
        self._tell("\n".join(lines), "$text-error" if reading.failure else "")

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

    def action_scroll(self, lines: int) -> None:
        self.answer.scroll_relative(y=lines, animate=False)


def _address(row: ResolvedModel) -> str:
    """Where it would go; what may hold a secret stays unsaid."""
    from model.endpoint import EndpointProblem, read_endpoint

    provider = row.model.provider
    endpoint = read_endpoint(provider.effective_base_url, local=provider.local)
    return "an address that cannot be used" if isinstance(endpoint, EndpointProblem) else endpoint.url


def _coloured(line: str) -> Content:
    word = line.split(maxsplit=1)[0] if line.startswith("  ") else ""
    return Content.styled(line, _COLOURS.get(word, "" if word else "bold"))
