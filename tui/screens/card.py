"""A card over the screen: titled lines to read, closed by any of a few keys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

Line = Content | str


def joined(lines: Sequence[Line]) -> Content:
    """The lines as one text."""
    return Content("\n").join(Content(line) if isinstance(line, str) else line for line in lines)


_FOOT = "esc close"
_FRAME = 8
"""Cells of the frame around a title, so that a short card shows its whole title."""


class Card(ModalScreen[None]):
    """Shows lines; foreign text in them is already safe. Scrolls where it does not fit."""

    BINDINGS: ClassVar[list[BindingType]] = [
        ("escape,q,enter,question_mark,space", "dismiss", "close"),
        ("down,j", "scroll(1)", "down"),
        ("up,k", "scroll(-1)", "up"),
        ("pagedown", "scroll(10)", "page down"),
        ("pageup", "scroll(-10)", "page up"),
    ]
    DEFAULT_CSS = """
    Card { align: center middle; }
    Card > Vertical {
        width: auto; max-width: 100%; height: auto; max-height: 100%;
        border: round $border; background: $surface; padding: 0 1;
    }
    Card VerticalScroll { width: auto; max-width: 100%; height: auto; max-height: 100%; scrollbar-size-vertical: 1; }
    Card Static { width: auto; max-width: 100%; }
    Card .card--foot { color: $text-muted; dock: bottom; }
    """
    AUTO_FOCUS = "VerticalScroll"

    def __init__(self, title: str, lines: Sequence[Line]) -> None:
        super().__init__()
        self._heading = title
        self._text = joined(lines)

    def compose(self) -> ComposeResult:
        with Vertical() as frame:
            frame.border_title = Content(self._heading)
            frame.styles.min_width = max(cell_len(self._heading), len(_FOOT)) + _FRAME
            with VerticalScroll():
                yield Static(self._text)
            yield Static(Content(_FOOT), classes="card--foot")

    def action_scroll(self, lines: int) -> None:
        self.query_one(VerticalScroll).scroll_relative(y=lines, animate=False)

    async def action_dismiss(self, result: None = None) -> None:
        self.dismiss(result)
