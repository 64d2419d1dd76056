"""The edits that lead from one document's data to another's: for a text whose own edits are not known any more."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import Any

from model.document.edits import Delete, Edit, Insert, InsertItem, Path, Put
from model.document.rebasing import fingerprint, name_of


def edits_between(old: Any, new: Any) -> tuple[Edit, ...]:
    """In the order in which they have to be made. What only stands in another order is put there as a whole."""
    return tuple(_between({} if old is None and isinstance(new, dict) else old, new, ()))


def _between(old: Any, new: Any, path: Path) -> Iterator[Edit]:
    if fingerprint(old) == fingerprint(new):
        return
    if isinstance(old, dict) and isinstance(new, dict) and _keeps_order(old, new):
        yield from _mappings(old, new, path)
    elif isinstance(old, list) and isinstance(new, list) and old and new:
        yield from _lists(old, new, path)
    else:
        yield Put(path, new)


def _keeps_order(old: dict[Any, Any], new: dict[Any, Any]) -> bool:
    return [key for key in old if key in new] == [key for key in new if key in old]


def _mappings(old: dict[Any, Any], new: dict[Any, Any], path: Path) -> Iterator[Edit]:
    """New keys go behind their neighbour before old ones go, so that the mapping is never empty on the way."""
    above = None
    below = next((key for key in new if key in old), None)
    for key, value in new.items():
        if key in old:
            yield from _between(old[key], value, (*path, key))
        else:
            yield Insert(path, key, value, before=below if above is None else None, after=above)
        above = key
    yield from (Delete((*path, key)) for key in old if key not in new)


def _lists(old: list[Any], new: list[Any], path: Path) -> Iterator[Edit]:
    """Items are told apart by their names; what is called the same is the same item, changed."""
    ours, theirs = ([fingerprint(name_of(item) or item) for item in items] for items in (old, new))
    shift = 0
    for kind, low, high, first, last in SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes():
        if kind == "equal":
            for index in range(high - low):
                yield from _between(old[low + index], new[first + index], (*path, first + index))
            continue
        yield from (InsertItem(path, low + shift + index, new[first + index]) for index in range(last - first))
        shift += last - first
        yield from (Delete((*path, index + shift)) for index in reversed(range(low, high)))
        shift -= high - low
