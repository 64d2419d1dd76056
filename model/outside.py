"""What happened when a file changed on disk under the screen, and the history that goes on from there."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from typing import TYPE_CHECKING

from model.config.read import read_config
from model.document import DocumentError, EditConflict, Unsafe, YamlDoc, inverse, rebase
from model.document.source import read_bytes
from model.files import OpenFile
from model.history import Step
from model.quick_dataclass import dataclass

if TYPE_CHECKING:
    from model.document import Edit
    from model.workbench import Change


class Event(StrEnum):
    """What became of a file that changed on disk."""

    RELOADED = "reloaded"
    CARRIED_OVER = "carried over"
    GONE = "gone"
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True)
class Outside:
    """A change on disk. `conflicts` are pending edits that it collides with: they are left out until the user says.
    `warnings` are what the others could not keep."""

    file: str
    event: Event
    conflicts: tuple[EditConflict, ...] = ()
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Carried:
    """A file with the pending steps replayed on what is on disk."""

    file: OpenFile
    steps: tuple[Step, ...]
    conflicts: tuple[EditConflict, ...]
    warnings: tuple[str, ...]


def changed_on_disk(file: OpenFile) -> bytes | None:
    """The bytes on disk if they are not those that the edits started from; None if they are. Raises OSError."""
    data = read_bytes(file.path)
    return None if file.saved is not None and data == file.saved.to_bytes() else data


def reopened(file: OpenFile, data: bytes) -> OpenFile:
    """The file as it is on disk now; if that cannot be read the last good state stays, read-only."""
    try:
        doc = YamlDoc.parse(data, file.name)
    except DocumentError as problem:
        return replace(file, problem=problem)
    config = read_config(doc.data, file.name, file.config)
    return OpenFile(file.path, file.layer, doc, doc, config, config)


def followed(change: Change, then: tuple[OpenFile, ...], now: tuple[OpenFile, ...]) -> Change:
    """A change that was worked out on files as they were `then`, as it reads now. Raises Unsafe if it collides."""
    edits = dict(change.edits)
    for old, new in zip(then, now, strict=True):
        mine = edits.get(old.name, ())
        if not mine or old.doc is new.doc or old.doc is None or new.doc is None:
            continue
        result = rebase(old.doc, mine, new.doc.to_bytes())
        if result.conflicts:
            raise Unsafe(f"{result.conflicts[0].reason}, so this is not made any more")
        edits[old.name] = result.edits
    return replace(change, edits=edits)


def carry_over(
    file: OpenFile, fresh: OpenFile, done: tuple[Step, ...], since: tuple[tuple[Step, ...], tuple[Step, ...]]
) -> Carried:
    """Replays on the new state of a file what was `done` to it `since` its last save; each edit is proved again, and
    what collides is left out. What the steps did to other files stays as it is."""
    made, undone = since
    steps: list[Step] = []
    conflicts: list[EditConflict] = []
    warnings: dict[str, None] = {}
    now = fresh
    for index, step in enumerate((*done, *(undoing(each, file.name) for each in reversed(undone)))):
        before, edits = now, step.change.edits.get(file.name, ()) if index >= len(done) - len(made) else ()
        if edits:
            result = rebase(_doc(step.before, file.name), edits, _doc((now,), file.name).to_bytes())
            conflicts += result.conflicts
            warnings |= dict.fromkeys(result.warnings)
            edits = result.edits
            now = now.with_doc(result.doc) if edits else now
        replayed = _replayed(step, file.name, edits, before, now)
        if replayed.change.edits:
            steps.append(replayed)
    file = replace(now, saved=fresh.saved, saved_config=fresh.saved_config)
    return Carried(file, tuple(steps), tuple(conflicts), tuple(warnings))


def _doc(files: tuple[OpenFile, ...], name: str) -> YamlDoc:
    """Of a file that was edited, so it has one."""
    doc = next(each for each in files if each.name == name).doc
    assert doc is not None
    return doc


def undoing(step: Step, name: str) -> Step:
    """A step that does to one file what undoing `step` did, as edits."""
    own = next(each for each in step.before if each.name == name)
    doc, back = own.doc, []
    for edit in step.change.edits.get(name, ()):
        assert doc is not None
        back.append(inverse(doc, edit))
        doc = doc.apply(edit)
    change = replace(step.change, title=f"undo: {step.change.title}", edits={name: (*reversed(back),)})
    return Step(change, step.after, tuple(own if each.name == name else each for each in step.after))


def _replayed(step: Step, name: str, edits: tuple[Edit, ...], before: OpenFile, after: OpenFile) -> Step:
    """The step with this file's part put on the new state, or taken out if there are no edits."""
    others = {other: each for other, each in step.change.edits.items() if other != name}
    return replace(
        step,
        change=replace(step.change, edits={**others, name: edits} if edits else others),
        before=tuple(before if each.name == name else each for each in step.before),
        after=tuple(after if each.name == name else each for each in step.after),
    )
