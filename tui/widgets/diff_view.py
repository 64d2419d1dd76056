"""A unified diff to read: coloured by line, told apart by its signs alone where there is no colour."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import ScrollableContainer
from textual.content import Content
from textual.widgets import Static

from tui.safe_text import safe_text

_STYLES = (("+++", "bold"), ("---", "bold"), ("@@", "$text-accent"), ("+", "$text-success"), ("-", "$text-error"))


class DiffView(ScrollableContainer, can_focus=True):
    """Scrolls both ways; the text is foreign and shown, never obeyed."""

    DEFAULT_CSS = """
    DiffView { height: auto; scrollbar-size: 1 1; }
    DiffView Static { width: auto; }
    """

    def __init__(self, diff: str) -> None:
        super().__init__()
        self._diff = diff

    def compose(self) -> ComposeResult:
        lines = [Content.assemble((safe_text(line), _style(line))) for line in self._diff.splitlines()]
        yield Static(Content("\n").join(lines) if lines else Content("no difference"))


def _style(line: str) -> str:
    return next((style for sign, style in _STYLES if line.startswith(sign)), "")
