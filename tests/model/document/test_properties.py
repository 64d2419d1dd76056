"""What holds for any text that a person may write and any value: hypothesis looks for what breaks it."""

from __future__ import annotations

from random import Random
from typing import Any

import yaml
from hypothesis import HealthCheck, assume, given
from hypothesis import strategies as st

from model.document import DocumentError, Put, Set, YamlDoc, rebase
from tests.examples import examples
from tests.model.document import oracle
from tests.model.document.random_edits import KINDS, random_edit

quick = examples(1.5, suppress_health_check=list(HealthCheck))
few = examples(0.4, suppress_health_check=list(HealthCheck))

TEXTS = st.text(st.characters(exclude_categories=("Cs",)), max_size=30) | st.sampled_from(
    [
        "yes",
        "1:30",
        "- a",
        "a: b",
        "#x",
        "|",
        "é\n  x\n",
        "\n",
        " lead",
        "\ttab",
        "x\n\n\n",
        "'",
        '"',
        "0o7",
        "1e5",
        "---",
    ]
)
SCALARS = TEXTS | st.integers() | st.booleans() | st.none() | st.floats()
KEYS = st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=8)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3), max_leaves=8
)

HOSTS = [
    ("a: x\n", ("a",)),
    ("a: 'x' # c\nb: 1\n", ("a",)),
    ('a: "x"\nb: 1\n', ("a",)),
    ("a: |\n  x\n\nb: 1\n", ("a",)),
    ("a: >-\n    x\n    y\nb: 1\n", ("a",)),
    ("a:\n  - k: x  # c\n    z: 1\n  - 2\n", ("a", 0, "k")),
    ("a:\n- x\n- 1\n", ("a", 0)),
    ("a: [x, {b: 1}] # c\n", ("a", 0)),
    ("a: {k: x}\n", ("a", "k")),
    ("a:\n  b: # c\n# d\nz: 1\n", ("a", "b")),
    ("- - x\n  - y\n", (0, 0)),
    ("a: &n x\nb: 1", ("a",)),
    ("a:\r\n  b: x\r\n", ("a", "b")),
]


def plain_yaml_1_1(text: str) -> list[Any]:
    return list(yaml.load_all(text, Loader=yaml.CSafeLoader))


@quick
@given(st.sampled_from(HOSTS), VALUES)
def test_what_is_written_is_read_back_by_every_reader(host: tuple[str, tuple[Any, ...]], value: Any) -> None:
    text, path = host
    doc = YamlDoc.parse(text.encode()).apply(Set(path, value))
    assert oracle.typed(_at(doc.data, path)) == oracle.typed(value)
    for reader in (oracle.core, oracle.ruamel, plain_yaml_1_1):
        assert oracle.typed(_at(reader(doc.text)[0], path)) == oracle.typed(value), reader.__name__


@quick
@given(st.sampled_from(HOSTS), SCALARS)
def test_outside_the_value_every_byte_stays(host: tuple[str, tuple[Any, ...]], value: Any) -> None:
    text, path = host
    doc = YamlDoc.parse(text.encode())
    place = doc.place(path)
    assert place is not None
    new = doc.apply(Set(path, value)).text
    tail = text[place.end :].lstrip("\r\n") if text[place.start] in "|>" else text[place.end :]
    assert new.startswith(text[: place.start].rstrip())
    assert new.endswith(tail)


_SOME_LINES = [
    "a: 1",
    "  b: x",
    "  - c",
    "- d: 1",
    "# note",
    "  # deep",
    "",
    "   ",
    "e: >",
    "    text",
    "f: {g: 1,",
    "  h: 2}",
    "i: &x [1]",
    "j: *x",
    "k: 'q'  # c",
    "? l",
    ": m",
    "n:",
    "---",
    "  o: >-",
    "- - p",
    "<<: {q: 1}",
    "\tr: 1",
    "s: !t u",
    "'v': \"w",
    '  x"',
    "...",
    "  y: ",
    "z: [1, # c",
    "  2]",
    "    - deeper",
]
LINES = st.lists(st.sampled_from([*_SOME_LINES, "e: |"]), max_size=12)


@quick
@given(LINES, st.sampled_from(["\n", "\r\n"]), st.booleans(), st.sampled_from(KINDS), st.integers(0, 10**6))
def test_any_text_any_edit(lines: list[str], eol: str, closed: bool, kind: str, seed: int) -> None:
    """No edit: same bytes. An edit: proved, or refused with our own error; the other reader agrees on every value."""
    raw = (eol.join(lines) + (eol if closed else "")).encode()
    try:
        doc = YamlDoc.parse(raw, document=0)
        expected = oracle.core(raw.decode())
    except (DocumentError, yaml.YAMLError, TypeError, ValueError):
        assume(False)
    assert doc.to_bytes() == raw
    edit = random_edit(doc, kind, Random(seed))
    if edit is None or "<<" in raw.decode() or "*" in raw.decode() or doc.duplicates:
        return
    try:
        edited = doc.apply(edit)
    except DocumentError:
        return
    edited.prove()
    expected = expected or [None]
    expected[0] = oracle.expected({} if expected[0] is None else expected[0], edit)
    assert oracle.typed(oracle.core(edited.text)) == oracle.typed(expected)


@few
@given(st.integers(0, 10**6), st.integers(0, 9), st.integers(0, 9), VALUES)
def test_disjoint_changes_both_stand(seed: int, mine: int, theirs: int, value: Any) -> None:
    assume(mine != theirs)
    text = "".join(f"- id: m{i}\n  tier: high # {i}\n  n: {i}\n" for i in range(10))
    doc = YamlDoc.parse(text.encode())
    disk = doc.apply(Set((theirs, "tier"), f"their {seed}"))
    rebased = rebase(doc, [Set((mine, "tier"), value)], disk.to_bytes())
    assert rebased.conflicts == ()
    both = doc.apply(Set((mine, "tier"), value), Set((theirs, "tier"), f"their {seed}"))
    assert rebased.doc.text == both.text


@few
@given(st.lists(st.tuples(st.integers(0, 5), st.sampled_from(["tier", "n", "new"]), SCALARS), max_size=6))
def test_a_batch_is_its_edits_one_by_one(cells: list[tuple[int, str, Any]]) -> None:
    text = "".join(f"- id: m{i}\n  tier: high # {i}\n  n: {i}\n" for i in range(6))
    doc = YamlDoc.parse(text.encode())
    edits = [Put((item, key), value) for item, key, value in cells]
    one_by_one = doc
    for edit in edits:
        one_by_one = one_by_one.apply(edit)
    batch = doc.apply(*edits)
    assert batch.text == one_by_one.text
    batch.prove()


def _at(data: Any, path: tuple[Any, ...]) -> Any:
    for step in path:
        data = data[step]
    return data
