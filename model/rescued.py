"""Edits that were never saved, kept when a run was cut off (`document.state.rescue_path`): found at the next start."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from model.document import DocumentError, Unsafe, YamlDoc
from model.document.source import read_bytes
from model.document.state import rescue_folder, rescue_path
from model.quick_dataclass import dataclass

if TYPE_CHECKING:
    from model.files import OpenFile
    from model.history import Step
    from model.workbench import Workbench

TITLE = "the edits of the run that was cut off"


@dataclass(frozen=True, slots=True)
class Rescued:
    """A text kept at `path` for the open file `file`; `why` tells what is wrong with it if it cannot be opened."""

    file: str
    path: Path
    kept_at: float
    """Seconds since 1970."""
    doc: YamlDoc | None
    why: str = ""
    is_older: bool = False
    """Whether the file was written since."""


def find_rescued(files: tuple[OpenFile, ...]) -> tuple[Rescued, ...]:
    """Of each open file. Costs one look at the disk where nothing was ever rescued; a text that is no other than the
    file's is removed."""
    if not rescue_folder().is_dir():
        return ()
    return tuple(found for file in files if (found := _find(file)))


def _find(file: OpenFile) -> Rescued | None:
    path = rescue_path(file.path)
    try:
        kept_at = os.lstat(path).st_mtime
    except OSError:
        return None
    found = Rescued(file.name, path, kept_at, None)
    try:
        data = read_bytes(path)
        if file.saved is not None and data == file.saved.to_bytes():
            drop(found)
            return None
        doc = YamlDoc.parse(data, file.name)
    except DocumentError as problem:
        return replace(found, why=problem.reason)
    except OSError as problem:
        return replace(found, why=problem.strerror or str(problem))
    return replace(found, doc=doc, is_older=_written_at(file.path) > kept_at)


def _written_at(path: Path) -> float:
    try:
        return os.stat(path).st_mtime
    except OSError:
        return 0


def drop(rescued: Rescued) -> None:
    """Not what another run left in its place since. A text that stays is asked about again at the next start."""
    with suppress(OSError):
        if os.lstat(rescued.path).st_mtime == rescued.kept_at:
            rescued.path.unlink()


def taking_in(bench: Workbench, rescued: Rescued) -> Step:
    """The rescued text as one change of the file, not yet made. Its edits are those that its data tell, so that it can
    be replayed like any other. Raises Unsafe and ReadOnly."""
    from model.document.between import edits_between
    from model.document.patching import typed_bytes
    from model.history import Step
    from model.workbench import Change, ReadOnly

    file = bench.file(rescued.file)
    if rescued.doc is None or file.doc is None or not file.writable:
        raise ReadOnly(f"{file.name} cannot be changed now: {rescued.why or 'it could not be read'}")
    edits = edits_between(file.doc.data, rescued.doc.data)
    if typed_bytes(file.doc.apply(*edits).data) != typed_bytes(rescued.doc.data):
        raise Unsafe("what was rescued cannot be told as edits of the file")
    after = file.with_doc(file.doc.rewritten(rescued.doc.text))
    files = tuple(after if each.name == file.name else each for each in bench.files)
    return Step(Change(TITLE, {file.name: edits}), bench.files, files)
