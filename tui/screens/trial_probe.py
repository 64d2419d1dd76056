"""What the model claims, tested from its trial: the plan with its price first, then each result as it comes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from datetime import date
from typing import TYPE_CHECKING, ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.screen import ModalScreen
from textual.widgets import Static
from textual.worker import Worker

from model.quick_dataclass import dataclass
from tui.safe_text import safe_text
from tui.trial_text import failure_lines

if TYPE_CHECKING:
    from adapters.contract import ProviderAdapter
    from adapters.errors import Failure
    from adapters.probes import ProbeResult
    from model.model_ref import ModelRef
    from model.resolve import ResolvedModel
    from model.snapshot import Snapshot
    from tui.app import CapdeckApp
    from tui.cli.probe_plan import Plan

Keep = Callable[[str, Sequence["ProbeResult"]], str]
"""Keeps what was seen at an endpoint, and says in one line where, or why not."""
_COLOURS = {"passed": "$text-success", "failed": "$text-error", "inconclusive": "$text-warning"}


@dataclass(frozen=True, slots=True)
class Planned:
    """What would be sent; nothing was sent yet."""

    adapter: ProviderAdapter
    plan: Plan


def make_plan(snapshot: Snapshot, row: ResolvedModel, offline: bool) -> Planned | list[str]:
    """The plan, or in lines why there is none. Slow, like `make_ready`: call it in a thread."""
    from adapters.errors import ProviderError
    from adapters.reach import connections_of, settings_in
    from adapters.registry import open_adapter
    from tui.cli import errors
    from tui.cli.probe_plan import planned

    settings = settings_in(snapshot, row.model.provider, offline=offline)
    refused: Failure
    try:
        adapter = open_adapter(settings, connections_of(snapshot))
        return Planned(adapter, planned(adapter, row, ()))
    except ProviderError as error:
        refused = error.failure
    except errors.Failure as nothing:
        return [safe_text(nothing.message)]
    return failure_lines(refused)


class Probing(ModalScreen[None]):
    """`y` sends what is shown, escape cancels what runs and leaves otherwise. What was seen by then is kept."""

    @dataclass
    class Ready(Message):
        """The plan is made, or there is none."""

        planned: Planned | list[str]

    @dataclass
    class Answered(Message):
        """One probe is over."""

        result: ProbeResult

    @dataclass
    class Over(Message):
        """All were sent, or somebody cancelled."""

        whole: bool

    BINDINGS: ClassVar[list[BindingType]] = [("escape,q", "stop", "cancel"), ("y", "send", "send")]
    DEFAULT_CSS = """
    Probing { align: center middle; }
    Probing > Vertical { width: 100; max-width: 100%; height: auto; max-height: 100%;
        border: round $border; background: $surface; padding: 0 1; }
    Probing VerticalScroll { height: auto; max-height: 1fr; }
    Probing #probe-foot { color: $text-muted; }
    """
    AUTO_FOCUS = "VerticalScroll"

    def __init__(self, snapshot: Snapshot, row: ResolvedModel, keep: Keep, *, offline: bool = False) -> None:
        super().__init__()
        self._snapshot, self._row, self._offline, self._keep = snapshot, row, offline, keep
        self._planned: Planned | None = None
        self._sending: Worker[None] | None = None
        self._results: list[ProbeResult] = []

    def compose(self) -> ComposeResult:
        with Vertical() as frame:
            frame.border_title = Content(safe_text(f"probe {self._row.ref}"))
            with VerticalScroll():
                yield Static(Content("looking what there is to probe …"), id="probe-lines")
            yield Static(Content("esc leave"), id="probe-foot")

    def on_mount(self) -> None:
        self._plan()

    # -- workers: they touch no widget ------------------------------------------------------------------------------
    @work(exclusive=True, group="probe", exit_on_error=False, description="plan of the probes")
    async def _plan(self) -> None:
        try:
            planned = await asyncio.to_thread(make_plan, self._snapshot, self._row, self._offline)
        except Exception as error:  # the one edge: a mistake of ours must not take the app down
            planned = [f"a mistake in capdeck ({type(error).__name__}); please report it"]
        self.post_message(self.Ready(planned))

    @work(exclusive=True, group="probe", exit_on_error=False, description="probes")
    async def _send(self) -> None:
        from adapters.probes import run

        assert self._planned is not None
        whole = False
        try:
            for probe in self._planned.plan.probes:
                self.post_message(self.Answered(await run(self._planned.adapter, probe, date.today())))
            whole = True
        finally:
            await self._planned.adapter.aclose()
            self.post_message(self.Over(whole))

    # -- their messages ---------------------------------------------------------------------------------------------
    @on(Ready)
    def _ready(self, event: Ready) -> None:
        from tui.cli.probe_text import plan_lines

        if isinstance(event.planned, list):
            self._show([Content.styled(line, "$text-error") for line in event.planned])
            return
        self._planned = event.planned
        self._show([Content(line) for line in plan_lines(event.planned.plan)])
        self._foot("y send these   esc leave")

    @on(Answered)
    def _answered(self, event: Answered) -> None:
        self._results.append(event.result)
        self._show([_line(result) for result in self._results])

    @on(Over)
    def _over(self, event: Over) -> None:
        from adapters.errors import CANCELLED_NOTICE

        assert self._planned is not None
        self._sending = None
        endpoint = self._planned.plan.endpoint
        kept = self._keep(endpoint, self._results) if endpoint and self._results else "nothing was kept"
        notice = "" if event.whole else f"{CANCELLED_NOTICE} "
        self._foot(f"{notice}{safe_text(kept)}; no file was changed   esc leave")

    def _show(self, lines: Sequence[Content]) -> None:
        self.query_one("#probe-lines", Static).update(Content("\n").join(lines))

    def _foot(self, text: str) -> None:
        self.query_one("#probe-foot", Static).update(Content(text))

    # -- keys -------------------------------------------------------------------------------------------------------
    def action_send(self) -> None:
        if self._planned is not None and self._sending is None and not self._results:
            self._foot("sending …   esc cancel")
            self._sending = self._send()

    def action_stop(self) -> None:
        if self._sending is not None:
            self._sending.cancel()
        else:
            self.dismiss()


def _line(result: ProbeResult) -> Content:
    outcome = (f"{result.outcome.value:<12} ", _COLOURS[result.outcome.value])
    return Content.assemble(outcome, f"{result.capability.value:<18} {safe_text(result.evidence)}")


def keep_in_store(app: CapdeckApp, ref: ModelRef, endpoint: str, results: Sequence[ProbeResult]) -> str:
    """Into the session store, and from there into the matrix as the observed layer."""
    from dataclasses import replace

    from adapters.probe_records import keep
    from model.session_file import StoreError
    from tui.records import store_of

    store = store_of(app)
    try:
        keep(store, ref, endpoint, results)
        app.workbench.surround(replace(app.workbench.surroundings, observations=store.observations()))
    except (StoreError, OSError) as problem:
        return f"what was seen is not kept: {problem}"
    return f"kept in {store.path}"
