"""Plans inside `{...}` and `[...]`: padding, trailing commas and comments stay as they are."""

from __future__ import annotations

from model.document.errors import Unsafe
from model.document.lines import line_end, line_start, next_line, shares_line
from model.document.plan import Plan, Site, Splice
from model.document.tree import GAP, Collection


def insert(site: Site, node: Collection, index: int, new: str) -> Plan:
    """A new entry at `index`, on a line of its own where the others are."""
    if not node.bracketed:
        raise Unsafe("the pair has no brackets of its own")
    if not node.entries:
        return _only(site, node, new)
    if index < len(node.entries):
        return _before(site, node, index, new)
    return _last(site, node, new)


def _only(site: Site, node: Collection, new: str) -> Plan:
    inner = site.text[node.body + 1 : node.end - 1]
    if inner.strip():
        raise Unsafe("the empty brackets hold a comment")
    if "\n" in inner:
        return Plan((Splice(node.body + 1, node.body + 1, new),))
    return Plan((Splice(node.body + 1, node.end - 1, new),))


def _before(site: Site, node: Collection, index: int, new: str) -> Plan:
    head = node.entries[index].head
    return Plan((Splice(head, head, new + _separator(site, head)),))


def _separator(site: Site, head: int) -> str:
    """What parts a new entry from the one at `head`: a line break where that one starts a line."""
    if shares_line(site.text, head):
        return ", "
    return "," + site.style.eol + site.text[line_start(site.text, head) : head]


def _last(site: Site, node: Collection, new: str) -> Plan:
    text = site.text
    last = node.entries[-1]
    comma = _comma(text, last.end)
    own_lines = not shares_line(text, node.entries[0].head) and not shares_line(text, last.head)
    behind = last.end if comma is None else comma + 1
    if not own_lines:
        return Plan((Splice(behind, behind, f", {new}" if comma is None else f" {new}"),))
    stop = line_end(text, behind)
    rest = text[behind:stop].strip()
    if rest and not rest.startswith("#"):
        return Plan((Splice(behind, behind, f", {new}" if comma is None else f" {new},"),))
    below = site.style.eol + text[line_start(text, last.head) : last.head] + new
    if comma is not None:
        return Plan((Splice(stop, stop, below + ","),))
    return Plan((Splice(behind, behind, ","), Splice(stop, stop, below)))


def _comma(text: str, end: int) -> int | None:
    found = GAP.match(text, end)
    place = found.end() if found else end
    return place if text[place : place + 1] == "," else None


def delete(site: Site, node: Collection, index: int) -> Plan:
    """Without the entry and one comma; an entry alone on its line goes with the line."""
    text = site.text
    entry = node.entries[index]
    if not node.bracketed:
        raise Unsafe("the pair has no brackets of its own")
    comma = _comma(text, entry.end)
    end = entry.end if comma is None else comma + 1
    if len(node.entries) == 1:
        return _delete_only(site, node, entry.head, end)
    start = line_start(text, entry.head)
    stop = line_end(text, end)
    rest = text[end:stop].strip()
    alone = not shares_line(text, entry.head) and (not rest or rest.startswith("#"))
    if alone and (index < len(node.entries) - 1 or comma is not None):
        return Plan((Splice(start, next_line(text, end), ""),), ((start, next_line(text, end)),))
    if index < len(node.entries) - 1:
        return _delete_up_to_next(site, node, index, end)
    return _delete_last(site, node, index, end, comma)


def _delete_only(site: Site, node: Collection, head: int, end: int) -> Plan:
    inner = site.text[node.body + 1 : node.end - 1]
    if "\n" in inner or "#" in inner:
        return Plan((Splice(head, end, ""),))
    return Plan((Splice(node.body + 1, node.end - 1, ""),))


def _delete_up_to_next(site: Site, node: Collection, index: int, end: int) -> Plan:
    head, following = node.entries[index].head, node.entries[index + 1].head
    between = site.text[end:following]
    if "#" in between or "\n" in between:
        return Plan((Splice(head, end, ""),))
    return Plan((Splice(head, following, ""),))


def _delete_last(site: Site, node: Collection, index: int, end: int, comma: int | None) -> Plan:
    """The comma in front goes too, unless a trailing one does."""
    text = site.text
    entry, above = node.entries[index], node.entries[index - 1]
    front = _comma(text, above.end)
    if front is None:
        raise Unsafe("no comma between the entries")
    between = text[front + 1 : entry.head]
    if "#" in between or (comma is not None and "\n" in between):
        return Plan((Splice(entry.head, end, ""),))
    if comma is not None:
        return Plan((Splice(front + 1, end, ""),))
    if "#" in text[above.end : front]:
        return Plan((Splice(front, front + 1, ""), Splice(front + 1, entry.end, "")))
    return Plan((Splice(above.end, entry.end, ""),))
