"""Says when a file on disk is no longer the one that we know.

The system's notices say when to look, the hash says whether anything changed; a look each second finds what no notice
came for (network folders, a watch that started too late). Folders are watched, not files: editors save by rename.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from model.document.source import read_bytes
from model.quick_dataclass import dataclass

if TYPE_CHECKING:
    import asyncio
    import threading

LOOK_MILLISECONDS = 1_000
SETTLE_MILLISECONDS = 200  # an editor that writes in place is let finish


@dataclass(frozen=True, slots=True)
class DiskChange:
    """What stands on disk now; None for both if the file is gone."""

    data: bytes | None
    sha256: str | None


def look(path: str | os.PathLike[str], known: str | None) -> DiskChange | None:
    """The file on disk, if its hash is not `known` (None: there should be no file). Raises OSError if unreadable."""
    try:
        data = read_bytes(path)
    except FileNotFoundError:
        return None if known is None else DiskChange(None, None)
    sha256 = hashlib.sha256(data).hexdigest()
    return None if sha256 == known else DiskChange(data, sha256)


async def changes(
    path: str | os.PathLike[str], known: Callable[[], str | None], stop: asyncio.Event | None = None
) -> AsyncIterator[DiskChange]:
    """Every change of the file that is news: neither what `known` says we have, nor told before."""
    import watchfiles

    watcher = _Watcher(Path(path), known)
    notices = watchfiles.awatch(
        *watcher.folders(),
        watch_filter=watcher.concerns,
        recursive=False,
        debounce=SETTLE_MILLISECONDS,
        rust_timeout=LOOK_MILLISECONDS,
        yield_on_timeout=True,
        stop_event=stop,
    )
    async for _ in notices:
        news = watcher.news()
        if news is not None:
            yield news


def changes_in_thread(
    path: str | os.PathLike[str], known: Callable[[], str | None], stop: threading.Event
) -> Iterator[DiskChange]:
    """As `changes`, for a thread that may block; ends within a second of `stop`."""
    import watchfiles

    watcher = _Watcher(Path(path), known)
    notices = watchfiles.watch(
        *watcher.folders(),
        watch_filter=watcher.concerns,
        recursive=False,
        debounce=SETTLE_MILLISECONDS,
        rust_timeout=LOOK_MILLISECONDS,
        yield_on_timeout=True,
        stop_event=stop,
        raise_interrupt=False,
    )
    for _ in notices:
        news = watcher.news()
        if news is not None:
            yield news


class _Watcher:
    def __init__(self, path: Path, known: Callable[[], str | None]) -> None:
        self._path = path
        self._known = known
        self._told: str | bool | None = False  # False: nothing yet
        self._names = {path.name, Path(os.path.realpath(path)).name}

    def folders(self) -> list[Path]:
        """Of the file and, if it is a link, of what it leads to."""
        both = {self._path.absolute().parent, Path(os.path.realpath(self._path)).parent}
        return sorted(folder for folder in both if folder.is_dir())

    def concerns(self, _: object, path: str) -> bool:
        return Path(path).name in self._names

    def news(self) -> DiskChange | None:
        try:
            change = look(self._path, self._known())
        except OSError:  # unreadable for the moment: the next look tells
            return None
        if change is None:
            self._told = False
            return None
        if change.sha256 == self._told:
            return None
        self._told = change.sha256
        return change
