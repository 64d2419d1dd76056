"""The Textual app: wiring only. Snapshots go down to the panes, messages come up, and only here is the Workbench
touched."""

from __future__ import annotations

import gc
import traceback
from collections.abc import Callable, Iterable, Sequence
from datetime import date
from importlib import import_module
from typing import ClassVar, Protocol, cast

from rich.text import Text
from textual import on, work
from textual.app import App, ComposeResult, SystemCommand
from textual.binding import BindingType
from textual.containers import Container, Vertical
from textual.content import Content
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import ContentSwitcher, Static

from model.findings import Finding
from model.snapshot import Snapshot
from model.vocabulary import Layer
from model.workbench import Workbench
from tui.beside import tell_beside
from tui.chrome import HeaderLine, PlainLine, header_line, key_line, tell_banner
from tui.commands import Where, bindings, command_with
from tui.examining import Examiner
from tui.finding_rows import refs_with_findings
from tui.making import Maker
from tui.messages import (
    AddWanted,
    ChangeProposed,
    ChangeWanted,
    DetailChanged,
    ForeseenChangeWanted,
    JumpWanted,
    OverviewWanted,
    Said,
)
from tui.online import OnlineChecks
from tui.panes.doctor import DoctorPane
from tui.panes.matrix import MatrixPane
from tui.rescued import RescuedEdits
from tui.safe_text import safe_text
from tui.settings import NO_SETTINGS, Settings
from tui.widgets.grid import MatrixGrid


class Pane(Protocol):
    """What the app asks of the pane that the user is in."""

    def detail(self) -> Content: ...


class CapdeckApp(App[None]):
    """The workbench on the screen."""

    TITLE = "capdeck"
    CSS_PATH = "capdeck.tcss"
    BINDINGS: ClassVar[list[BindingType]] = bindings(Where.EVERYWHERE)
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (120, "-wide"), (200, "-broad")]  # noqa: RUF012  Textual declares it so
    watching = True
    """Whether the files are watched; tests that bring their own clock turn it off."""
    AUTO_FOCUS: ClassVar[str | None] = "MatrixPane MatrixGrid"

    def __init__(
        self,
        workbench: Workbench,
        *,
        demo: bool = False,
        today: date | None = None,
        settings: Settings = NO_SETTINGS,
        holds_secret: Callable[[str], bool] = lambda text: False,
    ) -> None:
        """`holds_secret` guards what is recorded; `today` stands in for the clock."""
        super().__init__()
        self.holds_secret, self.settings = holds_secret, settings
        self.workbench = workbench
        self.examiner = Examiner(self, today)
        self.maker, self.online, self.rescued = Maker(self), OnlineChecks(self), RescuedEdits(self)
        self.demo = demo
        self.target: Layer | None = None
        self.pane = Where.MATRIX
        workbench.subscribe(lambda _: self.examiner.look())

    @property
    def snapshot(self) -> Snapshot:
        return self.workbench.snapshot

    def compose(self) -> ComposeResult:
        yield HeaderLine(id="header")
        yield Static(id="banner")
        with Container(id="body"):
            with ContentSwitcher(id="main", initial="matrix"):
                yield MatrixPane(self.snapshot)
            with Vertical(id="side"):
                yield DoctorPane(self.snapshot)
                yield Static(id="card")
        yield Static(id="detail")
        yield PlainLine(id="keys")

    def on_mount(self) -> None:
        if self.settings is not NO_SETTINGS:
            self.action_run("tui.settings_in_force:put_in_force")
        self.tell_chrome()
        self.call_after_refresh(self.online.begin_where_allowed)
        self.call_after_refresh(self.examiner.look)
        self.call_after_refresh(self.rescued.look)
        if self.watching:
            self.call_after_refresh(self._watch)
        self.call_after_refresh(_settle_memory)

    @on(HeaderLine.Resized)
    def _resized(self) -> None:
        self.tell_chrome()
        self.call_after_refresh(self.tell_detail)

    # -- snapshots down -------------------------------------------------------------------------------------------
    def show_snapshot(self, *, again: bool = False) -> None:
        """The present snapshot and report, to what can be seen; a hidden pane is told when it is opened."""
        self.show_pane(self.pane, again=again)
        if self.pane is not Where.DOCTOR and self.findings is not None:
            self.query_one(DoctorPane).show(self.snapshot, self.findings)
        self.tell_chrome()
        self.tell_detail()

    def show_pane(self, where: Where, *, again: bool = False) -> None:
        """The present snapshot to one pane; the doctor's stands beside the matrix, or in front of it."""
        if where is Where.DOCTOR:
            self.query_one(DoctorPane).show(self.snapshot, self.findings or ())
            where = Where.MATRIX
        pane = self.query_one(f"#{where.value}")
        if isinstance(pane, MatrixPane):
            pane.show(self.snapshot, refs_with_findings(self.snapshot, self.findings or ()))
        elif hasattr(pane, "show") and (again or getattr(pane, "snapshot", None) is not self.snapshot):
            pane.show(self.snapshot)

    def panes(self) -> Iterable[Widget]:
        """Those that were opened, but for the doctor's."""
        return self.query_one("#main").children

    @property
    def findings(self) -> Sequence[Finding] | None:
        """None while the doctor has not looked yet."""
        return self.examiner.report.findings if self.examiner.report else None

    def tell_chrome(self) -> None:
        changes = self.workbench.pending_changes
        width, keys = self.size.width, self.settings.keys
        line = header_line(self.snapshot, self.findings, changes, self.pane, target=self.target, width=width, keys=keys)
        self.query_one("#header", Static).update(line, layout=False)
        self.query_one("#keys", Static).update(key_line(self.pane, width, keys), layout=False)
        tell_banner(self.query_one("#banner", Static), self.snapshot, self.rescued.told)

    def tell_detail(self) -> None:
        self.query_one("#detail", Static).update(self.pane_widget.detail(), layout=False)
        tell_beside(self)

    @property
    def pane_widget(self) -> Pane:
        """The pane that the user is in."""
        return cast(Pane, self.query_one(f"#{self.pane.value}"))

    @on(MatrixGrid.CursorMoved)
    @on(DetailChanged)
    def _cursor_moved(self) -> None:
        self.tell_detail()

    @work(exclusive=True, group="watch", exit_on_error=False, description="watch")
    async def _watch(self) -> None:
        from tui.watching import watch

        await watch(self)

    # -- messages up ----------------------------------------------------------------------------------------------
    @on(ChangeWanted)
    def _make_change(self, event: ChangeWanted) -> None:
        self.maker.make(event.change)

    @on(ForeseenChangeWanted)
    def _make_foreseen(self, event: ForeseenChangeWanted) -> None:
        self.maker.make_after_paint(event.make)

    @on(ChangeProposed)
    def _propose(self, event: ChangeProposed) -> None:
        self.maker.propose(event)

    @on(AddWanted)
    def _add(self, event: AddWanted) -> None:
        from tui.adding import add

        add(self, event.provider_id)

    @on(JumpWanted)
    async def _jump(self, event: JumpWanted) -> None:
        await self.action_pane("matrix")
        self.query_one(MatrixPane).go_to(event.ref, event.column)

    @on(OverviewWanted)
    async def _overview(self) -> None:
        await self.action_pane("matrix")
        self.query_one(MatrixPane).show_tasks()

    @on(Said)
    def _said(self, event: Said) -> None:
        self.say(event.text, warning=event.warning)

    def say(self, text: str, *, warning: bool = False) -> None:
        self.notify(safe_text(text), severity="warning" if warning else "information", markup=False, timeout=4)

    # -- keys -----------------------------------------------------------------------------------------------------
    def action_run(self, target: str) -> None:
        """Loads and calls `module:function` of a command."""
        module, _, function = target.partition(":")
        getattr(import_module(module), function)(self)

    def action_command(self, id: str) -> None:
        """A click on the key line."""
        from tui.palette import run

        run(self, command_with(id))

    async def action_pane(self, name: str) -> None:
        from tui.panes import open_pane

        await open_pane(self, Where(name))

    async def action_quit(self) -> None:
        self.action_run("tui.saving:leave")

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        from tui.palette import entries

        return entries(self)

    def _fatal_error(self) -> None:
        """Textual would print local variables, which may hold secrets; print the bare traceback instead."""
        import sys

        self.panic(Text("".join(traceback.format_exception(sys.exc_info()[1]))))


def _settle_memory() -> None:
    """What was made for the first frame stays: the collector need not look at it again and again."""
    gc.freeze()
    gc.enable()
