"""The command palette's entries: the table of commands, first those of the pane that the user is in."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from textual.app import SystemCommand

from tui.commands import Command, Where, commands_of, shown_key

if TYPE_CHECKING:
    from tui.app import CapdeckApp


def entries(app: CapdeckApp) -> Iterable[SystemCommand]:
    """The pane's commands, those that work everywhere, the theme; those of other panes are found but not listed. What
    a command does can be searched for too, so it stands in the line that is searched."""
    others = (where for where in Where if where not in (app.pane, Where.EVERYWHERE, Where.LISTS))
    for where in (app.pane, Where.EVERYWHERE, *others):
        for command in commands_of(where, app.settings.keys):
            keys = " ".join(shown_key(key) for key in command.keys)
            here = where in (app.pane, Where.EVERYWHERE)
            help = keys if here else f"{keys}  in {where.value}"
            yield SystemCommand(f"{command.title} · {command.help}", help, _runner(app, command), here)
    yield SystemCommand("theme · Change colours.", "", app.action_change_theme)


def _runner(app: CapdeckApp, command: Command) -> Callable[[], None]:
    return lambda: run(app, command)


def run(app: CapdeckApp, command: Command) -> None:
    """As if its key had been pressed, in the pane that it belongs to."""
    app.call_later(_run, app, command)


async def _run(app: CapdeckApp, command: Command) -> None:
    if command.where not in (app.pane, Where.EVERYWHERE):
        await app.action_pane(command.where.value)
    await app.run_action(command.action, app if command.where is Where.EVERYWHERE else app.query_one(f"#{app.pane}"))
