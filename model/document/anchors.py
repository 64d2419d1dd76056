"""Who else uses what an edit would take away or change."""

from __future__ import annotations

from collections.abc import Iterable

from model.document.errors import Unsafe
from model.document.tree import Alias, Node, Tree, walk


def refuse_used(tree: Tree, going: Iterable[Node], start: int, end: int) -> None:
    """An anchor cannot go while an alias outside the span `start` to `end` uses it. Raises Unsafe."""
    names = {node.anchor for node in going if node.anchor and not isinstance(node, Alias)}
    users = [alias for name in names for alias in tree.aliases(name or "") if not start <= alias.start < end]
    if users:
        lines = ", ".join(str(tree.text.count("\n", 0, user.start) + 1) for user in users)
        named = ", ".join(sorted({f"&{user.anchor}" for user in users}))
        raise Unsafe(f"{named} is used elsewhere (lines {lines})", help="detach the users first")


def shared_with(tree: Tree, node: Node | None) -> tuple[str, ...]:
    """Which aliases change with a value that is edited, because it is in what they stand for."""
    notes = []
    while node is not None:
        count = len(tree.aliases(node.anchor)) if node.anchor and not isinstance(node, Alias) else 0
        if count:
            notes.append(f"also changes {count} user{'s' if count > 1 else ''} of &{node.anchor}")
        node = node.parent
    return tuple(notes)


def below(node: Node) -> Iterable[Node]:
    """All nodes inside this one."""
    nodes = walk(node)
    next(nodes)
    return nodes
