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
from textual.widgets import Input, Static

from tui.safe_text import safe_text


class TextPrompt(ModalScreen[str | None]):
    """Enter takes the text if it is good, escape takes nothing. `check` says what is wrong with a text, or None."""

    BINDINGS: ClassVar[list[BindingType]] = [("escape", "cancel", "cancel")]
    DEFAULT_CSS = """
    TextPrompt { align: center middle; }
    TextPrompt > Vertical { width: 72; max-width: 100%; height: auto; border: round $border; background: $surface;
        padding: 0 1; }
    TextPrompt Input { border: none; height: 1; padding: 0; background: $boost; }
    TextPrompt .prompt--fault { color: $text-error; height: auto; }
    TextPrompt .prompt--help { color: $text-muted; height: auto; }
    """
    AUTO_FOCUS = "Input"

    def __init__(
        self, title: str, value: str = "", help: str = "", check: Callable[[str], str | None] | None = None
    ) -> None:
        super().__init__()
        self._heading, self._value, self._help, self._check = title, value, help, check

    def compose(self) -> ComposeResult:
        with Vertical() as frame:
            frame.border_title = Content(safe_text(self._heading))
            yield Input(self._value)
            yield Static(classes="prompt--fault")
            yield Static(Content(safe_text(self._help)), classes="prompt--help")
            yield Static(Content("enter take   esc cancel"), classes="prompt--help")

    def _fault(self, text: str) -> str | None:
        return self._check(text) if self._check else None

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        self.query_one(".prompt--fault", Static).update(Content(safe_text(self._fault(event.value) or "")))

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        if self._fault(event.value) is None:
            self.dismiss(event.value)

    def action_cancel(self) -> None:
        self.dismiss(None)
