"""The SQLite file under the session store: opening, schema versions, two writers, a broken file, a newer one."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")

WAIT_SECONDS = 5.0
"""How long a writer waits for another."""

_MIGRATIONS = (
    """
    CREATE TABLE records (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        kind TEXT NOT NULL,
        at TEXT NOT NULL,
        task TEXT NOT NULL,
        outcome TEXT NOT NULL,
        model_provider_id TEXT,
        model_id TEXT,
        original_provider_id TEXT,
        original_model_id TEXT,
        reason TEXT NOT NULL,
        details TEXT NOT NULL
    );
    CREATE INDEX records_at ON records (at);
    CREATE TABLE observations (
        model_provider_id TEXT NOT NULL,
        model_id TEXT NOT NULL,
        name TEXT NOT NULL,
        value INTEGER NOT NULL,
        endpoint TEXT NOT NULL,
        seen TEXT NOT NULL,
        PRIMARY KEY (model_provider_id, model_id, name)
    ) WITHOUT ROWID;
    """,
    """
    CREATE TABLE first_tokens (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        model_provider_id TEXT NOT NULL,
        model_id TEXT NOT NULL,
        endpoint TEXT NOT NULL,
        seen TEXT NOT NULL,
        milliseconds INTEGER NOT NULL
    );
    CREATE INDEX first_tokens_of ON first_tokens (model_provider_id, model_id, endpoint, id);
    """,
)
"""One script a schema version; the file's `user_version` says how many were run."""

_BROKEN = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}


class StoreError(Exception):
    """The store cannot be used now; the message says why and what to do. Nothing else depends on it."""


class StoreFile:
    """Opened for one transaction at a time, so that a kill at any moment loses at most that one.

    `notice` says what happened to a broken file that was set aside.
    """

    def __init__(self, path: Path, now: Callable[[], datetime]) -> None:
        self.path = path
        self.notice = ""
        self._now = now

    def write(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """One transaction, all or nothing. Raises StoreError."""
        return self._do(work, "IMMEDIATE")

    def read(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """As `write`, for work that only looks: it waits for no writer. Raises StoreError."""
        return self._do(work, "DEFERRED")

    def _do(self, work: Callable[[sqlite3.Connection], T], lock: str) -> T:
        """A broken file is set aside once and the work done in a new one."""
        try:
            return self._once(work, lock)
        except sqlite3.DatabaseError as error:
            if _code(error) not in _BROKEN:
                raise StoreError(f"{self.path}: {_why(error)}") from error
        try:
            self._set_aside()
            return self._once(work, lock)
        except (sqlite3.DatabaseError, OSError) as error:
            raise StoreError(f"{self.path}: {error}") from error

    def _once(self, work: Callable[[sqlite3.Connection], T], lock: str) -> T:
        try:
            self._make_private()
        except OSError as error:
            raise StoreError(f"{self.path}: {error.strerror or error}") from error
        with self._connection() as connection:
            self._demand_plain(connection)
            self._migrate(connection)
            connection.execute(f"BEGIN {lock}")
            done = work(connection)
            connection.execute("COMMIT")
            return done

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        connection = sqlite3.connect(self.path, timeout=WAIT_SECONDS, isolation_level=None)
        try:
            connection.row_factory = sqlite3.Row
            connection.execute("PRAGMA trusted_schema = OFF")  # the file may have come with a cloned project
            connection.execute("PRAGMA synchronous = NORMAL")
            _use_wal(connection)
            yield connection
        finally:
            connection.close()  # an open transaction is rolled back

    def _make_private(self) -> None:
        """For its owner alone, and out of the project's repository."""
        if self.path.is_symlink():
            raise StoreError(f"{self.path} is a link to somewhere else: remove it")
        folder = self.path.parent
        if not folder.exists():
            folder.mkdir(parents=True)
            if folder.name == "local":
                (folder / ".gitignore").write_text("*\n", encoding="utf-8")
        if not self.path.exists():
            os.close(os.open(self.path, os.O_CREAT | os.O_RDWR, 0o600))

    def _demand_plain(self, connection: sqlite3.Connection) -> None:
        """A view in a table's place may never end; the file may have come with a cloned project."""
        if connection.execute("SELECT 1 FROM sqlite_master WHERE type NOT IN ('table', 'index') LIMIT 1").fetchone():
            raise StoreError(f"{self.path} holds more than tables: capdeck did not make it so, and leaves it alone")

    def _migrate(self, connection: sqlite3.Connection) -> None:
        if self._version(connection) == len(_MIGRATIONS):
            return
        connection.execute("BEGIN IMMEDIATE")
        for number in range(self._version(connection), len(_MIGRATIONS)):  # asked again: another may have been faster
            for statement in _MIGRATIONS[number].split(";"):
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {number + 1}")
        connection.execute("COMMIT")

    def _version(self, connection: sqlite3.Connection) -> int:
        version: int = connection.execute("PRAGMA user_version").fetchone()[0]
        if version > len(_MIGRATIONS):
            raise StoreError(
                f"{self.path} was written by a newer capdeck (schema {version}, this one knows {len(_MIGRATIONS)});"
                " it is left alone: update capdeck, or move the file away"
            )
        return version

    def _set_aside(self) -> None:
        aside = self.path.with_name(f"{self.path.name}.broken-{self._now():%Y%m%dT%H%M%S}")
        for suffix in ("", "-wal", "-shm"):
            source = Path(f"{self.path}{suffix}")
            if source.exists():
                source.replace(f"{aside}{suffix}")
        self.notice = f"{self.path} was broken; it now lies at {aside}, and a new one was begun"


def _use_wal(connection: sqlite3.Connection) -> None:
    """The mode stays with the file. While another works in the old mode it cannot be changed: the next one will."""
    if connection.execute("PRAGMA journal_mode").fetchone()[0] == "wal":
        return
    try:
        connection.execute("PRAGMA journal_mode = WAL")
    except sqlite3.OperationalError as error:
        if _code(error) not in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}:
            raise


def _code(error: sqlite3.Error) -> int:
    """The primary result code; 0 for an error of the Python module itself."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def _why(error: sqlite3.DatabaseError) -> str:
    if _code(error) == sqlite3.SQLITE_BUSY:
        return f"another writer held it for over {WAIT_SECONDS:g} seconds; try again"
    return f"cannot be used ({error})"
