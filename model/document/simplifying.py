"""Edits that depend on what is there, told as edits that do not; values as plain data."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from model.document.edits import Detach, Edit, Insert, InsertItem, Put, Set
from model.document.errors import Unsafe
from model.document.finding import breadcrumb
from model.document.operations import Simple
from model.document.writing import as_plain


def simplified(data: Any, edit: Edit) -> Simple:
    """Put as Set, Insert or InsertItem; Detach as Set. Raises Unsafe."""
    match edit:
        case Put():
            return _put(data, edit)
        case Detach():
            return Set(edit.path, as_plain(_value_at(data, edit.path)))
        case Set() | Insert() | InsertItem():
            return replace(edit, value=as_plain(edit.value))
        case _:
            return edit


def _put(data: Any, edit: Put) -> Simple:
    value = as_plain(edit.value)
    for depth, step in enumerate(edit.path):
        if not _holds(data, step):
            return _put_missing(edit, depth, value, data)
        data = data[step]
    return Set(edit.path, value)


def _holds(data: Any, step: object) -> bool:
    if isinstance(data, dict):
        return step in data
    return isinstance(data, list) and type(step) is int and 0 <= step < len(data)


def _put_missing(edit: Put, depth: int, value: Any, data: Any) -> Simple:
    """One insertion of all that is missing."""
    for step in reversed(edit.path[depth + 1 :]):
        if type(step) is int:
            raise Unsafe(f"{breadcrumb(edit.path)} does not exist, and a list cannot be guessed")
        value = {step: value}
    above, step = edit.path[:depth], edit.path[depth]
    written = edit.written if depth + 1 == len(edit.path) else None
    if isinstance(data, list):
        if step != len(data):
            raise Unsafe(f"{breadcrumb(edit.path[: depth + 1])} does not exist: the list has {len(data)} items")
        return InsertItem(above, len(data), value, written)
    return Insert(above, step, value, edit.order, written=written)


def _value_at(data: Any, path: tuple[str | int, ...]) -> Any:
    for step in path:
        if not _holds(data, step):
            raise Unsafe(f"{breadcrumb(path)} does not exist")
        data = data[step]
    return data
