"""A list of ways out, each with the change that makes it; choosing one shows its diff, nothing is made here."""

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

from model.workbench import Change
from tui.safe_text import safe_text


class Ways(ModalScreen[Change | None]):
    """Reasons above, ways below; enter chooses one, escape none."""

    BINDINGS: ClassVar[list[BindingType]] = [
        ("escape,q", "cancel", "cancel"),
        ("j", "cursor(1)", "down"),
        ("k", "cursor(-1)", "up"),
    ]
    DEFAULT_CSS = """
    Ways { align: center middle; }
    Ways > Vertical { width: 96; max-width: 100%; height: auto; max-height: 100%;
        border: round $border; background: $surface; padding: 0 1; }
    Ways OptionList { height: auto; max-height: 100%; border: none; background: $surface; padding: 0; }
    Ways OptionList:focus { border: none; }
    Ways .ways--head { dock: top; }
    Ways .ways--foot { color: $text-muted; dock: bottom; }
    """
    AUTO_FOCUS = "OptionList"

    def __init__(self, title: str, reasons: Sequence[str], ways: Sequence[tuple[str | Content, Change | None]]) -> None:
        """A way without a change is one that no edit makes. Foreign text in a Content is already safe."""
        super().__init__()
        self._heading, self._reasons, self._ways = title, reasons, ways

    def compose(self) -> ComposeResult:
        with Vertical() as frame:
            frame.border_title = Content(safe_text(self._heading))
            reasons = (Content(safe_text(reason)) for reason in [*self._reasons, ""])
            yield Static(Content("\n").join(reasons), classes="ways--head")
            if self._ways:
                yield OptionList(*(_option(title, change) for title, change in self._ways), markup=False)
            else:
                yield OptionList(Option(Content("no edit of the file would do"), disabled=True), markup=False)
            yield Static(Content("enter show the diff   esc leave"), classes="ways--foot")

    @on(OptionList.OptionSelected)
    def _chosen(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(self._ways[event.option_index][1])

    def action_cursor(self, step: int) -> None:
        options = self.query_one(OptionList)
        options.action_cursor_down() if step > 0 else options.action_cursor_up()

    def action_cancel(self) -> None:
        self.dismiss(None)


def _option(title: str | Content, change: Change | None) -> Option:
    shown = Content(safe_text(title)) if isinstance(title, str) else title
    return Option(shown, disabled=change is None)
