"""What the app keeps in the session store: assignments, fallbacks, their history, what was observed of the models."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from tui.everywhere import task_at_hand
from tui.safe_text import safe_text
from tui.screens.card import Card, Line

if TYPE_CHECKING:
    from model.assignment import Assignment
    from model.latency import FirstToken
    from model.model_ref import ModelRef
    from model.resolve import Observed
    from model.session_observations import WrittenDown
    from model.session_records import Entry
    from model.sessions import SessionStore
    from tui.app import CapdeckApp

SHOWN = 200
"""Entries of the history that are shown, newest first."""


def store_of(app: CapdeckApp) -> SessionStore:
    """The store that belongs to the open files."""
    from model.sessions import SessionStore, store_path

    files = ((file.path, file.layer) for file in app.workbench.files)
    return SessionStore(store_path(files), holds_secret=app.holds_secret)


def keep_seen(app: CapdeckApp, seen: Sequence[tuple[ModelRef, Observed]]) -> None:
    """What endpoints showed of models: into the session store, and into the matrix as the observed layer."""
    from model.session_file import StoreError
    from model.session_observations import Observation, WrittenDown

    store, known = store_of(app), WrittenDown(dict(seen))
    try:
        store.observe(Observation(*each) for each in seen)
        known = store.observations()
    except (StoreError, OSError) as problem:
        app.say(f"what was seen is not kept: {problem}", warning=True)
    app.workbench.surround(replace(app.workbench.surroundings, observations=known))


def keep_first_token(app: CapdeckApp, seen: FirstToken) -> None:
    """Beside the screen's work, and whether the trial is still open or not."""
    app.run_worker(_keep_first_token(app, seen), group="first token", exit_on_error=False, description="first token")


async def _keep_first_token(app: CapdeckApp, seen: FirstToken) -> None:
    """Into the session store, and from there into the matrix as observed."""
    from model.session_file import StoreError

    try:
        known = await asyncio.to_thread(_kept, store_of(app), seen)
    except (StoreError, OSError) as problem:
        app.say(f"the time to the first token is not kept: {problem}", warning=True)
        return
    app.workbench.surround(replace(app.workbench.surroundings, observations=known))


def _kept(store: SessionStore, seen: FirstToken) -> WrittenDown:
    """Slow where somebody else is writing: call it in a thread."""
    store.observe_first_token(seen)
    return store.observations()


def assign(app: CapdeckApp) -> None:
    """Opens the assignment of the task at hand; what the user records is kept."""
    from tui.panes.matrix import MatrixPane
    from tui.screens.assigning import Assigning

    def answered(assignment: Assignment | None) -> None:
        if assignment is not None:
            from model.session_records import AssignmentMade

            number = store_of(app).record(AssignmentMade(assignment))
            app.say(f"recorded as {number}")

    app.push_screen(Assigning(app.snapshot, task_at_hand(app), app.query_one(MatrixPane).ref), answered)


def show_history(app: CapdeckApp) -> None:
    store = store_of(app)
    entries = store.history(limit=SHOWN)
    lines: list[Line] = [safe_text(store.notice)] if store.notice else []
    lines += [safe_text(entry_text(entry)) for entry in entries]
    app.push_screen(Card("what was recorded, newest first", lines or ["nothing is recorded yet: A, then w"]))


def entry_text(entry: Entry) -> str:
    at = entry.at.astimezone().strftime("%Y-%m-%d %H:%M") if entry.at else ""
    moved = f"{entry.original} → {entry.model or 'nobody'}" if entry.original else str(entry.model or "")
    return "  ".join(part for part in (at, entry.kind.value, entry.task, entry.outcome, moved, entry.reason) if part)


def tools_card(app: CapdeckApp) -> None:
    """Which tools survive on the model under the cursor."""
    from tui.panes.matrix import MatrixPane

    ref = app.query_one(MatrixPane).ref
    row = app.snapshot.matrix.get(ref) if ref else None
    if row is None:
        app.say("move to a model in the matrix first", warning=True)
        return
    toolbox = app.snapshot.given.toolbox
    found = toolbox.filter_for(row, list(toolbox.tools))
    lines: list[Line] = [safe_text(f"kept     {each.name}  {each.note}".rstrip()) for each in found.kept]
    lines += [safe_text(f"removed  {each.name}  {each.text}") for each in found.removed]
    app.push_screen(Card(safe_text(f"tools on {row.ref}"), lines or ["no tools are known"]))
