"""The doctor's online checks in the app: a round at a time, beside the screen's work; what it showed is kept."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import aclosing
from dataclasses import replace
from importlib import import_module
from typing import TYPE_CHECKING

from tui.own_keys import key_of

if TYPE_CHECKING:
    from textual.worker import Worker

    from adapters.checks import CheckRow
    from model.doctor.online import OnlineResult
    from model.doctor.report import Report
    from model.snapshot import Snapshot
    from tui.app import CapdeckApp

_TICK_SECONDS = 1.0
"""How often the elapsed time is told."""
_DEMO = "the demo contacts nobody"


class OnlineChecks:
    """`rows` are those of the last round, by provider. Results outlive edits for as long as they hold."""

    def __init__(self, app: CapdeckApp) -> None:
        self._app = app
        self.rows: dict[str, CheckRow] = {}
        self._results: tuple[OnlineResult, ...] = ()
        self._worker: Worker[None] | None = None
        self._is_told = True

    def joined(self, snapshot: Snapshot, report: Report) -> Report:
        """The report of the files alone, with what the endpoints showed."""
        if not self._results:
            return report
        from model.doctor.online_findings import merge

        return merge(snapshot, report, self._results)

    # -- a round --------------------------------------------------------------------------------------------------
    def begin_where_allowed(self) -> None:
        """At the start: only where the user's own policy says so."""
        if self._app.snapshot.config.policy.allow_online_checks and not self._app.demo:
            self.begin()

    def begin(self) -> None:
        """Asks every endpoint, or says why nobody is asked."""
        if self._worker is not None:
            cancel = key_of("doctor.cancel", self._app.settings.keys)
            self._app.say(f"the endpoints are being asked already: {cancel} cancels", warning=True)
        elif not self._app.snapshot.config.providers:
            self._app.say("there is no provider to ask", warning=True)
        elif self._app.demo:
            self._rest(_DEMO)
        else:
            self.rows = {}
            self._tell_now()
            self._worker = self._app.run_worker(
                self._round(self._app.snapshot),
                exclusive=True,
                group="online",
                exit_on_error=False,
                description="online checks",
            )

    def cancel(self) -> None:
        """What was seen by then stays."""
        if self._worker is None:
            self._app.say("no online check is running: o begins one", warning=True)
            return
        self._worker.cancel()
        self._over()

    def _rest(self, why: str) -> None:
        """A round in which nobody is contacted."""
        from adapters.checks import CheckRow

        names = (each.provider_id for each in self._app.snapshot.config.providers)
        self.rows = {name: CheckRow(name, "") for name in names}
        self._app.say(why)
        self._over(why)

    async def _round(self, snapshot: Snapshot) -> None:
        timer = self._app.set_interval(_TICK_SECONDS, self._tell)
        try:
            checks = await asyncio.to_thread(import_module, "adapters.checks")
            async with aclosing(checks.run_checks(snapshot)) as rows:
                async for row in rows:
                    self.rows[row.provider_id] = row
                    self._tell()
        except Exception as error:  # the one edge: a mistake of ours must not take the app down
            self._app.say(
                f"a mistake in capdeck ended the check ({type(error).__name__}); please report it", warning=True
            )
        finally:
            timer.stop()
        self._over()

    def _over(self, why: str = "cancelled") -> None:
        """`why` stands in the rows that have no result."""
        from tui.records import keep_seen

        self._worker = None
        self.rows = {row.provider_id: row for row in self._ended(why)}
        self._results = tuple(row.result for row in self.rows.values() if row.result)
        self._tell()
        seen = [each for result in self._results for each in result.seen]
        if seen:
            keep_seen(self._app, seen)
        else:
            self._app.examiner.look()

    def _ended(self, why: str) -> Iterator[CheckRow]:
        """Every row with a result; one whose provider is gone meanwhile is left out."""
        from adapters.checks import Phase
        from model.doctor.online import Asked, OnlineResult, provider_of

        for row in self.rows.values():
            provider = provider_of(self._app.snapshot, row.provider_id)
            if row.result is not None:
                yield row
            elif provider is not None:
                result = OnlineResult(Asked.of(provider), row.url, skipped=why)
                yield replace(row, phase=Phase.DONE, result=result)

    def _tell(self) -> None:
        """Soon, and once for all rows that come together."""
        if self._is_told:
            self._is_told = False
            self._app.call_later(self._tell_now)

    def _tell_now(self) -> None:
        from tui.panes.doctor import DoctorPane

        self._is_told = True
        self._app.query_one(DoctorPane).show_checks(tuple(self.rows.values()))


def begin(app: CapdeckApp) -> None:
    """`o`: the cursor goes to the round, since the user asked for it."""
    from tui.panes.doctor import DoctorPane

    app.online.begin()
    app.query_one(DoctorPane).go_to_checks()


def cancel(app: CapdeckApp) -> None:
    app.online.cancel()
