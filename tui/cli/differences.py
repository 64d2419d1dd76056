"""What an edit changed, as paths with the value before and after."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from model.quick_dataclass import dataclass

Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Difference:
    """`before` None: it was not there; `after` None: it is gone. The path is that of the document which has it."""

    path: Path
    before: Any
    after: Any


def differences(before: Any, after: Any, path: Path = ()) -> Iterator[Difference]:
    """The smallest parts that differ. Documents share what an edit left alone, so that this costs only what changed."""
    if before is after:
        return
    if isinstance(before, dict) and isinstance(after, dict):
        for key in [*before, *(key for key in after if key not in before)]:
            yield from differences(before.get(key), after.get(key), (*path, key))
    elif isinstance(before, list) and isinstance(after, list):
        yield from _of_lists(before, after, path)
    elif type(before) is not type(after) or before != after:
        yield Difference(path, before, after)


def _of_lists(before: list[Any], after: list[Any], path: Path) -> Iterator[Difference]:
    """Items that stand at both ends of both lists are the same; between them items changed, came or went."""
    start = 0
    while start < min(len(before), len(after)) and before[start] == after[start]:
        start += 1
    end = 0
    while end < min(len(before), len(after)) - start and before[-1 - end] == after[-1 - end]:
        end += 1
    old, new = before[start : len(before) - end], after[start : len(after) - end]
    for n in range(max(len(old), len(new))):
        place = (*path, start + n)
        yield from differences(old[n] if n < len(old) else None, new[n] if n < len(new) else None, place)
