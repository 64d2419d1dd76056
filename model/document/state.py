"""What capdeck keeps beside a file without touching its folder: a backup, a lock, a rescue, in the state folder."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

LOCK_SECONDS = 10.0


def state_folder() -> Path:
    """The platform's state folder; CAPDECK_STATE overrides it."""
    chosen = os.environ.get("CAPDECK_STATE")
    if chosen:
        return Path(chosen)
    import platformdirs

    return platformdirs.user_state_path("capdeck")


def backup_path(path: str | os.PathLike[str]) -> Path:
    """Where the text before the last save is kept; files are told apart by their real path."""
    return state_folder() / "backups" / f"{_key(path)}.yaml"


def rescue_path(path: str | os.PathLike[str]) -> Path:
    """Where a file with edits that were never saved is kept if the app is ended by force."""
    return rescue_folder() / f"{_key(path)}.yaml"


def rescue_folder() -> Path:
    """Made with the first rescue."""
    return state_folder() / "rescued"


def _key(path: str | os.PathLike[str]) -> str:
    return hashlib.sha256(os.fsencode(os.path.realpath(path))).hexdigest()[:32]


@contextmanager
def locked(path: str | os.PathLike[str]) -> Iterator[str | None]:
    """Hold the file's lock around read, change and write; the same thread may hold it twice.

    Yields a note if there can be no lock (no writable state folder). Raises TimeoutError after `LOCK_SECONDS`.
    """
    from filelock import FileLock, Timeout

    folder = state_folder() / "locks"
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        lock = FileLock(folder / f"{_key(path)}.lock", timeout=LOCK_SECONDS, is_singleton=True)
        lock.acquire()
    except Timeout:
        raise TimeoutError("another capdeck is writing this file") from None
    except OSError as error:
        yield f"written without a lock: {error.strerror or error}"
        return
    try:
        yield None
    finally:
        lock.release()
