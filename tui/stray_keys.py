"""A key that Textual dies of is no reason to end the app, and the unsaved edits with it."""

from __future__ import annotations

from typing import Any

from textual._xterm_parser import XTermParser
from textual.await_complete import AwaitComplete
from textual.command import CommandPalette
from textual.events import Key
from textual.keys import Keys
from textual.screen import Screen
from textual.widgets import OptionList
from textual.worker import Worker


def ignore_stray_keys() -> None:
    """Passes over what Textual 8 does not foresee. There is no hook for it, so its methods are wrapped, once."""
    if XTermParser._parse_extended_key is not _read_or_ignore:
        XTermParser._parse_extended_key = _read_or_ignore  # type: ignore[method-assign,assignment]
        OptionList._move_page = _move_or_stay  # type: ignore[method-assign]
        Screen.dismiss = _dismiss_once  # type: ignore[method-assign]
        CommandPalette._gather_commands = _search_while_open  # type: ignore[method-assign,assignment]


_read = XTermParser._parse_extended_key
_move = OptionList._move_page
_dismiss = Screen.dismiss
_search = CommandPalette._gather_commands


def _read_or_ignore(self: XTermParser, sequence: str) -> list[Key] | None:
    """`CSI key ; modifiers u`, to which kitty's protocol may add an event's type or a code point beyond Unicode."""
    try:
        return _read(self, sequence)
    except (ValueError, OverflowError):
        return [Key(Keys.Ignore, None)]


def _move_or_stay(self: OptionList, direction: int) -> None:
    """Page up or down in a list that has no lines yet, or no room for any."""
    try:
        _move(self, direction)  # type: ignore[arg-type]
    except LookupError:
        return


def _dismiss_once(self: Screen[Any], result: Any = None) -> AwaitComplete:
    """A second escape may reach a screen that is closed already, and would close the one below, or the last."""
    on_top = self.app.screen_stack[-1:] == [self]
    return _dismiss(self, result) if on_top else AwaitComplete()


def _search_while_open(self: CommandPalette, search_value: str) -> Worker[None] | None:
    """A letter typed just before escape reaches the palette behind it: a search begun then would find the list gone
    that its hits go to."""
    return _search(self, search_value) if self in self.app.screen_stack else None
