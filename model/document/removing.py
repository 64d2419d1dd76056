"""Plans for deleting a key or an item with what belongs to it."""

from __future__ import annotations

from collections.abc import Iterator

from model.document import flow
from model.document.anchors import refuse_used
from model.document.errors import Unsafe
from model.document.extent import (
    blank_lines_above,
    entry_end,
    is_blank_or_end,
    lead_start,
)
from model.document.lines import before_break, line_end, line_start, shares_line
from model.document.plan import Plan, Site, Splice
from model.document.tree import Collection, Entry, walk


def delete(site: Site, holder: Entry, index: int, *, keep_comments: bool) -> Iterator[Plan]:
    """Plans for taking entry `index` out of the collection that `holder` holds, best first."""
    node = holder.value
    assert isinstance(node, Collection)
    _refuse_named(site, node, index)
    if node.flow:
        yield flow.delete(site, node, index)
    elif len(node.entries) == 1:
        yield _last_one(site, holder, node)
    elif shares_line(site.text, node.entries[index].head):
        yield _behind_dash(site, node, index)
    else:
        yield from _lines(site, node, index, keep_comments)


def _refuse_named(site: Site, node: Collection, index: int) -> None:
    """An anchor that others use cannot go."""
    entry = node.entries[index]
    gone = [*walk(entry.value), *(walk(entry.key) if entry.key is not None else ())]
    refuse_used(site.tree, gone, entry.head, max(entry.end, entry.head + 1))


def _last_one(site: Site, holder: Entry, node: Collection) -> Plan:
    """The collection becomes `{}` or `[]`; the comment behind the parent's key stays."""
    text = site.text
    entry = node.entries[0]
    empty = "{}" if node.is_map else "[]"
    end = before_break(text, entry_end(text, entry))
    if node.tag is not None or (node.anchor is not None and not shares_line(text, entry.head)):
        raise Unsafe("a block with an anchor or a tag would become empty")
    if holder.mark is None or shares_line(text, entry.head):
        return Plan((Splice(entry.head, end, empty),), ((entry.head, end),))
    header = line_end(text, holder.mark)
    return Plan((Splice(holder.mark, holder.mark, f" {empty}"), Splice(header, end, "")), ((header, end),))


def _behind_dash(site: Site, node: Collection, index: int) -> Plan:
    """`- a: 1`: the next entry moves up to the dash; a comment between leaves the dash bare."""
    text = site.text
    head = node.entries[index].head
    if index or node.anchor is not None:
        raise Unsafe("the entry shares its line with another")
    following = node.entries[1].head
    end = entry_end(text, node.entries[0])
    if not text[end:following].strip():
        return Plan((Splice(head, following, ""),), ((head, end),))
    start = line_start(text, head) + len(text[line_start(text, head) : head].rstrip())
    return Plan((Splice(start, before_break(text, end), ""),), ((head, end),))


def _lines(site: Site, node: Collection, index: int, keep_comments: bool) -> Iterator[Plan]:
    text = site.text
    entry = node.entries[index]
    start = line_start(text, entry.head) if keep_comments else lead_start(text, node, index)
    end = entry_end(text, entry)
    gives_up = ((start, end),)
    if is_blank_or_end(text, end) and index:
        start = max(blank_lines_above(text, start), _floor(text, node, index))
    if end == len(text) and not text.endswith("\n") and start:
        yield Plan((Splice(before_break(text, start), end, ""),), gives_up)
        note = "the file now ends with a line break: the block scalar above needs it"
        yield Plan((Splice(start, end, ""),), gives_up, (note,))
    yield Plan((Splice(start, end, ""),), gives_up)


def _floor(text: str, node: Collection, index: int) -> int:
    return entry_end(text, node.entries[index - 1])
