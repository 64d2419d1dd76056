"""`capdeck doctor --online`: the visits, their progress, and their rows as text and JSON."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import click

from model.doctor.online import OnlineResult, model_words, provider_of, summary
from tui.cli.lines import aligned
from tui.safe_text import safe_text

if TYPE_CHECKING:
    from adapters.checks import CheckRow
    from model.snapshot import Snapshot
    from model.workbench import Workbench
    from tui.cli.invocation import Invocation
    from tui.cli.output import Output

_TICK_SECONDS = 0.5


def visit(snapshot: Snapshot, *, deadline_s: float, only: Collection[str] | None = None) -> dict[str, CheckRow]:
    """Every provider's last row, in file order. Shows progress on a terminal. Ctrl-C stops it cleanly."""
    from adapters.impatient import run

    return run(_visit(snapshot, deadline_s, only))


async def _visit(snapshot: Snapshot, deadline_s: float, only: Collection[str] | None) -> dict[str, CheckRow]:
    from adapters.checks import ROW_SECONDS, run_checks

    rows: dict[str, CheckRow] = {}
    progress = asyncio.create_task(_Progress(rows).show()) if sys.stderr.isatty() else None
    try:
        async for row in run_checks(snapshot, deadline_s=deadline_s, row_s=min(deadline_s, ROW_SECONDS), only=only):
            rows[row.provider_id] = row
    finally:
        if progress is not None:
            progress.cancel()
            with suppress(asyncio.CancelledError):
                await progress
    return rows


@dataclass(slots=True)
class _Progress:
    """One line on a terminal's standard error: how many are done, and whom we wait for how long."""

    rows: Mapping[str, CheckRow]
    _begun: float = field(default_factory=time.monotonic)

    async def show(self) -> None:
        try:
            while True:
                click.echo(f"\r\x1b[K{self._line()}", nl=False, err=True)
                await asyncio.sleep(_TICK_SECONDS)
        finally:
            click.echo("\r\x1b[K", nl=False, err=True)

    def _line(self) -> str:
        waited = [row.provider_id for row in self.rows.values() if row.result is None and row.started is not None]
        done = sum(row.result is not None for row in self.rows.values())
        names = f"; waiting for {', '.join(waited[:3])}{' …' if len(waited) > 3 else ''}" if waited else ""
        return safe_text(f"{done} of {len(self.rows)} checked, {time.monotonic() - self._begun:.0f} s{names}", limit=78)


def observe(invocation: Invocation, bench: Workbench, results: Sequence[OnlineResult]) -> None:
    """Keeps what was seen in the session store, and lets the checks of the files know of it."""
    from model.session_observations import Observation, WrittenDown
    from model.sessions import StoreError
    from tui.cli.sessions import store_of

    seen = [each for result in results for each in result.seen]
    if not seen:
        return
    store, known = store_of(invocation, bench.snapshot), WrittenDown(dict(seen))
    try:
        store.observe(Observation(ref, each) for ref, each in seen)
        known = store.observations()
    except (StoreError, OSError) as problem:
        invocation.out.line(safe_text(f"what was seen is not kept: {problem}"), err=True)
    bench.surround(replace(bench.surroundings, observations=known))


def print_rows(out: Output, snapshot: Snapshot, results: Sequence[OnlineResult]) -> None:
    """One line a provider: endpoint, key, models, the address that was asked."""
    table = [[safe_text(cell) for cell in _row(snapshot, result)] for result in results]
    for line in aligned(table):
        out.line(line)
    if table:
        out.line()


def _row(snapshot: Snapshot, result: OnlineResult) -> list[str]:
    known = summary(model_words(snapshot, result)) if provider_of(snapshot, result.provider_id) else ""
    models = f"models {known}" if known else "no models"
    server = f" ({result.server})" if result.server else ""
    return [
        result.provider_id,
        f"endpoint {result.endpoint_words}",
        f"auth {result.auth}",
        models,
        f"{result.url}{server}",
    ]


def online_shape(snapshot: Snapshot, results: Sequence[OnlineResult]) -> list[dict[str, Any]]:
    """The key `online` of the JSON document, one object a provider."""
    return [_shape(snapshot, result) for result in results]


def _shape(snapshot: Snapshot, result: OnlineResult) -> dict[str, Any]:
    trouble = result.trouble
    return {
        "provider_id": result.provider_id,
        "url": result.url or None,
        "skipped": result.skipped or None,
        "endpoint": {
            "word": result.reach.value,
            "status": result.status,
            "milliseconds": result.milliseconds,
            "cause": trouble.text if trouble else None,
            "works_at": result.works_at or None,
        },
        "auth": {"word": result.auth.value, "evidence": result.auth_evidence or None},
        "models": [
            {"ref": str(word.ref), "word": word.listing.value, "closest": word.closest or None}
            for word in model_words(snapshot, result)
        ],
        "listed": len(result.listed) if result.listed is not None else None,
        "server": result.server or None,
    }
