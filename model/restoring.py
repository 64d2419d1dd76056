"""A value that comes back where an unsaved edit took it out: on its old line, with its comment."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from model.document import Delete, Edit, Put, Set, YamlDoc, inverse
from model.document.rebasing import translated

_ABSENT = object()


def restoring(doc: YamlDoc, saved: YamlDoc, edit: Edit) -> tuple[Edit, ...]:
    """What does the same as `edit` on `doc` and brings back the line that stands in `saved`; else `edit` itself."""
    if not isinstance(edit, Put) or edit.written is not None or _at(doc.data, edit.path) is not _ABSENT:
        return (edit,)
    path = translated(doc.data, saved.data, edit.path)
    was = _at(saved.data, path) if path is not None else _ABSENT
    if path is None or was is _ABSENT or isinstance(was, dict | list) or isinstance(edit.value, dict | list):
        return (edit,)
    back = replace(inverse(saved, Delete(path)), path=edit.path)
    same = was == edit.value and type(was) is type(edit.value)
    return (back,) if same else (back, Set(edit.path, edit.value))


def _at(data: Any, path: tuple[str | int, ...]) -> Any:
    for step in path:
        try:
            data = data[step]
        except (LookupError, TypeError):
            return _ABSENT
    return data
