"""One of several lines, chosen with the arrows and enter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from tui.safe_text import safe_text


class Pick(ModalScreen[int | None]):
    """The number of the chosen line, or None for escape. The lines are safe already."""

    BINDINGS: ClassVar[list[BindingType]] = [("escape,q", "cancel", "cancel")]
    DEFAULT_CSS = """
    Pick { align: center middle; }
    Pick > Vertical { width: 84; max-width: 100%; height: auto; max-height: 100%;
        border: round $border; background: $surface; padding: 0 1; }
    Pick OptionList, Pick OptionList:focus { height: auto; max-height: 100%; border: none; padding: 0;
        background: $surface; }
    Pick .pick--foot { color: $text-muted; dock: bottom; }
    """
    AUTO_FOCUS = "OptionList"

    def __init__(self, title: str, lines: Sequence[Content]) -> None:
        super().__init__()
        self._heading, self._lines = title, lines

    def compose(self) -> ComposeResult:
        with Vertical() as frame:
            frame.border_title = Content(safe_text(self._heading))
            yield OptionList(*(Option(line) for line in self._lines), markup=False)
            yield Static(Content("enter choose   esc cancel"), classes="pick--foot")

    @on(OptionList.OptionSelected)
    def _chosen(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(event.option_index)

    def action_cancel(self) -> None:
        self.dismiss(None)
