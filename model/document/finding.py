"""From a path to the nodes that hold it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from model.document.errors import FromMerge, Unsafe
from model.document.outline import Outline
from model.document.source import Source
from model.document.tree import Alias, Collection, Entry, Node, Scalar, Tree, parse
from model.document.window import Path, window_of_value

LARGEST_KEPT = 200_000  # characters; a tree takes some fifty times its text


def find_place(
    source: Source, outline: Outline | None, end: int, document: int, path: Path, key: bool
) -> tuple[int, int] | None:
    """Start and end of the value at `path` or of its key, wherever merge keys and aliases take it from."""
    window = window_of_value(len(source), outline, end, path)
    tree = _tree(source, window.start, window.end)
    root = document if window.chain is None else 0
    found = _look_up(tree, root, window.path)
    if found is None and window.chain is not None:
        window, tree = window_of_value(len(source), None, end, path), _tree(source, 0, len(source))
        found = _look_up(tree, document, path)
    if found is None:
        return None
    start, stop = _key_span(found) if key else _value_span(found)
    return window.start + start, window.start + stop


def _tree(source: Source, start: int, end: int) -> Tree:
    """Places are asked for in one item after the other, so the last few trees are kept."""
    return _kept_tree(source, start, end) if end - start < LARGEST_KEPT else parse(source.slice(start, end))


@lru_cache(maxsize=8)
def _kept_tree(source: Source, start: int, end: int) -> Tree:
    return parse(source.slice(start, end))


def _look_up(tree: Tree, root: int, path: Path) -> Entry | None:
    """As a reader sees it: the last of duplicate keys, through aliases and merge keys."""
    if root >= len(tree.roots):
        return None
    entry: Entry | None = Entry(None, tree.roots[root], tree.roots[root].start)
    for step in path:
        entry = None if entry is None else _child(tree, entry.value, step)
    return entry


def _child(tree: Tree, node: Node | None, step: str | int, depth: int = 0) -> Entry | None:
    if isinstance(node, Alias):
        node = tree.target(node)
    if not isinstance(node, Collection) or depth > 100:
        return None
    if not node.is_map:
        return node.entries[step] if type(step) is int and 0 <= step < len(node.entries) else None
    own = [entry for entry in node.entries if tree.matches(entry, step)]
    if own:
        return own[-1]
    merged = (_child(tree, source, step, depth + 1) for source in _merge_sources(tree, node))
    return next((entry for entry in merged if entry is not None), None)


def _merge_sources(tree: Tree, node: Collection) -> list[Node]:
    sources: list[Node] = []
    for entry in node.entries:
        if tree.is_merge(entry.key):
            value = entry.value
            several = isinstance(value, Collection) and not value.is_map
            sources += [item.value for item in value.entries] if several else [value]  # type: ignore[attr-defined]
    return sources


def duplicates(tree: Tree, root: int) -> Iterator[tuple[Path, Node, Node]]:
    """Keys given twice in one mapping: path, first key, the key again."""
    if root < len(tree.roots):
        yield from _duplicates_below(tree, tree.roots[root], ())


def _duplicates_below(tree: Tree, node: Node, path: Path) -> Iterator[tuple[Path, Node, Node]]:
    if not isinstance(node, Collection):
        return
    first: dict[tuple[type, object], Node] = {}
    for index, entry in enumerate(node.entries):
        step = index
        if isinstance(entry.key, Scalar) and not tree.is_merge(entry.key):
            step = tree.value(entry.key)
            known = first.setdefault((type(step), step), entry.key)
            if known is not entry.key:
                yield (*path, step), known, entry.key
        yield from _duplicates_below(tree, entry.value, (*path, step))


def _value_span(entry: Entry) -> tuple[int, int]:
    value = entry.value
    if value.start == value.end:
        return entry.end, entry.end
    return value.body, value.end


def _key_span(entry: Entry) -> tuple[int, int]:
    return (entry.key.start, entry.key.end) if entry.key is not None else _value_span(entry)


def find(tree: Tree, root: int, path: Path) -> Entry:
    """The entry to edit; the root stands in an entry of its own. Raises Unsafe where an edit would be ambiguous."""
    if root >= len(tree.roots):
        raise Unsafe("the document is empty")
    entry = Entry(None, tree.roots[root], tree.roots[root].start)
    for depth, step in enumerate(path):
        entry = _step(tree, entry.value, step, path[: depth + 1])
    return entry


def _step(tree: Tree, node: Node, step: str | int, path: Path) -> Entry:
    shown = breadcrumb(path)
    if isinstance(node, Alias):
        users = len(tree.aliases(node.anchor or ""))
        raise Unsafe(
            f"{shown} stands behind the alias *{node.anchor}: a change there would change all its users ({users})",
            help="edit the value at the anchor, or detach a copy here first",
        )
    if not isinstance(node, Collection):
        raise Unsafe(f"{shown} does not exist: its parent is a single value")
    if not node.is_map:
        if type(step) is int and 0 <= step < len(node.entries):
            return node.entries[step]
        raise Unsafe(f"{shown} does not exist: the list has {len(node.entries)} items")
    return _own_key(tree, node, step, shown)


def _own_key(tree: Tree, node: Collection, step: str | int, shown: str) -> Entry:
    own = [entry for entry in node.entries if tree.matches(entry, step)]
    if len(own) == 1:
        return own[0]
    if own:
        lines = ", ".join(str(tree.text.count("\n", 0, entry.head) + 1) for entry in own)
        raise Unsafe(f"{shown} stands there {len(own)} times (lines {lines})", help="remove all but one first")
    if any(tree.is_merge(entry.key) for entry in node.entries):
        raise FromMerge(
            f"{shown} comes from a merge key (<<)", help="insert a key of this name here: it wins over the merged one"
        )
    raise Unsafe(f"{shown} does not exist")


def breadcrumb(path: Path) -> str:
    """`providers[0].models` for a path; `the document` for the root."""
    text = "".join(f"[{step}]" if type(step) is int else f".{step}" for step in path)
    return text.removeprefix(".") or "the document"
