"""What the commands do that work everywhere; each is named in the table of commands as `run('module:function')`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from model.vocabulary import Layer
from tui.panes.matrix import MatrixPane

if TYPE_CHECKING:
    from tui.app import CapdeckApp


def undo(app: CapdeckApp) -> None:
    title = app.workbench.undo()
    app.say(f"took back: {title}" if title else "nothing to undo", warning=title is None)


def redo(app: CapdeckApp) -> None:
    title = app.workbench.redo()
    app.say(f"made again: {title}" if title else "nothing to redo", warning=title is None)


def next_target(app: CapdeckApp) -> None:
    """The file that edits go to: the one that decides the cell, then each open file in turn."""
    choices: list[Layer | None] = [None, *(file.layer for file in app.snapshot.files)]
    app.target = choices[(choices.index(app.target) + 1) % len(choices)]
    for pane in app.panes():
        if hasattr(pane, "target"):
            pane.target = app.target
    app.tell_chrome()
    app.say(f"edits go to the {app.target.value} file" if app.target else "edits go to the file that decides the cell")


def toggle_usable(app: CapdeckApp) -> None:
    now = app.workbench.surroundings
    app.workbench.surround(replace(now, usable=not now.usable))
    app.say("verdicts ask for what can be used now" if not now.usable else "verdicts say what a model can do")


def show_help(app: CapdeckApp) -> None:
    from tui.screens.card import Card
    from tui.screens.cards import help_card

    app.push_screen(Card(*help_card(app.pane, app.settings.keys)))


def task_at_hand(app: CapdeckApp) -> str:
    """The task that the user looks at: of the pane, else of the matrix's column, else execute."""
    name: str | None = getattr(app.pane_widget, "task_name", None)
    column = app.query_one(MatrixPane).column
    return name or (column.task if column and column.task else "execute")
