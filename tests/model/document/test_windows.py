"""Only the touched item is read again; everything else is the same object, at the right place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from model.document import (
    Delete,
    Edit,
    Insert,
    InsertItem,
    Move,
    Put,
    Rename,
    Set,
    Unsafe,
    YamlDoc,
    applying,
    reader,
    shortening,
)
from model.document.patching import typed_bytes
from model.document.plan import Splice
from model.document.window import Window, window_of_value
from tests.model.document.random_edits import KINDS, random_edit

DEMO = Path(__file__).parents[3] / "tui/demo/models.yaml"


def text_of(models: int, providers: int = 3) -> str:
    lines = ["# head", "providers:"]
    for p in range(providers):
        lines += [f"  # ---- p{p} ----", f"  - provider_id: p{p}", "    enabled: true", "    models:"]
        for m in range(models):
            lines += [f"      # checked {m}", f"      - model_id: m{m}", f"        context: {m}  # tokens"]
            lines += ["        supports: {batch: true,", "                   thinking: false}", "        limits:"]
            lines += ["          rpm: 60  # org", "        notes:", "          - one", "          - two", ""]
    return "\n".join([*lines, "roles:", "  main: p0/m0", ""])


@pytest.fixture(scope="module")
def doc() -> YamlDoc:
    return YamlDoc.parse(text_of(20).encode())


MODELS = ("providers", 1, "models")
EDITS: list[Edit] = [
    Set((*MODELS, 7, "context"), 5),
    Set((*MODELS, 0, "supports", "batch"), False),
    Put((*MODELS, 19, "supports", "json_mode"), True),
    Put((*MODELS, 3, "tier"), "high", order=("model_id", "tier", "context")),
    Put((*MODELS, 3, "limits", "tpm"), 5),
    Set((*MODELS, 4, "notes"), ["only"]),
    Delete((*MODELS, 5, "limits")),
    Delete((*MODELS, 5)),
    Delete((*MODELS, 0)),
    Delete((*MODELS, 1)),
    InsertItem(MODELS, 1, {"model_id": "new"}),
    Move(MODELS, 0, 1),
    Move(MODELS, 1, 0),
    Delete(("providers", 0)),
    Delete(("providers", 0, "enabled")),
    Delete(("providers", 0, "provider_id")),
    InsertItem(("providers",), 0, {"provider_id": "new"}),
    InsertItem(("providers",), 1, {"provider_id": "new"}),
    Delete((*MODELS, 19)),
    InsertItem(MODELS, 20, {"model_id": "new", "notes": ["x"]}),
    InsertItem(MODELS, 9, {"model_id": "new"}),
    InsertItem(MODELS, 0, {"model_id": "new"}),
    Move(MODELS, 3, 12),
    Move(MODELS, 19, 2),
    Rename((*MODELS, 2, "context"), "context_window"),
    Rename(("providers", 1, "enabled"), "on"),
    Delete(("providers", 2)),
    InsertItem(("providers",), 3, {"provider_id": "p3", "models": [{"model_id": "x"}]}),
    Put(("providers", 0, "base_url"), "http://x/v1"),
    Put(("roles", "review"), "p1/m1"),
    Insert((), "last", {"a": [1]}),
]


@pytest.mark.parametrize("edit", EDITS, ids=str)
def test_the_piece_gives_what_the_whole_would(doc: YamlDoc, edit: Edit) -> None:
    edited = doc.apply(edit)
    fresh = YamlDoc.parse(edited.to_bytes())
    assert edited.data == fresh.data
    edited.prove()
    assert edited.end == fresh.end
    for path in _some_paths(fresh.data):
        assert edited.place(path) == fresh.place(path)
        assert edited.place(path, key=True) == fresh.place(path, key=True)


def _some_paths(data: Any) -> list[tuple[Any, ...]]:
    return Random(1).sample(list(_paths(data)), 25)


def _paths(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield path
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for step, value in items:
        yield from _paths(value, (*path, step))


def test_untouched_items_are_the_same_objects(doc: YamlDoc) -> None:
    edited = doc.apply(Set((*MODELS, 7, "context"), 5))
    old, new = doc.data["providers"], edited.data["providers"]
    assert old[0] is new[0]
    assert old[2] is new[2]
    assert [a is b for a, b in zip(old[1]["models"], new[1]["models"], strict=True)] == [i != 7 for i in range(20)]
    assert old[1]["models"][7]["limits"] is new[1]["models"][7]["limits"]
    assert doc.data["roles"] is edited.data["roles"]
    assert doc.data["providers"][1]["models"][7]["context"] == 7


@pytest.mark.parametrize("edit", [Delete((*MODELS, 5)), InsertItem(MODELS, 5, {"model_id": "n"})], ids=str)
def test_items_are_the_same_objects_when_one_comes_or_goes(doc: YamlDoc, edit: Edit) -> None:
    old = doc.data["providers"][1]["models"]
    new = doc.apply(edit).data["providers"][1]["models"]
    assert all(a is b for a, b in zip(old[:5], new[:5], strict=True))
    assert all(a is b for a, b in zip(old[-14:], new[-14:], strict=True))


def test_without_windows_the_data_is_shared_too() -> None:
    text = text_of(20) + "defaults: &d {a: 1}\nuser: *d\n"
    doc = YamlDoc.parse(text.replace("roles:", "roles: &r").encode())
    edited = doc.apply(Set((*MODELS, 7, "context"), 5))
    models = zip(doc.data["providers"][1]["models"], edited.data["providers"][1]["models"], strict=True)
    assert [a is b for a, b in models] == [i != 7 for i in range(20)]


def test_a_cell_edit_parses_its_model_only(doc: YamlDoc, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[int] = []
    real = applying.parse
    monkeypatch.setattr(applying, "parse", lambda text: sizes.append(len(text)) or real(text))
    doc.apply(Put((*MODELS, 7, "supports", "batch"), False))
    assert max(sizes) < 400


def test_the_window_of_a_cell_is_its_model(doc: YamlDoc) -> None:
    window = window_of_value(len(doc.source), doc.outline, doc.end, (*MODELS, 7, "context"))
    piece = doc.text[window.start : window.end]
    assert piece.startswith("      - model_id: m7\n")
    assert piece.rstrip().endswith("# checked 8")
    assert window.path == (0, "context")


def test_a_window_that_uses_an_anchor_above() -> None:
    text = "base: &b {rpm: 1}\n" + text_of(20).replace("limits:\n          rpm: 60  # org", "limits: *b")
    doc = YamlDoc.parse(text.encode())
    edited = doc.apply(Set((*MODELS, 7, "context"), 5))
    assert edited.data == YamlDoc.parse(edited.to_bytes()).data
    with pytest.raises(Unsafe, match=r"its users \(60\)"):
        doc.apply(Set((*MODELS, 7, "limits", "rpm"), 5))
    edited = doc.apply(Set(("base", "rpm"), 2))
    assert edited.data["providers"][2]["models"][3]["limits"] == {"rpm": 2}
    assert edited.warnings == ("also changes 60 users of &b",)


@pytest.mark.parametrize("seed", range(6))
def test_a_long_session(seed: int) -> None:
    """Many edits on end, each by its window: at the end the whole agrees."""
    random, doc = Random(seed), YamlDoc.parse(text_of(12).encode())
    for _ in range(25):
        provider = random.randrange(3)
        count = len(doc.data["providers"][provider]["models"])
        path = ("providers", provider, "models")
        edits: list[Edit] = [
            Put((*path, random.randrange(count), "context"), random.randrange(10**6)),
            Put((*path, random.randrange(count), "supports", "json_mode"), random.random() < 0.5),
            Put((*path, random.randrange(count), "limits", "tpm"), random.randrange(10**6)),
            InsertItem(path, random.randrange(count + 1), {"model_id": f"n{random.randrange(99)}", "notes": ["a"]}),
            Move(path, random.randrange(count), random.randrange(count)),
            Delete((*path, random.randrange(count))),
        ]
        doc = doc.apply(random.choice(edits))
    doc.prove()
    assert doc.data == YamlDoc.parse(doc.to_bytes()).data


def test_a_batch_fails_whole(doc: YamlDoc) -> None:
    with pytest.raises(Unsafe, match=r"nowhere does not exist"):
        doc.apply(Set((*MODELS, 1, "context"), 5), Set(("nowhere",), 1))


def test_deep_in_the_text_reasons_name_real_lines() -> None:
    text = text_of(20).replace("        context: 7  # tokens\n", "        context: 7\n        context: 8\n", 1)
    doc = YamlDoc.parse(text.encode())
    line = text[: text.index("context: 7\n")].count("\n") + 1
    with pytest.raises(Unsafe, match=f"lines {line}, {line + 1}"):
        doc.apply(Set(("providers", 0, "models", 7, "context"), 1))


@pytest.mark.parametrize("edit", EDITS, ids=str)
def test_with_windows_and_without_the_text_is_the_same(doc: YamlDoc, edit: Edit) -> None:
    assert doc.apply(edit).text == replace(doc, outline=None).apply(edit).text


@pytest.mark.parametrize(
    "edit",
    [
        Rename(("roles",), "providers"),
        Rename(("providers", 1, "models"), "enabled"),
        Insert((), "roles", 1),
        Insert(("providers", 1), "enabled", 1),
        Rename((*MODELS, 3, "context"), "notes"),
    ],
    ids=str,
)
def test_a_key_far_away_is_seen(doc: YamlDoc, edit: Edit) -> None:
    with pytest.raises(Unsafe, match="there already"):
        doc.apply(edit)


def test_a_key_may_be_called_what_it_is_called(doc: YamlDoc) -> None:
    assert doc.apply(Rename(("roles",), "roles")).text == doc.text


# -- huge neighbours ------------------------------------------------------------------------------------------------
@pytest.fixture
def from_2000_characters_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """An entry is huge."""
    monkeypatch.setattr(shortening, "LONG", 2_000)


def _root(order: str) -> YamlDoc:
    """Keys of the root in this order: h(ead), p(roviders), r(oles), t(ail)."""
    parts = {"h": "title: a  # of the file\n", "p": "\n".join(text_of(20).split("\n")[1:-3]) + "\n\n# the roles\n"}
    parts |= {"r": "roles:\n  main: p0/m0\n", "t": "# kept\npolicy:\n  a: 1\n"}
    return YamlDoc.parse("".join(parts[each] for each in order).encode())


HUGE = {order: _root(order) for order in ("p", "hrp", "hprt")}
ROOT_EDITS: list[Edit] = [
    Put(("requirements", "main", "min_quality_tier"), "strong"),
    Insert((), "first", 1, before="providers"),
    Insert((), "second", {"a": [1, 2]}, after="providers"),
    Delete(("roles",)),
    Delete(("policy",)),
    Delete(("title",)),
    Rename(("roles",), "duties"),
    InsertItem(("providers",), 3, {"provider_id": "new", "models": [{"model_id": "x"}]}),
    InsertItem(("providers",), 2, {"provider_id": "new"}),
    Delete(("providers", 1)),
    Delete(("providers", 2)),
    Move(("providers",), 2, 0),
    Put(("providers", 1, "base_url"), "http://x/v1"),
    Insert(("providers", 1), "above", 1, before="models"),
    Delete(("providers", 1, "enabled")),
]


@pytest.mark.parametrize("edit", ROOT_EDITS, ids=str)
@pytest.mark.parametrize("order", HUGE)
@pytest.mark.usefixtures("from_2000_characters_on")
def test_beside_a_huge_entry_too(order: str, edit: Edit) -> None:
    doc = HUGE[order]
    try:
        edited = doc.apply(edit)
    except Unsafe:
        assert edit.path[0] not in doc.data
        return
    test_the_piece_gives_what_the_whole_would(doc, edit)
    assert edited.to_bytes() == _with_all_in_sight(doc, edit).to_bytes()


def _with_all_in_sight(doc: YamlDoc, edit: Edit) -> YamlDoc:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shortening, "LONG", 10**9)
        return doc.apply(edit)


@pytest.mark.parametrize("edit", ROOT_EDITS[:4], ids=str)
@pytest.mark.usefixtures("from_2000_characters_on")
def test_a_huge_neighbour_is_not_parsed(edit: Edit, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[int] = []
    real = applying.parse
    monkeypatch.setattr(applying, "parse", lambda text: sizes.append(len(text)) or real(text))
    HUGE["hprt"].apply(edit)
    assert max(sizes) < 1_000


@pytest.mark.parametrize("text", [text_of(4), DEMO.read_text(encoding="utf-8")], ids=["made", "demo"])
def test_any_neighbour_may_be_seen_in_part(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With every entry taken for huge, random edits give the data that they give with all in sight."""
    for module, name in ((shortening, "WINDOW"), (reader, "WINDOW"), (shortening, "LONG")):
        monkeypatch.setattr(module, name, 0)
    windows = []
    monkeypatch.setattr(applying, "shortened", lambda *a: windows.append(shortening.shortened(*a)) or windows[-1])
    doc = YamlDoc.parse(text.encode())
    for number in range(160):
        edit = random_edit(doc, KINDS[number % len(KINDS)], Random(number))
        try:
            edited = doc.apply(edit) if edit else doc
        except Unsafe:
            continue
        edited.prove()
        if edit:
            assert edited.to_bytes() == _with_all_in_sight(doc, edit).to_bytes(), edit
    assert sum(bool(window.head) for window in windows) > 10
    assert sum(window.is_cut for window in windows) > 3


NASTY = (
    "k: |\n  text\n   more\n",
    "k: |+\n  kept\n\n\n",
    "k: >-  # header\n  # no comment\n  text\n",
    "k: plain\n more\n more\n",
    'k: "quoted\n  more"\n',
    "k: {a: 1,\n b: [x,\n 2]}  # flow\n",
    "k:\n- same\n- column: 1\n  more: 2\n",
    "k: &anchor\n  a: 1\n  b: *anchor_above\n",
    "? k\n: ? deep\n  : 1\n  more: 2\n",
    "k:\n  # inside\n\n  a: 1\n\n  b: |\n    tail\n\n  # below\n",
    "'k':  \t# quoted key\n\n  - - 1\n    - 2\n  -\n    - 3\n",
    "k: !tag\n  a: 1\n  b: 2\n",
    "null:\n  a: 1\n  b:\n    c: 2\n",
    "[a, b]:\n  a: 1\n  b:\n    c: 2\n",
    "k:\n  ---a: 1\n  b:\n  c: '#'\n",
    "k:\n",
)
BESIDE_NASTY: list[Edit] = [
    Insert((), "new", {"a": [1]}, before="below"),
    Insert((), "new", "text\nmore\n", after="m"),
    Insert((), "new", 1),
    Put(("new", "sub"), "kept\n\n"),
    Delete(("m",)),
    Rename(("m",), "m"),
    Rename(("m",), "new"),
    Set(("m",), {"a": {"b": 1}}),
]


@pytest.mark.parametrize("frame", ["{}", "---\n{}", "%YAML 1.2\n---\n{}...\n", "\ufeff# top\n\n{}# end"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("nasty", NASTY)
def test_a_neighbour_of_any_kind_may_be_seen_in_part(
    nasty: str, newline: str, frame: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module, name in ((shortening, "WINDOW"), (reader, "WINDOW"), (shortening, "LONG")):
        monkeypatch.setattr(module, name, 0)
    below = nasty.replace("'k'", "below").replace("k", "below", 1)
    body = f"a: &anchor_above 1\n\n{nasty}# lead\nm: 1\n\n{below}"
    for text in (frame.format(body), frame.format(body.replace("# lead\nm: 1\n\n", "")).rstrip("\n")):
        doc = YamlDoc.parse(text.replace("\n", newline).encode())
        for edit in BESIDE_NASTY:
            try:
                edited = doc.apply(edit)
            except Unsafe:
                continue
            assert edited.to_bytes() == _with_all_in_sight(doc, edit).to_bytes(), edit
            assert typed_bytes(edited.data) == typed_bytes(YamlDoc.parse(edited.to_bytes()).data), edit
            edited.prove()


def test_behind_a_key_that_is_null_a_new_one_stands_where_it_was_put(monkeypatch: pytest.MonkeyPatch) -> None:
    """As a neighbour, None says that none is named; behind the first line of `below` it would have torn it apart."""
    for module, name in ((shortening, "WINDOW"), (reader, "WINDOW"), (shortening, "LONG")):
        monkeypatch.setattr(module, name, 0)
    doc = YamlDoc.parse(b"null: 1\nbelow:\n  a: 1\n  b: 2\n")
    edited = doc.apply(Insert((), "new", 1, before="below"))
    assert edited.text == "null: 1\nnew: 1\nbelow:\n  a: 1\n  b: 2\n"


@pytest.mark.parametrize(
    ("start", "end", "leaves"), [(2, 2, False), (3, 3, True), (8, 13, True), (13, 13, True), (13, 14, False)]
)
def test_what_is_seen_in_part_stays_as_it_is(start: int, end: int, leaves: bool) -> None:
    window = Window(0, 0, (), head="a:\n", is_cut=True)
    splices = (Splice(start, end, ""),)
    assert shortening.leaves_neighbours("a:\n b:1\nc: 1\nd:\n", window, splices) is leaves
