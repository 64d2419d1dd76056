"""Which tasks a model passes, one line a task: what is lost where it passes, and the first reason where it fails."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from rich.cells import set_cell_size
from textual.content import Content

from model.resolve import ResolvedModel
from model.snapshot import Snapshot
from tui.safe_text import safe_text

_NAME = 24
"""Cells for the name of a task."""


def task_strip(snapshot: Snapshot, row: ResolvedModel, room: int) -> list[Content]:
    """At most `room` lines, the first a heading. Passing is looked up; only what fails is judged, for its reason."""
    tasks = list(snapshot.requirements)
    bit = 1 << snapshot.matrix.by_ref[row.ref]
    passed = sum(bool(snapshot.passing[task].any & bit) for task in tasks)
    heading = Content.assemble((safe_text(row.ref.model_id), "bold"), f"  passes {passed} of {len(tasks)} tasks")
    shown = len(tasks) if len(tasks) < room else max(0, room - 2)
    lines = [heading, *(_line(snapshot, row, task, bit) for task in islice(tasks, shown))]
    rest = len(tasks) - shown
    return [*lines, Content(f"  and {rest} more: the name, opened, lists them")] if rest else lines


def _line(snapshot: Snapshot, row: ResolvedModel, task: str, bit: int) -> Content:
    name = set_cell_size(safe_text(task), _NAME)
    passing = snapshot.passing[task]
    if passing.strict & bit:
        return Content.assemble(("✓ ", "$text-success"), name)
    if passing.lossy & bit:
        return Content.assemble(("~ ", "$text-warning"), name, (" passes, with what is only emulated", "$text-warning"))
    return Content.assemble(("· ", "$foreground-muted"), name, *_why(snapshot, row, task))


def _why(snapshot: Snapshot, row: ResolvedModel, task: str) -> Iterable[tuple[str, str]]:
    verdict = snapshot.verdict(row, snapshot.requirements[task])
    first, *more = (safe_text(reason.text) for reason in verdict.reasons)
    if verdict.near_miss:
        return [(" near miss: ", "$text-warning"), (first, "")]
    return [(f" {first}", "$foreground-muted"), (f" (+{len(more)})", "$foreground-muted")]
