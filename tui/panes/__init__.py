"""The panes; each is made when it is first opened."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.widget import Widget
from textual.widgets import ContentSwitcher

from tui.commands import Where

if TYPE_CHECKING:
    from tui.app import CapdeckApp


async def open_pane(app: CapdeckApp, where: Where) -> None:
    """Shows a pane and gives it the focus."""
    for each in Where:
        app.screen.set_class(where is each, f"{each.value}-open")
    if where is not Where.DOCTOR:
        switcher = app.query_one("#main", ContentSwitcher)
        if not switcher.query(f"#{where.value}"):
            await switcher.mount(_make(app, where))
        switcher.current = where.value
    app.pane = where
    app.show_pane(where)
    pane = app.query_one(f"#{where.value}")
    next(each for each in pane.query("*") if each.focusable).focus()
    app.tell_chrome()
    app.tell_detail()
    app.call_after_refresh(app.tell_detail)  # of a card that is seen only now


def _make(app: CapdeckApp, where: Where) -> Widget:
    if where is Where.NEED:
        from tui.panes.need import NeedPane

        return NeedPane(app.snapshot)
    if where is Where.FALLBACK:
        from tui.panes.fallback import FallbackPane

        return FallbackPane(app.snapshot)
    raise ValueError(where)
