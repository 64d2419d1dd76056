"""Replays edits on a file that changed on disk: what others did stays, what collides is shown to the user."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import field, replace
from typing import Any

from model.document.document import YamlDoc
from model.document.edits import Edit, Insert, InsertItem, Move, Rename
from model.document.errors import Unsafe
from model.document.finding import breadcrumb
from model.quick_dataclass import dataclass

_ABSENT = object()


@dataclass(frozen=True, slots=True)
class EditConflict:
    """An edit that was not replayed: what it found when it was made, and what stands there now (None if nothing)."""

    edit: Edit
    reason: str
    before: Any
    now: Any
    data: Any = field(default=None, repr=False, compare=False)  # of the document that the edit was made on


@dataclass(frozen=True, slots=True)
class Rebased:
    """`doc` is the file as it is on disk with `edits` replayed: the paths follow items that moved in their lists.
    `warnings` are what the edits have to say."""

    doc: YamlDoc
    edits: tuple[Edit, ...]
    conflicts: tuple[EditConflict, ...]
    warnings: tuple[str, ...] = ()


def rebase(old: YamlDoc, edits: Sequence[Edit], disk: bytes) -> Rebased:
    """Replay `edits`, made on `old` in this order, on the bytes now on disk. Raises Refused and Invalid."""
    mine = old
    theirs = YamlDoc.parse(disk, old.name, document=old.document)
    done: list[Edit] = []
    conflicts: list[EditConflict] = []
    warnings: list[str] = []
    for edit in edits:
        replayed = _replayed(mine, theirs, edit)
        if isinstance(replayed, EditConflict):
            conflicts.append(replayed)
        else:
            theirs, again = replayed
            done += again
            warnings += theirs.warnings if again else ()
        mine = _or_same(mine, edit)
    return Rebased(theirs, tuple(done), tuple(conflicts), tuple(warnings))


def _or_same(doc: YamlDoc, edit: Edit) -> YamlDoc:
    """The document after the edit; an edit that built on a conflict may fail, and is told so by its own conflict."""
    try:
        return doc.apply(edit)
    except Unsafe:
        return doc


def _replayed(mine: YamlDoc, theirs: YamlDoc, edit: Edit) -> tuple[YamlDoc, list[Edit]] | EditConflict:
    before = _value(mine.data, _watched(edit))
    path = translated(mine.data, theirs.data, edit.path)
    if path is None:
        return EditConflict(edit, f"{breadcrumb(edit.path)} is gone", _shown(before), None, mine.data)
    moved = _moved_in_list(mine.data, theirs.data, replace(edit, path=path), edit.path)
    if moved is None:
        reason = f"the list {breadcrumb(path)} was changed around this item"
        return EditConflict(edit, reason, None, None, mine.data)
    now = _value(theirs.data, _watched(moved))
    after = _value(_or_same(mine, edit).data, _watched(edit))
    if _same(now, after) and not isinstance(edit, InsertItem | Move | Rename):
        return theirs, []
    if not _same(before, now) and not isinstance(edit, InsertItem | Move):
        reason = f"{breadcrumb(path)} was changed on disk too"
        return EditConflict(edit, reason, _shown(before), _shown(now), mine.data)
    try:
        return theirs.apply(moved), [moved]
    except Unsafe as error:
        return EditConflict(edit, str(error), _shown(before), _shown(now), mine.data)


def insisted(conflict: EditConflict, data: Any) -> Edit | None:
    """The conflict's edit all the same, with the items of lists where they stand in `data`; None if they are gone."""
    path = translated(conflict.data, data, conflict.edit.path)
    if path is None:
        return None
    return _moved_in_list(conflict.data, data, replace(conflict.edit, path=path), conflict.edit.path)


def _watched(edit: Edit) -> tuple[Any, ...]:
    """The path of the value that has to be as it was."""
    return (*edit.path, edit.key) if isinstance(edit, Insert) else edit.path


def _value(data: Any, path: tuple[Any, ...]) -> Any:
    for step in path:
        known = isinstance(data, dict) and step in data
        listed = isinstance(data, list) and type(step) is int and 0 <= step < len(data)
        if not (known or listed):
            return _ABSENT
        data = data[step]
    return data


def _shown(value: Any) -> Any:
    return None if value is _ABSENT else value


def _same(one: Any, other: Any) -> bool:
    return one is other or (type(one) is type(other) and fingerprint(one) == fingerprint(other))


def fingerprint(value: Any) -> str:
    """Equal for equal data only, with types and the order of keys."""
    return hashlib.sha256(repr(value).encode("utf-8", "surrogatepass")).hexdigest()


def translated(old: Any, new: Any, path: tuple[str | int, ...]) -> tuple[str | int, ...] | None:
    """The path in `new` of what `path` is in `old`: list items are followed to where they stand now."""
    steps: list[str | int] = []
    for step in path:
        if isinstance(old, list) and isinstance(new, list) and type(step) is int:
            found = _follow(old, new, step)
            if found is None:
                return None
            old, new = old[step], new[found]
            steps.append(found)
        else:
            steps.append(step)
            old, new = _value(old, (step,)), _value(new, (step,))
    return tuple(steps)


def _follow(old: list[Any], new: list[Any], index: int) -> int | None:
    """Where the item stands now: found by its whole value, or by the entry that tells it from the others."""
    if index >= len(old):
        return None
    if _same(old, new):
        return index
    marks: tuple[Callable[[Any], Any], ...] = (_itself, name_of)
    for mark in marks:
        wanted = mark(old[index])
        if wanted is None or sum(_same(mark(item), wanted) for item in old) != 1:
            continue
        found = [i for i, item in enumerate(new) if _same(mark(item), wanted)]
        if len(found) == 1:
            return found[0]
    return None


def _itself(item: Any) -> Any:
    return item


def name_of(item: Any) -> Any:
    """What an item is called: its first entry that looks like a name, else its very first."""
    if not isinstance(item, dict) or not item:
        return None
    names = [
        key for key in item if isinstance(key, str) and (key in ("id", "name") or key.endswith(("_id", "name_of")))
    ]
    key = names[0] if names else next(iter(item))
    return (key, item[key])


def _moved_in_list(old: Any, new: Any, edit: Edit, path: tuple[str | int, ...]) -> Edit | None:
    """The same edit with its list indexes where their neighbours are now; None if these are gone."""
    if not isinstance(edit, InsertItem | Move):
        return edit
    mine, theirs = _value(old, path), _value(new, edit.path)
    if not isinstance(mine, list) or not isinstance(theirs, list):
        return edit
    if isinstance(edit, Move):
        source, target = _follow(mine, theirs, edit.source), _follow(mine, theirs, edit.target)
        return None if source is None or target is None else replace(edit, source=source, target=target)
    if edit.index == 0:
        return edit
    if edit.index >= len(mine):
        return replace(edit, index=len(theirs))
    above = _follow(mine, theirs, edit.index - 1)
    return None if above is None else replace(edit, index=above + 1)
