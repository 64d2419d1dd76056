"""Plans for new values and new keys."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from model.document import blocks
from model.document.errors import Unsafe
from model.document.lines import before_break, column, line_end
from model.document.plan import Plan, Site, Splice, Splices
from model.document.proof import comments
from model.document.tree import Alias, Collection, Entry, Node, Scalar, is_empty
from model.document.writing import double_quoted, literal

_CORE_TAG = re.compile(r"!|tag:yaml\.org,2002:(?:str|int|float|bool|null|map|seq)")
_HEADER = re.compile(r"[|>][-+0-9]*([ \t]+#.*)?[ \t]*")


def rename(site: Site, entry: Entry, key: Any) -> Iterator[Plan]:
    """Only the key's own characters change; its quotes stay if they can."""
    old = entry.key
    if not isinstance(old, Scalar) or old.tag is not None:
        raise Unsafe("the key is not a plain or quoted scalar")
    writer = site.writers()[0]
    quotes = old.style if old.style in ("'", '"') else ""
    texts = [writer.scalar(key, old=quotes, flow=in_flow(entry))]
    if isinstance(key, str):
        texts.append(double_quoted(key))
    for text in dict.fromkeys(texts):
        yield Plan((Splice(old.body, old.end, text),))


def set_value(site: Site, entry: Entry, value: Any, *, drop_tag: bool) -> Iterator[Plan]:
    """Plans for the new value, best first."""
    node = entry.value
    notes = _notes(node, drop_tag)
    for splices in _splices(site, entry, value):
        spans = tuple((splice.start, splice.end) for splice in splices)
        yield Plan(splices, spans if isinstance(node, Collection) else (), (*notes, *_lost(site, node, splices)))


def _splices(site: Site, entry: Entry, value: Any) -> Iterator[Splices]:
    node = entry.value
    stays_flow = isinstance(node, Collection) and node.flow and bool(node.entries)
    if isinstance(value, dict | list) and value and not in_flow(entry) and not stays_flow:
        for writer in site.writers():
            yield blocks.as_block(site, entry, value, writer)
        return
    for text in dict.fromkeys(_inline_texts(site, entry, value)):
        yield _as_inline(site, entry, text)


def in_flow(entry: Entry) -> bool:
    """Whether the value stands inside brackets."""
    parent = entry.value.parent
    while parent is not None and not parent.flow:
        parent = parent.parent
    return parent is not None


def _notes(node: Node, drop_tag: bool) -> tuple[str, ...]:
    if isinstance(node, Alias):
        return (f"the alias *{node.anchor} is replaced here only",)
    if node.tag is None:
        return ()
    shown = node.tag.replace("tag:yaml.org,2002:", "!!")
    if not drop_tag and not _CORE_TAG.fullmatch(node.tag):
        raise Unsafe(f"the value has the tag {shown}, which a new value would lose", help="set it with drop_tag")
    return (f"the tag {shown} is dropped",)


def _lost(site: Site, node: Node, splices: Splices) -> tuple[str, ...]:
    if isinstance(node, Scalar) and node.style in ("|", ">"):
        found = _HEADER.match(site.text, node.body)
        lost = bool(found and found[1]) and not any(found[1] in splice.text for splice in splices)  # type: ignore[index]
        return ("the comment behind the block's header goes",) if lost else ()
    if not isinstance(node, Collection):
        return ()
    inside = [start for start, _ in comments(site.tree) if any(s.start <= start < s.end for s in splices)]
    return ("comments inside the old value go with it",) if inside else ()


def _inline_texts(site: Site, entry: Entry, value: Any) -> Iterator[str]:
    """Texts for a value that starts behind its key, best first."""
    writer = site.writers()[0]
    if isinstance(value, dict | list):
        yield writer.flow(value)
        return
    node, flow = entry.value, in_flow(entry)
    old = node.style if isinstance(node, Scalar) else ""
    if isinstance(value, str) and not flow and (old in ("|", ">") or ("\n" in value and not old)):
        lines = _block_scalar(site, entry, value)
        if lines is not None:
            yield site.lines(lines)
    yield writer.scalar(value, old=old if old in ("'", '"') else "", flow=flow)
    if isinstance(value, str):
        yield double_quoted(value)


def _block_scalar(site: Site, entry: Entry, value: str) -> list[str] | None:
    """With the old block's mark, indent and header comment where there is one."""
    text, node = site.text, entry.value
    parent = column(text, entry.head) if node.parent is not None else -1
    indent, mark, comment = max(parent, 0) + site.style.step, "|", ""
    if isinstance(node, Scalar) and node.style in ("|", ">"):
        found = _HEADER.match(text, node.body)
        comment = (found[1] or "").rstrip() if found else ""
        mark = ">" if node.style == ">" and "\n" not in value.rstrip("\n") else "|"
        indent = _content_column(text[line_end(text, node.body) : node.end]) or indent
    return literal(value, indent, parent, mark=mark, comment=comment)


def _content_column(body: str) -> int | None:
    """The indent of the first line with content."""
    full = (line for line in body.split("\n") if line.strip())
    return next((len(line) - len(line.lstrip(" ")) for line in full), None)


def _as_inline(site: Site, entry: Entry, new: str) -> Splices:
    node = entry.value
    if isinstance(node, Collection) and not node.flow:
        return blocks.to_inline(site, entry, new)
    if is_empty(node) and node.start == node.end:
        return (_fill(entry, new),)
    if is_empty(node) and node.tag is None:
        return (Splice(node.end, node.end, f" {new}"),)
    end = node.end
    if isinstance(node, Scalar) and node.style in ("|", ">") and site.text[end - 1] == "\n":
        end = before_break(site.text, end)  # a block that keeps its breaks owns the last one: that stays
    if isinstance(node, Alias) or node.tag is None:
        return (Splice(node.body, end, new),)
    return (Splice(node.start, end, f"&{node.anchor} {new}" if node.anchor else new),)


def _fill(entry: Entry, new: str) -> Splice:
    """For a value that is not written at all."""
    if entry.mark is not None:
        return Splice(entry.mark, entry.mark, f" {new}")
    if entry.key is None or entry.explicit:
        raise Unsafe("the key stands behind a ? and has no value")
    return Splice(entry.key.end, entry.key.end, f": {new}")
