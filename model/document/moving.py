"""Plans for items that change places: an item's text goes with its own comments, the blank lines between stay."""

from __future__ import annotations

from itertools import pairwise

from model.document.errors import Unsafe
from model.document.extent import entry_end, lead_start
from model.document.lines import before_break, line_start, shares_line
from model.document.plan import Plan, Site, Splice
from model.document.tree import Collection


def move(site: Site, node: Collection, source: int, target: int) -> Plan:
    """Take the item at `source` to `target`."""
    first, last = min(source, target), max(source, target)
    order = list(range(first, last + 1))
    order.insert(target - first, order.pop(source - first))
    spans = [_span(site, node, index) for index in range(first, last + 1)]
    text = site.text
    chunks = [text[spans[index - first][0] : spans[index - first][1]] for index in order]
    between = [text[left[1] : right[0]] for left, right in pairwise(spans)]
    if not node.flow:
        chunks = _with_breaks(site, chunks, text[spans[-1][0] : spans[-1][1]].endswith("\n"))
    mixed = [part for pair in zip(chunks, [*between, ""], strict=True) for part in pair]
    return Plan((Splice(spans[0][0], spans[-1][1], "".join(mixed)),), reorders=True)


def _span(site: Site, node: Collection, index: int) -> tuple[int, int]:
    entry = node.entries[index]
    if node.flow:
        return entry.head, entry.end
    if shares_line(site.text, entry.head):
        raise Unsafe("the first item shares its line with an outer dash")
    start = lead_start(site.text, node, index) if index else line_start(site.text, entry.head)
    return start, entry_end(site.text, entry)


def _with_breaks(site: Site, chunks: list[str], last_has_break: bool) -> list[str]:
    """Every chunk ends its line, but the last one as the text did before."""
    whole = [chunk if chunk.endswith("\n") else chunk + site.style.eol for chunk in chunks]
    if not last_has_break:
        whole[-1] = whole[-1][: before_break(whole[-1], len(whole[-1]))]
    return whole
