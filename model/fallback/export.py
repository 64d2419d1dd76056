"""A board to take away: as Markdown for people, as plain data for JSON (CLI.md)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from model.fallback.explorer import Step
    from model.fallback.outage_board import Board, BoardChange, BoardRow


def board_as_data(board: Board) -> dict[str, Any]:
    """Lists and texts only, in the order of the board."""
    return {
        "down": {
            "providers": sorted(board.outage.providers),
            "models": sorted(map(str, board.outage.models)),
            "endpoints": sorted(board.outage.endpoints),
        },
        "tasks": [_row_data(row) for row in board.rows],
    }


def _row_data(row: BoardRow) -> dict[str, Any]:
    return {
        "task": row.task,
        "start": row.start and str(row.start),
        "selected": row.now and str(row.now),
        "rung": None if row.rung is None else row.rung.value,
        "required_confirmation": row.required_confirmation,
        "blocked": row.blocked,
        "failure": None if row.now == row.start else row.failure.value,
        "chain": [_step_data(step) for step in row.chain],
    }


def _step_data(step: Step) -> dict[str, Any]:
    return {"ref": str(step.ref), "rung": step.rung.value, "required_confirmation": step.required_confirmation}


def changes_as_data(changes: Iterable[BoardChange]) -> list[dict[str, Any]]:
    return [
        {
            "task": change.task,
            "turn": change.turn.value,
            "before": change.before and str(change.before),
            "after": change.after and str(change.after),
        }
        for change in changes
    ]


def board_as_markdown(board: Board) -> str:
    """A table; names from a file stay names, whatever they hold."""
    title = f"Who does each task while {_cell(str(board.outage))} is down" if board.outage else "Who does each task"
    lines = [f"# {title}", "", "| task | now | instead of | then |", "|---|---|---|---|"]
    lines += [f"| {_cell(row.task)} | {_now(row)} | {_instead(row)} | {_then(row)} |" for row in board.rows]
    return "\n".join(lines) + "\n"


def _now(row: BoardRow) -> str:
    if row.now is None:
        return "**nobody**"
    return _cell(str(row.now)) + (" (needs a confirmation)" if row.required_confirmation else "")


def _instead(row: BoardRow) -> str:
    return _cell(str(row.start)) if row.start and row.start != row.now else ""


def _then(row: BoardRow) -> str:
    return ", ".join(_cell(str(step.ref)) for step in row.chain)


def _cell(text: str) -> str:
    """Markdown's own characters are written with a backslash, controls and line ends as U+FFFD."""
    shown = "".join(character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in text)
    return re.sub(r"([\\`*_{}\[\]<>|#!~&])", r"\\\1", shown)
