"""Saving and leaving: the diff first, then the files; nothing is written unseen and nothing unsaved is lost unasked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from model.workbench import Conflict, ReadOnly, Unsafe
from tui.screens.proposal import Proposal, QuitChoice, leaving
from tui.watching import take_in

if TYPE_CHECKING:
    from tui.app import CapdeckApp


def save(app: CapdeckApp, *, then_quit: bool = False) -> None:
    """Shows what will be written and asks once."""
    changed = app.workbench.changed_files
    if not changed:
        app.say("nothing to save: the screen shows what is on disk")
        return
    names = ", ".join(str(file.path) for file in changed)

    def answered(yes: bool | None) -> None:
        if yes and write(app) and then_quit:
            app.exit()

    app.push_screen(Proposal(f"save {names}", "", app.workbench.diff(), verb="save"), answered)


def write(app: CapdeckApp) -> bool:
    try:
        saved = app.workbench.save()
    except Conflict:
        app.say("the file changed on disk meanwhile; nothing was written", warning=True)
        take_in(app)
        return False
    except (OSError, Unsafe, ReadOnly) as why:
        app.say(f"not saved: {why}", warning=True)
        return False
    app.rescued.forget(saved)
    app.say("saved " + ", ".join(str(file.path) for file in saved))
    return True


def leave(app: CapdeckApp) -> None:
    """Quits at once if all is saved, else asks."""
    if not app.workbench.changed_files:
        app.exit()
        return

    def answered(key: str | None) -> None:
        if key == QuitChoice.SAVE:
            save(app, then_quit=True)
        elif key == QuitChoice.DISCARD:
            app.exit()

    gone = [file.path.name for file in app.workbench.files if file.gone]
    app.push_screen(leaving(app.workbench.pending_changes, gone), answered)
