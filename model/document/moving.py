"""Plans for items that change places: an item's text goes with its own comments, the blank lines between stay."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from model.document.errors import Unsafe
from model.document.extent import entry_end, lead_start
from model.document.lines import before_break, column, line_start, shares_line
from model.document.plan import Plan, Site, Splice
from model.document.tree import Collection

_HEADER = re.compile(r"(?:^|[ \t])([|>][0-9]*)(?=[ \t]*(?:#.*)?\r?$)", re.MULTILINE)


def move(site: Site, node: Collection, source: int, target: int) -> Iterator[Plan]:
    """Take the item at `source` to `target`: plans, best first."""
    first, last = min(source, target), max(source, target)
    if not node.flow and shares_line(site.text, node.entries[first].head):
        yield from _behind_dash(site, node, source, target)
        return
    order = list(range(first, last + 1))
    order.insert(target - first, order.pop(source - first))
    spans = [_span(site, node, index) for index in range(first, last + 1)]
    text = site.text
    chunks = [text[spans[index - first][0] : spans[index - first][1]] for index in order]
    between = [text[left[1] : right[0]] for left, right in pairwise(spans)]
    start, end = spans[0][0], spans[-1][1]
    if node.flow:
        yield Plan((Splice(start, end, _mixed(chunks, between)),), reorders=True)
        return
    for broken, notes in _with_breaks(site, chunks, last_has_break=text[start:end].endswith("\n")):
        yield Plan((Splice(start, end, _mixed(broken, between)),), warnings=notes, reorders=True)


def _mixed(chunks: list[str], between: list[str]) -> str:
    return "".join(part for pair in zip(chunks, [*between, ""], strict=True) for part in pair)


def _span(site: Site, node: Collection, index: int) -> tuple[int, int]:
    entry = node.entries[index]
    if node.flow:
        return entry.head, entry.end
    start = lead_start(site.text, node, index) if index else line_start(site.text, entry.head)
    return start, entry_end(site.text, entry)


def _behind_dash(site: Site, node: Collection, source: int, target: int) -> Iterator[Plan]:
    """`- - a`: whichever item comes first stands behind the outer dash, so it may have no comments above."""
    text, first, last = site.text, min(source, target), max(source, target)
    heads = [node.entries[index].head for index in range(first, last + 1)]
    spans = [_span(site, node, index) for index in range(first, last + 1)]
    if any(line_start(text, head) != span[0] for head, span in zip(heads, spans, strict=True)):
        raise Unsafe("an item with comments above cannot stand behind an outer dash")
    indexes = list(range(len(heads)))
    indexes.insert(target - first, indexes.pop(source - first))
    pad = " " * column(text, heads[0])
    chunks = [text[heads[i] : spans[i][1]] for i in indexes]
    between = [text[left[1] : right[0]] + pad for left, right in pairwise(spans)]
    for broken, notes in _with_breaks(site, chunks, last_has_break=text[: spans[-1][1]].endswith("\n")):
        yield Plan((Splice(heads[0], spans[-1][1], _mixed(broken, between)),), warnings=notes, reorders=True)


def _with_breaks(site: Site, chunks: list[str], *, last_has_break: bool) -> Iterator[tuple[list[str], tuple[str, ...]]]:
    """Every chunk ends its line, but the last one as the text did before."""
    eol = site.style.eol
    whole = [chunk if chunk.endswith("\n") else chunk + eol for chunk in chunks]
    if last_has_break:
        yield whole, ()
        return
    without = whole[-1][: before_break(whole[-1], len(whole[-1]))]
    yield [*whole[:-1], without], ()
    closed = [chunk if chunk.endswith("\n") else _closed(chunk) + eol for chunk in chunks]
    dropped = "the block scalar that ended the file now says '|-', so that its value stays the same"
    needed = "the file now ends with a line break: the block scalar there needs it"
    yield [*closed[:-1], without], (dropped,)
    yield whole, (needed,)
    yield closed, (dropped, needed)


def _closed(chunk: str) -> str:
    """The chunk with the header of the block scalar at its end told to drop the final break."""
    headers = list(_HEADER.finditer(chunk))
    return chunk[: headers[-1].end(1)] + "-" + chunk[headers[-1].end(1) :] if headers else chunk
