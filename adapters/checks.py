"""The doctor's online checks: every endpoint visited beside the others, within one deadline.

Disabled and untrusted providers are not contacted. A visit sends one request after another, and of the providers that
share a server no more are visited at once than the smallest `limits.concurrent_requests` that any of them states.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from contextlib import asynccontextmanager, nullcontext
from dataclasses import replace
from datetime import date
from enum import StrEnum
from typing import TYPE_CHECKING

from adapters.checks_visit import Visit
from adapters.discovery import Discovery
from adapters.limits import Limits
from adapters.reach import connections_of
from adapters.registry import Connections
from model.doctor.online import OnlineResult, model_words, summary
from model.quick_dataclass import dataclass

if TYPE_CHECKING:
    from model.snapshot import Snapshot

DEADLINE_SECONDS = 30.0
ROW_SECONDS = 10.0
CONCURRENCY = 16


class Phase(StrEnum):
    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"


@dataclass(frozen=True, slots=True)
class CheckRow:
    """One provider's row as it stands. `url` is what it asks (no secrets; empty if nothing can be asked), `started` a
    reading of `time.monotonic()`. `result` and, where something was listed, `discovery` come with DONE."""

    provider_id: str
    url: str
    phase: Phase = Phase.WAITING
    started: float | None = None
    result: OnlineResult | None = None
    discovery: Discovery | None = None

    def words(self, snapshot: Snapshot, now: float) -> tuple[str, str, str]:
        """Endpoint, key and models as they are known now: `waiting`, `running 3 s`, or the exact words of the result;
        `now` as for `elapsed_seconds`."""
        if self.result is None:
            running = self.phase is Phase.RUNNING
            return (f"running {self.elapsed_seconds(now):.0f} s" if running else self.phase.value), "", ""
        models = summary(model_words(snapshot, self.result)) if self.result.holds(snapshot) else ""
        return self.result.endpoint_words, self.result.auth.value, models

    def elapsed_seconds(self, now: float) -> float:
        """Since it began; `now` is a reading of `time.monotonic()`."""
        return 0.0 if self.started is None else max(0.0, now - self.started)


async def run_checks(
    snapshot: Snapshot,
    connections: Connections | None = None,
    *,
    deadline_s: float = DEADLINE_SECONDS,
    row_s: float = ROW_SECONDS,
    concurrency: int = CONCURRENCY,
    only: Collection[str] | None = None,
    today: date | None = None,
) -> AsyncIterator[CheckRow]:
    """Each row first as waiting, then running, then done; a row that contacts nobody is done at once.

    `deadline_s` bounds the whole, `row_s` each row, in seconds; `only` names providers. Every row ends in a result.
    Leaving the iteration early cancels what runs. Raises nothing of the network's.
    """
    shared = connections or connections_of(snapshot)
    limits = Limits(connect_seconds=min(row_s, 5.0), total_seconds=row_s)
    shared = replace(shared, limits=limits)
    wanted = [each for each in snapshot.config.providers if only is None or each.provider_id in only]
    visits = [Visit(snapshot, provider, shared, today or date.today()) for provider in wanted]
    turns = _Turns(asyncio.Semaphore(concurrency), _turns_by_server(visits))
    round = _Round(asyncio.get_running_loop().time() + deadline_s, row_s, turns)
    for visit in visits:
        yield _row(visit, Phase.DONE if visit.is_over else Phase.WAITING)
    tasks = [asyncio.create_task(round.row(visit)) for visit in visits if not visit.is_over]
    left = len(tasks)
    try:
        while left:
            row = await round.rows.get()
            left -= row.phase is Phase.DONE
            yield row
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


@dataclass(frozen=True, slots=True)
class _Turns:
    """The cap of the whole run, and those of servers that state one."""

    all: asyncio.Semaphore
    by_server: Mapping[str, asyncio.Semaphore]

    @asynccontextmanager
    async def one(self, visit: Visit) -> AsyncIterator[None]:
        """Waits for the server's turn first, so that who waits for it holds up nobody else."""
        own = self.by_server.get(visit.server)
        async with own or nullcontext(), self.all:
            yield


def _turns_by_server(visits: Sequence[Visit]) -> dict[str, asyncio.Semaphore]:
    stated: dict[str, int] = {}
    for visit in visits:
        if (most := visit.most_at_once) is not None:
            stated[visit.server] = min(most, stated.get(visit.server, most))
    return {server: asyncio.Semaphore(most) for server, most in stated.items()}


class _Round:
    """What all rows of one run share: the deadline (loop time), the time of a row, the caps, and where rows appear."""

    def __init__(self, deadline: float, row_s: float, turns: _Turns) -> None:
        self.rows: asyncio.Queue[CheckRow] = asyncio.Queue()
        self._deadline, self._row_s, self._turns = deadline, row_s, turns

    async def row(self, visit: Visit) -> None:
        started: float | None = None
        try:
            async with asyncio.timeout_at(self._deadline), self._turns.one(visit):
                started = time.monotonic()
                self.rows.put_nowait(_row(visit, Phase.RUNNING, started))
                async with asyncio.timeout(self._row_s):
                    await visit.go()
        except TimeoutError:
            visit.time_is_up() if started is not None else visit.fail("the time for all was up before its turn")
        except (
            Exception
        ) as error:  # the one edge: a plugin's adapter may raise anything, and its text may hold anything
            visit.fail(f"the check itself failed with {type(error).__name__}")
        self.rows.put_nowait(_row(visit, Phase.DONE, started))


def _row(visit: Visit, phase: Phase, started: float | None = None) -> CheckRow:
    done = phase is Phase.DONE
    result = visit.result
    return CheckRow(
        result.provider_id, result.url, phase, started, result if done else None, visit.discovery if done else None
    )
