"""A deletion taken back: the text is what it was, or the data is and lost comments are told."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from model.document import Delete, DocumentError, YamlDoc, inverse
from model.document.adding import NOT_RESTORED
from model.document.patching import typed_bytes
from model.document.proof import comments
from model.document.tree import parse

CORPUS = sorted((Path(__file__).parents[2] / "corpus").glob("*.yaml"))


def paths(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    for step, value in data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ():
        yield (*path, step)
        yield from paths(value, (*path, step))


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
        lost = len(comments(parse(doc.text))) - len(comments(parse(again.text)))
        assert bool(lost) == (NOT_RESTORED in again.warnings), path
        special = any(mark in doc.text for mark in "&*!")
        if getattr(back, "written", None) and back.written.lines and not special:  # type: ignore[union-attr]
            assert again.text == doc.text, path
