"""A key that Textual cannot read is no reason to end the app, and the unsaved edits with it."""

from __future__ import annotations

from textual._xterm_parser import XTermParser
from textual.events import Key
from textual.keys import Keys


def ignore_stray_keys() -> None:
    """Textual 8 reads `CSI key ; modifiers u` and dies of what kitty's protocol may add: an event's type behind a
    colon, a code point beyond Unicode. Such a key is passed over instead."""
    read = XTermParser._parse_extended_key

    def read_or_ignore(self: XTermParser, sequence: str) -> list[Key] | None:
        try:
            return read(self, sequence)
        except (ValueError, OverflowError):
            return [Key(Keys.Ignore, None)]

    if getattr(read, "__name__", "") != read_or_ignore.__name__:
        XTermParser._parse_extended_key = read_or_ignore  # type: ignore[method-assign,assignment]  # no hook for it
