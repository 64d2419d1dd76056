"""Unsaved edits outlive an app that a mistake or a signal ends: they are kept beside the backups."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import FrameType

    from model.workbench import Workbench

SIGNALS = ("SIGHUP", "SIGTERM")  # the terminal is closed; the system goes down


@contextmanager
def orderly_end() -> Iterator[None]:
    """Within it these signals end the program as `sys.exit` does, so that what is to be done at the end is done."""

    def end(number: int, _: FrameType | None) -> None:
        sys.exit(128 + number)

    numbers = [getattr(signal, name) for name in SIGNALS if hasattr(signal, name)]
    before = [(number, signal.signal(number, end)) for number in numbers]
    try:
        yield
    finally:
        for number, handler in before:
            signal.signal(number, handler)


def keep_unsaved(bench: Workbench) -> list[str]:
    """Writes the unsaved state of each changed file into the state folder, for the user alone; says where."""
    from model.document.state import rescue_path

    said = []
    for file in bench.changed_files:
        assert file.doc is not None
        path = rescue_path(file.path)
        try:
            older = _set_aside(path)
            _write(path, file.doc.to_bytes())
        except OSError as error:
            said.append(f"unsaved edits of {file.path} are lost: {error.strerror or error}")
        else:
            said.append(f"{file.path} with its unsaved edits is in {path}; the next start tells of it")
            said += [f"what was kept of an earlier run is in {older}"] if older else []
    return said


def _set_aside(path: Path) -> Path | None:
    """What earlier runs left there and nobody took in is not written over, however many they are."""
    names = (path.with_suffix(f".older-{number}.yaml") for number in count(1))
    older = next(name for name in names if not os.path.lexists(name))
    try:
        os.replace(path, older)
    except FileNotFoundError:
        return None
    return older


def _write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(data)
