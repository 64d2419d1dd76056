"""Which piece of the text an edit has to parse: some entries of one large block collection, or the whole text."""

from __future__ import annotations

from bisect import bisect_right

from model.document.outline import Outline
from model.quick_dataclass import dataclass

Path = tuple[str | int, ...]
NEIGHBOURS = 2  # entries seen above a changed one: enough to see how entries are separated


@dataclass(frozen=True, slots=True)
class Window:
    """The characters `start` to `end`: entries `first` to `last` of the collection that `chain` leads to.

    `chain` holds entry indexes from the root; None means that the window is the whole text. `path` is the path
    that was asked for, as it reads inside the window. `head` is text above `start`: `heads` entries, of the last
    of which what is seen lies `depth` collections deep, below the first lines of these. `is_cut` leaves one line of
    the last entry.
    """

    start: int
    end: int
    path: Path
    chain: tuple[int, ...] | None = None
    first: int = 0
    last: int = 0
    is_run_of_target: bool = False  # the window is entries of the very collection that the edit changes
    head: str = ""
    heads: int = 0
    depth: int = 0
    is_cut: bool = False


def window_of_value(length: int, outline: Outline | None, end: int, path: Path) -> Window:
    """In a text of `length`: the smallest window with the value at `path`, or with the deepest part that exists."""
    best = Window(0, length, path)
    base = 0
    chain: tuple[int, ...] = ()
    for depth, step in enumerate(path):
        index = outline.index(step) if outline is not None else None
        if outline is None or index is None:
            break
        start, end = _span(outline, index, base, end)
        if index or not outline.shares_line:
            inner = (step if outline.keys is not None else 0, *path[depth + 1 :])
            best = Window(start, end, inner, chain, index, index + 1)
        base, chain, outline = start, (*chain, index), outline.children[index]
    return best


def window_of_entries(length: int, outline: Outline | None, end: int, path: Path, first: int, last: int) -> Window:
    """A window for changing entries `first` to `last` of the collection at `path`, with neighbours on each side.

    Falls back to the window of the whole collection where that is small, or where entries alone do not tell enough.
    `path` inside the window is that of the collection: empty if the window is entries of that very collection.
    """
    whole = window_of_value(length, outline, end, path)
    base = 0
    chain: tuple[int, ...] = ()
    for step in path:
        index = outline.index(step) if outline is not None else None
        if outline is None or index is None:
            return whole
        base, end = _span(outline, index, base, end)
        chain, outline = (*chain, index), outline.children[index]
    if outline is None or first > len(outline.starts) or last in (0, first + len(outline.starts)):
        return whole  # a new first entry has to see the comments above, and none may be left
    first, last = max(first - NEIGHBOURS, 0), min(last + 1, len(outline.starts))
    if first == 0 and outline.shares_line:
        return whole
    start, _ = _span(outline, first, base, end)
    _, stop = _span(outline, last - 1, base, end)
    return Window(start, stop, (), chain, first, last, True)


def window_of_span(length: int, outline: Outline | None, end: int, start: int, stop: int) -> Window:
    """The smallest window that holds the characters `start` to `stop`."""
    best = Window(0, length, ())
    base = 0
    chain: tuple[int, ...] = ()
    while outline is not None:
        index = bisect_right(outline.starts, start - base) - 1
        if index < 0:
            break
        low, high = _span(outline, index, base, end)
        if not low <= start <= stop <= high:
            break
        if index or not outline.shares_line:
            best = Window(low, high, (), chain, index, index + 1)
        base, end, chain, outline = low, high, (*chain, index), outline.children[index]
    return best


def _span(outline: Outline, index: int, base: int, end: int) -> tuple[int, int]:
    starts = outline.starts
    return base + starts[index], base + starts[index + 1] if index + 1 < len(starts) else end
