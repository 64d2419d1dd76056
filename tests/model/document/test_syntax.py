"""Our own corpus: what each file means is written beside it, and every kind of edit is done to each file."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from zlib import crc32

import pytest

from model.document import Unsafe, YamlDoc
from tests.model.document import oracle
from tests.model.document.judging import judge_ours
from tests.model.document.random_edits import KINDS, random_edit, variants

CORPUS = Path(__file__).parents[2] / "corpus"
FILES = sorted(path.stem for path in CORPUS.glob("*.yaml"))


@pytest.mark.parametrize("name", FILES)
def test_it_means_what_stands_beside_it(name: str) -> None:
    doc = YamlDoc.open(CORPUS / f"{name}.yaml")
    wanted = json.loads((CORPUS / f"{name}.json").read_text(encoding="utf-8"))
    assert oracle.typed(doc.data, ordered=False) == oracle.typed(wanted, ordered=False)
    assert doc.to_bytes() == (CORPUS / f"{name}.yaml").read_bytes()


@pytest.mark.parametrize("name", FILES)
def test_every_kind_of_edit(name: str) -> None:
    """Clean, or refused for a reason that the design names."""
    for variant, raw in variants((CORPUS / f"{name}.yaml").read_bytes()):
        for kind in KINDS:
            doc, random = YamlDoc.parse(raw), Random(crc32(f"{name} {variant} {kind}".encode()))
            edit = random_edit(doc, kind, random)
            if edit is not None:
                verdict = judge_ours(doc, edit, by_ruamel=False)
                assert verdict.kind in ("clean", "refused"), (variant, edit, verdict.detail)
                assert verdict.kind == "clean" or any(word in verdict.detail for word in REASONS), verdict.detail


REASONS = (
    "is used elsewhere",
    "the tag !",
    "is there already",
    "brackets of its own",
    "stands behind the alias",
    "behind a ?",
)


def test_a_second_opinion() -> None:
    """yaml-edit, which keeps a syntax tree of its own, reads what we write as we do."""
    yaml_edit = pytest.importorskip("yaml_edit")
    agreed = 0
    for name in ("comments", "models", "four_spaces", "unicode", "crlf"):
        doc = YamlDoc.open(CORPUS / f"{name}.yaml")
        for kind in KINDS:
            edit = random_edit(doc, kind, Random(crc32(f"{name} {kind}".encode())))
            try:
                edited = doc.apply(edit) if edit is not None else doc
            except Unsafe:
                continue
            theirs = yaml_edit.Document.parse(edited.text).to_python()
            assert oracle.typed(theirs, ordered=False) == oracle.typed(edited.data, ordered=False), (name, edit)
            agreed += 1
    assert agreed > 30
