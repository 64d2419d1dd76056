"""The doctor at work for the app: at once for a file of ordinary size, beside the screen's work for a huge one."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from model.snapshot import Snapshot

if TYPE_CHECKING:
    from model.doctor import Report
    from tui.app import CapdeckApp

MANY_MODELS = 1_000
"""Above this many the doctor works in a thread of its own."""


class Examiner:
    """Keeps what the files alone showed, since what did not change is not examined again."""

    def __init__(self, app: CapdeckApp, today: date | None) -> None:
        """`today` stands in for the clock."""
        self._app, self._today = app, today
        self._alone: Report | None = None
        self.report: Report | None = None
        """The last one, with what the endpoints showed."""

    def look(self) -> None:
        """Examines what is on the screen now; the app is told when there is a report."""
        snapshot = self._app.snapshot
        if len(snapshot.matrix.rows) <= MANY_MODELS:
            self._take(*self._examined(snapshot), snapshot)
            return
        self._app.show_snapshot()
        self._app.run_worker(
            lambda: self._aside(snapshot), thread=True, exclusive=True, group="doctor", description="doctor"
        )

    def _aside(self, snapshot: Snapshot) -> None:
        self._app.call_from_thread(self._take, *self._examined(snapshot), snapshot)

    def _examined(self, snapshot: Snapshot) -> tuple[Report, Report]:
        """What the files alone show, and that together with what the endpoints showed."""
        from model.doctor.plugged import examine

        alone = examine(snapshot, self._alone, today=self._today)
        return alone, self._app.online.joined(snapshot, alone)

    def _take(self, alone: Report, report: Report, of: Snapshot) -> None:
        if of is self._app.snapshot:
            self._alone, self.report = alone, report
            self._app.show_snapshot()
