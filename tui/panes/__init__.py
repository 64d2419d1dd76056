"""The panes; each is made when it is first opened."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.widget import Widget
from textual.widgets import ContentSwitcher

from tui.commands import Where

if TYPE_CHECKING:
    from tui.app import CapdeckApp


def open_pane(app: CapdeckApp, where: Where) -> None:
    """Shows a pane and gives it the focus."""
    app.pane = where
    for each in Where:
        app.screen.set_class(where is each, f"{each.value}-open")
    if where is Where.DOCTOR:
        app.query_one("DoctorPane MatrixGrid").focus()
        return
    switcher = app.query_one("#main", ContentSwitcher)
    if not switcher.query(f"#{where.value}"):
        switcher.mount(_make(app, where))
    switcher.current = where.value
    pane = switcher.get_child_by_id(where.value)
    app.call_after_refresh(lambda: next((each for each in pane.query("*") if each.focusable), pane).focus())


def _make(app: CapdeckApp, where: Where) -> Widget:
    if where is Where.NEED:
        from tui.panes.need import NeedPane

        return NeedPane(app.snapshot)
    raise ValueError(where)
