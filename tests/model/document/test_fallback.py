"""The round trip: a plan with its price, never done unasked, refused where it would cost a comment or data."""

from __future__ import annotations

import pytest

from model.document import Delete, Insert, Set, Unsafe, YamlDoc

LONE_CR = b"a: 1 # one\rb: {x: 1,y: 2}\r"


def test_the_plan_says_what_it_costs_and_changes_nothing() -> None:
    doc = YamlDoc.parse(b"a: !env KEY\nb: {x: 1,y: 2} # c\n")
    plan = doc.fallback([Insert((), "c", [1])])
    assert plan.lines_changed == 3
    assert plan.comments_lost == 0
    assert plan.doc.data == {**doc.data, "c": [1]}
    assert doc.text == "a: !env KEY\nb: {x: 1,y: 2} # c\n"
    assert "+c:\n" in doc.diff(plan.doc, label="x")


def test_it_serves_where_a_splice_is_refused() -> None:
    doc = YamlDoc.parse(b'a: {x: 1, z: 2}\nb: "p\xe2\x80\xa8q"\n')
    with pytest.raises(Unsafe):
        doc.apply(Delete(("a",)))
    plan = doc.fallback([Delete(("a",))])
    assert plan.doc.data == {"b": doc.data["b"]}


def test_refused_if_a_comment_would_go() -> None:
    with pytest.raises(Unsafe, match="lose 1 comment"):
        YamlDoc.parse(b"# licence\n---\na: 1\n").fallback([Set(("a",), 2)])


def test_refused_if_other_data_would_change() -> None:
    with pytest.raises(Unsafe):
        YamlDoc.parse(b"a: 1\na: 2\nb: 1\n").fallback([Set(("b",), 2)])


def test_refused_if_the_path_is_not_there() -> None:
    with pytest.raises(Unsafe, match="does not exist"):
        YamlDoc.parse(b"a: 1\n").fallback([Set(("x", "y"), 2)])
