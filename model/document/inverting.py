"""The edit that takes an edit back: for an undo that has to be replayed on a file that changed meanwhile."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from model.document.edits import Delete, Edit, Insert, InsertItem, Move, Path, Put, Rename
from model.document.written import as_written

if TYPE_CHECKING:
    from model.document.document import YamlDoc


def inverse(doc: YamlDoc, edit: Edit) -> Edit:
    """Takes back an `edit` that was made on `doc`. What was deleted comes back as it was written, with its comments,
    where it still can; else its values do, and the edit warns of the comments."""
    data = doc.data
    match edit:
        case Rename(path, key):
            return Rename(_below(path[:-1], key), path[-1])
        case Move(path, source, target):
            return Move(path, target, source)
        case InsertItem(path, index) if _found(data, path) == path and _at(data, path):
            return Delete((*path, index))
        case Delete((*above, int(index))) if isinstance(_at(data, tuple(above)), list):
            return InsertItem(tuple(above), index, _at(data, edit.path), as_written(doc, edit.path))
        case Delete((*above, _)) if _found(data, edit.path) == edit.path:
            order = tuple(key for key in _at(data, tuple(above)) if isinstance(key, str))
            return Put(edit.path, _at(data, edit.path), order, as_written(doc, edit.path))
        case Insert(path, key):
            return _restoring(data, _below(path, key))
        case _:
            return _restoring(data, edit.path)


def _restoring(data: Any, path: Path) -> Edit:
    """What was at the path again; without what was made on the way to it."""
    found = _found(data, path)
    held = _at(data, found)
    made = found != path and not (found and held is None)  # null gave way to a mapping with the key in it
    return Delete(path[: len(found) + 1]) if made else Put(found, held)


def _below(path: Path, key: Any) -> Path:
    return (*path, key)


def _found(data: Any, path: Path) -> Path:
    """As much of the path as is there."""
    for length, step in enumerate(path):
        held = isinstance(data, dict) and step in data
        listed = isinstance(data, list) and type(step) is int and 0 <= step < len(data)
        if not (held or listed):
            return path[:length]
        data = data[step]
    return path


def _at(data: Any, path: Path) -> Any:
    for step in path:
        data = data[step]
    return data
