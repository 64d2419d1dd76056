"""A node's meaning as nested tuples, with nothing resolved away: types, tags, anchors, aliases, the order of keys.

Edits are worked out on these first; the text that was spliced has to read as exactly that.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from model.document.tree import Alias, Collection, Entry, Node, Scalar, Tree

Raw = tuple[
    Any, ...
]  # ("scalar", anchor, tag, type, value) | ("alias", name) | ("map" or "list", anchor, tag, entries)


def raw_node(tree: Tree, node: Node) -> Raw:
    if isinstance(node, Alias):
        return ("alias", node.anchor)
    if isinstance(node, Collection):
        entries = tuple((_raw_key(tree, entry), raw_node(tree, entry.value)) for entry in node.entries)
        return ("map" if node.is_map else "list", node.anchor, node.tag, entries)
    assert isinstance(node, Scalar)
    if tree.is_merge(node):
        return ("scalar", node.anchor, node.tag, "merge", "<<")
    return _raw_scalar(node.anchor, node.tag, tree.value(node))


def _raw_key(tree: Tree, entry: Entry) -> Raw | None:
    return None if entry.key is None else raw_node(tree, entry.key)


def _raw_scalar(anchor: str | None, tag: str | None, value: Any) -> Raw:
    shown = repr(value) if isinstance(value, float) else value  # NaN equals itself as text
    return ("scalar", anchor, tag, type(value).__name__, shown)


def raw_value(value: Any, anchor: str | None = None) -> Raw:
    """Of plain data."""
    if isinstance(value, dict):
        return ("map", anchor, None, tuple((raw_value(key), raw_value(item)) for key, item in value.items()))
    if isinstance(value, list):
        return ("list", anchor, None, tuple((None, raw_value(item)) for item in value))
    return _raw_scalar(anchor, None, value)


def changed_at(raw: Raw, indexes: tuple[int, ...], change: Callable[[Raw], Raw]) -> Raw:
    """`raw` with the part below these entry indexes changed."""
    if not indexes:
        return change(raw)
    kind, anchor, tag, entries = raw
    key, value = entries[indexes[0]]
    new = (key, changed_at(value, indexes[1:], change))
    return (kind, anchor, tag, (*entries[: indexes[0]], new, *entries[indexes[0] + 1 :]))


def with_entries(change: Callable[[tuple[Any, ...]], tuple[Any, ...]]) -> Callable[[Raw], Raw]:
    """A change of a collection's entries, as a change of the collection."""
    return lambda raw: (*raw[:3], change(raw[3]))
