"""Pane 3: who takes over when something goes down, seen before it happens."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content

from model.fallback import (
    NO_OUTAGE,
    Board,
    Explorer,
    Failure,
    Ladder,
    Outage,
    board_of,
    compare,
    coverage_of,
    explained,
    ways_in,
    ways_out,
)
from model.fallback.export import board_as_markdown
from model.fallback.identity import endpoint_of
from model.model_ref import ModelRef
from model.snapshot import Snapshot
from model.workbench import Change
from tui.commands import Where, bindings
from tui.fallback_rows import LadderRows, board_rows, candidate_text, ladder_rows, outage_rows
from tui.messages import ChangeProposed, DetailChanged, JumpWanted, Said
from tui.safe_text import safe_text
from tui.screens.card import Card
from tui.widgets.grid import MatrixGrid
from tui.widgets.grid_view import NoRows

PICTURE = Path("capdeck-fallback.svg")


class FallbackPane(Vertical):
    """Marks outages, shows the board and the ladder; `tab` goes from one list to the next."""

    BINDINGS: ClassVar[list[BindingType]] = bindings(Where.FALLBACK)
    where = Where.FALLBACK

    def __init__(self, snapshot: Snapshot) -> None:
        super().__init__(id="fallback")
        self.snapshot = snapshot
        self.outage = NO_OUTAGE
        self.failure = Failure.PROVIDER_DOWN
        self.start: ModelRef | None = None
        self._kept: Outage | None = None
        self._folds: frozenset[str] = frozenset()
        self._rung_folds: frozenset[int] = frozenset()
        self._explorer = Explorer(snapshot)
        self._board = board_of(self._explorer)
        self.task_name = self._board.rows[0].task

    def compose(self) -> ComposeResult:
        with Horizontal(id="fallback-lists"):
            with Vertical(id="outage"):
                yield MatrixGrid(id="outage-list")
            with Vertical(id="answers"):
                with Vertical(id="board"):
                    yield MatrixGrid(id="board-list")
                with Vertical(id="ladder"):
                    yield MatrixGrid(id="ladder-list")

    def on_mount(self) -> None:
        self.rearrange()

    def on_resize(self) -> None:
        self.rearrange()

    # -- values down ----------------------------------------------------------------------------------------------
    def show(self, snapshot: Snapshot) -> None:
        """Another snapshot; what was marked as down stays marked where it still is."""
        self.snapshot, self._explorer = snapshot, Explorer(snapshot)
        providers = {provider.provider_id for provider in snapshot.config.providers}
        models = frozenset(ref for ref in self.outage.models if snapshot.matrix.get(ref))
        self.outage = replace(self.outage, providers=self.outage.providers & providers, models=models)
        if self.start and snapshot.matrix.get(self.start) is None:
            self.start = None
        self.rearrange()

    def rearrange(self) -> None:
        if not self.is_mounted:
            return
        self._board = board_of(self._explorer, self.outage)
        grid = self._list("outage")
        new = not len(grid.source)
        grid.show(
            outage_rows(self.snapshot, self._explorer, self.outage, self._folds, self.start, grid.size.width or 30)
        )
        if new and self.snapshot.config.providers:
            grid.go_to(self.snapshot.config.providers[0].provider_id)
        grid = self._list("board")
        before = compare(board_of(self._explorer, self._kept), self._board) if self._kept is not None else ()
        grid.show(board_rows(self._board, coverage_of(self._explorer), before, grid.size.width or 60))
        self._show_ladder()

    def _show_ladder(self) -> None:
        self.post_message(DetailChanged())
        grid, ladder = self._list("ladder"), self.ladder()
        if ladder is None:
            grid.show(NoRows(), empty=[f"Nobody passes {self.task_name}.", "b says what would help."])
            return
        grid.show(ladder_rows(ladder, self._rung_folds, grid.size.width or 60))

    def _list(self, name: str) -> MatrixGrid:
        return self.query_one(f"#{name}-list", MatrixGrid)

    @property
    def original(self) -> ModelRef | None:
        """Whose failure the ladder answers: the chosen one, else the one that the task starts with."""
        return self.start or self._board.row(self.task_name).start

    def ladder(self) -> Ladder | None:
        """Of the task under the cursor; None where nobody does it to begin with."""
        original = self.original
        if original is None:
            return None
        return explained(self._explorer, self._explorer.question(self.task_name, original, self.failure, self.outage))

    def detail(self) -> Content:
        """What fails, and what is marked; on the ladder why a candidate stands where it stands."""
        rows = self._list("ladder").source
        if self.screen.focused is self._list("ladder") and isinstance(rows, LadderRows):
            candidate = rows.candidate(self._list("ladder").cursor.row)
            if candidate:
                told = filter(None, [candidate_text(candidate), candidate.first_token_words])
                return Content(safe_text(f"{candidate.name}: {'; '.join(told)}"))
        down = f"   down: {self.outage}" if self.outage else ""
        kept = f"   kept: {self._kept or 'no outage'}" if self._kept is not None else ""
        return Content(
            safe_text(f"{self.task_name}: if {self.original or 'nobody'} fails ({self.failure.value}){down}{kept}")
        )

    @on(MatrixGrid.CursorMoved)
    def _moved(self) -> None:
        key = self._list("board").row_key
        if isinstance(key, str) and key != self.task_name:
            self.task_name = key
            self._show_ladder()

    @on(MatrixGrid.GroupToggled)
    def _toggle(self, event: MatrixGrid.GroupToggled) -> None:
        event.stop()
        if isinstance(event.row_key, int):
            self._rung_folds ^= {event.row_key}
        else:
            self._folds ^= {str(event.row_key)}
        self.rearrange()

    @on(MatrixGrid.CellActivated)
    def _activated(self, event: MatrixGrid.CellActivated) -> None:
        event.stop()
        self.action_open()

    def _say(self, text: str, *, warning: bool = True) -> None:
        self.post_message(Said(text, warning=warning))

    # -- keys -----------------------------------------------------------------------------------------------------
    def _marked_row(self) -> str | ModelRef | None:
        """The provider or model that a key on the list of outages speaks of."""
        grid = self._list("outage")
        if self.screen.focused is not grid:
            grid.focus()
            self._say("move to a provider or a model, then mark it", warning=False)
            return None
        key = grid.row_key
        return key if isinstance(key, ModelRef) else None if key is None else str(key)

    def action_mark(self) -> None:
        key = self._marked_row()
        if isinstance(key, ModelRef):
            self.outage = replace(self.outage, models=self.outage.models ^ {key})
        elif key is not None:
            self.outage = replace(self.outage, providers=self.outage.providers ^ {key})
        self.rearrange()

    def action_mark_endpoint(self) -> None:
        key = self._marked_row()
        if key is None:
            return
        name = key.provider_id if isinstance(key, ModelRef) else key
        provider = next(each for each in self.snapshot.config.providers if each.provider_id == name)
        self.outage = replace(self.outage, endpoints=self.outage.endpoints ^ {endpoint_of(provider)})
        self.rearrange()

    def action_all_up(self) -> None:
        if not self.outage:
            self._say("nothing is marked as down")
        self.outage = NO_OUTAGE
        self.rearrange()

    def action_failure(self) -> None:
        kinds = list(Failure)
        self.failure = kinds[(kinds.index(self.failure) + 1) % len(kinds)]
        self.rearrange()
        self._say(f"the failure is now: {self.failure.value}", warning=False)

    def action_start_here(self) -> None:
        key = self._list("outage").row_key
        self.start = None if not isinstance(key, ModelRef) or key == self.start else key
        self.rearrange()
        who = self.start or "each task's own first choice"
        self._say(f"the ladder starts from {who}", warning=False)

    def action_keep(self) -> None:
        """Keeps the present outage, to compare others with it; again to stop comparing."""
        self._kept = None if self._kept == self.outage else self.outage
        self.rearrange()
        kept = f"kept: {self.outage or 'no outage'}; the last column says what another one turns"
        self._say("compared no longer" if self._kept is None else kept, warning=False)

    def action_open(self) -> None:
        focused = self.screen.focused
        if focused is self._list("outage"):
            self.action_mark()
        elif focused is self._list("board"):
            self.action_chain()
        else:
            self._open_candidate()

    def _open_candidate(self) -> None:
        from tui.screens.fallback_cards import record_card

        ladder, rows = self.ladder(), self._list("ladder").source
        candidate = rows.candidate(self._list("ladder").cursor.row) if isinstance(rows, LadderRows) else None
        if candidate is None:
            self._list("ladder").activate()
        elif candidate.taken and ladder and ladder.record:
            self.app.push_screen(Card(*record_card(ladder.record)))
        elif candidate.ref:
            self.post_message(JumpWanted(candidate.ref, f"task.{self.task_name}"))

    def action_chain(self) -> None:
        from tui.screens.fallback_cards import chain_card

        if self.original is None:
            self.action_unblock()
            return
        self.app.push_screen(
            Card(*chain_card(self._explorer, self.task_name, self.original, self.failure, self.outage))
        )

    def action_unblock(self) -> None:
        from tui.screens.fallback_cards import last_ladder, way_to_the_end
        from tui.screens.ways import Ways

        original = self.original
        if original is None:
            ways, reason = ways_in(self.snapshot, self.task_name), "No model passes it."
        else:
            asked = (self._explorer, self.task_name, original, self.failure, self.outage)
            ways, reason = ways_out(self.snapshot, last_ladder(*asked)), way_to_the_end(*asked)
        title = f"{self.task_name}: what would help"
        self.app.push_screen(Ways(title, [reason], [(way.title, way.change) for way in ways]), self._propose)

    def _propose(self, change: Change | None) -> None:
        if change is not None:
            self.post_message(ChangeProposed(change, "What would keep the task going."))

    @work(thread=True, exclusive=True, group="simulation", description="simulation")
    def action_simulate(self) -> None:
        from tui.screens.fallback_cards import simulation_card

        saved = self.app.workbench.saved_snapshot()  # type: ignore[attr-defined]  # the app of this pane has one
        card = Card(*simulation_card(saved, self.snapshot))
        self.app.call_from_thread(self.app.push_screen, card)

    def action_copy(self) -> None:
        self.app.copy_to_clipboard(board_as_markdown(self._board))
        self._say("copied the board as Markdown", warning=False)

    def action_picture(self) -> None:
        PICTURE.write_text(self.app.export_screenshot(title="capdeck fallback"), encoding="utf-8")
        self._say(f"wrote {PICTURE}", warning=False)

    @property
    def board(self) -> Board:
        return self._board
