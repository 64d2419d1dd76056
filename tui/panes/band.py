"""Under the matrix where there is room: the card of the cell, and which tasks its model passes."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.widgets import Static

from model.resolve import ResolvedModel
from model.snapshot import Snapshot
from tui.screens.card import Line, joined
from tui.task_strip import task_strip

LINES = 13
"""As many as the nine tasks with a heading and some of the user's own; fixed, so that the rows above never move."""


class Band(Horizontal):
    """Side by side with the doctor, from 200 columns on."""

    DEFAULT_CSS = f"""
    Band {{ height: {LINES + 1}; max-height: 40%; border-top: solid $border; }}
    Band Static {{ height: 1fr; padding: 0 1; }}
    Band #cell {{ width: 3fr; border-right: solid $border; }}
    Band #tasks-passed {{ width: 5fr; text-wrap: nowrap; text-overflow: ellipsis; }}
    """

    def __init__(self) -> None:
        super().__init__()
        self._told: tuple[Snapshot, ResolvedModel] | None = None

    def compose(self) -> ComposeResult:
        yield Static(id="cell")
        yield Static(id="tasks-passed")

    def on_resize(self) -> None:
        self._tell_tasks()

    def tell(self, snapshot: Snapshot, row: ResolvedModel, card: Sequence[Line]) -> None:
        """The card at every move; the tasks only for another model."""
        self.query_one("#cell", Static).update(joined(card), layout=False)
        if self._told is None or self._told[0] is not snapshot or self._told[1] is not row:
            self._told = (snapshot, row)
            self._tell_tasks()

    def _tell_tasks(self) -> None:
        room = self.content_size.height
        if self._told and room:
            self.query_one("#tasks-passed", Static).update(joined(task_strip(*self._told, room)), layout=False)
