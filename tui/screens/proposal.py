"""A change shown as a diff before it is made, and the question before leaving."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from tui.safe_text import safe_text
from tui.screens.choice import Choice
from tui.widgets.diff_view import DiffView


class Proposal(ModalScreen[bool | None]):
    """Yes makes the change; no leaves all as it was."""

    BINDINGS: ClassVar[list[BindingType]] = [
        ("y,enter,ctrl+s", "answer(True)", "yes"),
        ("n,escape,q", "answer(False)", "no"),
    ]
    DEFAULT_CSS = """
    Proposal { align: center middle; }
    Proposal > Vertical { width: 100; max-width: 100%; height: auto; max-height: 100%;
        border: round $border; background: $surface; padding: 0 1; }
    Proposal DiffView { height: auto; max-height: 100%; }
    Proposal .proposal--head { dock: top; height: auto; }
    Proposal .proposal--notes { height: auto; max-height: 8; border-bottom: solid $border; }
    Proposal .proposal--foot { color: $text-muted; dock: bottom; }
    """
    AUTO_FOCUS = "DiffView"

    def __init__(
        self, title: str, why: str, diff: str, *, verb: str = "make this change", notes: Sequence[str] = ()
    ) -> None:
        super().__init__()
        self._heading, self._why, self._diff, self._verb, self._notes = title, why, diff, verb, notes

    def compose(self) -> ComposeResult:
        with Vertical() as frame:
            frame.border_title = Content(safe_text(self._heading))
            with Vertical(classes="proposal--head"):
                if self._why:
                    yield Static(Content(safe_text(self._why)))
                if self._notes:
                    with VerticalScroll(classes="proposal--notes"):
                        yield Static(Content("\n").join(Content(safe_text(note)) for note in self._notes))
            yield DiffView(self._diff)
            yield Static(Content(f"enter or y: {self._verb}   esc or n: leave all as it is"), classes="proposal--foot")

    def action_answer(self, yes: bool) -> None:
        self.dismiss(yes)


class QuitChoice(StrEnum):
    """What to do with what is not saved."""

    SAVE = "s"
    DISCARD = "d"


def leaving(changes: int, gone: Sequence[str] = ()) -> Choice:
    """Asks before unsaved changes, or the last state of files that are `gone`, are lost; the answer is a key of
    QuitChoice."""
    lines = [safe_text(f"{name} is gone from the disk.") for name in gone]
    if changes or not gone:
        lines.append(f"{changes} change{'' if changes == 1 else 's'} not saved.")
    return Choice("leave?", lines, {"s": "save and leave", "d": "discard and leave"})
