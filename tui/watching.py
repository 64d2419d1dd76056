"""The files under watch: what others change on disk is carried into the screen, and collisions are asked one by one."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from model.document import Delete, Edit, EditConflict, Insert, InsertItem, Put, Set, insisted
from model.findings import breadcrumb
from model.outside import Event, Outside
from model.workbench import Change
from tui.safe_text import safe_text
from tui.screens.choice import Choice

if TYPE_CHECKING:
    from tui.app import CapdeckApp

WAIT_SECONDS = 0.3  # until it is looked again whether a question may be asked


async def watch(app: CapdeckApp) -> None:
    """Runs as long as the app does."""
    async with asyncio.TaskGroup() as group:
        for file in app.workbench.files:
            if file.path.absolute().parent.is_dir():
                group.create_task(_watch_file(app, file.name))


async def _watch_file(app: CapdeckApp, name: str) -> None:
    from model.document.watch import changes

    def known() -> str | None:
        saved = app.workbench.file(name).saved
        return saved.sha256 if saved else None

    async for _ in changes(app.workbench.file(name).path, known):
        take_in(app)


def take_in(app: CapdeckApp) -> None:
    """Looks at the disk, and tells what happened there."""
    for outside in app.workbench.sync():
        tell(app, outside)


def tell(app: CapdeckApp, outside: Outside) -> None:
    name = app.workbench.file(outside.file).path.name
    if outside.event is Event.RELOADED:
        app.say(f"{name} changed on disk and was read again")
    elif outside.event is Event.GONE:
        app.say(
            f"{name} is gone from the disk; what you see is its last state, and saving writes it again", warning=True
        )
    elif outside.event is Event.CARRIED_OVER and not outside.conflicts:
        app.say(f"{name} changed on disk; your edits were carried over")
    for warning in outside.warnings:
        app.say(f"{name}, carried over: {warning}", warning=True)
    ask(app, outside.file, outside.conflicts)


def ask(app: CapdeckApp, file: str, conflicts: tuple[EditConflict, ...]) -> None:
    """One collision after the other: mine or theirs. None pops up over another question, whose keys it would take."""
    if not conflicts:
        return
    if len(app.screen_stack) > 1:
        app.set_timer(WAIT_SECONDS, lambda: ask(app, file, conflicts))
        return
    conflict, rest = conflicts[0], conflicts[1:]
    lines = [
        *filter(None, [_whose(conflict)]),
        conflict.reason,
        f"before  {_shown(conflict.before)}",
        f"on disk {_shown(conflict.now)}",
        f"here    {_mine(conflict.edit)}",
    ]
    answers = {"m": "my value", "t": "what is on disk"}

    def answered(key: str | None) -> None:
        if key != "t":  # who leaves decides nothing, and loses nothing: it is unsaved, and undo takes it back
            _insist(app, file, conflict)
        ask(app, file, rest)

    title, safe = "changed on disk and here", [safe_text(line) for line in lines]
    app.push_screen(Choice(title, safe, answers, leave="my value, unsaved as before"), answered)


def _whose(conflict: EditConflict) -> str:
    """The provider and the model that the edit is about, as far as they have names."""
    names, here = [], conflict.data
    for step in conflict.edit.path:
        try:
            here = here[step]
        except (LookupError, TypeError):
            break
        if isinstance(here, dict):
            names += [str(here[key]) for key in ("provider_id", "model_id") if key in here]
    return "/".join(names)


def _mine(edit: Edit) -> str:
    if isinstance(edit, Delete):
        return "removed"
    return _shown(edit.value) if isinstance(edit, Insert | InsertItem | Put | Set) else type(edit).__name__.lower()


def _insist(app: CapdeckApp, file: str, conflict: EditConflict) -> None:
    """Makes the edit where the items of its lists stand by now."""
    doc = app.workbench.file(file).doc
    edit = insisted(conflict, doc.data) if doc else None
    if edit is None:
        app.say(f"not made: {breadcrumb(conflict.edit.path)} is gone", warning=True)
    else:
        app.maker.make(Change(f"mine: {breadcrumb(edit.path)}", {file: (edit,)}))


def _shown(value: object) -> str:
    text = "nothing" if value is None else str(value)
    return text if len(text) <= 60 else text[:59] + "…"
