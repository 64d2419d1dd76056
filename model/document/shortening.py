"""A huge entry beside the edited one is seen in part: its lower end, or its first line.

`providers:` with thousands of models above a new `requirements:` would otherwise be parsed four times to write one
line. What is left out stays as it is and stands whole on one side of every splice, so that it reads as before.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from model.document.errors import Unsafe
from model.document.outline import WINDOW, Outline
from model.document.plan import Splices
from model.document.source import Source
from model.document.tree import Collection, Tree
from model.document.window import Window

LONG = 4 * WINDOW


def shortened(source: Source, outline: Outline, window: Window, first: int, last: int) -> Window:
    """`window` is a run of entries of `outline`, of which the edit touches those from `first` to `last`."""
    base = window.start - outline.starts[window.first]
    starts = [*(base + start for start in outline.starts[window.first : window.last]), window.end]
    huge = [each for each in range(len(starts) - 1) if starts[each + 1] - starts[each] > LONG]
    above = [each for each in huge if window.first + each < first]
    if above:
        below = outline.children[window.first + above[-1]]
        window = _without_head(source, below, window, above[-1], starts[above[-1]], starts[above[-1] + 1])
    if huge and huge[-1] == len(starts) - 2 and window.last > last and huge[-1] not in above:
        window = _cut(source, outline.children[window.last - 1], window, starts[-2])
    return window


def _without_head(source: Source, below: Outline | None, window: Window, index: int, start: int, end: int) -> Window:
    """Of the entry at `index` only its last part, and above that the first line of each collection that holds it."""
    starts, depth = [start], 0
    while below is not None and end - starts[-1] > WINDOW:
        last = len(below.starts) - 1
        if last or not below.shares_line:
            starts.append(starts[-1] + below.starts[last])
        below, depth = below.children[last], depth + 1
    if len(starts) == 1:
        return window
    lines = [_line(source, each) for each in starts[:-1]]
    head = source.slice(window.start, start) + "".join(lines)
    return replace(window, start=starts[-1], head=head, heads=index + 1, depth=depth)


def _cut(source: Source, below: Outline | None, window: Window, start: int) -> Window:
    """Of the last entry only its first line."""
    if below is None or below.shares_line:
        return window
    return replace(window, end=start + len(_line(source, start)), is_cut=True)


def _line(source: Source, start: int) -> str:
    for length in (200, 2_000, 20_000):
        line, found, _ = source.slice(start, min(start + length, len(source))).partition("\n")
        if found:
            return line + found
    raise Unsafe("a line is too long to be seen in part")


def check_head(tree: Tree, window: Window) -> None:
    """The lines of the head have to hold what stands below them as the lines left out do. Raises Unsafe."""
    node, index = tree.roots[0], window.heads - 1
    for _ in range(window.depth + 1):
        if not isinstance(node, Collection) or len(node.entries) <= index:
            raise Unsafe("the entry above cannot be seen in part")
        entry = node.entries[index]
        node, index = entry.value, -1
    if tree.text.rfind("\n", 0, entry.head) + 1 != len(window.head):
        raise Unsafe("the entry above cannot be seen in part")


def leaves_neighbours(text: str, window: Window, splices: Splices) -> bool:
    """Whether the entries of `text` that are seen in part stay as they are: what is left out belongs to them."""
    end = text.rfind("\n", 0, len(text) - 1) + 1 if window.is_cut else len(text)
    return all(len(window.head) <= splice.start and splice.end <= end for splice in splices)


def without_neighbours(window: Window, data: Any, outline: Outline) -> tuple[Window, Any, Outline]:
    """The window and what was read of it, without the entries that were seen in part."""
    above, below = window.heads, int(window.is_cut)
    if not (above or below):
        return window, data, outline
    kept = slice(above, len(outline.starts) - below)
    keys = None if outline.keys is None else outline.keys[kept]
    starts = [start - len(window.head) for start in outline.starts[kept]]
    return (
        replace(window, first=window.first + above, last=window.last - below),
        data[kept] if keys is None else {key: data[key] for key in keys},
        Outline(starts, keys, outline.children[kept]),
    )
