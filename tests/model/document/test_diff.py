"""Diffs: made from the edits, read by `patch`, and right for every pair of documents."""

from __future__ import annotations

import shutil
import subprocess
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest

from model.document import Delete, DocumentError, Insert, Put, Set, YamlDoc
from tests.model.document.random_edits import KINDS, random_edit, variants

TEXT = "".join(f"k{i}: {i} # {i}\n" for i in range(40))


def test_a_diff_reads_like_any_other() -> None:
    doc = YamlDoc.parse(b"a: 1\nb: 2\nc: 3\nd: 4\ne: 5\n")
    new = doc.apply(Set(("b",), 7))
    assert doc.diff(new, label="models.yaml") == (
        "--- a/models.yaml\n+++ b/models.yaml\n@@ -1,5 +1,5 @@\n a: 1\n-b: 2\n+b: 7\n c: 3\n d: 4\n e: 5\n"
    )


def test_a_path_from_the_root_gets_no_second_slash() -> None:
    doc = YamlDoc.parse(b"a: 1\n")
    assert doc.diff(doc.apply(Set(("a",), 2)), label="/etc/models.yaml").startswith("--- a/etc/models.yaml\n+++ b/etc/")


def test_nothing_changed_is_no_diff() -> None:
    doc = YamlDoc.parse(TEXT.encode())
    assert doc.diff(doc, label="x") == ""
    assert doc.diff(doc.apply(Set(("k1",), 5)).apply(Set(("k1",), 1)), label="x") == ""


def test_far_changes_are_hunks_of_their_own_and_near_ones_share() -> None:
    doc = YamlDoc.parse(TEXT.encode())
    assert doc.diff(doc.apply(Set(("k3",), 0), Set(("k30",), 0)), label="x").count("@@ -") == 2
    assert doc.diff(doc.apply(Set(("k3",), 0), Set(("k8",), 0)), label="x").count("@@ -") == 1


def test_no_newline_at_the_end_is_said() -> None:
    doc = YamlDoc.parse(b"a: 1")
    diff = doc.diff(doc.apply(Set(("a",), 2)), label="x")
    assert diff.endswith("-a: 1\n\\ No newline at end of file\n+a: 2\n\\ No newline at end of file\n")


@pytest.fixture
def patch_program() -> str:
    return shutil.which("patch") or pytest.skip("the patch program is not here")


@pytest.mark.parametrize("seed", range(25))
def test_patch_makes_the_new_file_of_the_old(tmp_path: Path, patch_program: str, seed: int) -> None:
    random = Random(seed)
    text = TEXT + "list:\n" + "".join(f"  - id: {i}\n    n: [1, 2]\n\n" for i in range(9)) + "end: |\n  x"
    raw = random.choice([raw for _, raw in variants(text.encode())])
    old = new = YamlDoc.parse(raw)
    for _ in range(random.randrange(1, 6)):
        edit = random_edit(new, random.choice(KINDS), random)
        with suppress(DocumentError):  # a random key may be there already
            new = new.apply(edit) if edit is not None else new
    file = tmp_path / "models.yaml"
    file.write_bytes(old.to_bytes())
    diff = old.diff(new, label="models.yaml")
    subprocess.run([patch_program, "-p1", "--binary"], input=diff.encode(), cwd=tmp_path, check=True)
    assert file.read_bytes() == new.to_bytes()


def test_between_any_two_of_a_chain(tmp_path: Path, patch_program: str) -> None:
    chain = [YamlDoc.parse(TEXT.encode())]
    for edit in (Set(("k3",), "x"), Delete(("k20",)), Insert((), "new", [1], after="k5"), Put(("k30",), {"a": 1})):
        chain.append(chain[-1].apply(edit))
    stranger = YamlDoc.parse(chain[-1].to_bytes())
    file = tmp_path / "models.yaml"
    for old in chain:
        for new in [*chain, stranger]:
            file.write_bytes(old.to_bytes())
            diff = old.diff(new, label="models.yaml")
            if diff:
                subprocess.run([patch_program, "-p1", "--binary"], input=diff.encode(), cwd=tmp_path, check=True)
            assert file.read_bytes() == new.to_bytes()


def test_a_diff_of_a_long_file_touches_few_lines() -> None:
    doc = YamlDoc.parse("".join(f"k{i}: {i}\n" for i in range(20_000)).encode())
    new = doc.apply(Set(("k5",), "x"), Set(("k19999",), "z"))
    assert len(doc.diff(new, label="x").splitlines()) == 2 + 8 + 1 + 5 + 1
