"""One line to type, checked at every key."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from tui.safe_text import safe_text
from tui.widgets.line_edit import LineEdit


class TextPrompt(ModalScreen[str | None]):
    """Enter takes the text if it is good, escape takes nothing. `check` says what is wrong with a text, or None."""

    BINDINGS: ClassVar[list[BindingType]] = [("escape", "cancel", "cancel")]
    DEFAULT_CSS = """
    TextPrompt { align: center middle; }
    TextPrompt > Vertical { width: 72; max-width: 100%; height: auto; max-height: 100%;
        border: round $border; background: $surface; padding: 0 1; }
    TextPrompt LineEdit { background: $boost; }
    TextPrompt .prompt--fault { color: $text-error; height: auto; min-height: 1; }
    TextPrompt .prompt--help { color: $text-muted; height: auto; }
    """
    AUTO_FOCUS = "LineEdit"

    def __init__(
        self, title: str, value: str = "", help: str = "", check: Callable[[str], str | None] | None = None
    ) -> None:
        super().__init__()
        self._heading, self._value, self._help, self._check = title, value, help, check

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static(Content.assemble((safe_text(self._heading), "bold")))
            yield LineEdit(self._value)
            yield Static(self._fault_shown(self._value), classes="prompt--fault")
            if self._help:
                yield Static(Content(safe_text(self._help)), classes="prompt--help")
            yield Static(Content("enter take   esc cancel"), classes="prompt--help")

    def _fault(self, text: str) -> str | None:
        return self._check(text) if self._check else None

    def _fault_shown(self, text: str) -> Content:
        return Content(safe_text(self._fault(text) or ""))

    @on(LineEdit.Changed)
    def _typed(self, event: LineEdit.Changed) -> None:
        event.stop()
        self.query_one(".prompt--fault", Static).update(self._fault_shown(event.value))

    @on(LineEdit.Submitted)
    def _submitted(self, event: LineEdit.Submitted) -> None:
        event.stop()
        if self._fault(event.value) is None:
            self.dismiss(event.value)

    def action_cancel(self) -> None:
        self.dismiss(None)
