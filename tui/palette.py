"""The command palette's entries: the table of commands, for the pane that the user is in."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from textual.app import SystemCommand

from tui.commands import Command, Where, commands_of, shown_key

if TYPE_CHECKING:
    from tui.app import CapdeckApp


def entries(app: CapdeckApp) -> Iterable[SystemCommand]:
    """The pane's commands first, then those that work everywhere, then the theme."""
    for command in (*commands_of(app.pane), *commands_of(Where.EVERYWHERE)):
        keys = " ".join(shown_key(key) for key in command.keys)
        yield SystemCommand(f"{command.title}  ({keys})", command.help, _runner(app, command))
    yield SystemCommand("theme", "Change colours.", app.action_change_theme)


def _runner(app: CapdeckApp, command: Command) -> Callable[[], None]:
    return lambda: run(app, command)


def run(app: CapdeckApp, command: Command) -> None:
    """As if its key had been pressed."""
    home = app if command.where is Where.EVERYWHERE else app.query_one(f"#{app.pane.value}")
    app.call_later(app.run_action, command.action, home)
