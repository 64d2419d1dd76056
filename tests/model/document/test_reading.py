"""Reading: values under YAML 1.2 core rules, bounds, duplicates, places."""

from __future__ import annotations

import math

import pytest

from model.document import Invalid, Refused, YamlDoc


def data(text: str) -> object:
    return YamlDoc.parse(text.encode()).data


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("yes", "yes"),
        ("on", "on"),
        ("n", "n"),
        ("true", True),
        ("False", False),
        ("~", None),
        ("", None),
        ("Null", None),
        ("nUll", "nUll"),
        ("0777", 777),
        ("0o17", 15),
        ("0x1F", 31),
        ("0b101", 5),
        ("1_000", 1000),
        ("-7", -7),
        ("1e5", 1e5),
        ("1e-05", 1e-5),
        ("+.5", 0.5),
        ("12.50", 12.5),
        ("-.inf", -math.inf),
        ("12:30", "12:30"),
        ("2024-01-01", "2024-01-01"),
        ("'1'", "1"),
        ("!!str 123", "123"),
        ('!!int "3"', 3),
        ("!env KEY", "KEY"),
        ("!include [a, b]", ["a", "b"]),
        ("0x_", "0x_"),
        ("=", "="),
        ("<<", "<<"),
        ("1" * 5000, "1" * 5000),
    ],
)
def test_scalar(text: str, value: object) -> None:
    read = data(f"k: {text}\n")
    assert read == {"k": value}
    assert type(read["k"]) is type(value)  # type: ignore[index]


def test_yaml_1_1_where_the_file_says_so() -> None:
    assert data("%YAML 1.1\n---\na: yes\nb: 0777\nc: 1:30\n") == {"a": True, "b": 511, "c": 90}


def test_merge_keys_own_keys_win_then_the_first_named() -> None:
    text = "a: &a {k: 1, z: 1}\nb: &b {k: 2, y: 2}\nc:\n  <<: [*a, *b]\n  z: 3\n"
    assert data(text)["c"] == {"z": 3, "k": 1, "y": 2}  # type: ignore[index]


def test_the_last_duplicate_wins_and_both_places_are_known() -> None:
    doc = YamlDoc.parse(b"x:\n- a: 1\n  b: 2\n  a: 3\n")
    assert doc.data == {"x": [{"a": 3, "b": 2}]}
    [(path, first, again)] = doc.duplicates
    assert path == ("x", 0, "a")
    assert (first.line, first.column, again.line, again.column) == (2, 3, 4, 3)


@pytest.mark.parametrize(
    ("path", "key", "line", "column", "text"),
    [
        (("b", 1), False, 5, 3, "y"),
        (("c",), False, 6, 7, "{k: 1}"),
        (("c",), True, 6, 1, "c"),
        (("d", "k"), False, 6, 11, "1"),
        (("e", "k"), False, 6, 11, "1"),
        ((1,), False, 9, 4, "z"),
        (("f",), False, 10, 3, ""),
    ],
)
def test_place(path: tuple[str | int, ...], key: bool, line: int, column: int, text: str) -> None:
    doc = YamlDoc.parse(b"a: 1\nb:\n- x\n-\n  y\nc: &x {k: 1}\nd: {<<: *x}\ne: *x\n1: z\nf: # c\n")
    place = doc.place(path, key=key)
    assert place is not None
    assert (place.line, place.column, doc.text[place.start : place.end]) == (line, column, text)


def test_no_place_for_what_is_not_there() -> None:
    doc = YamlDoc.parse(b"a: [1]\n")
    assert doc.place(("b",)) is None
    assert doc.place(("a", 1)) is None
    assert doc.place(("a", 0, "x")) is None


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        (b"a: \xe9\n", "encoding"),
        ("a: 1\n".encode("utf-16"), "encoding"),
        (b"a: 1\0\n", "nul"),
        (b"[" * 101 + b"]" * 101, "depth"),
        (b"a: &a 1\nb: [" + b"*a, " * 1001 + b"]\n", "aliases"),
        (b"a: &a [*a]\n", "recursion"),
        (b"#" + b" " * (32 * 1024 * 1024), "size"),
    ],
    ids=["latin-1", "utf-16", "nul", "depth", "aliases", "recursion", "size"],
)
def test_refused(raw: bytes, code: str) -> None:
    with pytest.raises(Refused) as caught:
        YamlDoc.parse(raw)
    assert caught.value.reason_code == code


def test_an_alias_bomb_is_refused_before_it_unfolds() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]" for i in range(1, 9)]
    with pytest.raises(Refused, match="unfold"):
        data("\n".join(lines))


def test_a_merge_bomb_is_refused() -> None:
    wide = ", ".join(f"k{i}: 1" for i in range(2000))
    text = f"base: &b {{{wide}}}\n" + "".join(f"m{i}: {{<<: *b}}\n" for i in range(60))
    with pytest.raises(Refused) as caught:
        data(text)
    assert caught.value.reason_code in ("merge", "aliases")


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [("a: 1\nb: [1\n", 3, 1), ("a: 1\n<%= x %>\n", 2, 1), ("a: *x\n", 1, 4), ("a: 1\nb: \x07\n", 2, 4)],
)
def test_invalid_yaml_says_where(text: str, line: int, column: int) -> None:
    with pytest.raises(Invalid) as caught:
        data(text)
    assert (caught.value.line, caught.value.column) == (line, column)


def test_same_bytes_without_an_edit() -> None:
    raw = b"\xef\xbb\xbf# c\r\na:\t1  \r\n\n"
    assert YamlDoc.parse(raw).to_bytes() == raw


def test_several_documents() -> None:
    raw = b"a: 1\n---\na: 2\n"
    assert YamlDoc.parse(raw).data == {"a": 1}
    assert YamlDoc.parse(raw, document=1).data == {"a": 2}
    assert YamlDoc.parse(raw).documents == 2
