"""The line that narrows the matrix, with the count of what is left."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.message import Message
from textual.widgets import Input, Static

from tui.safe_text import safe_text


class FilterLine(Horizontal):
    """Always there to say what the filter is; typed into after `open`."""

    @dataclass
    class FilterChanged(Message):
        """Another text."""

        text: str

    @dataclass
    class FilterClosed(Message):
        """The user is done typing."""

    BINDINGS: ClassVar[list[BindingType]] = [("escape", "escape", "clear or close")]
    DEFAULT_CSS = """
    FilterLine { height: 1; background: $surface; }
    FilterLine .filter--sign { width: 3; }
    FilterLine Input { border: none; height: 1; padding: 0; width: 1fr; background: $surface; }
    FilterLine .filter--count { width: auto; padding: 0 1; color: $text-muted; }
    """

    def compose(self) -> ComposeResult:
        yield Static(Content(" / "), classes="filter--sign")
        field = Input(placeholder="filter: tools !image ?json ctx>100k quality>=strong task:execute")
        field.can_focus = False
        yield field
        yield Static(classes="filter--count")

    @property
    def _field(self) -> Input:
        return self.query_one(Input)

    def open(self) -> None:
        self._field.can_focus = True
        self._field.focus()

    def clear(self) -> None:
        with self._field.prevent(Input.Changed):
            self._field.value = ""

    def tell(self, count: str, problem: str | None = None) -> None:
        """What is left, or what is wrong with the text."""
        self.query_one(".filter--count", Static).update(Content(safe_text(problem or count)))

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        self.post_message(self.FilterChanged(event.value))

    @on(Input.Submitted)
    def _done(self, event: Input.Submitted) -> None:
        event.stop()
        self._close()

    def _close(self) -> None:
        self._field.can_focus = False
        self.post_message(self.FilterClosed())

    def action_escape(self) -> None:
        """First clears the text, then leaves the line."""
        if self._field.value:
            self._field.value = ""
        self._close()
