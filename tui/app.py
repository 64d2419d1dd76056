"""The Textual app: wiring only. Snapshots go down to the panes, messages come up, and only here is the Workbench
touched."""

from __future__ import annotations

import gc
import traceback
from collections.abc import Callable, Iterable, Sequence
from datetime import date
from typing import TYPE_CHECKING, ClassVar, Protocol, cast

from rich.text import Text
from textual import on, work
from textual.app import App, ComposeResult, SystemCommand
from textual.binding import BindingType
from textual.containers import Container, Vertical
from textual.content import Content
from textual.screen import Screen
from textual.widgets import ContentSwitcher, Static

from model.findings import Finding
from model.snapshot import Snapshot
from model.vocabulary import Layer
from model.workbench import Change, ReadOnly, Unsafe, Workbench
from tui.chrome import banner_text, header_line, key_line
from tui.commands import Where, bindings
from tui.finding_rows import refs_with_findings
from tui.messages import ChangeProposed, ChangeWanted, DetailChanged, JumpWanted, OverviewWanted, Said
from tui.panes.doctor import DoctorPane
from tui.panes.matrix import MatrixPane
from tui.safe_text import safe_text
from tui.widgets.grid import MatrixGrid

if TYPE_CHECKING:
    from model.doctor import Report


MANY_MODELS = 1_000
"""Above this many the doctor works in a thread of its own."""


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
        holds_secret: Callable[[str], bool] = lambda text: False,
    ) -> None:
        """`holds_secret` guards what is recorded; `today` stands in for the clock."""
        super().__init__()
        self.holds_secret = holds_secret
        self._today = today
        self.workbench = workbench
        self.demo = demo
        self.target: Layer | None = None
        self.findings: Sequence[Finding] | None = None
        self._report: Report | None = None
        self.pane = Where.MATRIX
        workbench.subscribe(self._follow)

    @property
    def snapshot(self) -> Snapshot:
        return self.workbench.snapshot

    def compose(self) -> ComposeResult:
        yield Static(id="header")
        yield Static(id="banner")
        with Container(id="body"):
            with ContentSwitcher(id="main", initial="matrix"):
                yield MatrixPane(self.snapshot)
            with Vertical(id="side"):
                yield DoctorPane(self.snapshot)
                yield Static(id="card")
        yield Static(id="detail")
        yield Static(id="keys")

    def on_mount(self) -> None:
        self._tell_chrome()
        self.call_after_refresh(self._examine)
        if self.watching:
            self.call_after_refresh(self._watch)
        self.call_after_refresh(_settle_memory)

    def on_resize(self) -> None:
        self._tell_chrome()
        self._tell_detail()

    # -- snapshots down -------------------------------------------------------------------------------------------
    def _follow(self, snapshot: Snapshot) -> None:
        """The Workbench has a new snapshot."""
        if len(snapshot.matrix.rows) > MANY_MODELS:
            self._show()
        self._examine()

    def _examine(self) -> None:
        """The doctor looks again: at once for a file of ordinary size, beside the screen's work for a huge one."""
        if len(self.snapshot.matrix.rows) > MANY_MODELS:
            self._examine_aside(self.snapshot, self._report)
        else:
            self._take_report(self._examined(self.snapshot, self._report))

    def _examined(self, snapshot: Snapshot, previous: Report | None) -> Report:
        from model.doctor import examine

        return examine(snapshot, previous, today=self._today)

    @work(thread=True, exclusive=True, group="doctor", description="doctor")
    def _examine_aside(self, snapshot: Snapshot, previous: Report | None) -> None:
        self.call_from_thread(self._take_report, self._examined(snapshot, previous), snapshot)

    def _take_report(self, report: Report, of: Snapshot | None = None) -> None:
        if of is None or of is self.snapshot:
            self._report, self.findings = report, report.findings
            self._show()

    def _show(self) -> None:
        self.query_one(MatrixPane).show(self.snapshot, refs_with_findings(self.snapshot, self.findings or ()))
        if self.findings is not None:
            self.query_one(DoctorPane).show(self.snapshot, self.findings)
        for pane in self.query_one("#main").children:
            if not isinstance(pane, MatrixPane) and hasattr(pane, "show"):
                pane.show(self.snapshot)
        self._tell_chrome()
        self._tell_detail()

    def _tell_chrome(self) -> None:
        changes = self.workbench.pending_changes
        width = self.size.width
        line = header_line(self.snapshot, self.findings, changes, self.pane, target=self.target, width=width)
        self.query_one("#header", Static).update(line, layout=False)
        self.query_one("#keys", Static).update(key_line(self.pane, width), layout=False)
        self._tell_banner()

    def _tell_banner(self) -> None:
        banner = self.query_one("#banner", Static)
        text = banner_text(self.snapshot)
        banner.set_class(bool(text), "on")
        banner.update(Content(safe_text(text)))

    def _tell_detail(self) -> None:
        self.query_one("#detail", Static).update(self.pane_widget.detail(), layout=False)
        card = self.query_one("#card", Static)
        if card.display and (lines := self.query_one(MatrixPane).card_lines()) is not None:
            card.update(Content("\n").join(Content(line) if isinstance(line, str) else line for line in lines))

    @property
    def pane_widget(self) -> Pane:
        """The pane that the user is in."""
        return cast(Pane, self.query_one(f"#{self.pane.value}"))

    @on(MatrixGrid.CursorMoved)
    @on(DetailChanged)
    def _cursor_moved(self) -> None:
        self._tell_detail()

    @work(exclusive=True, group="watch", exit_on_error=False, description="watch")
    async def _watch(self) -> None:
        from tui.watching import watch

        await watch(self)

    # -- messages up ----------------------------------------------------------------------------------------------
    @on(ChangeWanted)
    def _make_change(self, event: ChangeWanted) -> None:
        self.make(event.change)

    def make(self, change: Change) -> bool:
        """Applies a change, or says why it cannot be made."""
        try:
            self.workbench.apply(change)
        except (Unsafe, ReadOnly) as why:
            self.say(str(why), warning=True)
            return False
        return True

    @on(ChangeProposed)
    def _propose(self, event: ChangeProposed) -> None:
        from tui.screens.proposal import Proposal

        try:
            diff = self.workbench.diff(event.change)
        except (Unsafe, ReadOnly) as why:
            self.say(str(why), warning=True)
            return

        def answered(yes: bool | None) -> None:
            if yes:
                self.make(event.change)

        self.push_screen(Proposal(event.change.title, event.why, diff), answered)

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
    def action_undo(self) -> None:
        title = self.workbench.undo()
        self.say(f"took back: {title}" if title else "nothing to undo", warning=title is None)

    def action_redo(self) -> None:
        title = self.workbench.redo()
        self.say(f"made again: {title}" if title else "nothing to redo", warning=title is None)

    def action_save(self) -> None:
        from tui.saving import save

        save(self)

    async def action_quit(self) -> None:
        from tui.saving import leave

        leave(self)

    async def action_pane(self, name: str) -> None:
        from tui.panes import open_pane

        await open_pane(self, Where(name))
        self._tell_chrome()
        self._tell_detail()

    def action_peek(self) -> None:
        from tui.screens.peek import peek

        peek(self)

    def action_target(self) -> None:
        layers = [file.layer for file in self.snapshot.files]
        choices: list[Layer | None] = [None, *layers]
        self.target = choices[(choices.index(self.target) + 1) % len(choices)]
        self.query_one(MatrixPane).target = self.target
        self._tell_chrome()
        self.say(
            f"edits go to the {self.target.value} file" if self.target else "edits go to the file that decides the cell"
        )

    def action_usable(self) -> None:
        from dataclasses import replace

        now = self.workbench.surroundings
        self.workbench.surround(replace(now, usable=not now.usable))
        self.say("verdicts ask for what can be used now" if not now.usable else "verdicts say what a model can do")

    def task_at_hand(self) -> str:
        """The task that the user looks at: of the pane, else of the matrix's column, else execute."""
        name: str | None = getattr(self.pane_widget, "task_name", None)
        column = self.query_one(MatrixPane).column
        return name or (column.task if column and column.task else "execute")

    def action_assign(self) -> None:
        from tui.records import assign

        assign(self)

    def action_history(self) -> None:
        from tui.records import show_history

        show_history(self)

    def action_tools(self) -> None:
        from tui.records import tools_card

        tools_card(self)

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        from tui.palette import entries

        return entries(self)

    def action_help(self) -> None:
        from tui.screens.card import Card
        from tui.screens.cards import help_card

        self.push_screen(Card(*help_card(self.pane)))

    def _fatal_error(self) -> None:
        """Textual would print local variables, which may hold secrets; print the bare traceback instead."""
        import sys

        self.panic(Text("".join(traceback.format_exception(sys.exc_info()[1]))))


def _settle_memory() -> None:
    """What was made for the first frame stays: the collector need not look at it again and again."""
    gc.freeze()
    gc.enable()
