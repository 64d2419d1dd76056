"""Splices where the old value or the new one is a block below its key or dash."""

from __future__ import annotations

from typing import Any

from model.document.errors import Unsafe
from model.document.extent import last_line_end
from model.document.lines import before_break, column, line_end, line_start, shares_line
from model.document.plan import Site, Splice, Splices
from model.document.tree import PROPERTY, Alias, Collection, Entry, is_empty
from model.document.writing import Writer


def to_inline(site: Site, entry: Entry, new: str) -> Splices:
    """A block becomes `new` behind its key; the comment behind the key stays, those inside the block go."""
    text, node = site.text, entry.value
    start, stop = _header(site, entry)
    end = last_line_end(text, entry)
    if line_start(text, node.body) == line_start(text, stop):
        return (Splice(node.body, end, new),)
    below = line_end(text, stop)
    return (Splice(start, stop, f" {new}"), Splice(below, end, ""))


def as_block(site: Site, entry: Entry, value: Any, writer: Writer) -> Splices:
    """The value becomes a block, written below its key or behind its dash; an anchor stays, a comment does."""
    node = entry.value
    if entry.mark is None:
        return _empty_root(site, entry, value, writer)
    if isinstance(node, Collection) and not node.flow:
        return _block_to_block(site, entry, value, writer)
    if _stands_below(site, entry):
        return _below(site, entry, value, writer)
    start, _ = _header(site, entry)
    if entry.key is not None:
        return _spread(site, entry, start, "", writer.nested(value, column(site.text, entry.head)))
    gap = _gap(site, entry)
    inner = column(site.text, entry.head) + 1 + gap
    first, *rest = writer.block(value, inner)
    if _keeps_anchor(entry):  # behind an anchor the first key would be what is anchored
        return _spread(site, entry, start, "", [" " * inner + first, *rest])
    return _spread(site, entry, start, " " * gap + first, rest)


def _keeps_anchor(entry: Entry) -> bool:
    return entry.value.anchor is not None and not isinstance(entry.value, Alias)


def _header(site: Site, entry: Entry) -> tuple[int, int]:
    """The span between key or dash and the value, without an anchor that stays and with a tag that goes."""
    node = entry.value
    if entry.mark is None:
        raise Unsafe("this would replace the whole document")
    if node.tag is None:
        end = node.start + 1 + len(node.anchor or "") if _keeps_anchor(entry) else entry.mark
        return end, end
    found = PROPERTY.match(site.text, node.start)
    if node.anchor is not None or found is None:
        raise Unsafe("a value with both an anchor and a tag")
    return entry.mark, found.end()


def _empty_root(site: Site, entry: Entry, value: Any, writer: Writer) -> Splices:
    node = entry.value
    if entry.explicit:
        raise Unsafe("the key stands behind a ? and has no value")
    if not isinstance(node, Collection) or node.entries or shares_line(site.text, node.start):
        raise Unsafe("this would replace the whole document")
    return (Splice(node.body, node.end, site.lines(writer.block(value, 0))),)


def _stands_below(site: Site, entry: Entry) -> bool:
    """Whether a scalar stands alone on a line below its key or dash."""
    node = entry.value
    alone = not shares_line(site.text, node.start) and line_start(site.text, node.start) > (entry.mark or 0)
    return alone and not is_empty(node) and not _keeps_anchor(entry) and node.tag is None


def _below(site: Site, entry: Entry, value: Any, writer: Writer) -> Splices:
    text, node = site.text, entry.value
    indent = column(text, node.start)
    lines = writer.nested(value, column(text, entry.head)) if entry.key is not None else writer.block(value, indent)
    if entry.key is None:
        lines[0] = " " * indent + lines[0]
    return _spread(site, entry, line_start(text, node.start), lines[0], lines[1:])


def _gap(site: Site, entry: Entry) -> int:
    """The blanks behind the dash, as they are if the value stands there."""
    mark, start = entry.mark or 0, entry.value.start
    here = start > mark and line_start(site.text, start) <= mark
    return start - mark if here else site.style.gap


def _spread(site: Site, entry: Entry, start: int, first: str, rest: list[str]) -> Splices:
    """`first` takes the place of the old text, the rest goes below the line: a comment at its end stays there."""
    text, end = site.text, max(start, entry.value.end)
    if end > start and text[end - 1] == "\n":
        end = before_break(text, end)
    below = line_end(text, end)
    if below == end:
        return (Splice(start, end, site.lines([first, *rest])),)
    return (Splice(start, end, first), Splice(below, below, site.lines(["", *rest]) if rest else ""))


def _block_to_block(site: Site, entry: Entry, value: Any, writer: Writer) -> Splices:
    """In the old block's column, unless a list takes a mapping's place below a key or the other way round."""
    text, node = site.text, entry.value
    assert isinstance(node, Collection)
    start, stop = _header(site, entry)
    untag = (Splice(start, stop, ""),) if stop > start else ()
    end, head = last_line_end(text, entry), node.entries[0].head
    if shares_line(text, head) or entry.key is None or node.is_map == isinstance(value, dict):
        return (*untag, Splice(head, end, site.lines(writer.block(value, column(text, head)))))
    lines = writer.nested(value, column(text, entry.head))
    return (*untag, Splice(line_start(text, head), end, site.lines(lines)))
