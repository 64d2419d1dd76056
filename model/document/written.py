"""An entry as it was written, with its comments: what an undo brings back that data alone cannot."""

from __future__ import annotations

from typing import TYPE_CHECKING

from model.document.errors import DocumentError
from model.document.extent import blank_lines_above, entry_end, is_blank_or_end, lead_start
from model.document.lines import column, line_end, shares_line
from model.document.proof import comments
from model.document.tree import Alias, Collection, Entry, Tree, walk
from model.quick_dataclass import dataclass

if TYPE_CHECKING:
    from model.document.document import YamlDoc
    from model.document.edits import Path


@dataclass(frozen=True, slots=True)
class Written:
    """`lines` are the entry's with its comments, without the indent of its column; none where it does not stand on
    lines of its own. `above` are the blank lines over it, `banner` the lines between these and the entry before,
    `lead` the comments and blank lines over the entry behind."""

    lines: tuple[str, ...] = ()
    above: int = 0
    banner: tuple[str, ...] = ()
    lead: int = 0
    spaced: bool = True
    """Whether a blank line, or nothing at all, stood below it."""
    beyond_data: tuple[str, ...] = ()
    """What of it is no data, in words: it is lost where the entry can come back by its data alone."""


def as_written(doc: YamlDoc, path: Path) -> Written | None:
    """The entry at `path`; None where no text can be found for it."""
    from model.document.finding import find
    from model.document.tree import parse
    from model.document.window import window_of_value

    above, step = path[:-1], path[-1]
    window = window_of_value(len(doc.source), doc.outline, doc.end, above)
    tree = parse(doc.source.slice(window.start, window.end))
    root = doc.document or 0 if window.chain is None else 0
    try:
        node = find(tree, root, window.path).value
        entry = find(tree, root, (*window.path, step))
        if not isinstance(node, Collection):
            return None
        index = next(i for i, each in enumerate(node.entries) if each.value is entry.value)
        return _written(tree, node, index)
    except DocumentError:
        return None


def _written(tree: Tree, node: Collection, index: int) -> Written:
    text, entry = tree.text, node.entries[index]
    if node.flow:
        return Written(beyond_data=_beyond_data(tree, entry, entry.head, min(line_end(text, entry.end), node.end)))
    end = entry_end(text, entry)
    if shares_line(text, entry.head) or len(node.entries) == 1:
        return Written(beyond_data=_beyond_data(tree, entry, entry.head, end))
    start = lead_start(text, node, index)
    over = blank_lines_above(text, start) if index else start
    indent = column(text, entry.head)
    lines = [line.removesuffix("\r") for line in text[start:end].removesuffix("\n").split("\n")]
    below = node.entries[index + 1] if index + 1 < len(node.entries) else None
    return Written(
        () if any(line[:indent].strip() for line in lines) else tuple(line[indent:] for line in lines),
        text.count("\n", over, start),
        _stripped(text[entry_end(text, node.entries[index - 1]) : over]) if index else (),
        text.count("\n", end, below.head) if below else 0,
        is_blank_or_end(text, end),
        _beyond_data(tree, entry, start, end),
    )


def _stripped(text: str) -> tuple[str, ...]:
    return tuple(line.strip() for line in text.removesuffix("\n").split("\n")) if text else ()


def _beyond_data(tree: Tree, entry: Entry, start: int, end: int) -> tuple[str, ...]:
    nodes = [*walk(entry.value), *(walk(entry.key) if entry.key is not None else ())]
    found = {
        "comments": any(start <= place < end for place, _ in comments(tree)),
        "tags": any(node.tag is not None for node in nodes),
        "anchors": any(node.anchor is not None and not isinstance(node, Alias) for node in nodes),
        "aliases": any(isinstance(node, Alias) for node in nodes),
    }
    return tuple(word for word, there in found.items() if there)
