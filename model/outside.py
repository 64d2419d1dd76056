"""What happened when a file changed on disk under the screen, and the history that goes on from there."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from model.config.read import read_config
from model.document import DocumentError, EditConflict, YamlDoc, rebase
from model.files import OpenFile

if TYPE_CHECKING:
    from model.document import Edit
    from model.history import Step


class Event(StrEnum):
    """What became of a file that changed on disk."""

    RELOADED = "reloaded"
    CARRIED_OVER = "carried over"
    GONE = "gone"
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True)
class Outside:
    """A change on disk. `conflicts` are pending edits that it collides with: they are left out until the user says."""

    file: str
    event: Event
    conflicts: tuple[EditConflict, ...] = ()


@dataclass(frozen=True, slots=True)
class Carried:
    """A file with the pending steps replayed on what is on disk."""

    file: OpenFile
    steps: tuple[Step, ...]
    conflicts: tuple[EditConflict, ...]


def changed_on_disk(file: OpenFile) -> bytes | None:
    """The bytes on disk if they are not those that the edits started from; None if they are. Raises OSError."""
    data = file.path.read_bytes()
    return None if file.saved is not None and data == file.saved.to_bytes() else data


def reopened(file: OpenFile, data: bytes) -> OpenFile:
    """The file as it is on disk now; if that cannot be read the last good state stays, read-only."""
    try:
        doc = YamlDoc.parse(data, file.name)
    except DocumentError as problem:
        return replace(file, problem=problem)
    config = read_config(doc.data, file.name, file.config)
    return OpenFile(file.path, file.layer, doc, doc, config, config)


def carry_over(file: OpenFile, fresh: OpenFile, pending: tuple[Step, ...]) -> Carried:
    """Replays the pending steps of one file on its new state; each is proved again. What collides is left out."""
    steps: list[Step] = []
    conflicts: list[EditConflict] = []
    now = fresh
    for step in pending:
        edits = step.change.edits.get(file.name, ())
        before = next(each for each in step.before if each.name == file.name)
        if not edits or before.doc is None or now.doc is None:
            continue
        result = rebase(before.doc, edits, now.doc.to_bytes())
        conflicts += result.conflicts
        after = now.with_doc(result.doc) if result.edits else now
        steps.append(_replayed(step, file.name, result.edits, now, after))
        now = after
    return Carried(replace(now, saved=fresh.saved, saved_config=fresh.saved_config), tuple(steps), tuple(conflicts))


def _replayed(step: Step, name: str, edits: tuple[Edit, ...], before: OpenFile, after: OpenFile) -> Step:
    """The step with this file's part put on the new state."""
    return replace(
        step,
        change=replace(step.change, edits={**step.change.edits, name: edits}),
        before=tuple(before if each.name == name else each for each in step.before),
        after=tuple(after if each.name == name else each for each in step.after),
    )
