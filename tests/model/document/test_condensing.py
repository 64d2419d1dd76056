"""Reading by runs gives what reading event by event gives, on any text."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from model.document import condensing, reading
from model.document.condensing import condensed
from model.document.errors import Invalid, Refused
from model.document.patching import typed_bytes
from model.document.reader import Reader, Reading
from tests.shared_data import shared_path

LINES = """\
a: 1
b: two words
c: http://x:1/y  # a comment
a: again
true: yes
"""


def outcome(text: str) -> object:
    """All that reading says of each document, errors with their places."""
    found = []
    for document in range(3):
        try:
            found.append(_told(reading.read(text, document=document)))
        except (Invalid, Refused) as error:
            return str(error), error.line, error.column
    return found


def _told(read: Reading) -> object:
    anchors = {name: (typed_bytes(anchor.value), anchor.weight) for name, anchor in read.anchors.items()}
    counts = (read.end, read.names, read.aliases, read.doubled, read.documents, read.directives)
    return typed_bytes(read.data), read.outline, anchors, counts


SHORT_RUN = re.compile(condensing._RUN.pattern.replace("{2,}", "{1,}"), re.MULTILINE)


def check(text: str) -> None:
    """Condensed as it is done, and as much as can be, it reads as it does whole."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reading, "LARGE", len(text) + 1)
        whole = outcome(text)
        patch.setattr(reading, "LARGE", 0)
        assert outcome(text) == whole
        patch.setattr(condensing, "_RUN", SHORT_RUN)
        patch.setattr(condensing, "_block_scalars", lambda _: ())
        assert outcome(text) == whole


SNEAKY = {
    "mapping": LINES,
    "nested": "x:\n" + "".join(f"  {line}\n" for line in LINES.splitlines()) + "y: 1\n",
    "in a list": "- k: v\n  a: 1\n  b: 2\n-\n  a: 1\n  b: 2\n- a: 1\n",
    "list at the indent of its key": "x:\n- 1\na: 1\nb: 2\n",
    "literal": "x: |\n  a: 1\n  b: 2\na: 1\nb: 2\n",
    "folded at the end": "a: 1\nb: 2\nx: >\n  a: 1\n  b: 2\n",
    "literal at the root": "|\n a: 1\n b: 2\n",
    "literal with a lesser indent named": "x: |1\n  a: 1\n  b: 2\n",
    "in double quotes": 'x: "\n  a: 1\n  b: 2\n  "\ny: 1\n',
    "in single quotes": "x: '\n  a: 1\n  b: 2\n  '\ny: 1\n",
    "quotes that end in the next line": 'x: "\n  a: 1\n  b: 2\n  c": 1\n',
    "in a flow": "x: {\n  a: 1\n  b: 2\n  }\n",
    "in a flow, the last has the comma": "x: {\n  a: 1\n  b: 2\n  , c: 3}\n",
    "in a flow list": "x: [\n  a: 1\n  b: 2\n  ]\n",
    "after a plain scalar": "x\na: 1\nb: 2\n",
    "below a plain scalar": "x: y\n  a: 1\n  b: 2\n",
    "continued": "a: 1\nb: 2\n  more\nc: 3\n",
    "continued at the root": "a: 1\nb: 2\n more: 3\n",
    "after an explicit key": "? k\n: v\na: 1\nb: 2\n",
    "in an explicit key": "?\n  a: 1\n  b: 2\n: v\n",
    "in an explicit value": "? k\n:\n  a: 1\n  b: 2\n",
    "merge key above": "x: &x {a: 0, z: 1}\ny:\n  <<: *x\n  a: 1\n  b: 2\n",
    "merge key below": "x: &x {a: 0, z: 1}\ny:\n  a: 1\n  b: 2\n  <<: *x\n",
    "anchored": "x: &x\n  a: 1\n  b: 2\ny: *x\nz: *x\n",
    "anchored in the line": "x: &x\n  a: 1\n  b: 2\n  c: &c 1\n  a: 1\n  b: *c\n",
    "tagged": "x: !!map\n  a: 1\n  b: 2\ny: !custom\n  a: 1\n  b: 2\n",
    "keys twice in a run": "x:\n  a: 1\n  a: 2\n  b: 3\n",
    "keys twice across": "x:\n  a: 1\n  b: 2\n\n  b: 3\n  a: 1\n",
    "keys that are equal": "x:\n  true: 1\n  True: 2\n  b: 3\n",
    "documents": "a: 1\nb: 2\n---\na: 3\nb: 4\n...\n---\nx:\n  a: 1\n  b: 2\n",
    "YAML 1.1": "%YAML 1.1\n---\na: yes\nb: 0777\nc: on\n",
    "directive without a document": "%YAML 1.1\na: yes\nb: 0777\n",
    "CRLF": LINES.replace("\n", "\r\n"),
    "breaks of both kinds": "a: 1\r\nb: 2\nc: 3\r\n",
    "lone CR": "a: 1\rb: 2\nc: 3\nd: 4\n",
    "odd breaks": "x: 1\u2028a: 1\nb: 2\nc: 3\n",
    "tab": "a: 1\n\tb: 2\n\tc: 3\n",
    "no line break at the end": "a: 1\nb: 2\nc: 3",
    "a bad character in a comment": "a: 1  # \x07\nb: 2\nc: 3\n",
    "worse indent": "  a: 1\n  b: 2\n a: 1\n b: 2\n",
    "deeper all the way": "".join(f"{' ' * n}a: 1\n{' ' * n}b:\n" for n in range(9)),
    "a long key": f"{'k' * 1_100}: 1\nb: 2\nc: 3\n",
    "a value that ends in a colon": "a: 1\nb: x:\nc: 3\nd: 4\n",
    "numbers and words": "a: 0x1F\nb: .5\nc: 1_000\nd: null\ne: ~\nf: .inf\ng: 1e3\n",
    "large enough for outlines": "l:\n- x:\n" + "".join(f"    k{n}: {n}\n" for n in range(300)) + "- y: 1\nz: 1\n",
    "unknown alias below": "a: 1\nb: 2\nc: *x\n",
    "broken below": "a: 1\nb: 2\nc: [\n",
}


@pytest.mark.parametrize("text", SNEAKY.values(), ids=SNEAKY.keys())
def test_runs_are_read_as_events_are(text: str) -> None:
    check(text)


PIECES = """\
a: 1
b: 2
c: x y
true: no
a: 1  # c
k:
- a: 1
-
- - a: 1
x: |
x: >-
|2
? a
?
: b
x: {
}
k: {a: 1}
a: 1,
x: [
]
'
"
x: '
'q': 1
a: 'q'
# c
---
...
%YAML 1.1
<<: *x
x: &x
&x a: 1
y: *x
!t a: 1
k: !!map
more
a:b
a: b: c
""".splitlines()
TEXTS = st.lists(st.tuples(st.integers(0, 3), st.sampled_from(PIECES), st.integers(1, 3)), max_size=14).map(
    lambda lines: "".join(f"{'  ' * indent}{piece}\n" * count for indent, piece, count in lines)
)


@given(TEXTS)
@settings(max_examples=400)
def test_on_any_text(text: str) -> None:
    check(text)


@pytest.mark.slow
def test_on_the_corpus() -> None:
    for path in sorted(p for p in shared_path("data/yaml-corpus").rglob("*") if p.is_file()):
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        check(text)


def test_most_of_a_large_file_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "models:\n" + "".join(f"  - id: m{n}\n    a: 1\n    b: 2\n    c: {n}\n    d: x\n" for n in range(900))
    shorter, runs = condensed(text)
    assert len(runs) == 900
    assert len(shorter) < len(text) / 2
    parsed: list[int] = []

    class Counting(Reader):
        def read(self, text: str) -> Reading:
            parsed.append(len(text))
            return super().read(text)

    monkeypatch.setattr(reading, "Reader", Counting)
    assert reading.read(text).data["models"][899] == {"id": "m899", "a": 1, "b": 2, "c": 899, "d": "x"}
    assert parsed == [len(shorter)]


def test_a_block_scalar_does_not_keep_the_rest_from_being_condensed() -> None:
    entry = "- id: x\n  a: 1\n  b: 2\n  c: 3\n  d: 4\n"
    text = (
        entry * 9
        + "- note: |-\n    a: 1\n\n    b: 2\n    c: 3\n    d: 4\n"
        + "- >\n  a: 1\n  b: 2\n  c: 3\n"
        + entry * 9
    )
    shorter, runs = condensed(text)
    assert len(runs) == 18
    reader = Reader(0, {}, piece=False, runs=runs)
    assert reader.read(shorter).data[9:11] == [{"note": "a: 1\n\nb: 2\nc: 3\nd: 4"}, "a: 1 b: 2 c: 3\n"]


def test_nothing_is_left_out_of_what_has_to_be_whole() -> None:
    text = "".join(f"k{n}: {n}\n" for n in range(10))
    assert len(condensed(text)[0]) < 10
    assert condensed(text, [(0, len(text)), (5, 6)]) == (text, [])
    for start in range(len(text)):
        for end in (start, start + 1, start + 7):
            shorter, _ = condensed(text, [(start, end)])
            first = text.rfind("\n", 0, max(start - 1, 0)) + 1
            assert text[first : text.find("\n", end) + 1] in shorter
