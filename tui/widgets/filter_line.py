"""The line that narrows the matrix, with the count of what is left."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from textual import events, on
from textual.binding import Binding, BindingType
from textual.message import Message

from tui.widgets.line_edit import LineEdit


class FilterLine(LineEdit, can_focus=False):
    """Always there to say what the filter is; typed into after `open`."""

    DEFAULT_CSS = "FilterLine { background: $surface; }"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "clear and close", show=False, id="filter.clear"),
        Binding("down", "submit", "to the rows", show=False, id="filter.to-rows"),
    ]

    @dataclass
    class FilterChanged(Message):
        """Another text. Of a burst only the last counts."""

        text: str

        def can_replace(self, message: Message) -> bool:
            return isinstance(message, FilterLine.FilterChanged)

    @dataclass
    class FilterClosed(Message):
        """The user is done typing."""

    def __init__(self) -> None:
        super().__init__(sign=" / ", placeholder="filter: tools !image ?json ctx>100k quality>=strong task:execute")

    def open(self) -> None:
        self.can_focus = True
        self.focus()

    def clear(self) -> None:
        self.put("")

    @on(LineEdit.Changed)
    def _typed(self, event: LineEdit.Changed) -> None:
        event.stop()
        self.post_message(self.FilterChanged(event.value))

    @on(LineEdit.Submitted)
    def _done(self, event: LineEdit.Submitted) -> None:
        event.stop()
        self._close()

    def on_click(self, event: events.Click) -> None:
        """Textual calls LineEdit's handler too, which puts the cursor there."""
        self.open()

    def _close(self) -> None:
        self.can_focus = False
        self.post_message(self.FilterClosed())

    def action_leave(self) -> None:
        """Without a filter again."""
        if self.value:
            self.put("")
            self.post_message(self.FilterChanged(""))
        self._close()
