"""The session store: what was chosen, and what endpoints, probes and trials showed, in one SQLite file (DOMAIN.md §5).

Bounded in rows and age. What is written is refused if it holds a secret in use.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from model.model_ref import BadRef, ModelRef
from model.quick_dataclass import dataclass
from model.resolve import Observed
from model.session_file import StoreError, StoreFile
from model.session_observations import Observation, WrittenDown
from model.session_place import store_path
from model.session_records import Entry, Recordable, RecordKind
from model.vocabulary import Layer

if TYPE_CHECKING:
    from model.latency import FirstToken

LONGEST_TEXT = 2_000
"""Characters of one stored text; the rest is cut."""


class SecretRefused(StoreError):
    """A value that holds a secret in use; it was not stored, and is not repeated here."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """How much the store keeps."""

    records: int = 10_000
    age: timedelta = timedelta(days=180)
    observations: int = 100_000
    first_tokens: int = 10_000


def _no_secret(_: str) -> bool:
    return False


def _now() -> datetime:
    return datetime.now(UTC)


class SessionStore:
    """One store file. `holds_secret` tells whether a text holds a secret in use (the redactor's word)."""

    def __init__(
        self,
        path: Path,
        *,
        holds_secret: Callable[[str], bool] = _no_secret,
        bounds: Bounds | None = None,
        now: Callable[[], datetime] = _now,
    ) -> None:
        self._file = StoreFile(path, now)
        self._holds_secret = holds_secret
        self._bounds = bounds or Bounds()
        self._now = now

    @property
    def path(self) -> Path:
        return self._file.path

    @property
    def notice(self) -> str:
        """What happened to a broken file that was set aside; empty if nothing did."""
        return self._file.notice

    # -- writing ----------------------------------------------------------------------------------------------------
    def record(self, recordable: Recordable) -> int:
        """Keeps a record and returns its id. Raises SecretRefused and StoreError."""
        entry = recordable.entry()
        self._refuse_secrets(entry.task, entry.reason, entry.outcome, *_parts(entry.details), *_ids(entry))
        row = (
            entry.kind.value,
            self._now().isoformat(timespec="milliseconds"),
            _cut(entry.task),
            _cut(entry.outcome),
            *_ref_columns(entry.model),
            *_ref_columns(entry.original),
            _cut(entry.reason),
            json.dumps(_cut_details(entry.details), ensure_ascii=False),
        )

        def write(connection: sqlite3.Connection) -> int:
            cursor = connection.execute(
                "INSERT INTO records (kind, at, task, outcome, model_provider_id, model_id, original_provider_id,"
                " original_model_id, reason, details) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                row,
            )
            self._forget_old(connection)
            return cursor.lastrowid or 0

        return self._file.write(write)

    def observe(self, observations: Iterable[Observation]) -> None:
        """Keeps what an endpoint listed or a probe saw; a newer sight replaces an older. Raises as `record`."""
        rows = [row for each in observations for row in each.rows()]
        self._refuse_secrets(*(str(part) for row in rows for part in row))

        def write(connection: sqlite3.Connection) -> None:
            connection.executemany(
                "INSERT INTO observations VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET"
                " value = excluded.value, endpoint = excluded.endpoint, seen = excluded.seen"
                " WHERE excluded.seen >= seen",
                rows,
            )
            self._forget_old(connection)

        self._file.write(write)

    def observe_first_token(self, seen: FirstToken) -> None:
        """Keeps how long a first token took, beside the latest of the same model and endpoint. Raises as `record`."""
        from model.latency import KEPT

        row = seen.row()
        self._refuse_secrets(*map(str, row))

        def write(connection: sqlite3.Connection) -> None:
            connection.execute(
                "INSERT INTO first_tokens (model_provider_id, model_id, endpoint, seen, milliseconds)"
                " VALUES (?, ?, ?, ?, ?)",
                row,
            )
            connection.execute(
                "DELETE FROM first_tokens WHERE id IN (SELECT id FROM first_tokens WHERE model_provider_id = ?"
                " AND model_id = ? AND endpoint = ? ORDER BY id DESC LIMIT -1 OFFSET ?)",
                (*row[:3], KEPT),
            )
            self._forget_old(connection)

        self._file.write(write)

    def _refuse_secrets(self, *texts: str) -> None:
        if any(self._holds_secret(text) for text in texts):
            raise SecretRefused("a value to be stored holds a secret in use; nothing was stored")

    def _forget_old(self, connection: sqlite3.Connection) -> None:
        since = (self._now() - self._bounds.age).isoformat(timespec="milliseconds")
        connection.execute("DELETE FROM records WHERE at < ?", (since,))
        connection.execute("DELETE FROM records WHERE id <= (SELECT max(id) FROM records) - ?", (self._bounds.records,))
        connection.execute(
            "DELETE FROM observations WHERE (model_provider_id, model_id, name) IN (SELECT model_provider_id, model_id,"
            " name FROM observations ORDER BY seen DESC LIMIT -1 OFFSET ?)",
            (self._bounds.observations,),
        )
        connection.execute("DELETE FROM first_tokens WHERE seen < ?", (since[:10],))
        connection.execute(
            "DELETE FROM first_tokens WHERE id IN (SELECT id FROM first_tokens ORDER BY id DESC LIMIT -1 OFFSET ?)",
            (self._bounds.first_tokens,),
        )

    # -- reading ----------------------------------------------------------------------------------------------------
    def history(self, kind: RecordKind | None = None, *, task: str = "", limit: int = 100) -> list[Entry]:
        """The newest records first; none where there is no store yet. Raises StoreError."""
        if not self.path.exists():
            return []

        def read(connection: sqlite3.Connection) -> list[Entry]:
            rows = connection.execute(
                "SELECT * FROM records WHERE (?1 = '' OR kind = ?1) AND (?2 = '' OR task = ?2)"
                " ORDER BY id DESC LIMIT ?3",
                (kind.value if kind else "", task, limit),
            )
            return [entry for row in rows if (entry := _entry(row))]

        return self._file.read(read)

    def observations(self) -> WrittenDown:
        """All that was observed, for `Surroundings.observations`. Raises StoreError."""
        if not self.path.exists():
            return WrittenDown({})
        return self._file.read(_written_down)

    def of(self, ref: ModelRef) -> Observed | None:
        """One model as it was last seen."""
        return self.observations().of(ref)


def _written_down(connection: sqlite3.Connection) -> WrittenDown:
    first_tokens = connection.execute(
        "SELECT model_provider_id, model_id, endpoint, seen, milliseconds FROM first_tokens ORDER BY id"
    )
    return WrittenDown.of_rows(connection.execute("SELECT * FROM observations"), first_tokens.fetchall())


def _parts(details: Mapping[str, object]) -> Iterator[str]:
    for name, value in details.items():
        yield name
        yield from (map(str, value) if isinstance(value, list) else (str(value),))


def _ids(entry: Entry) -> Iterator[str]:
    yield from (str(ref) for ref in (entry.model, entry.original) if ref)


def _ref_columns(ref: ModelRef | None) -> tuple[str | None, str | None]:
    return (ref.provider_id, ref.model_id) if ref else (None, None)


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST_TEXT else text[: LONGEST_TEXT - 1] + "…"


def _cut_details(details: Mapping[str, object]) -> dict[str, object]:
    return {
        name: _cut(value) if isinstance(value, str) else list(map(_cut, value)) if isinstance(value, list) else value
        for name, value in details.items()
    }


def _entry(row: sqlite3.Row) -> Entry | None:
    """None for a row that this version cannot make sense of."""
    try:
        return Entry(
            RecordKind(row["kind"]),
            str(row["outcome"]),
            _ref(row["model_provider_id"], row["model_id"]),
            _ref(row["original_provider_id"], row["original_model_id"]),
            str(row["task"]),
            str(row["reason"]),
            dict(json.loads(row["details"])),
            datetime.fromisoformat(row["at"]),
            int(row["id"]),
        )
    except (ValueError, TypeError):
        return None


def _ref(provider_id: str | None, model_id: str | None) -> ModelRef | None:
    try:
        return ModelRef(provider_id, model_id) if provider_id and model_id else None
    except BadRef:
        return None


def observed_beside(files: Iterable[tuple[Path, Layer]], environ: Mapping[str, str] = os.environ) -> WrittenDown:
    """What was observed of the open files' models, for `Surroundings.observations`; nothing where the store cannot be
    read, since no answer may depend on it."""
    try:
        return SessionStore(store_path(files, environ)).observations()
    except StoreError:
        return WrittenDown({})


__all__ = ["Bounds", "SecretRefused", "SessionStore", "StoreError", "observed_beside", "store_path"]
