"""A value that comes back where an unsaved edit took it out: on its old line, with its comment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from model.document import Delete, Edit, Put, Set, YamlDoc, inverse
from model.document.rebasing import name_of

_ABSENT = object()


def restoring(doc: YamlDoc, saved: YamlDoc, edit: Edit) -> tuple[Edit, ...]:
    """What does the same as `edit` on `doc` and brings back the line that stands in `saved`; else `edit` itself."""
    if not isinstance(edit, Put) or edit.written is not None or _at(doc.data, edit.path) is not _ABSENT:
        return (edit,)
    path = _place_in(saved.data, doc.data, edit.path)
    was = _at(saved.data, path) if path is not None else _ABSENT
    if path is None or was is _ABSENT or isinstance(was, dict | list) or isinstance(edit.value, dict | list):
        return (edit,)
    back = replace(inverse(saved, Delete(path)), path=edit.path)
    same = was == edit.value and type(was) is type(edit.value)
    return (back,) if same else (back, Set(edit.path, edit.value))


def _place_in(saved: Any, now: Any, path: tuple[str | int, ...]) -> tuple[str | int, ...] | None:
    """Where `saved` has the entry of that name; None where names do not tell. Looks at no item as a whole: this is
    done at a key."""
    steps: list[str | int] = []
    for step in path:
        if isinstance(now, list) and isinstance(saved, list):
            name = name_of(_at(now, (step,)))
            found = [index for index, item in enumerate(saved) if name_of(item) == name] if name is not None else []
            if len(found) != 1:
                return None
            steps.append(found[0])
        else:
            steps.append(step)
        now, saved = _at(now, (step,)), _at(saved, steps[-1:])
        if saved is _ABSENT:
            break
    return (*steps, *path[len(steps) :])


def _at(data: Any, path: Sequence[str | int]) -> Any:
    for step in path:
        try:
            data = data[step]
        except (LookupError, TypeError):
            return _ABSENT
    return data
