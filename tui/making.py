"""Changes are made here: at once, after their diff was agreed to, or after the screen has shown what they will do."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from model.editing import CannotEdit
from model.snapshot import Snapshot
from model.workbench import Change, ReadOnly, Unsafe
from tui.examining import MANY_MODELS

if TYPE_CHECKING:
    from model.history import Step
    from tui.app import CapdeckApp
    from tui.messages import ChangeProposed

Make = Callable[[Snapshot], Change]
T = TypeVar("T")


class Maker:
    """Makes changes for the app; each starts from the snapshot that the one before left."""

    def __init__(self, app: CapdeckApp) -> None:
        self._app = app
        self._waiting: deque[Make] = deque()
        self.busy = False

    def make(self, change: Change) -> bool:
        """Makes a change, or says why it cannot be made."""
        step = self.said(lambda: self._app.workbench.prepare(change))
        return step is not None and self.commit(step)

    def propose(self, proposed: ChangeProposed) -> None:
        """Shows the diff, and makes the change if the user agrees; on files that changed meanwhile it follows them."""
        from tui.screens.proposal import Proposal

        step = self.said(lambda: self._app.workbench.prepare(proposed.change))
        if step is None:
            return

        def answered(yes: bool | None) -> None:
            if yes:
                self.commit(step)
            else:
                self._app.workbench.drop_begun()

        self._app.push_screen(Proposal(step.change.title, proposed.why, step.diff(), notes=proposed.notes), answered)

    def commit(self, step: Step) -> bool:
        """Makes a change that was prepared, or says why it cannot be made."""
        return self.said(lambda: self._app.workbench.commit(step)) is not None

    def said(self, work: Callable[[], T]) -> T | None:
        """What the Workbench gives; None if it refuses, and the user is told why."""
        try:
            return work()
        except (Unsafe, ReadOnly) as why:
            self._app.say(str(why), warning=True)
            return None

    def make_after_paint(self, make: Make) -> None:
        """One after the other; for huge files beside the screen's work."""
        self._waiting.append(make)
        self._app.call_after_refresh(self._work)

    async def _work(self) -> None:
        if self.busy:
            return
        self.busy = True
        try:
            while self._waiting:
                await self._one(self._waiting.popleft())
        finally:
            self.busy = False

    async def _one(self, make: Make) -> None:
        bench = self._app.workbench
        try:
            change = make(bench.snapshot)
            if len(bench.snapshot.matrix.rows) > MANY_MODELS:
                bench.commit(await asyncio.to_thread(bench.prepare, change))
            else:
                bench.apply(change)
        except (CannotEdit, Unsafe, ReadOnly) as why:
            self._app.say(str(why), warning=True)
            self._app.show_snapshot(again=True)
