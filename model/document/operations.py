"""From one edit to plans for the text, with what the text has to mean afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from model.document import adding, moving, removing, setting
from model.document.anchors import below, refuse_used, shared_with
from model.document.edits import Delete, Insert, InsertItem, Move, Path, Quote, Rename, Set
from model.document.errors import Unsafe
from model.document.finding import breadcrumb, find
from model.document.plan import Plan, Site
from model.document.raw import Raw, changed_at, raw_node, raw_value, with_entries
from model.document.tree import Alias, Collection, Entry, Node, Scalar, is_empty
from model.document.written import Written
from model.quick_dataclass import dataclass

Simple = Set | Insert | Rename | Delete | InsertItem | Move | Quote


@dataclass(frozen=True, slots=True)
class Target:
    """Where the edit is looked for: one root of a site's tree, the path in it, and how its list indexes are shifted.

    `first` is the index that the window's first entry has in its collection, where the window is a run of entries.
    """

    site: Site
    root: int
    path: Path
    end: int  # where the document's content ends in the site's text
    first: int = 0


@dataclass(frozen=True, slots=True)
class Proposal:
    """Plans, best first, and the roots that each of them has to give."""

    plans: Iterator[Plan]
    wanted: list[Raw]
    notes: tuple[str, ...] = ()


def propose(target: Target, edit: Simple) -> Proposal | None:
    """None if the text says already what the edit wants. Raises Unsafe."""
    roots = target.site.tree.roots
    proposal = _proposed(target, edit, roots)
    if proposal is None or len(roots) <= target.root:
        return proposal
    shared = shared_with(target.site.tree, find(target.site.tree, target.root, target.path).value)
    return replace(proposal, notes=(*proposal.notes, *shared))


def _proposed(target: Target, edit: Simple, roots: list[Node]) -> Proposal | None:
    if isinstance(edit, Insert) and (len(roots) <= target.root or _is_bare(target)):
        return _first_key(target, edit)
    match edit:
        case Set():
            return _set(target, edit)
        case Quote():
            return _quote(target, edit)
        case Rename():
            return _rename(target, edit)
        case Insert():
            return _insert(target, edit)
        case InsertItem():
            return _insert_item(target, edit)
        case Delete():
            return _delete(target, edit)
        case Move():
            return _move(target, edit)


def _is_bare(target: Target) -> bool:
    return not target.path and is_empty(target.site.tree.roots[target.root])


def _wanted(target: Target, indexes: tuple[int, ...], change: Any) -> list[Raw]:
    roots = [raw_node(target.site.tree, root) for root in target.site.tree.roots]
    roots[target.root] = changed_at(roots[target.root], indexes, change)
    return roots


def _locate(target: Target, path: Path) -> tuple[Entry, tuple[int, ...]]:
    """The entry at `path` and the indexes that lead to it."""
    entry = find(target.site.tree, target.root, path)
    indexes: list[int] = []
    node, above = entry.value, entry.value.parent
    while above is not None:
        indexes.append(next(i for i, item in enumerate(above.entries) if item.value is node))
        node, above = above, above.parent
    return entry, tuple(reversed(indexes))


def _set(target: Target, edit: Set) -> Proposal | None:
    entry, indexes = _locate(target, target.path)
    if not target.path:
        raise Unsafe("this would replace the whole document")
    node = entry.value
    new = raw_value(edit.value, None if isinstance(node, Alias) else node.anchor)
    if raw_node(target.site.tree, node) == new:
        return None
    refuse_used(target.site.tree, below(node), node.start, node.end)
    wanted = _wanted(target, indexes, lambda _: new)
    return Proposal(setting.set_value(target.site, entry, edit.value, drop_tag=edit.drop_tag), wanted)


def _quote(target: Target, edit: Quote) -> Proposal | None:
    node: Node | None = find(target.site.tree, target.root, target.path).value
    if isinstance(node, Alias):
        node = target.site.tree.target(node)
    if not isinstance(node, Scalar) or node.empty:
        raise Unsafe(f"{breadcrumb(edit.path)} is no single value")
    return _set(target, Set(edit.path, node.text))


def _rename(target: Target, edit: Rename) -> Proposal | None:
    entry, indexes = _locate(target, target.path)
    parent = entry.value.parent
    if parent is None or entry.key is None:
        raise Unsafe(f"{breadcrumb(edit.path)} is no key")
    old = raw_node(target.site.tree, entry.key)
    new = raw_value(edit.key, entry.key.anchor)
    if old == new:
        return None
    _refuse_known_key(target, parent, edit.key)
    at = indexes[-1]
    change = with_entries(lambda entries: (*entries[:at], (new, entries[at][1]), *entries[at + 1 :]))
    return Proposal(setting.rename(target.site, entry, edit.key), _wanted(target, indexes[:-1], change))


def _refuse_known_key(target: Target, node: Collection, key: Any) -> None:
    if any(target.site.tree.matches(entry, key) for entry in node.entries):
        raise Unsafe(f"the key {key!r} is there already")


def _insert(target: Target, edit: Insert) -> Proposal | None:
    entry, indexes = _locate(target, target.path)
    if _takes_first(entry):
        return _fill(target, entry, indexes, {edit.key: edit.value}, edit.written)
    node = _collection(entry, is_map=True, path=edit.path)
    _refuse_known_key(target, node, edit.key)
    keys = [target.site.tree.value(item.key) if item.key else None for item in node.entries]
    try:
        at = adding.child_index(keys, edit.key, edit.order, edit.before, edit.after)
    except ValueError:
        raise Unsafe(f"the sibling named is not in {breadcrumb(edit.path)}") from None
    new = (raw_value(edit.key), raw_value(edit.value))
    wanted = _wanted(target, indexes, with_entries(lambda entries: (*entries[:at], new, *entries[at:])))
    return Proposal(adding.insert_key(target.site, node, at, edit.key, edit.value, edit.written), wanted)


def _insert_item(target: Target, edit: InsertItem) -> Proposal | None:
    entry, indexes = _locate(target, target.path)
    at = edit.index - target.first
    if _takes_first(entry):
        if at:
            raise Unsafe(f"{breadcrumb(edit.path)} has no items yet")
        return _fill(target, entry, indexes, [edit.value], edit.written)
    node = _collection(entry, is_map=False, path=edit.path)
    if not 0 <= at <= len(node.entries):
        raise Unsafe(f"{breadcrumb(edit.path)} has no place {edit.index}")
    new = (None, raw_value(edit.value))
    wanted = _wanted(target, indexes, with_entries(lambda entries: (*entries[:at], new, *entries[at:])))
    return Proposal(adding.insert_item(target.site, node, at, edit.value, edit.written), wanted)


def _takes_first(entry: Entry) -> bool:
    """Null, or `{}` and `[]` with nothing inside: gets a first entry."""
    node = entry.value
    if isinstance(node, Scalar):
        return node.tag is None and not node.style and (node.text in ("~", "") or node.text.lower() == "null")
    return isinstance(node, Collection) and not node.entries


def _fill(target: Target, entry: Entry, indexes: tuple[int, ...], value: Any, written: Written | None) -> Proposal:
    node = entry.value
    if isinstance(node, Collection) and target.site.text[node.body + 1 : node.end - 1].strip():
        raise Unsafe("the empty brackets hold a comment")
    if isinstance(node, Collection) and node.is_map != isinstance(value, dict):
        raise Unsafe("a mapping and a list cannot be mixed")
    new = raw_value(value, node.anchor)
    plans = setting.set_value(target.site, entry, value, drop_tag=False)
    return Proposal(plans, _wanted(target, indexes, lambda _: new), adding.not_restored(written))


def _first_key(target: Target, edit: Insert) -> Proposal:
    if target.path:
        raise Unsafe(f"{breadcrumb(edit.path)} does not exist: the document is empty")
    roots = [raw_node(target.site.tree, root) for root in target.site.tree.roots]
    roots[target.root : target.root + 1] = [raw_value({edit.key: edit.value})]
    return Proposal(adding.first_key(target.site, edit.key, edit.value, target.end), roots)


def _delete(target: Target, edit: Delete) -> Proposal:
    entry, indexes = _locate(target, target.path)
    parent = entry.value.parent
    if parent is None:
        raise Unsafe("this would delete the whole document")
    at = indexes[-1]
    holder = _holder(parent)
    wanted = _wanted(target, indexes[:-1], with_entries(lambda entries: (*entries[:at], *entries[at + 1 :])))
    plans = removing.delete(target.site, holder, at, keep_comments=edit.comments == "keep")
    return Proposal(plans, wanted)


def _holder(node: Collection) -> Entry:
    """The entry whose value the collection is."""
    if node.parent is None:
        return Entry(None, node, node.start)
    return next(entry for entry in node.parent.entries if entry.value is node)


def _move(target: Target, edit: Move) -> Proposal | None:
    entry, indexes = _locate(target, target.path)
    node = _collection(entry, is_map=False, path=edit.path)
    source, to = edit.source - target.first, edit.target - target.first
    if not (0 <= source < len(node.entries) and 0 <= to < len(node.entries)):
        raise Unsafe(f"{breadcrumb(edit.path)} has no such items")
    if source == to:
        return None

    def moved(entries: tuple[Any, ...]) -> tuple[Any, ...]:
        rest = (*entries[:source], *entries[source + 1 :])
        return (*rest[:to], entries[source], *rest[to:])

    return Proposal(moving.move(target.site, node, source, to), _wanted(target, indexes, with_entries(moved)))


def _collection(entry: Entry, *, is_map: bool, path: Path) -> Collection:
    node = entry.value
    if isinstance(node, Alias):
        raise Unsafe(
            f"{breadcrumb(path)} is the alias *{node.anchor}: a change there would change all its users",
            help="edit the value at the anchor, or detach a copy here first",
        )
    if not isinstance(node, Collection) or node.is_map != is_map:
        raise Unsafe(f"{breadcrumb(path)} is no {'mapping' if is_map else 'list'}")
    return node
