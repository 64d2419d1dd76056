"""The three lists of the fallback pane as grid rows: who is down, who does each task now, the ladder of one task."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import field
from functools import cached_property

from rich.cells import cell_len

from model.config.merge import Provider
from model.fallback import (
    Board,
    BoardChange,
    BoardRow,
    Candidate,
    Coverage,
    Explorer,
    Ladder,
    Outage,
    Rung,
    RungView,
    Standing,
)
from model.model_ref import ModelRef
from model.quick_dataclass import dataclass
from model.snapshot import Snapshot
from tui.widgets.grid_view import CellView, ColumnView, Look


def is_down(explorer: Explorer, outage: Outage, ref: ModelRef) -> bool:
    return bool(explorer.down(outage) >> explorer.number(ref) & 1)


@dataclass(frozen=True)
class OutageRows:
    """Providers and their models; what is marked as down, itself or with its provider or endpoint."""

    snapshot: Snapshot
    explorer: Explorer
    outage: Outage
    rows: tuple[Provider | ModelRef, ...]
    folds: frozenset[str]
    start: ModelRef | None
    columns: Sequence[ColumnView]

    def __len__(self) -> int:
        return len(self.rows)

    def is_group(self, row: int) -> bool:
        return isinstance(self.rows[row], Provider)

    def row_key(self, row: int) -> Hashable:
        entry = self.rows[row]
        return entry.provider_id if isinstance(entry, Provider) else entry

    def row_version(self, row: int) -> Hashable:
        return self.group_text(row) if self.is_group(row) else (self.cell(row, 0), self.cell(row, 1))

    def group_text(self, row: int) -> Sequence[tuple[str, Look]]:
        provider = self.rows[row]
        assert isinstance(provider, Provider)
        if provider.provider_id in self.outage.providers:
            return ((provider.provider_id, Look.ERROR), ("  DOWN", Look.ERROR))
        return ((provider.provider_id, Look.TEXT if provider.enabled else Look.MUTED),)

    def folded(self, row: int) -> bool:
        entry = self.rows[row]
        return isinstance(entry, Provider) and entry.provider_id in self.folds

    def cell(self, row: int, column: int) -> CellView:
        ref = self.rows[row]
        if isinstance(ref, Provider):
            return CellView("")
        down = is_down(self.explorer, self.outage, ref)
        if column == 0:
            return CellView("x" if down else "→" if ref == self.start else "", Look.ERROR if down else Look.TEXT)
        model = self.snapshot.matrix.get(ref)
        return CellView(ref.model_id, Look.ERROR if down else Look.TEXT if model and model.enabled else Look.MUTED)

    def marked(self, row: int) -> bool:
        return False


def outage_rows(
    snapshot: Snapshot, explorer: Explorer, outage: Outage, folds: frozenset[str], start: ModelRef | None, width: int
) -> OutageRows:
    rows: list[Provider | ModelRef] = []
    for provider, models in snapshot.config.groups:
        rows.append(provider)
        rows += [] if provider.provider_id in folds else [model.ref for model in models]
    columns = (
        ColumnView("sign", "", 1, frozen=True),
        ColumnView("name", "mark as down", max(10, width - 6), refs=True),
    )
    return OutageRows(snapshot, explorer, outage, tuple(rows), folds, start, columns)


@dataclass(frozen=True)
class BoardRows:
    """Who does each task now, and what then; `against` tells what differs from the kept outage."""

    board: Board
    coverage: Coverage
    against: Mapping[str, BoardChange]
    columns: Sequence[ColumnView]

    def __len__(self) -> int:
        return len(self.board.rows)

    def is_group(self, row: int) -> bool:
        return False

    def row_key(self, row: int) -> Hashable:
        return self.board.rows[row].task

    def row_version(self, row: int) -> Hashable:
        return tuple(self.cell(row, column) for column in range(len(self.columns)))

    def group_text(self, row: int) -> Sequence[tuple[str, Look]]:
        return ()

    def folded(self, row: int) -> bool:
        return False

    def marked(self, row: int) -> bool:
        return False

    def cell(self, row: int, column: int) -> CellView:
        entry = self.board.rows[row]
        look = _look(entry)
        if column == 0:
            return CellView(entry.task, look)
        if column == 1:
            return self._spare(entry)
        if column == 2:
            return CellView(_now(entry), look)
        return CellView(self._then(entry), Look.MUTED)

    def _spare(self, entry: BoardRow) -> CellView:
        """How many providers can fail before the task blocks: as a number and as a bar."""
        covered = self.coverage.of(entry.task)
        if covered.dead:
            return CellView("none", Look.ERROR)
        look = Look.WARNING if covered.tolerates == 0 else Look.MUTED
        return CellView(f"{covered.tolerates} {'█' * min(4, covered.tolerates)}", look)

    def _then(self, entry: BoardRow) -> str:
        change = self.against.get(entry.task)
        before = f"[{change.turn.value.replace('_', ' ')}: {change.before or 'nobody'}] " if change else ""
        return before + " → ".join(str(step.ref) for step in entry.chain)


def _look(entry: BoardRow) -> Look:
    if entry.now is None:
        return Look.ERROR
    return Look.WARNING if entry.required_confirmation else Look.TEXT if entry.rung is None else Look.EMULATED


def _now(entry: BoardRow) -> str:
    if entry.now is None:
        return "blocked" if entry.start else "nobody passes"
    if entry.required_confirmation:
        return f"asks: {entry.now}"
    return str(entry.now)


def board_rows(board: Board, coverage: Coverage, against: Sequence[BoardChange], width: int) -> BoardRows:
    task = 22 if width >= 70 else 16
    now = max(20, min(44, width - 28 if width < 90 else width // 2 - 16))
    columns = (
        ColumnView("task", "task", task, frozen=True),
        ColumnView("spare", "spare", 6),
        ColumnView("now", "who does it now", now, refs=True),
        ColumnView("then", "and then", max(12, width - task - now - 12)),
    )
    return BoardRows(board, coverage, {change.task: change for change in against}, columns)


@dataclass(frozen=True)
class LadderRows:
    """The ladder as a tree: rungs, and under each its candidates with why they were taken or passed over, and how long
    their first token took if that was observed of any."""

    ladder: Ladder
    folds: frozenset[int]
    columns: Sequence[ColumnView] = field(default=())

    @cached_property
    def rows(self) -> tuple[RungView | tuple[int, Candidate], ...]:
        rows: list[RungView | tuple[int, Candidate]] = []
        for view in self.ladder.rungs:
            if view.candidates or view.rung is not Rung.CONFIGURED:
                rows.append(view)
                if view.rung.value not in self.folds:
                    rows += [(view.rung.value, candidate) for candidate in view.candidates]
        return tuple(rows)

    def __len__(self) -> int:
        return len(self.rows)

    def is_group(self, row: int) -> bool:
        return isinstance(self.rows[row], RungView)

    def row_key(self, row: int) -> Hashable:
        entry = self.rows[row]
        return entry.rung.value if isinstance(entry, RungView) else (entry[0], entry[1].name)

    def row_version(self, row: int) -> Hashable:
        columns = range(len(self.columns))
        return self.group_text(row) if self.is_group(row) else tuple(self.cell(row, column) for column in columns)

    def group_text(self, row: int) -> Sequence[tuple[str, Look]]:
        view = self.rows[row]
        assert isinstance(view, RungView)
        state = ("open", Look.MUTED) if view.open else ("closed", Look.WARNING)
        return ((f"{view.rung.value} {view.rung.title}  ", Look.TEXT), state, (f"  {view.why}", Look.MUTED))

    def folded(self, row: int) -> bool:
        entry = self.rows[row]
        return isinstance(entry, RungView) and entry.rung.value in self.folds

    def cell(self, row: int, column: int) -> CellView:
        entry = self.rows[row]
        if isinstance(entry, RungView):
            return CellView("")
        candidate = entry[1]
        look = {Standing.TAKEN: Look.YES, Standing.READY: Look.TEXT, Standing.PASSED_OVER: Look.MUTED}[
            candidate.standing
        ]
        if column == 0:
            return CellView(_SIGNS[candidate.standing], look)
        if column == 1:
            return CellView(candidate.name, look)
        if self.columns[column] is not self.columns[-1]:
            return CellView(str(candidate.first_token.after or _NOT_OBSERVED), look)
        text = candidate_text(candidate)
        return CellView(text if cell_len(text) <= self.columns[-1].width else _clauses(candidate), look)

    def marked(self, row: int) -> bool:
        return False

    def candidate(self, row: int) -> Candidate | None:
        entry = self.rows[row] if row < len(self.rows) else None
        return entry[1] if isinstance(entry, tuple) else None


_NOT_OBSERVED = "–"
_LEAST_WHY = 16
_LEAST_TIMED = 45
"""Cells of the ladder with which a column of times leaves room for names and reasons."""
_SIGNS = {Standing.TAKEN: "✓", Standing.READY: "○", Standing.PASSED_OVER: "·"}
_STANDINGS = {Standing.TAKEN: ["takes over"], Standing.READY: ["ready, if that fails"], Standing.PASSED_OVER: []}


def candidate_text(candidate: Candidate) -> str:
    """Why a candidate was taken or passed over, in whole sentences."""
    reasons = (reason.text for reason in candidate.reasons)
    return "; ".join([*_STANDINGS[candidate.standing], *reasons, *candidate.questions, *candidate.notes])


def _clauses(candidate: Candidate) -> str:
    """The same where there is little room: reasons by their codes."""
    reasons = map(str, candidate.reasons)
    return ", ".join([*_STANDINGS[candidate.standing], *reasons, *candidate.questions, *candidate.notes])


def ladder_rows(ladder: Ladder, folds: frozenset[int], width: int) -> LadderRows:
    timed = _first_token_columns(ladder, width)
    room = width - 4 - sum(column.width + 1 for column in timed)
    name = max(18, min(38, width // 2, room - _LEAST_WHY))
    columns = (
        ColumnView("sign", "", 1, frozen=True),
        ColumnView("candidate", "ladder", name - 2, frozen=True, refs=True),
        *timed,
        ColumnView("why", "why", max(_LEAST_WHY, room - name)),
    )
    return LadderRows(ladder, folds, columns)


def _first_token_columns(ladder: Ladder, width: int) -> tuple[ColumnView, ...]:
    """None where there is nothing to compare, or no room for it: the detail line tells it all the same."""
    if width < _LEAST_TIMED or not any(candidate.first_token.after for candidate in ladder.candidates()):
        return ()
    heading = "first token" if width >= 80 else "token"
    return (ColumnView("first_token", heading, max(len(heading), 6), align="right"),)
