"""The edge-case table of the design, a row or more each: input, edit, the very text that has to come out."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from model.document import (
    Delete,
    Detach,
    DocumentError,
    Edit,
    Insert,
    InsertItem,
    Invalid,
    Move,
    Put,
    Quote,
    Refused,
    Rename,
    Set,
    Unsafe,
    YamlDoc,
)


@dataclass(frozen=True)
class Row:
    name: str
    before: str | bytes
    edit: Edit
    after: str | type[DocumentError]
    says: str = ""  # in a warning or in the reason
    document: int | None = None


def _nested(depth: int) -> object:
    value: object = 1
    for _ in range(depth):
        value = [value]
    return value


ROWS = [
    # line breaks, byte order mark, end of the file
    Row("CRLF, set", "a: 1\r\nb: 2\r\n", Set(("a",), 5), "a: 5\r\nb: 2\r\n"),
    Row(
        "CRLF, insert",
        "a:\r\n  x: 1\r\nb: 2\r\n",
        Insert(("a",), "k", [1, 2]),
        "a:\r\n  x: 1\r\n  k:\r\n    - 1\r\n    - 2\r\nb: 2\r\n",
    ),
    Row("mixed breaks, set", "a: 1\r\nb: 2\nc: 3\r\n", Set(("b",), 5), "a: 1\r\nb: 5\nc: 3\r\n"),
    Row("mixed breaks, insert", "a: 1\r\nb: 2\nc: 3\r\n", Insert((), "d", 4), "a: 1\r\nb: 2\nc: 3\r\nd: 4\r\n"),
    Row("byte order mark", "\ufeffa: 1\n", Set(("a",), 2), "\ufeffa: 2\n"),
    Row("no final newline, set", "a: 1", Set(("a",), 2), "a: 2"),
    Row("no final newline, insert", "a: 1", Insert((), "b", 2), "a: 1\nb: 2"),
    Row("no final newline, delete the last", "a: 1\nb: 2", Delete(("b",)), "a: 1"),
    Row("block scalar ends the file", "a: |\n  x", Insert((), "b", 2), "a: |-\n  x\nb: 2", says="|-"),
    Row("last line below a block scalar", "a: |\n  x\nb: 2", Delete(("b",)), "a: |\n  x\n", says="line break"),
    Row("lone CR, set", "a: 1\rb: 2\r", Set(("b",), 3), "a: 1\rb: 3\r"),
    Row("lone CR, insert", "a: 1\rb: 2\r", Insert((), "c", 3), Unsafe, says="CR"),
    Row("lone CR, delete", "a: 1\rb: 2\r", Delete(("b",)), Unsafe, says="CR"),
    Row("NEL, set", 'a: "x\x85y"\nb: 1\n', Set(("b",), 2), 'a: "x\x85y"\nb: 2\n'),
    Row("U+2028, insert", 'a: "x\u2028y"\n', Insert((), "b", 2), Unsafe),
    # what cannot be read
    Row("latin-1", b"a: \xe9\n", Set(("a",), 1), Refused, says="0xE9"),
    Row("UTF-16", "a: 1\n".encode("utf-16"), Set(("a",), 1), Refused, says="UTF-16"),
    Row("NUL", b"a: 1\0\n", Set(("a",), 1), Refused, says="NUL"),
    Row("invalid", "a: [1\n", Set(("a",), 1), Invalid, says="line 2"),
    Row("ERB template", "a: 1\n<% if x %>\n", Set(("a",), 1), Invalid, says="line 2"),
    Row("braces of Jinja that are YAML", "a: {{ x }}\nb: 1\n", Set(("b",), 2), "a: {{ x }}\nb: 2\n"),
    # empty files
    Row("empty file", "", Insert((), "a", 1), "a: 1\n"),
    Row("only comments", "# hi\n", Insert((), "a", 1), "# hi\na: 1\n"),
    Row("only comments, no final newline", "# hi", Insert((), "a", {"b": 1}), "# hi\na:\n  b: 1\n"),
    Row("only a marker", "---\n", Insert((), "a", 1), "---\na: 1\n"),
    Row("put into an empty file", "# hi\n", Put(("a", "b"), 1), "# hi\na:\n  b: 1\n"),
    # scalars
    Row("double quotes stay", 'a: "x" # c\n', Set(("a",), "y z"), 'a: "y z" # c\n'),
    Row("single quotes stay", "a: 'x'\n", Set(("a",), "it's"), "a: 'it''s'\n"),
    Row("single quotes cannot hold controls", "a: 'x'\n", Set(("a",), "t\x07"), 'a: "t\\x07"\n'),
    Row("quotes, as written", "a: 0x1F # c\n", Quote(("a",)), 'a: "0x1F" # c\n'),
    Row("quotes, in a list", "a: [x, 1_000]\n", Quote(("a", 1)), 'a: [x, "1_000"]\n'),
    Row("quotes, YAML 1.1", "%YAML 1.1\n---\na: yes\n", Quote(("a",)), '%YAML 1.1\n---\na: "yes"\n'),
    Row("quotes, a tag", "a: !!float 12.50\n", Quote(("a",)), 'a: "12.50"\n', says="!!float"),
    Row("quotes, an anchor", "a: &x 0o17\nb: *x\n", Quote(("a",)), 'a: &x "0o17"\nb: *x\n'),
    Row("quotes, an alias", "a: &x 0o17\nb: *x\n", Quote(("b",)), 'a: &x 0o17\nb: "0o17"\n', says="here only"),
    Row("quotes, text already", "a: x\n", Quote(("a",)), "a: x\n"),
    Row("quotes, a list", "a: [1]\n", Quote(("a",)), Unsafe, says="no single value"),
    Row("quotes, nothing", "a:\n", Quote(("a",)), Unsafe, says="no single value"),
    Row("plain needs quotes", "a: x\n", Set(("a",), "b: c"), 'a: "b: c"\n'),
    Row("the file's commoner quote", "a: x\nb: 'q'\nc: 'r'\n", Set(("a",), "1.0"), "a: '1.0'\nb: 'q'\nc: 'r'\n"),
    Row("quoted to number", 'a: "1"\n', Set(("a",), 2), "a: 2\n"),
    Row("quoted to null", "a: 'x' # c\n", Set(("a",), None), "a: null # c\n"),
    Row("a float both versions read", "a: 1\n", Set(("a",), 1e-05), "a: 1.0e-05\n"),
    Row("~ to text", "a: ~ # c\n", Set(("a",), "v"), "a: v # c\n"),
    Row("empty value", "x:\n  a:\nb: 1\n", Set(("x", "a"), "v"), "x:\n  a: v\nb: 1\n"),
    Row("empty value, comment", "a:   # c\nb: 1\n", Set(("a",), "v"), "a: v   # c\nb: 1\n"),
    Row("empty item", "- \n- b\n", Set((0,), "v"), "- v \n- b\n"),
    Row("key without colon", "m: {a, b}\n", Set(("m", "a"), "v"), "m: {a: v, b}\n"),
    Row("value on the next line", "a:\n  value # c\nb: 1\n", Set(("a",), "w"), "a:\n  w # c\nb: 1\n"),
    Row("multi-line plain", "a: one\n  two\nb: 1\n", Set(("a",), "three"), "a: three\nb: 1\n"),
    Row("multi-line quoted", 'a: "one\n  two" # c\nb: 1\n', Set(("a",), "three"), 'a: "three" # c\nb: 1\n'),
    Row("no change, no bytes", "a:  'x'   # c\n", Set(("a",), "x"), "a:  'x'   # c\n"),
    # block scalars
    Row("literal stays", "a: |\n    x\n    y\nb: 1\n", Set(("a",), "p\nq\n"), "a: |\n    p\n    q\nb: 1\n"),
    Row("chomping follows", "a: |\n  x\nb: 1\n", Set(("a",), "p\nq"), "a: |-\n  p\n  q\nb: 1\n"),
    Row("header comment stays", "a: |  # note\n  x\nb: 1\n", Set(("a",), "p\n"), "a: |  # note\n  p\nb: 1\n"),
    Row("indent digit", "a: |\n  x\nb: 1\n", Set(("a",), "  lead\n"), "a: |2\n    lead\nb: 1\n"),
    Row("keeps breaks", "a: |+\n  x\n\nb: 1\n", Set(("a",), "p\n\n"), "a: |+\n  p\n\nb: 1\n"),
    Row("folded", "a: >-\n  one\n  two\nb: 1\n", Set(("a",), "new text"), "a: >-\n  new text\nb: 1\n"),
    Row("literal to number", "a: |\n  x\nb: 1\n", Set(("a",), 5), "a: 5\nb: 1\n"),
    Row("not as a block", "a: |\n  x\nb: 1\n", Set(("a",), "t\x07\n"), 'a: "t\\x07\\n"\nb: 1\n'),
    Row("lines into plain", "a: x\n", Set(("a",), "p\nq\n"), "a: |\n  p\n  q\n"),
    Row("lines into flow", "a: {b: x}\n", Set(("a", "b"), "p\nq\n"), 'a: {b: "p\\nq\\n"}\n'),
    Row(
        "block above white space would swallow it",
        "a: x\n    \nb: 1\n",
        Set(("a",), "p\nq\n\n"),
        'a: "p\\nq\\n\\n"\n    \nb: 1\n',
    ),
    # anchors, aliases, merge keys
    Row("anchor stays", "a: &x 1\nb: *x\n", Set(("a",), 2), "a: &x 2\nb: *x\n", says="1 user of &x"),
    Row("anchored mapping", "a: &x\n  k: 1\nb: *x\nc: *x\n", Set(("a",), {"k": 2}), "a: &x\n  k: 2\nb: *x\nc: *x\n"),
    Row(
        "inside an anchor", "a: &x\n  k: 1\nb: *x\n", Set(("a", "k"), 2), "a: &x\n  k: 2\nb: *x\n", says="1 user of &x"
    ),
    Row("alias", "a: &x 1\nb: *x # c\n", Set(("b",), 2), "a: &x 1\nb: 2 # c\n", says="here only"),
    Row("through an alias", "a: &x {k: 1}\nb: *x\n", Set(("b", "k"), 2), Unsafe, says="its users (1)"),
    Row("detach", "a: &x {k: 1}\nb: *x\n", Detach(("b",)), "a: &x {k: 1}\nb:\n  k: 1\n"),
    Row("only from a merge key", "d: &d {k: 1}\nm:\n  <<: *d\n", Set(("m", "k"), 9), Unsafe, says="merge key"),
    Row(
        "put overrides a merged key",
        "d: &d {k: 1}\nm:\n  <<: *d\n",
        Put(("m", "k"), 9),
        "d: &d {k: 1}\nm:\n  <<: *d\n  k: 9\n",
    ),
    Row("anchor in use", "a: &x 1\nb: *x\n", Delete(("a",)), Unsafe, says="lines 2"),
    Row("anchor in use, replaced", "a:\n  k: &x 1\nb: *x\n", Set(("a",), {"k": 2}), Unsafe, says="lines 3"),
    Row("anchor used inside only", "a:\n- &x 1\n- *x\nb: 1\n", Delete(("a",)), "b: 1\n"),
    Row("anchor redefined", "a: &x 1\nb: &x 2\nc: *x\n", Set(("a",), 5), "a: &x 5\nb: &x 2\nc: *x\n"),
    Row(
        "two merge keys",
        "d: &d {k: 1}\nm:\n  <<: *d\n  <<: *d\n  z: 1\n",
        Set(("m", "z"), 2),
        "d: &d {k: 1}\nm:\n  <<: *d\n  <<: *d\n  z: 2\n",
    ),
    # tags, directives, documents
    Row("core tag", "a: !!str 123\n", Set(("a",), "v"), "a: v\n", says="tag"),
    Row("unknown tag", "a: !env KEY # c\n", Set(("a",), "v"), Unsafe, says="!env"),
    Row("unknown tag, wanted", "a: !env KEY # c\n", Set(("a",), "v", drop_tag=True), "a: v # c\n", says="!env"),
    Row("unknown tag elsewhere", "a: !env KEY\nb: 1\n", Set(("b",), 2), "a: !env KEY\nb: 2\n"),
    Row("%YAML 1.1", "%YAML 1.1\n---\na: yes\nb: 1\n", Set(("b",), 2), "%YAML 1.1\n---\na: yes\nb: 2\n"),
    Row("several documents", "a: 1\n---\na: 2\n", Set(("a",), 3), Unsafe, says="2 documents"),
    Row("the second document", "a: 1\n---\na: 2\n", Set(("a",), 3), "a: 1\n---\na: 3\n", document=1),
    Row("insert into the first", "a: 1\n---\nb: 1\n", Insert((), "c", 2), "a: 1\nc: 2\n---\nb: 1\n", document=0),
    Row("markers", "# l\n--- # c\na: 1\n...\n# end\n", Set(("a",), 2), "# l\n--- # c\na: 2\n...\n# end\n"),
    Row("insert before ...", "a: 1\n...\n", Insert((), "b", 2), "a: 1\nb: 2\n...\n"),
    # keys
    Row("duplicate key", "a: 1\na: 2\n", Set(("a",), 3), Unsafe, says="lines 1, 2"),
    Row("duplicate elsewhere", "x: {a: 1, a: 2}\nb: 1\n", Set(("b",), 3), "x: {a: 1, a: 2}\nb: 3\n"),
    Row("explicit key", "? a\n: 1\n", Set(("a",), 2), "? a\n: 2\n"),
    Row("delete an explicit key", "? a\n: 1\nb: 2\n", Delete(("a",)), "b: 2\n"),
    Row("insert behind an explicit key", "? a\n: 1\n", Insert((), "b", 2), "? a\n: 1\nb: 2\n"),
    Row("number as key", "1: a\ntrue: b\n", Set((True,), "c"), "1: a\ntrue: c\n"),
    Row("key in quotes", '"a: b": 1\n', Set(("a: b",), 2), '"a: b": 2\n'),
    Row("key unsafe plain", "a: 1\n", Insert((), "yes", 2), 'a: 1\n"yes": 2\n'),
    Row("rename", "a : 1 # c\n", Rename(("a",), "b c"), "b c : 1 # c\n"),
    Row("rename in quotes", "'a': 1\n", Rename(("a",), "it's"), "'it''s': 1\n"),
    Row("rename to one that is there", "a: 1\nb: 2\n", Rename(("a",), "b"), Unsafe, says="already"),
    Row("insert one that is there", "a: 1\n", Insert((), "a", 2), Unsafe, says="already"),
    Row("space before the colon", "a : 1\n", Set(("a",), 2), "a : 2\n"),
    Row("aligned", "a:      1\nlong:   2\n", Set(("a",), "x"), "a:      x\nlong:   2\n"),
    Row("tabs", "a:\t1\t# c\nb: 2\n", Set(("a",), 2), "a:\t2\t# c\nb: 2\n"),
    Row("trailing blanks", "a: 1   \nb: 2 \n", Set(("a",), 3), "a: 3   \nb: 2 \n"),
    Row("emoji and CJK", "模型: 🚀 go # 注\nb: 1\n", Set(("模型",), "é"), "模型: é # 注\nb: 1\n"),
    Row("a long line", f"a: {'w ' * 3000}end\nb: 1\n", Set(("b",), 2), f"a: {'w ' * 3000}end\nb: 2\n"),
    # flow
    Row("flow, one line", "a: { x: 1 }\n", Insert(("a",), "k", 1), "a: { x: 1, k: 1 }\n"),
    Row("flow, trailing comma", "a: {x: 1,}\n", Insert(("a",), "k", 1), "a: {x: 1, k: 1}\n"),
    Row("flow, first", "a: [x, z]\n", InsertItem(("a",), 0, "w"), "a: [w, x, z]\n"),
    Row("flow text with a comma", "a: [x, z]\n", Set(("a", 0), "p, q"), 'a: ["p, q", z]\n'),
    Row(
        "flow, lines with comments",
        "a: {\n  x: 1, # c\n  z: 2 # d\n}\n",
        Insert(("a",), "k", 1),
        "a: {\n  x: 1, # c\n  z: 2, # d\n  k: 1\n}\n",
    ),
    Row(
        "flow, lines with a trailing comma",
        "a: [\n  1, # c\n  2, # d\n]\n",
        InsertItem(("a",), 2, 3),
        "a: [\n  1, # c\n  2, # d\n  3,\n]\n",
    ),
    Row(
        "flow, delete a line",
        "a: [\n  1, # one\n  2, # two\n  3\n]\n",
        Delete(("a", 1)),
        "a: [\n  1, # one\n  3\n]\n",
    ),
    Row("flow, delete first", "a: [1, 2, 3]\n", Delete(("a", 0)), "a: [2, 3]\n"),
    Row("flow, delete last", "a: [1, 2, 3]\n", Delete(("a", 2)), "a: [1, 2]\n"),
    Row("flow, delete only", "a: { x: 1 } # c\n", Delete(("a", "x")), "a: {} # c\n"),
    Row("flow, move", "a: [1,  2, 3]\n", Move(("a",), 2, 0), "a: [3,  1, 2]\n"),
    Row("a pair without brackets", "a: [x: 1, z]\n", Set(("a", 0, "x"), 2), "a: [x: 2, z]\n"),
    # first and last children
    Row("{} gets a child", "a: {}  # c\nb: 1\n", Insert(("a",), "k", 1), "a:  # c\n  k: 1\nb: 1\n"),
    Row("[] gets a mapping", "a: []\n", InsertItem(("a",), 0, {"k": 1}), "a:\n  - k: 1\n"),
    Row("{} in flow gets a child", "a: [{}]\n", Insert(("a", 0), "k", 1), "a: [{k: 1}]\n"),
    Row("null gets a child", "a:  # c\nb: 1\n", Insert(("a",), "k", 1), "a:  # c\n  k: 1\nb: 1\n"),
    Row("last key goes", "x: # c\n  a: 1\nz: 1\n", Delete(("x", "a")), "x: {} # c\nz: 1\n"),
    Row("last item goes", "x: # c\n  - 1\nz: 1\n", Delete(("x", 0)), "x: [] # c\nz: 1\n"),
    Row("mapping to scalar", "a: # c\n  x: 1 # gone\nb: 2\n", Set(("a",), "v"), "a: v # c\nb: 2\n", says="comments"),
    Row(
        "comments below a block stay when it is replaced",
        "a:\n  x: 1\n\n  # more: 2\nb: 2\n",
        Set(("a",), {"k": 1}),
        "a:\n  k: 1\n\n  # more: 2\nb: 2\n",
    ),
    Row("scalar to mapping", "a: 1 # c\nb: 2\n", Set(("a",), {"x": 1}), "a: # c\n  x: 1\nb: 2\n"),
    # placing
    Row(
        "the next section's comment stays",
        "x:\n  a: 1\n\n# section Y\nz: 1\n",
        Insert(("x",), "new", 5),
        "x:\n  a: 1\n  new: 5\n\n# section Y\nz: 1\n",
    ),
    Row(
        "behind deeper comments",
        "x:\n  a:\n    k: 1\n    # j: 2\n  b: 1\n",
        Insert(("x",), "new", 5, after="a"),
        "x:\n  a:\n    k: 1\n    # j: 2\n  new: 5\n  b: 1\n",
    ),
    Row("before the first", "a: 1\nb: 2\n", Insert((), "z", 0, before="a"), "z: 0\na: 1\nb: 2\n"),
    Row(
        "before the first of an item", "- a: 1\n  b: 2\n", Insert((0,), "z", 0, before="a"), "- z: 0\n  a: 1\n  b: 2\n"
    ),
    Row(
        "in schema order",
        "m:\n  id: x\n  limits: 1\n",
        Put(("m", "tier"), "high", order=("id", "name", "tier", "limits")),
        "m:\n  id: x\n  tier: high\n  limits: 1\n",
    ),
    Row(
        "missing parents",
        "m:\n  id: x\n",
        Put(("m", "supports", "batch"), True),
        "m:\n  id: x\n  supports:\n    batch: true\n",
    ),
    # deleting
    Row("first key of an item", "- a: 1 # c\n  b: 2\n", Delete((0, "a")), "- b: 2\n"),
    Row("first key, comment between", "- a: 1\n  # on b\n  b: 2\n", Delete((0, "a")), "-\n  # on b\n  b: 2\n"),
    Row(
        "own comments go, one separator stays",
        "a: 1\n\n# on b\nb: 2 # eol\n\n# on c\nc: 3\n",
        Delete(("b",)),
        "a: 1\n\n# on c\nc: 3\n",
    ),
    Row("comments kept", "a: 1\n# on b\nb: 2\nc: 3\n", Delete(("b",), comments="keep"), "a: 1\n# on b\nc: 3\n"),
    Row("banner stays", "a: 1\n\n# ---- B ----\nb: 2\nc: 3\n", Delete(("b",)), "a: 1\n\n# ---- B ----\nc: 3\n"),
    Row(
        "the next header stays",
        "x:\n  a: 1\n  b: 2\n\n# section Y\nz: 1\n",
        Delete(("x", "b")),
        "x:\n  a: 1\n\n# section Y\nz: 1\n",
    ),
    # lists
    Row(
        "move with comments",
        "x:\n# one\n- 1 # e1\n# two\n- 2 # e2\n",
        Move(("x",), 1, 0),
        "x:\n# one\n# two\n- 2 # e2\n- 1 # e1\n",
    ),
    Row(
        "move, separators stay",
        "x:\n  - a: 1\n    # on b\n    b: 2\n\n  # second\n  - a: 3\n",
        Move(("x",), 0, 1),
        "x:\n  # second\n  - a: 3\n\n  - a: 1\n    # on b\n    b: 2\n",
    ),
    Row("move an open block scalar", "- |\n  a\n- |\n  b", Move((), 1, 0), "- |-\n  b\n- |\n  a\n", says="line break"),
    Row("move behind a shared dash", "- - a\n  - b\n- c\n", Move((0,), 1, 0), "- - b\n  - a\n- c\n"),
    Row("- - a, first goes", "- - a\n  - b\n- c\n", Delete((0, 0)), "- - b\n- c\n"),
    Row("- - a, first comes", "- - a\n- c\n", InsertItem((0,), 0, "z"), "- - z\n  - a\n- c\n"),
    Row("indentless list", "a:\n- x\n", Insert((), "b", ["p"]), "a:\n- x\nb:\n- p\n"),
    Row(
        "four spaces",
        "a:\n    b:\n        c: 1\n",
        Insert(("a",), "d", {"x": {"z": 1}}),
        "a:\n    b:\n        c: 1\n    d:\n        x:\n            z: 1\n",
    ),
    Row(
        "wide dashes",
        "-   a: 1\n    b: 2\n",
        InsertItem((), 1, {"a": 3, "b": 4}),
        "-   a: 1\n    b: 2\n-   a: 3\n    b: 4\n",
    ),
    Row(
        "blank lines between items",
        "m:\n  - id: a\n    n: 1\n\n  - id: b\n    n: 2\n\nz: 1\n",
        InsertItem(("m",), 2, {"id": "c", "num": 3}),
        "m:\n  - id: a\n    n: 1\n\n  - id: b\n    n: 2\n\n  - id: c\n    num: 3\n\nz: 1\n",
    ),
    Row("item with a block scalar goes", "- |\n  x\n\n- y\n", Delete((0,)), "\n- y\n"),
    Row("the root cannot go", "hello\n", Set((), 1), Unsafe, says="whole document"),
    Row("the last key of the file goes", "# c\na: 1\n", Delete(("a",)), "# c\n{}\n"),
    Row("the first key comes back", "# c\n{}\n", Put(("a", "b"), 1), "# c\na:\n  b: 1\n"),
    Row("the first item comes back", "[] # c\n", InsertItem((), 0, "x"), "- x # c\n"),
    Row("tagged block to scalar", "a: !!map # c\n  k: 1\n", Set(("a",), 1), "a: 1 # c\n", says="!!map"),
    Row("tagged block to block", "a: !!map # c\n  k: 1\n", Set(("a",), {"k": 2}), "a: # c\n  k: 2\n", says="!!map"),
    Row("anchored item to block", "- &n x # c\n- *n\n", Set((0,), {"a": 1}), "- &n # c\n  a: 1\n- *n\n", says="1 user"),
    Row("a list for a mapping", "a: # c\n  k: 1 # k\n", Set(("a",), [1]), "a: # c\n  - 1\n", says="comments"),
    Row("header comment goes", "a: | # c\n  x\n", Set(("a",), 1), "a: 1\n", says="header"),
    Row("a key too long", "a: 1\n", Insert((), "x" * 2000, 1), Unsafe),
    Row("no plain value", "a: 1\n", Set(("a",), object()), Unsafe, says="object"),
    Row("half a character", "a: 1\n", Set(("a",), "\ud800"), Unsafe, says="surrogate"),
    Row("too many digits", "a: 1\n", Set(("a",), 10**5000), Unsafe, says="digits"),
    Row("too deep", "a: 1\n", Set(("a",), _nested(120)), Unsafe, says="deep"),
    Row("no such document", "a: 1\n", Set(("a",), 2), Invalid, says="1 documents", document=3),
    Row("no such path", "a: 1\n", Set(("b",), 1), Unsafe, says="b does not exist"),
    Row("no such item", "a: [1]\n", Set(("a", 3), 1), Unsafe, says="1 item"),
]


def _outcome(row: Row) -> tuple[str | type[DocumentError], str]:
    raw = row.before if isinstance(row.before, bytes) else row.before.encode()
    try:
        doc = YamlDoc.parse(raw, document=row.document).apply(row.edit)
        doc.prove()
    except DocumentError as error:
        return (Unsafe if isinstance(error, Unsafe) else type(error)), str(error)
    return doc.to_bytes().decode(), " ".join(doc.warnings)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_row(row: Row) -> None:
    after, said = _outcome(row)
    assert after == row.after, said
    assert row.says in said


TRAPS = [
    "yes",
    "no",
    "on",
    "off",
    "y",
    "n",
    "Yes",
    "1:30",
    "0777",
    "0o7",
    "1e5",
    "1e-05",
    "2024-01-01",
    "null",
    "~",
    "0x1F",
    "1_0",
    "0b1",
    ".inf",
    ".5",
    "=",
    "<<",
    "true",
    "08",
    "1.",
]


@pytest.mark.parametrize("text", TRAPS)
def test_text_that_looks_typed_in_either_version_is_quoted(text: str) -> None:
    doc: YamlDoc = YamlDoc.parse(b"a: x\n").apply(Set(("a",), text))
    assert doc.text == f'a: "{text}"\n'


def test_depth_and_aliases_keep_a_file_read_only() -> None:
    with pytest.raises(Refused, match="deep"):
        YamlDoc.parse(b"[" * 200)
    with pytest.raises(Refused, match="aliases"):
        YamlDoc.parse(b"a: &a 1\nb: [" + b"*a," * 1001 + b"]")
