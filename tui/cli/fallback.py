"""`capdeck fallback`: who takes over from a model that fails, and how much may fail before nobody does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from model.config.values import nearest
from tui.cli.errors import FOUND_SOMETHING, Failure
from tui.cli.invocation import Invocation, command
from tui.cli.words import REF, TASK, FromFiles, Word, model_named, refs_of, task_named

if TYPE_CHECKING:
    from model.fallback import Board, Explorer, Outage, Simulation
    from model.snapshot import Snapshot

FAILURES = ("provider_down", "model_missing", "rate_limited", "auth", "context_overflow", "capability_rejected")


def _failure(word: str) -> Any:
    from model.fallback.failure import Failure

    return Failure(word)


_KIND = Word("failure", FAILURES, _failure)
_DOWN = FromFiles(
    "down", lambda snapshot: [*(each.provider_id for each in snapshot.config.providers), *refs_of(snapshot)]
)


@command(formats=("text", "json", "md"))
@click.argument("ref", type=REF, required=False)
@click.option("--task", type=TASK, metavar="TASK", help="The task that has to go on.")
@click.option("--failure", type=_KIND, default="provider_down", metavar="KIND", help=f"{', '.join(FAILURES)}.")
@click.option("--down", multiple=True, type=_DOWN, metavar="WHAT", help="Down too: a provider, a model, or a host.")
@click.option("--board", "as_board", is_flag=True, help="Who does each task now?")
@click.option("--simulate", is_flag=True, help="What all outages of one and of two providers would do.")
@click.option("--random", "count", type=click.IntRange(min=1), metavar="N", help="With --simulate: N random outages.")
@click.option("--seed", type=int, default=0, show_default=True, help="With --random: the same seed, the same outages.")
@click.option("--usable", is_flag=True, help="Only what can be called now: key present, endpoint trusted.")
@click.option("--record", is_flag=True, help="Keep it in the session store (capdeck sessions).")
def fallback(invocation: Invocation, ref: str | None, usable: bool, **asked: Any) -> int | None:
    """Print the ladder from REF for a task: every rung, every candidate, and why each was taken or passed over.

    --board asks for all tasks at once and --simulate for all outages; neither needs a REF. Exit code 1: nobody takes
    over, or on the board a task is lost.
    """
    _demand_one_question(ref, asked)
    if invocation.format == "md" and not asked["as_board"]:
        raise click.UsageError("only the board has the format md")
    snapshot = invocation.open(usable=usable).snapshot
    if asked["simulate"]:
        _simulate(invocation, snapshot, asked["count"], asked["seed"])
        return None
    outage = outage_named(snapshot, asked["down"])
    if asked["as_board"]:
        return _board(invocation, snapshot, outage)
    return _ladder(invocation, snapshot, str(ref), outage, asked)


def _demand_one_question(ref: str | None, asked: dict[str, Any]) -> None:
    if asked["as_board"] and asked["simulate"]:
        raise click.UsageError("--board or --simulate, not both")
    if asked["count"] and not asked["simulate"]:
        raise click.UsageError("--random goes with --simulate")
    if asked["as_board"] or asked["simulate"]:
        if ref or asked["task"] or asked["record"]:
            raise click.UsageError("--board and --simulate ask for all tasks: without REF, --task and --record")
    elif not ref or not asked["task"]:
        raise click.UsageError("name the model that fails and the task: capdeck fallback REF --task TASK")


def outage_named(snapshot: Snapshot, words: Sequence[str]) -> Outage:
    """Each word is a provider_id, a ref, or an endpoint (a base_url or a host). Raises Failure with the nearest."""
    from model.fallback import Outage

    outage = Outage()
    for word in words:
        outage |= _outage_of(snapshot, word)
    return outage


def _outage_of(snapshot: Snapshot, word: str) -> Outage:
    from model.fallback import Outage
    from model.fallback.identity import is_at

    providers = snapshot.config.providers
    if any(provider.provider_id == word for provider in providers):
        return Outage(providers=frozenset({word}))
    if word in refs_of(snapshot):
        return Outage(models=frozenset({model_named(snapshot, word).ref}))
    if any(is_at(provider, word) for provider in providers):
        return Outage(endpoints=frozenset({word}))
    meant = nearest(word, [*(provider.provider_id for provider in providers), *refs_of(snapshot)])
    help = f"did you mean {meant!r}?" if meant else "capdeck matrix lists them"
    raise Failure("unknown-ref", f"{word!r} is no provider, model or endpoint of yours", help)


def _ladder(invocation: Invocation, snapshot: Snapshot, ref: str, outage: Outage, asked: dict[str, Any]) -> int | None:
    from model.fallback import Explorer
    from tui.cli.fallback_answer import answer

    row, task = model_named(snapshot, ref), task_named(snapshot, asked["task"]).task
    explorer = Explorer(snapshot)
    found = answer(explorer, task, row.ref, asked["failure"], outage)
    recorded = _record(invocation, explorer, found.recordable) if asked["record"] else None
    if invocation.out.as_json:
        from tui.cli.shapes_fallback import ladder_shape

        invocation.out.document({**ladder_shape(snapshot, found), "recorded": recorded})
    else:
        from tui.cli.fallback_text import print_ladder

        print_ladder(invocation.out, found)
        if recorded is not None:
            invocation.out.line(f"recorded as {recorded}")
    return FOUND_SOMETHING if found.ladder.blocked else None


def _record(invocation: Invocation, explorer: Explorer, recordable: Any) -> int:
    from tui.cli.sessions import store_of

    return store_of(invocation, explorer.snapshot).record(recordable)


def _board(invocation: Invocation, snapshot: Snapshot, outage: Outage) -> int | None:
    from model.fallback import Explorer, board_of, compare
    from model.fallback.export import board_as_data, board_as_markdown

    explorer = Explorer(snapshot)
    before, now = board_of(explorer), board_of(explorer, outage)
    if invocation.out.as_json:
        from model.fallback.export import changes_as_data
        from tui.cli.shapes import files_shape

        changes = changes_as_data(compare(before, now))
        invocation.out.document({"files": files_shape(snapshot), **board_as_data(now), "changes": changes})
    elif invocation.format == "md":
        invocation.out.line(board_as_markdown(now).rstrip("\n"))
    else:
        from tui.cli.fallback_text import print_board

        print_board(invocation.out, explorer, now)
    return FOUND_SOMETHING if _lost(before, now) else None


def _lost(before: Board, now: Board) -> bool:
    """Whether the outage ends a task that somebody did."""
    return any(row.blocked and not before.row(row.task).blocked for row in now.rows)


def _simulate(invocation: Invocation, snapshot: Snapshot, count: int | None, seed: int) -> None:
    from model.fallback import Explorer, coverage_of, simulate, simulate_random

    found: Simulation = simulate_random(snapshot, count, seed) if count else simulate(snapshot)
    heat = coverage_of(Explorer(snapshot))
    if invocation.out.as_json:
        from tui.cli.shapes_fallback import simulation_shape

        invocation.out.document(simulation_shape(snapshot, found, heat))
    else:
        from tui.cli.fallback_text import print_simulation

        print_simulation(invocation.out, found, heat)
