"""Which groups of columns the matrix shows."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import SelectionList, Static
from textual.widgets.selection_list import Selection

from tui.columns import ALWAYS, ColumnGroup


class ColumnChoice(ModalScreen[frozenset[ColumnGroup] | None]):
    """Space ticks a group, enter takes the choice, escape leaves all as it was."""

    BINDINGS: ClassVar[list[BindingType]] = [
        ("escape", "cancel", "cancel"),
        ("enter", "take", "take"),
    ]
    DEFAULT_CSS = """
    ColumnChoice { align: center middle; }
    ColumnChoice > Vertical { width: 44; max-width: 100%; height: auto; max-height: 100%;
        border: round $border; background: $surface; padding: 0 1; }
    ColumnChoice SelectionList { height: auto; max-height: 100%; border: none; background: $surface; padding: 0; }
    ColumnChoice Static { color: $text-muted; }
    """
    AUTO_FOCUS = "SelectionList"

    def __init__(self, chosen: frozenset[ColumnGroup]) -> None:
        super().__init__()
        self._chosen = chosen

    def compose(self) -> ComposeResult:
        with Vertical() as frame:
            frame.border_title = "columns"
            yield SelectionList[ColumnGroup](
                *(
                    Selection(_prompt(group, group in self._chosen), group, group in self._chosen)
                    for group in ColumnGroup
                    if group is not ALWAYS[0]
                )
            )
            yield Static("space tick   enter take   esc cancel")

    def on_selection_list_selection_toggled(self, event: SelectionList.SelectionToggled[ColumnGroup]) -> None:
        """The choice is taken with enter. Textual tells ticks by their colour alone."""
        group, ticks = event.selection.value, event.selection_list
        ticks.replace_option_prompt_at_index(event.selection_index, _prompt(group, group in ticks.selected))

    def key_enter(self) -> None:
        self.action_take()

    def action_take(self) -> None:
        self.dismiss(frozenset(self.query_one(SelectionList).selected) | {ALWAYS[0]})

    def action_cancel(self) -> None:
        self.dismiss(None)


def _prompt(group: ColumnGroup, shown: bool) -> str:
    return f"{group.value:<24}{'shown' if shown else '-'}"
