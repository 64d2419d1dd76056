"""A question with a few named answers, each a key."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from tui.safe_text import safe_text
from tui.screens.card import Line


class Choice(ModalScreen[str | None]):
    """The answer's key, or None for escape, which does what `leave` says. The lines are safe already."""

    BINDINGS: ClassVar[list[BindingType]] = [("escape", "dismiss", "leave")]
    DEFAULT_CSS = """
    Choice { align: center middle; }
    Choice > Static { width: auto; max-width: 100%; height: auto; border: round $border; background: $surface;
        padding: 0 1; }
    """

    def __init__(self, title: str, lines: Sequence[Line], answers: Mapping[str, str], *, leave: str = "cancel") -> None:
        super().__init__()
        self._heading, self._lines, self._answers, self._leave = title, lines, answers, leave

    def compose(self) -> ComposeResult:
        keys = "   ".join(f"{key} {title}" for key, title in [*self._answers.items(), ("esc", self._leave)])
        lines = [Content(line) if isinstance(line, str) else line for line in self._lines]
        question = Static(Content("\n").join([*lines, Content(""), Content(safe_text(keys))]))
        question.border_title = Content(safe_text(self._heading))
        yield question

    def on_key(self, event: events.Key) -> None:
        if event.character in self._answers:
            event.stop()
            self.dismiss(event.character)

    async def action_dismiss(self, result: str | None = None) -> None:
        self.dismiss(result)
