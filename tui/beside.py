"""What stands beside the matrix: the card of the cell, and from 200 columns on which tasks the model passes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.widgets import Static

from tui.panes.matrix import MatrixPane
from tui.screens.card import joined

if TYPE_CHECKING:
    from tui.app import CapdeckApp

BROAD = 200
"""Columns from which on the card stands in the band, side by side with the tasks."""


def tell_beside(app: CapdeckApp) -> None:
    """Makes nothing that cannot be seen."""
    pane, card = app.query_one(MatrixPane), app.query_one("#card", Static)
    if app.size.width >= BROAD:
        _tell_band(app, pane)
    elif card.display and (lines := pane.card_lines()) is not None:
        card.update(joined(lines))


def _tell_band(app: CapdeckApp, pane: MatrixPane) -> None:
    from tui.panes.band import Band

    row = app.snapshot.matrix.get(pane.ref) if pane.ref and pane.display else None
    band = next(iter(pane.query(Band)), None)
    if band is None:
        pane.mount(Band())
        app.call_after_refresh(app.tell_detail)
    elif row is not None and (lines := pane.card_lines(tasks=False)) is not None:
        band.tell(app.snapshot, row, lines)
