"""Who does each task now? All tasks at once under one outage, and two outages side by side."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import TYPE_CHECKING

from model.fallback.explorer import Explorer, Step
from model.fallback.failure import NO_OUTAGE, Failure, Outage
from model.quick_dataclass import dataclass

if TYPE_CHECKING:
    from model.bitmap import Mask
    from model.fallback.succession import Rung
    from model.model_ref import ModelRef
    from model.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class BoardRow:
    """One task. `start` does it while nothing fails, `now` under the outage; `rung` is None where that is the start
    itself. `failure` is what befell the start, or would befall it next; `chain` follows `now`."""

    task: str
    start: ModelRef | None
    now: ModelRef | None
    rung: Rung | None
    required_confirmation: bool
    failure: Failure
    chain: tuple[Step, ...]

    @property
    def blocked(self) -> bool:
        return self.now is None

    @property
    def safe(self) -> bool:
        """Whether somebody does it and nobody has to be asked."""
        return self.now is not None and not self.required_confirmation


@dataclass(frozen=True, slots=True)
class Board:
    """All tasks under one outage, in the order of the requirements."""

    outage: Outage
    rows: tuple[BoardRow, ...]

    @property
    def blocked(self) -> tuple[BoardRow, ...]:
        return tuple(row for row in self.rows if row.blocked)

    def row(self, task: str) -> BoardRow:
        return next(row for row in self.rows if row.task == task)


class Turn(StrEnum):
    """What became of a task between two boards."""

    LOST = "lost"
    SAVED = "saved"
    MOVED = "moved"
    ASKS = "asks"
    SURE = "sure"


@dataclass(frozen=True, slots=True)
class BoardChange:
    """A task that two boards answer differently. None = no such task there, or blocked."""

    task: str
    turn: Turn
    before: ModelRef | None
    after: ModelRef | None


def board(snapshot: Snapshot, outage: Outage = NO_OUTAGE) -> Board:
    return board_of(Explorer(snapshot), outage)


def board_of(explorer: Explorer, outage: Outage = NO_OUTAGE) -> Board:
    down = explorer.down(outage)
    return Board(outage, tuple(_row(explorer, task, outage, down) for task in explorer.tasks))


def _row(explorer: Explorer, task: str, outage: Outage, down: Mask) -> BoardRow:
    start = explorer.start(task)
    if start is None:
        return BoardRow(task, None, None, None, False, Failure.CAPABILITY_REJECTED, ())
    failure = _befallen(explorer, task, start, outage, down)
    ref = explorer.ref(start)
    steps = explorer.walk(task, ref, failure or Failure.PROVIDER_DOWN, outage).steps
    if failure is None:
        return BoardRow(task, ref, ref, None, False, Failure.PROVIDER_DOWN, steps)
    if not steps:
        return BoardRow(task, ref, None, None, False, failure, ())
    first, *rest = steps
    return BoardRow(task, ref, first.ref, first.rung, first.required_confirmation, failure, tuple(rest))


def _befallen(explorer: Explorer, task: str, start: int, outage: Outage, down: Mask) -> Failure | None:
    """Why the start does not do its task: it is down, or it never passed it; None if it does it."""
    snapshot = explorer.snapshot
    if not explorer.passes(task) >> start & 1:
        return Failure.CAPABILITY_REJECTED
    if not down >> start & 1:
        return None
    whole = explorer.down(Outage(outage.providers, frozenset(), outage.endpoints))
    provider = snapshot.bitmap.provider(explorer.ref(start).provider_id)
    return Failure.MODEL_MISSING if provider & ~whole else Failure.PROVIDER_DOWN


def compare(before: Board, after: Board) -> tuple[BoardChange, ...]:
    """The tasks that differ, in the order of the boards."""
    return tuple(_changes(before, after))


def _changes(before: Board, after: Board) -> Iterator[BoardChange]:
    old, new = ({row.task: row for row in each.rows} for each in (before, after))
    for task in dict.fromkeys([*old, *new]):
        turn = _turn(old.get(task), new.get(task))
        if turn:
            was, now = old.get(task), new.get(task)
            yield BoardChange(task, turn, was.now if was else None, now.now if now else None)


def _turn(was: BoardRow | None, now: BoardRow | None) -> Turn | None:
    had, has = bool(was and was.now), bool(now and now.now)
    if had != has:
        return Turn.SAVED if has else Turn.LOST
    if not (was and now and has):
        return None
    if was.required_confirmation != now.required_confirmation:
        return Turn.ASKS if now.required_confirmation else Turn.SURE
    return Turn.MOVED if was.now != now.now else None
