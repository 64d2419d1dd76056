"""A command's key as it is in force, for a sentence that names it: the user may have chosen another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tui.commands import OWN, Keys, command_with, shown_key

if TYPE_CHECKING:
    from textual.message_pump import MessagePump


def keys_in_force(where: MessagePump) -> Keys:
    """Those that the user chose, for the app that this belongs to."""
    settings = getattr(where.app, "settings", None)
    return settings.keys if settings else OWN


def key_of(id: str, keys: Keys) -> str:
    """The first key of a command, as people write it."""
    return shown_key(keys[id][0] if id in keys else command_with(id).keys[0])
