"""`capdeck assign TASK`: who is to do it now, or who may, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from tui.cli.errors import FOUND_SOMETHING
from tui.cli.invocation import Invocation, command
from tui.cli.words import REF, TASK, Word, model_named, task_named

if TYPE_CHECKING:
    from model.assignment import Situation
    from model.model_ref import ModelRef
    from model.snapshot import Snapshot


def _risk(word: str) -> Any:
    from model.assignment import Risk

    return Risk(word)


_COUNT = click.IntRange(min=0)


@command()
@click.argument("task", type=TASK)
@click.option("--risk", type=Word("risk", ["low", "normal", "high"], _risk), metavar="RISK", help="low, normal, high.")
@click.option("--failed-attempts", type=_COUNT, default=0, metavar="N", help="How often it was tried in vain.")
@click.option("--review-of", type=REF, metavar="REF", help="It reviews this model's work, so another must do it.")
@click.option("--deterministic", is_flag=True, help="A comparison: one and the same model each time.")
@click.option("--evidence-checkable/--no-evidence", default=None, help="Whether its result can be checked.")
@click.option("--ui-artifacts", is_flag=True, help="There are pictures to look at (for review).")
@click.option("--pin", type=REF, metavar="REF", help="This model, whatever speaks against it.")
@click.option("--tag", multiple=True, metavar="WORD", help="A tag of the work, such as docs (for execute).")
@click.option("--keyword", multiple=True, metavar="WORD", help="A word of its plan, such as migration (for execute).")
@click.option("--files", type=_COUNT, default=0, metavar="N", help="How many files it changes (for execute).")
@click.option("--lines", type=_COUNT, default=0, metavar="N", help="How many lines it changes (for execute).")
@click.option("--usable", is_flag=True, help="Only what can be called now: key present, endpoint trusted.")
@click.option("--record", is_flag=True, help="Keep it in the session store (capdeck sessions).")
def assign(invocation: Invocation, task: str, usable: bool, record: bool, **known: Any) -> int | None:
    """Print a ModelAssignment for TASK: a model that the scheduler forces, or those that the agent may choose from.

    Exit code 1: blocked, since nobody passes; the near misses and the smallest changes are printed.
    """
    from model.assignment import assign as assigned
    from model.plugin_search import some_installed

    bench = invocation.open(usable=usable)
    snapshot = bench.snapshot
    task_named(snapshot, task)
    plugins = None
    if some_installed():
        from model.plugins import installed

        plugins = installed()
    assignment = assigned(snapshot, task, _situation(snapshot, known), plugins)
    recorded = None
    if record:
        from model.session_records import AssignmentMade
        from tui.cli.sessions import store_of

        recorded = store_of(invocation, snapshot).record(AssignmentMade(assignment))
    if invocation.out.as_json:
        from tui.cli.shapes_assign import assignment_shape

        invocation.out.document({**assignment_shape(bench, assignment), "recorded": recorded})
    else:
        from tui.cli.assign_text import print_assignment

        print_assignment(invocation.out, assignment)
        if recorded is not None:
            invocation.out.line(f"recorded as {recorded}")
    return FOUND_SOMETHING if assignment.blocked else None


def _situation(snapshot: Snapshot, known: dict[str, Any]) -> Situation:
    from model.assignment import Situation
    from model.ranking import Work

    def ref(name: str) -> ModelRef | None:
        return model_named(snapshot, known[name]).ref if known[name] else None

    return Situation(
        risk=known["risk"],
        failed_attempts=known["failed_attempts"],
        review_of=ref("review_of"),
        deterministic=known["deterministic"],
        ui_artifacts=known["ui_artifacts"],
        evidence_checkable=known["evidence_checkable"],
        pin=ref("pin"),
        work=Work(frozenset(known["tag"]), frozenset(known["keyword"]), known["files"], known["lines"]),
    )
