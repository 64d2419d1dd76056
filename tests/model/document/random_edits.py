"""Random edits for a document, of every kind, on every node that has one path."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from model.document import Delete, Edit, Insert, InsertItem, Move, Rename, Set, YamlDoc
from model.document.tree import Alias, Collection, Node, Tree, is_empty, parse

KINDS = ("set", "set a collection", "insert", "delete", "rename", "add an item", "delete an item", "move an item")

_WORDS = (
    "new-value claude-opus-4-7 has:colon yes no on off y null ~ 1.0 007 0x1F 1_000 12:30:45 2024-01-01 [a] {a:b} *star "
    "&amp !bang %pct @at `bt` it's back\\slash - ? << = .inf 1e5 1e-05 0o17 --- # > | http://x.y/z?a=b&c=d ${VAR:-def}"
)
STRINGS = (
    *_WORDS.split(),
    "",
    "has: colon",
    "# hash",
    "a #b",
    "- dash",
    "trailing ",
    "  lead",
    'say "hi"',
    "end:",
    "key: |",
    "multi\nline\n",
    "multi\nno end",
    "para\n\nblank",
    "\n\nleading breaks",
    "kept\n\n\n",
    "tab\there",
    "\x07bell",
    "nbsp\u00a0x",
    "x\u2028y",
    "\ufeffbom",
    "ünïcödé 模型 🚀",
    "a" * 200,
)
SCALARS = (True, False, None, 3, -1, 0.5, 1e-5, 10**20)
COLLECTIONS: tuple[Any, ...] = (
    {"a": 1, "b": ["x", "y"]},
    ["p", "q: r"],
    {"k": {"z": True}},
    [{"m": 1, "n": "two"}],
    [],
    {},
    {"text": "multi\nline\n", "deep": [[1, 2], [{"a": []}]]},
)
KEYS = ("renamed", "re named", "a: b", "yes", "模型", "x" * 130)


def random_edit(doc: YamlDoc, kind: str, random: Random) -> Edit | None:
    """None where the document has nothing that this kind of edit could be done to."""
    nodes = list(_nodes(parse(doc.text), doc.document or 0))
    if kind == "set":
        chosen = _choose([n for n in nodes if n[0] and not isinstance(n[1], Collection)], random)
        return chosen and Set(chosen[0], random.choice([*STRINGS, *SCALARS]))
    if kind == "set a collection":
        chosen = _choose([n for n in nodes if n[0]], random)
        return chosen and Set(chosen[0], random.choice(COLLECTIONS))
    if kind == "insert":
        chosen = _choose([n for n in nodes if _is_map(n[1]) or (n[0] and is_empty(n[1]))], random)
        return chosen and _insert(chosen[0], chosen[1], doc, random)
    if kind in ("delete", "rename"):
        chosen = _choose([n for n in nodes if n[0] and n[2]], random)
        return chosen and (Delete(chosen[0]) if kind == "delete" else Rename(chosen[0], random.choice(KEYS)))
    if kind == "delete an item":
        chosen = _choose([n for n in nodes if n[0] and not n[2]], random)
        return chosen and Delete(chosen[0])
    return _list_edit(kind, [n for n in nodes if isinstance(n[1], Collection) and not n[1].is_map], random)


Found = tuple[tuple[Any, ...], Node, bool]  # path, node, whether it has a key


def _nodes(tree: Tree, root: int) -> Iterator[Found]:
    """Every node that a path means unambiguously and that no alias stands in front of."""
    if root < len(tree.roots):
        yield from _below(tree, (), tree.roots[root], False)


def _below(tree: Tree, path: tuple[Any, ...], node: Node, has_key: bool) -> Iterator[Found]:
    yield path, node, has_key
    if not isinstance(node, Collection):
        return
    for index, entry in enumerate(node.entries):
        if not node.is_map:
            yield from _below(tree, (*path, index), entry.value, False)
            continue
        if entry.key is None or isinstance(entry.key, Alias | Collection) or tree.is_merge(entry.key):
            continue
        key = tree.value(entry.key)
        if sum(tree.matches(other, key) for other in node.entries) == 1:
            yield from _below(tree, (*path, key), entry.value, True)


def _is_map(node: Node) -> bool:
    return isinstance(node, Collection) and node.is_map


def _choose(found: list[Found], random: Random) -> Found | None:
    return random.choice(found) if found else None


def _insert(path: tuple[Any, ...], node: Node, doc: YamlDoc, random: Random) -> Insert:
    value = random.choice(["new", 5, True, ["a", "b"], {"x": 1, "y": {"z": "w: x"}}, "multi\nline\n", [], "yes"])
    mapping = doc.data
    for step in path:
        mapping = mapping[step]
    keys = list(mapping) if isinstance(node, Collection) and len(mapping) == len(node.entries) else []
    keys = [key for key in keys if key is not None]
    side = random.choice(["end", "before", "after"]) if keys else "end"
    sibling = random.choice(keys) if keys else None
    return Insert(
        path,
        "zz_new",
        value,
        before=sibling if side == "before" else None,
        after=sibling if side == "after" else None,
    )


def _list_edit(kind: str, lists: list[Found], random: Random) -> Edit | None:
    if kind == "move an item":
        lists = [n for n in lists if isinstance(n[1], Collection) and len(n[1].entries) > 1]
    chosen = _choose(lists, random)
    if chosen is None or not isinstance(chosen[1], Collection):
        return None
    count = len(chosen[1].entries)
    if kind == "move an item":
        source, target = random.sample(range(count), 2)
        return Move(chosen[0], source, target)
    value = random.choice(["new", 5, {"a": 1, "b": "c"}, ["p", "q"], "x: y", "multi\nline\n", None, {}])
    return InsertItem(chosen[0], random.randint(0, count), value)


def variants(raw: bytes) -> Iterator[tuple[str, bytes]]:
    """The file as it is, with CRLF, with a byte order mark, without final line break."""
    yield "as found", raw
    yield "CRLF", raw.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
    if not raw.startswith(b"\xef\xbb\xbf"):
        yield "BOM", b"\xef\xbb\xbf" + raw
    yield "no final newline", raw.rstrip(b"\r\n")


def users(doc: YamlDoc, path: tuple[Any, ...]) -> list[tuple[Any, ...]] | None:
    """The paths of the aliases of the value at `path`; None if a merge key uses it."""
    tree = parse(doc.text)
    nodes = list(_nodes(tree, doc.document or 0))
    anchor = next((node.anchor for found, node, _ in nodes if found == path and not isinstance(node, Alias)), None)
    if anchor is None:
        return []
    aliases = [found for found, node, _ in nodes if isinstance(node, Alias) and node.anchor == anchor]
    return aliases if len(aliases) == len(tree.aliases(anchor)) else None
