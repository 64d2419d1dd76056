"""Real files, read and edited; they are not ours to ship, so this runs where the shared data is."""

from __future__ import annotations

from random import Random
from zlib import crc32

import pytest

from model.document import DocumentError, YamlDoc
from tests.model.document import oracle
from tests.model.document.judging import judge_ours
from tests.model.document.random_edits import KINDS, random_edit, variants
from tests.shared_data import shared_path


def test_real_files_are_read_as_other_readers_read_them() -> None:
    checked = 0
    for path in sorted(shared_path("data/yaml-corpus").iterdir()):
        raw = path.read_bytes()
        try:
            doc = YamlDoc.parse(raw, document=0)
        except DocumentError:
            with pytest.raises((oracle.yaml.YAMLError, UnicodeDecodeError)):
                oracle.core(raw.decode())
            continue
        documents = oracle.core(raw.decode()) or [None]
        assert oracle.typed(doc.data, ordered=False) == oracle.typed(documents[0], ordered=False), path.name
        assert doc.to_bytes() == raw
        checked += 1
    assert checked > 100


@pytest.mark.parametrize("kind", KINDS)
def test_random_edits_of_real_files(kind: str) -> None:
    done = 0
    for path in sorted(shared_path("data/yaml-corpus").iterdir())[::6]:
        random = Random(crc32(f"{path.name} {kind}".encode()))
        variant, raw = random.choice(list(variants(path.read_bytes())))
        try:
            doc = YamlDoc.parse(raw, document=0)
            oracle.core(raw.decode())
        except (DocumentError, oracle.yaml.YAMLError):
            continue
        edit = random_edit(doc, kind, random)
        if edit is not None:
            verdict = judge_ours(doc, edit, by_ruamel=False)
            assert verdict.kind == "clean", (path.name, variant, edit, verdict.detail)
            done += 1
    assert done > 10


def test_every_config_of_the_shared_set_can_be_read_or_says_why() -> None:
    for path in sorted(shared_path("data/configs").glob("*.y*ml")):
        doc = YamlDoc.parse(path.read_bytes(), path.name)
        assert doc.to_bytes() == path.read_bytes()
        assert isinstance(doc.data, dict | list)
