"""A key that Textual dies of is no reason to end the app, and the unsaved edits with it."""

from __future__ import annotations

from textual._xterm_parser import XTermParser
from textual.events import Key
from textual.keys import Keys
from textual.widgets import OptionList


def ignore_stray_keys() -> None:
    """Passes over what Textual 8 does not foresee. There is no hook for it, so its methods are wrapped, once."""
    if XTermParser._parse_extended_key is not _read_or_ignore:
        XTermParser._parse_extended_key = _read_or_ignore  # type: ignore[method-assign,assignment]
        OptionList._move_page = _move_or_stay  # type: ignore[method-assign]


_read = XTermParser._parse_extended_key
_move = OptionList._move_page


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
