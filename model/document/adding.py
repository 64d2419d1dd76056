"""Plans for new keys and new items."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from model.document import flow
from model.document.extent import above_first, entry_end, separation
from model.document.lines import column, line_end, line_start, next_line, shares_line
from model.document.plan import Plan, Site, Splice
from model.document.tree import Collection, Node, Scalar
from model.document.writing import Writer
from model.document.written import Written

_NO_KEY = object()  # the new entry is an item of a list


def insert_key(
    site: Site, node: Collection, index: int, key: Any, value: Any, written: Written | None = None
) -> Iterator[Plan]:
    """Plans for a new entry `key: value` at `index`, best first: as it was written once, if it was."""
    return _as_written(site, node, index, written, _insert(site, node, index, key, value))


def insert_item(site: Site, node: Collection, index: int, value: Any, written: Written | None = None) -> Iterator[Plan]:
    """Plans for a new item at `index`, best first: as it was written once, if it was."""
    return _as_written(site, node, index, written, _insert(site, node, index, _NO_KEY, value))


def not_restored(written: Written | None) -> tuple[str, ...]:
    """What is to be said if an entry comes back by its data alone."""
    if written is None or not written.beyond_data:
        return ()
    return (f"the {' and '.join(written.beyond_data)} that were deleted with it are not restored",)


def _as_written(
    site: Site, node: Collection, index: int, written: Written | None, by_data: Iterator[Plan]
) -> Iterator[Plan]:
    if written is not None and written.lines and not node.flow:
        yield from _old_lines(site, node, index, written)
    for plan in by_data:
        yield replace(plan, warnings=(*plan.warnings, *not_restored(written)))


def _old_lines(site: Site, node: Collection, index: int, written: Written) -> Iterator[Plan]:
    text, eol = site.text, site.style.eol
    pad = " " * column(text, node.entries[0].head)
    block = eol.join(pad + line if line else "" for line in written.lines)
    if index:
        place = _behind_entry(text, entry_end(text, node.entries[index - 1]), written)
        block = eol * written.above * written.spaced + block
    elif not shares_line(text, node.entries[0].head):
        place = _above_lead(text, node.entries[0].head, written.lead)
    else:
        return
    ends = place < len(text) or text.endswith("\n")
    yield Plan((Splice(place, place, block + eol if ends else eol + block),), brings=True)


def _behind_entry(text: str, end: int, written: Written) -> int:
    """Below the lines that stood between, if they still stand there; blank lines went along with the entry only if
    others stood below it."""
    place = end
    for line in (*written.banner, *([""] * written.above * (not written.spaced))):
        if place == len(text) or text[place : line_end(text, place)].strip() != line:
            return end
        place = next_line(text, place)
    return place


def _above_lead(text: str, head: int, lines: int) -> int:
    """Above as many comments and blank lines over an entry; fewer if there are no more."""
    place = line_start(text, head)
    for _ in range(lines):
        above = line_start(text, place - 1) if place else 0
        line = text[above:place].strip()
        if line and not line.startswith("#"):
            break
        place = above
    return place


def first_key(site: Site, key: Any, value: Any, end: int) -> Iterator[Plan]:
    """Plans for the first key of a file that holds no more than comments; `end` is where its content may end."""
    text = site.text
    gap = "" if not text[:end] or text[:end].endswith("\n") else site.style.eol
    for writer in site.writers():
        yield Plan((Splice(end, end, gap + site.lines(writer.entry(key, value, 0)) + site.style.eol),))


def child_index(keys: Sequence[Any], new: Any, order: tuple[str, ...], before: Any, after: Any) -> int:
    """Where the new key goes: next to the named sibling; else behind the last key that `order` puts before it."""
    if before is not None:
        return keys.index(before)
    if after is not None:
        return keys.index(after) + 1
    if new not in order:
        return len(keys)
    ahead = set(order[: order.index(new)])
    known = [index for index, key in enumerate(keys) if key in ahead]
    if known:
        return known[-1] + 1
    later = set(order)
    return next((index for index, key in enumerate(keys) if key in later), len(keys))


def _insert(site: Site, node: Collection, index: int, key: Any, value: Any) -> Iterator[Plan]:
    if node.flow:
        writer = site.writers()[0]
        text = writer.flow(value)
        yield flow.insert(site, node, index, text if key is _NO_KEY else f"{writer.scalar(key, flow=True)}: {text}")
        return
    for writer in site.writers():
        if index == 0:
            yield _first(site, node, _entry_lines(site, node, writer, key, value))
        else:
            yield from _behind(site, node, index, _entry_lines(site, node, writer, key, value))


def _entry_lines(site: Site, node: Collection, writer: Writer, key: Any, value: Any) -> list[str]:
    at = column(site.text, node.entries[0].head)
    if key is not _NO_KEY:
        return writer.entry(key, value, at)
    return writer.item(value, at, _dash_gap(site, node))


def _dash_gap(site: Site, node: Collection) -> int:
    """The blanks behind the dashes: as in most items of this list that start on their dash's line."""
    gaps = [
        entry.value.start - entry.mark
        for entry in node.entries
        if entry.mark is not None
        and entry.value.end > entry.mark
        and line_start(site.text, entry.value.start) <= entry.head
    ]
    return max(1, max(set(gaps), key=gaps.count)) if gaps else site.style.gap


def _first(site: Site, node: Collection, lines: list[str]) -> Plan:
    text, eol = site.text, site.style.eol
    head = node.entries[0].head
    pad = " " * column(text, head)
    blank = eol * separation(text, node)
    if shares_line(text, head):
        return Plan((Splice(head, head, site.lines(lines) + eol + blank + pad),))
    start = above_first(text, node)
    return Plan((Splice(start, start, pad + site.lines(lines) + eol + blank),))


def _behind(site: Site, node: Collection, index: int, lines: list[str]) -> Iterator[Plan]:
    text, eol = site.text, site.style.eol
    above = node.entries[index - 1]
    place = entry_end(text, above)
    blank = eol * separation(text, node)
    block = blank + " " * column(text, above.head) + site.lines(lines)
    if place < len(text) or text.endswith("\n"):
        yield Plan((Splice(place, place, block + eol),))
        return
    yield Plan((Splice(place, place, eol + block),))
    yield from _behind_open_block(site, node, place, eol + block)


def _behind_open_block(site: Site, node: Collection, place: int, block: str) -> Iterator[Plan]:
    """A `|` scalar that ends the file without line break would gain one from a line below: `|-` keeps its value."""
    last = _last_leaf(node)
    if not isinstance(last, Scalar) or last.style not in ("|", ">") or last.text.endswith("\n"):
        return
    header = site.text[last.body : line_end(site.text, last.body)]
    if "-" in header.split("#")[0] or "+" in header.split("#")[0]:
        return
    mark = last.body + 1
    while site.text[mark].isdigit():
        mark += 1
    note = "the block scalar at the end of the file now says '|-', so that its value stays the same"
    yield Plan((Splice(mark, mark, "-"), Splice(place, place, block)), (), (note,))


def _last_leaf(node: Node) -> Node:
    while isinstance(node, Collection) and node.entries:
        node = node.entries[-1].value
    return node
