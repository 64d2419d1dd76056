"""The nodes of a text with their exact spans: what edits are planned on.

Block mappings and lists, flow or not, are all a `Collection` of entries, so that deleting, inserting and moving
are written once. Made for the piece of text that an edit touches, not for the whole file (see `outline`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from model.document import scalars
from model.document.events import (
    Alias as AliasEvent,
)
from model.document.events import (
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    events,
)

PROPERTY = re.compile(r"!<[^>]*>|[&!][^\s\[\]{},]*")
GAP = re.compile(r"(?:[ \t\r\n]+|\ufeff|(?<![^\s\[\]{},])#[^\r\n]*)*")  # white space and comments
_GAP_STARTS = " \t\r\n\ufeff#"


@dataclass(slots=True, eq=False)
class Node:
    """`start` counts anchor and tag in, `body` is where the content itself starts; `end` is behind the content."""

    start: int
    body: int
    end: int
    anchor: str | None
    tag: str | None
    parent: Collection | None = field(default=None, repr=False)


@dataclass(slots=True, eq=False)
class Scalar(Node):
    text: str = ""
    style: str = ""  # "", ', ", | or >

    @property
    def empty(self) -> bool:
        """Nothing is written, so the value is null."""
        return not self.text and not self.style and self.body == self.end


@dataclass(slots=True, eq=False)
class Alias(Node):
    """`anchor` is the name it points to."""

    empty = False


@dataclass(slots=True, eq=False)
class Entry:
    """A key with its value, or an item. `head` is where it starts: the key, its `?`, the dash, the flow item."""

    key: Node | None
    value: Node
    head: int = 0
    mark: int | None = None  # behind the ":" or "-"; None where none is written
    explicit: bool = False  # written with "?"

    @property
    def end(self) -> int:
        if not is_empty(self.value) or self.value.end > self.value.start:
            return self.value.end
        if self.mark is not None:
            return self.mark
        return self.key.end if self.key is not None else self.value.end


@dataclass(slots=True, eq=False)
class Collection(Node):
    is_map: bool = True
    flow: bool = False
    entries: list[Entry] = field(default_factory=list)
    bracketed: bool = False  # a flow collection that has its own brackets: `[a: b]` holds one that has not

    empty = False


def is_empty(node: Node) -> bool:
    return isinstance(node, Scalar) and node.empty


Event = tuple[Any, ...]  # kind, start, end and the rest: scalars, aliases, brackets, which the proof compares


@dataclass(slots=True)
class Tree:
    """All documents of a text: their root nodes, and the events that they were made from."""

    text: str
    roots: list[Node]
    events: list[Event]
    resolve: Callable[[str], Any]

    def value(self, node: Node) -> Any:
        """What a scalar means; None for what is no scalar."""
        if not isinstance(node, Scalar):
            return None
        if node.tag is not None:
            return scalars.tagged(node.text, node.tag)
        return node.text if node.style else self.resolve(node.text)

    def is_merge(self, key: Node | None) -> bool:
        return isinstance(key, Scalar) and key.text == "<<" and not key.style and key.tag is None

    def matches(self, entry: Entry, step: object) -> bool:
        """Whether the entry's key is `step`, in value and type."""
        if not isinstance(entry.key, Scalar) or self.is_merge(entry.key):
            return False
        value = self.value(entry.key)
        return type(value) is type(step) and bool(value == step)

    def anchors(self, name: str) -> list[Node]:
        return [
            node for root in self.roots for node in walk(root) if node.anchor == name and not isinstance(node, Alias)
        ]

    def aliases(self, name: str) -> list[Alias]:
        return [n for root in self.roots for n in walk(root) if isinstance(n, Alias) and n.anchor == name]

    def target(self, alias: Alias) -> Node | None:
        """The node that an alias means: the last of that name above it."""
        above = [node for node in self.anchors(alias.anchor or "") if node.start < alias.start]
        return above[-1] if above else None


def walk(node: Node) -> Iterator[Node]:
    """The node and all below it, in the order of the text."""
    yield node
    if isinstance(node, Collection):
        for entry in node.entries:
            if entry.key is not None:
                yield from walk(entry.key)
            yield from walk(entry.value)


def parse(text: str) -> Tree:
    """Raises Invalid, and Refused where the parser gives up."""
    return _Builder(text).build()


class _Builder:
    def __init__(self, text: str) -> None:
        self.text = text
        self.tree = Tree(text, [], [], scalars.core)
        self.stack: list[Collection] = []
        self.keys: list[Node | None] = []

    def build(self) -> Tree:
        for event in events(self.text):
            kind = event.__class__
            if kind is ScalarEvent:
                self._add(self._scalar(event))
            elif kind is MappingStartEvent or kind is SequenceStartEvent:
                self._open(event, kind is MappingStartEvent)
            elif kind is MappingEndEvent or kind is SequenceEndEvent:
                self._close(event)
            elif kind is AliasEvent:
                start, end = event.start_mark.index, event.end_mark.index
                self._record("alias", start, end, event.anchor)
                self._add(Alias(start, start, end, event.anchor, None))
            elif kind is DocumentStartEvent and event.version is not None:
                self.tree.resolve = scalars.yaml_1_1 if event.version == (1, 1) else scalars.core
        return self.tree

    def _record(self, *event: Any) -> None:
        self.tree.events.append(event)

    def _scalar(self, event: Any) -> Scalar:
        start, end, style = event.start_mark.index, event.end_mark.index, event.style or ""
        if style in ("|", ">"):
            end = _block_end(self.text, start, end)
        body = min(self._skip_properties(start, event), end)
        if end > start:  # one that is not written has its mark at whatever comes next
            self._record("scalar", start, end, event.anchor, event.tag, event.value, style)
        return Scalar(start, body, end, event.anchor, event.tag, None, event.value, style)

    def _open(self, event: Any, is_map: bool) -> None:
        start = event.start_mark.index
        body = self._skip_properties(start, event)
        flow = bool(event.flow_style)
        node = Collection(start, body, body, event.anchor, event.tag, None, is_map, flow)
        node.bracketed = flow and self.text[body : body + 1] in ("[", "{")
        if node.bracketed:
            self._record("open", start, body + 1, event.anchor, event.tag)
        self.stack.append(node)
        self.keys.append(None)

    def _close(self, event: Any) -> None:
        node = self.stack.pop()
        self.keys.pop()
        if node.flow:
            node.end = event.end_mark.index
        elif node.entries:
            node.end = node.entries[-1].end
        if node.bracketed:
            self._record("close", node.end - 1, node.end)
        self._add(node)

    def _add(self, node: Node) -> None:
        if not self.stack:
            self.tree.roots.append(node)
            return
        parent = self.stack[-1]
        node.parent = parent
        if not parent.is_map:
            self._append(parent, Entry(None, node))
        elif self.keys[-1] is None:
            self.keys[-1] = node
        else:
            self._append(parent, Entry(self.keys[-1], node))
            self.keys[-1] = None

    def _append(self, parent: Collection, entry: Entry) -> None:
        """Find the entry's indicator: between entries stand only white space, comments and the indicators."""
        text = self.text
        behind = parent.entries[-1].end if parent.entries else parent.body
        first = entry.key or entry.value
        entry.head = first.start
        if not parent.flow and text.find("?" if parent.is_map else "-", behind, first.start + 1) >= 0:
            head = self._gap(behind)
            if text[head : head + 1] == ("?" if parent.is_map else "-") and (head < first.start or not parent.is_map):
                entry.head, entry.explicit = head, parent.is_map
        elif parent.is_map:
            entry.explicit = "?" in text[behind : first.start] and _has_question(text, behind, first.start)
        if parent.is_map and entry.key is not None:
            colon = self._gap(entry.key.end)
            entry.mark = colon + 1 if text[colon : colon + 1] == ":" else None
        elif not parent.flow:
            entry.mark = entry.head + 1
        parent.entries.append(entry)

    def _gap(self, offset: int) -> int:
        if self.text[offset : offset + 1] not in _GAP_STARTS:  # nearly always: the colon stands right behind the key
            return offset
        found = GAP.match(self.text, offset)
        return found.end() if found else offset

    def _skip_properties(self, start: int, event: Any) -> int:
        position = start
        if event.anchor is None and event.tag is None:
            return position
        for _ in range((event.anchor is not None) + (event.tag is not None)):
            found = PROPERTY.match(self.text, position)
            if found is None:
                return position
            position = self._gap(found.end())
        return position


def _has_question(text: str, start: int, end: int) -> bool:
    """Whether a `?` stands there outside comments."""
    return any("?" in line.split("#")[0] for line in text[start:end].split("\n"))


def _block_end(text: str, start: int, end: int) -> int:
    """The parser's mark runs over the blank lines below; they are content only of a scalar that keeps them (`+`)."""
    header_end = text.find("\n", start)
    header = text[start : header_end if header_end >= 0 else end]
    if "+" in header.split("#")[0].rpartition("|" if "|" in header else ">")[2]:
        return end
    while end > start and text[end - 1] in " \t\r\n":
        end -= 1
    return end
