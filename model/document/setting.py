"""Plans for new values and new keys."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from model.document.errors import Unsafe
from model.document.extent import last_line_end
from model.document.lines import before_break, column, line_end, line_start, shares_line
from model.document.plan import Plan, Site, Splice
from model.document.tree import Alias, Collection, Entry, Node, Scalar, is_empty
from model.document.writing import Writer, double_quoted, literal

_COMMENT = re.compile(r"(?:^|[ \t])#", re.MULTILINE)
_CORE_TAG = re.compile(r"!|tag:yaml\.org,2002:(?:str|int|float|bool|null|map|seq)")


def rename(site: Site, entry: Entry, key: Any) -> Iterator[Plan]:
    """Only the key's own characters change; its quotes stay if they can."""
    old = entry.key
    if not isinstance(old, Scalar) or old.tag is not None:
        raise Unsafe("the key is not a plain or quoted scalar")
    writer = site.writers()[0]
    flow = in_flow(entry)
    style = old.style if old.style in ("'", '"') else ""
    texts = [writer.scalar(key, old=style, flow=flow) if style else writer.key(key, flow=flow)]
    if isinstance(key, str):
        texts.append(double_quoted(key))
    for text in dict.fromkeys(texts):
        yield Plan((Splice(old.body, old.end, text),))


def set_value(site: Site, entry: Entry, value: Any, *, drop_tag: bool) -> Iterator[Plan]:
    """Plans for the new value, best first."""
    node = entry.value
    warnings = _warnings(node, drop_tag)
    kept_flow = isinstance(node, Collection) and node.flow and bool(node.entries)
    if isinstance(value, dict | list) and value and not in_flow(entry) and not kept_flow:
        plans = (_as_block(site, entry, value, writer) for writer in site.writers())
    else:
        plans = (_as_inline(site, entry, text) for text in dict.fromkeys(_inline_texts(site, entry, value)))
    for plan in plans:
        lost = [site.text[splice.start : splice.end] for splice in plan.splices]
        note = ("comments inside the old value go with it",) if any(map(_COMMENT.search, lost)) else ()
        spans = tuple((splice.start, splice.end) for splice in plan.splices) if isinstance(node, Collection) else ()
        if isinstance(node, Scalar) and node.style in ("|", ">"):
            spans, note = plan.gives_up, () if not plan.gives_up else ("the comment behind the block's header goes",)
        yield Plan(plan.splices, spans, warnings + (note if isinstance(node, Collection) or spans else ()))


def in_flow(entry: Entry) -> bool:
    parent = entry.value.parent
    while parent is not None and not parent.flow:
        parent = parent.parent
    return parent is not None


def _warnings(node: Node, drop_tag: bool) -> tuple[str, ...]:
    notes = []
    if isinstance(node, Alias):
        notes.append(f"the alias *{node.anchor} is replaced here only")
    if node.tag is not None:
        if not drop_tag and not _CORE_TAG.fullmatch(node.tag):
            raise Unsafe(f"the value has the tag {node.tag}, which a new value would lose", help="set it with drop_tag")
        notes.append(f"the tag {node.tag} is dropped")
    return tuple(notes)


def _inline_texts(site: Site, entry: Entry, value: Any) -> Iterator[str]:
    """Texts for a value that starts behind its key, best first."""
    writer = site.writers()[0]
    node = entry.value
    old = node.style if isinstance(node, Scalar) else ""
    flow = in_flow(entry)
    if isinstance(value, dict | list):
        yield writer.flow(value)
        return
    if isinstance(value, str) and not flow and (old in ("|", ">") or ("\n" in value and not old)):
        lines = _block_scalar(site, entry, value)
        if lines is not None:
            yield site.lines(lines)
    yield writer.scalar(value, old=old if old in ("'", '"') else "", flow=flow)
    if isinstance(value, str):
        yield double_quoted(value)


def _block_scalar(site: Site, entry: Entry, value: str) -> list[str] | None:
    text, node = site.text, entry.value
    parent = column(text, entry.head) if node.parent is not None else -1
    indent, mark, comment = max(parent, 0) + site.style.step, "|", ""
    if isinstance(node, Scalar) and node.style in ("|", ">"):
        header = text[node.body : line_end(text, node.body)]
        found = re.fullmatch(r"[|>][-+0-9]*([ \t]+#.*)?[ \t]*", header)
        comment = (found[1] or "") if found else ""
        mark = ">" if node.style == ">" and "\n" not in value.rstrip("\n") else "|"
        indent = _content_column(text[: node.end], line_end(text, node.body)) or indent
    return literal(value, indent, parent, mark=mark, comment=comment)


def _content_column(text: str, offset: int) -> int | None:
    """The indent of the first line with content below the header."""
    for line in text[offset:].split("\n")[1:]:
        if line.strip():
            return len(line) - len(line.lstrip(" "))
    return None


def _content(node: Node) -> tuple[int, int, str]:
    """The span that a new value takes, and what stays of anchor and tag in front of it."""
    end = node.end
    if isinstance(node, Alias):
        return node.start, end, ""
    if node.tag is not None:
        return node.start, end, f"&{node.anchor} " if node.anchor else ""
    return node.body, end, ""


def _as_inline(site: Site, entry: Entry, new: str) -> Plan:
    text, node = site.text, entry.value
    if isinstance(node, Collection) and not node.flow:
        return _block_to_inline(site, entry, new)
    start, end, kept = _content(node)
    if is_empty(node) and node.start == node.end:
        return Plan((_fill(entry, new),))
    if is_empty(node) and node.tag is None:
        return Plan((Splice(end, end, f" {new}"),))
    if isinstance(node, Scalar) and node.style in ("|", ">"):
        if text[end - 1 : end] == "\n":
            end = before_break(text, end)
        header = (node.body, line_end(text, node.body))
        loses = new[:1] not in ("|", ">") and _COMMENT.search(text[header[0] : header[1]])
        return Plan((Splice(start, end, kept + new),), (header,) if loses else ())
    return Plan((Splice(start, end, kept + new),))


def _fill(entry: Entry, new: str) -> Splice:
    """For a value that is not written at all."""
    if entry.mark is not None:
        return Splice(entry.mark, entry.mark, f" {new}")
    if entry.key is None:
        raise Unsafe("nothing is written here that could be replaced")
    return Splice(entry.key.end, entry.key.end, f": {new}")


def _header_end(entry: Entry) -> tuple[int, int, str]:
    """What stands between the indicator and a block below it: the span to rewrite and the anchor that stays."""
    node = entry.value
    if entry.mark is None:
        raise Unsafe("this would replace the whole document")
    if node.tag is not None:
        return entry.mark, _properties_end(node), f" &{node.anchor}" if node.anchor else ""
    end = node.start + 1 + len(node.anchor) if node.anchor else entry.mark
    return end, end, ""


def _properties_end(node: Node) -> int:
    """Anchor and tag stand before the body with white space between; comments may follow them."""
    width = (len(node.anchor) + 1 if node.anchor else 0) + (1 if node.anchor and node.tag else 0)
    if node.anchor:
        raise Unsafe("a block with both an anchor and a tag")
    return node.start + width


def _block_to_inline(site: Site, entry: Entry, new: str) -> Plan:
    text, node = site.text, entry.value
    end = last_line_end(text, Entry(entry.key, node, entry.head, entry.mark))
    if node.tag is not None:
        raise Unsafe("a block with a tag")
    start, _, _ = _header_end(entry)
    if line_start(text, node.body) == line_start(text, start):
        return Plan((Splice(node.body, end, new),))
    header = line_end(text, start)
    return Plan((Splice(start, start, f" {new}"), Splice(header, end, "")))


def _as_block(site: Site, entry: Entry, value: Any, writer: Writer) -> Plan:
    text, node = site.text, entry.value
    if entry.mark is None:
        raise Unsafe("this would replace the whole document")
    if isinstance(node, Collection) and not node.flow:
        return _block_to_block(site, entry, value, writer)
    end = before_break(text, node.end) if text[node.end - 1] == "\n" and node.end > node.start else node.end
    base = column(text, entry.head)
    keeps_anchor = node.anchor is not None and not isinstance(node, Alias)
    if node.tag is not None and keeps_anchor:
        raise Unsafe("a value with both an anchor and a tag")
    cut = node.start + 1 + len(node.anchor or "") if keeps_anchor else entry.mark
    own_line = line_start(text, node.start) > entry.mark and not keeps_anchor
    if entry.key is None and not own_line:
        gap = _gap(site, entry)
        first, *rest = writer.block(value, base + 1 + gap)
        if keeps_anchor:
            first, rest = "", [" " * (base + 1 + gap) + first, *rest]
            return _replace_and_append(site, cut, end, first, rest)
        return _replace_and_append(site, cut, end, " " * gap + first, rest)
    if entry.key is None:
        lines = writer.block(value, column(text, node.start))
        lines[0] = " " * column(text, node.start) + lines[0]
    else:
        lines = writer.nested(value, base)
    if own_line and not shares_line(text, node.start):
        return _replace_and_append(site, line_start(text, node.start), end, lines[0], lines[1:])
    return _replace_and_append(site, cut, max(cut, end), "", lines)


def _gap(site: Site, entry: Entry) -> int:
    mark = entry.mark or 0
    start = entry.value.body
    same_line = start > mark and line_start(site.text, start) <= mark
    return start - mark if same_line else site.style.gap


def _replace_and_append(site: Site, start: int, end: int, first: str, rest: list[str]) -> Plan:
    """`first` takes the place of the old text, the rest goes below the line (a comment at its end stays there)."""
    below = line_end(site.text, max(start, end))
    if below == end:
        return Plan((Splice(start, end, site.lines([first, *rest])),))
    return Plan((Splice(start, end, first), Splice(below, below, site.lines(["", *rest]) if rest else "")))


def _block_to_block(site: Site, entry: Entry, value: Any, writer: Writer) -> Plan:
    text, node = site.text, entry.value
    assert isinstance(node, Collection)
    if node.tag is not None:
        raise Unsafe("a block with a tag")
    end = last_line_end(text, entry)
    head = node.entries[0].head
    same_kind = node.is_map == isinstance(value, dict)
    if shares_line(text, head):
        return Plan((Splice(head, end, site.lines(writer.block(value, column(text, head)))),))
    if same_kind:
        lines = writer.block(value, column(text, head))
        return Plan((Splice(head, end, site.lines(lines)),))
    if entry.key is None:
        lines = writer.block(value, column(text, head))
        return Plan((Splice(head, end, site.lines(lines)),))
    lines = writer.nested(value, column(text, entry.head))
    return Plan((Splice(line_start(text, head), end, site.lines(lines)),))
