"""`capdeck sessions`: what was recorded, newest first."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import click

from tui.cli.invocation import Invocation, command
from tui.cli.lines import aligned
from tui.cli.words import TASK, Word
from tui.safe_text import safe_text

if TYPE_CHECKING:
    from pathlib import Path

    from model.session_records import Entry
    from model.sessions import SessionStore
    from model.snapshot import Snapshot
    from model.vocabulary import Layer


def _kind(word: str) -> Any:
    from model.session_records import RecordKind

    return RecordKind(word)


_KINDS = Word("kind", ["assignment", "fallback", "switch", "probe"], _kind)


@command()
@click.option("--kind", type=_KINDS, metavar="KIND", help="assignment, fallback, switch or probe.")
@click.option("--task", type=TASK, default="", metavar="TASK", help="Only of this task.")
@click.option("--limit", type=click.IntRange(min=1), default=100, show_default=True, metavar="N", help="At most N.")
def sessions(invocation: Invocation, kind: Any, task: str, limit: int) -> None:
    """Print what was recorded with --record, by the app and by probes: assignments, fallbacks, switches, probes."""
    store = _store(invocation, ((spec.path, spec.layer) for spec in invocation.specs()))
    entries = store.history(kind, task=task, limit=limit)
    if store.notice:
        invocation.out.line(safe_text(store.notice), err=True)
    if invocation.out.as_json:
        shape = {"store": str(store.path), "sessions": [entry_shape(entry) for entry in entries]}
        return invocation.out.document(shape)
    if not entries:
        return invocation.out.line(f"nothing is recorded in {safe_text(str(store.path))}")
    for line in aligned([[safe_text(cell) for cell in _row(entry)] for entry in entries], right={0}):
        invocation.out.line(line)
    return None


def store_of(invocation: Invocation, snapshot: Snapshot) -> SessionStore:
    """The store that belongs to the open files."""
    return _store(invocation, ((file.path, file.layer) for file in snapshot.files))


def _store(invocation: Invocation, files: Iterable[tuple[Path, Layer]]) -> SessionStore:
    from model.sessions import SessionStore, store_path

    return SessionStore(store_path(files), holds_secret=invocation.redactor.holds_secret)


def entry_shape(entry: Entry) -> dict[str, Any]:
    return {
        "id": entry.id,
        "kind": entry.kind.value,
        "at": entry.at.isoformat() if entry.at else None,
        "task": entry.task or None,
        "outcome": entry.outcome,
        "model_provider_id": entry.model.provider_id if entry.model else None,
        "model_id": entry.model.model_id if entry.model else None,
        "original": str(entry.original) if entry.original else None,
        "reason": entry.reason or None,
        "details": dict(entry.details),
    }


def _row(entry: Entry) -> list[str]:
    at = entry.at.astimezone().strftime("%Y-%m-%d %H:%M") if entry.at else ""
    moved = f"{entry.original} → {entry.model or 'nobody'}" if entry.original else str(entry.model or "")
    told = entry.reason or ", ".join(f"{name} {value}" for name, value in entry.details.items())
    return [str(entry.id), at, entry.kind.value, entry.task, entry.outcome, moved, told]
