"""`capdeck probe REF`: what a model claims, tested by one small request a capability; asks first."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from model.vocabulary import Capability
from tui.cli.errors import FOUND_SOMETHING, Failure
from tui.cli.invocation import Invocation, command
from tui.cli.try_ import CANCELLED, opened, warn_if_disabled
from tui.cli.words import CAPABILITY, REF, model_named

if TYPE_CHECKING:
    from adapters.contract import ProviderAdapter
    from adapters.probes import Probe, ProbeResult
    from model.resolve import ResolvedModel
    from model.snapshot import Snapshot
    from tui.cli.probe_text import Printer


@command()
@click.argument("ref", type=REF)
@click.option(
    "--capability",
    "-C",
    "named",
    multiple=True,
    type=CAPABILITY,
    metavar="CAPABILITY",
    help="Only this (repeatable). Without it: all that the model claims, except long_context.",
)
@click.option("--unknown", is_flag=True, help="Also what nobody states.")
@click.option("--dry-run", is_flag=True, help="Only show what would be sent and what it may cost.")
@click.option("--yes", is_flag=True, help="Send without being asked.")
@click.option("--timeout", type=click.FloatRange(min=0, min_open=True), default=60.0, show_default=True,
              metavar="SECONDS", help="How long each request may take.")  # fmt: skip
def probe(
    invocation: Invocation,
    ref: str,
    named: tuple[Capability, ...],
    unknown: bool,
    dry_run: bool,
    yes: bool,
    timeout: float,
) -> int | None:
    """Test what REF claims by one small request for each capability, after showing what is sent and what it may cost.

    Each capability passed, failed, or stays inconclusive; what was seen is kept beside the files, in the session
    store, and changes no file. Nothing is tried twice and no tool is executed. Exit code 1: something that was tested
    failed.
    """
    from adapters.limits import Limits
    from adapters.reach import connections_of
    from tui.cli.probe_plan import planned
    from tui.cli.probe_text import Printer

    snapshot = invocation.open().snapshot
    row = model_named(snapshot, ref)
    warn_if_disabled(invocation, row)
    connections = replace(connections_of(snapshot), limits=Limits(total_seconds=timeout))
    adapter = opened(snapshot, row, connections)
    plan = planned(adapter, row, named, unknown=unknown)
    printer = Printer(invocation.out, snapshot, plan)
    printer.show_plan(dry_run=dry_run)
    if dry_run:
        return None
    if not (yes or adapter.is_offline):
        _ask(invocation)
    results, whole = asyncio.run(_sent(adapter, plan.probes, printer))
    recorded = None if adapter.is_offline else _recorded(invocation, snapshot, row, adapter, results)
    printer.tell(results, whole=whole, recorded=recorded)
    if not whole:
        return CANCELLED
    return FOUND_SOMETHING if any(each.outcome.value == "failed" for each in results) else None


def _ask(invocation: Invocation) -> None:
    """Raises Failure if nobody could be asked, and click.Abort for a no."""
    if invocation.out.as_json:
        raise Failure("usage", "probe asks first, and JSON leaves no room for a question", "add --yes, or --dry-run")
    try:
        agreed = click.confirm("send these?", default=False, err=True)
    except click.Abort:
        raise Failure("not-confirmed", "nothing was sent: nobody answered", "--yes sends without asking") from None
    if not agreed:
        raise click.Abort


async def _sent(adapter: ProviderAdapter, probes: Sequence[Probe], printer: Printer) -> tuple[list[ProbeResult], bool]:
    """One after another; those that were answered before a cancellation count. Closes the adapter."""
    from datetime import date

    from adapters.probes import run

    results: list[ProbeResult] = []
    try:
        for each in probes:
            printer.begin(each)
            results.append(await run(adapter, each, date.today()))
            printer.show(results[-1])
    except asyncio.CancelledError:
        return results, False
    finally:
        await adapter.aclose()
    return results, True


def _recorded(
    invocation: Invocation,
    snapshot: Snapshot,
    row: ResolvedModel,
    adapter: ProviderAdapter,
    results: Sequence[ProbeResult],
) -> str | None:
    """Keeps what was seen: one record each, and the observed layer. Says where. Raises StoreError."""
    from adapters.probe_records import keep
    from tui.cli.sessions import store_of

    if not results:
        return None
    store = store_of(invocation, snapshot)
    keep(store, row.ref, adapter.settings.url, results)
    return str(store.path)
