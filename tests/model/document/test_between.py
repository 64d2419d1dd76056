"""The edits between two texts: made on the one, they give the data of the other."""

from __future__ import annotations

import pytest

from model.document import Edit, InsertItem, Put, YamlDoc
from model.document.between import edits_between
from model.document.patching import typed_bytes

OLD = """\
# ours
models:
  - id: a
    enabled: true
    tier: high
  - id: b
  - id: c
other: 1
"""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (OLD, OLD),
        (OLD, OLD.replace("true", "false").replace("other: 1", "other: '1'")),
        (OLD, OLD.replace("  - id: b\n", "")),
        (OLD, OLD.replace("  - id: b\n", "  - id: x\n  - id: y\n").replace("high", "low")),
        (OLD, OLD.replace("models:\n", "models:\n  - id: z\n").replace("  - id: c\n", "  - id: c\n    k: {l: [1]}\n")),
        (OLD, OLD.replace("other: 1", "first: [1]\nlast: 2")),
        (OLD, "more: 0\n" + OLD),
        (OLD, OLD.replace("    enabled: true\n    tier: high\n", "    tier: high\n    enabled: true\n")),
        (OLD, "other: 1\n"),
        ("", OLD),
        ("# empty\n", "a: 1\nb: 2\n"),
        ("a: []\nb: {}\n", "a: [1]\nb: {c: 1}\n"),
        ("a: [1]\nb: {c: 1}\n", "a: []\nb: {}\n"),
        ("a: [1, 1, 2]\n", "a: [2, 1]\n"),
        ("a: {b: 1}\n", "a: {c: 2}\n"),
        ("a:\n  - - 1\n  - - 2\n", "a:\n  - - 1\n    - 3\n"),
    ],
)
def test_the_edits_lead_from_one_to_the_other(old: str, new: str) -> None:
    one, other = YamlDoc.parse(old.encode()), YamlDoc.parse(new.encode())
    done = one.apply(*edits_between(one.data, other.data))
    assert typed_bytes(done.data) == typed_bytes(other.data)


@pytest.mark.parametrize(
    ("new", "edits"),
    [
        (OLD, ()),
        (OLD.replace("high", "low"), (Put(("models", 0, "tier"), "low"),)),
        (OLD.replace("  - id: b\n", "  - id: b\n  - id: n\n"), (InsertItem(("models",), 2, {"id": "n"}),)),
    ],
)
def test_no_more_than_what_differs(new: str, edits: tuple[Edit, ...]) -> None:
    assert edits_between(YamlDoc.parse(OLD.encode()).data, YamlDoc.parse(new.encode()).data) == edits
