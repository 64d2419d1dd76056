"""A deletion taken back: the text is what it was, or the data is and what else is lost is told."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from model.document import Delete, DocumentError, YamlDoc, inverse
from model.document.patching import typed_bytes
from model.document.proof import comments
from model.document.tree import Alias, parse, walk

CORPUS = sorted((Path(__file__).parents[2] / "corpus").glob("*.yaml"))


def paths(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    for step, value in data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ():
        yield (*path, step)
        yield from paths(value, (*path, step))


def beyond_data(doc: YamlDoc) -> dict[str, int]:
    """How much of it the text has."""
    tree = parse(doc.text)
    nodes = [node for root in tree.roots for node in walk(root)]
    return {
        "comments": len(comments(tree)),
        "tags": sum(node.tag is not None for node in nodes),
        "anchors": sum(node.anchor is not None and not isinstance(node, Alias) for node in nodes),
        "aliases": sum(isinstance(node, Alias) for node in nodes),
    }


def lost(before: YamlDoc, after: YamlDoc) -> set[str]:
    had, has = beyond_data(before), beyond_data(after)
    return {word for word in had if has[word] < had[word]}


@pytest.mark.parametrize("file", CORPUS, ids=lambda file: file.stem)
def test_every_deletion_of_the_corpus(file: Path) -> None:
    doc = YamlDoc.open(file)
    if doc.documents > 1:
        doc = YamlDoc.open(file, document=0)
    for path in paths(doc.data):
        try:
            without = doc.apply(Delete(path))
        except DocumentError:
            continue
        back = inverse(doc, Delete(path))
        try:
            again = without.apply(back)
        except DocumentError as why:
            if "tag" not in str(why):
                raise
            continue
        assert typed_bytes(again.data) == typed_bytes(doc.data), path
        told = " ".join(again.warnings)
        assert {word for word in beyond_data(doc) if word in told} == lost(doc, again), path
        special = any(mark in doc.text for mark in "&*!")
        if getattr(back, "written", None) and back.written.lines and not special:  # type: ignore[union-attr]
            assert again.text == doc.text, path


@pytest.mark.parametrize(
    ("text", "path", "words"),
    [
        ("k:\n  - &one a\n", ("k", 0), {"anchors"}),
        ("k: {a: !t x, b: y}\n", ("k", "a"), {"tags"}),
        ("x: &x 1\nk: [*x]\n", ("k", 0), {"aliases"}),
        ("x: &x 1\nk:\n  - a: *x  # why\n    b: !t z\n", ("k", 0), {"comments", "tags", "aliases"}),
    ],
)
def test_what_comes_back_by_data_alone_is_told(text: str, path: tuple[Any, ...], words: set[str]) -> None:
    doc = YamlDoc.parse(text.encode())
    again = doc.apply(Delete(path)).apply(inverse(doc, Delete(path)))
    assert lost(doc, again) == words
    (told,) = again.warnings
    assert {word for word in beyond_data(doc) if word in told} == words
