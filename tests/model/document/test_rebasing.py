"""Edits replayed on a file that others changed: both changes stand, or the collision is told."""

from __future__ import annotations

from typing import Any

import pytest

from model.document import (
    Delete,
    Edit,
    Insert,
    InsertItem,
    Invalid,
    Move,
    Put,
    Rename,
    Set,
    YamlDoc,
    rebase,
)

OLD = """\
# ours
models:
  - id: a
    enabled: true
    tier: high
  - id: b
    enabled: true
  - id: c
    enabled: true
other: 1
"""


def replay(after: str, *edits: Edit, before: str = OLD) -> tuple[str, list[Any]]:
    rebased = rebase(YamlDoc.parse(before.encode()), edits, after.encode())
    return rebased.doc.text, list(rebased.conflicts)


def test_both_changes_stand() -> None:
    text, conflicts = replay(OLD.replace("other: 1", "other: 2"), Set(("models", 1, "enabled"), False))
    assert conflicts == []
    assert text == OLD.replace("other: 1", "other: 2").replace("id: b\n    enabled: true", "id: b\n    enabled: false")


@pytest.mark.parametrize("comments", ["# theirs\n", ""])
def test_an_item_is_followed_to_where_it_stands_now(comments: str) -> None:
    after = OLD.replace("models:\n", f"models:\n{comments}  - id: z\n    enabled: true\n")
    text, conflicts = replay(after, Set(("models", 1, "enabled"), False))
    assert conflicts == []
    assert YamlDoc.parse(text.encode()).data["models"][2] == {"id": "b", "enabled": False}


def test_an_item_that_changed_elsewhere_is_followed_by_its_name() -> None:
    after = OLD.replace("models:\n", "models:\n  - id: z\n").replace("tier: high", "tier: low")
    text, conflicts = replay(after, Set(("models", 0, "enabled"), False))
    assert conflicts == []
    assert YamlDoc.parse(text.encode()).data["models"][1] == {"id": "a", "enabled": False, "tier": "low"}


def test_the_same_value_changed_is_a_conflict_with_both_values() -> None:
    text, [conflict] = replay(OLD.replace("tier: high", "tier: low"), Set(("models", 0, "tier"), "free"))
    assert text == OLD.replace("tier: high", "tier: low")
    assert (conflict.before, conflict.now) == ("high", "low")


def test_the_same_change_made_by_others_is_no_conflict() -> None:
    after = OLD.replace("tier: high", "tier: low")
    assert replay(after, Set(("models", 0, "tier"), "low")) == (after, [])


def test_an_item_that_is_gone_is_a_conflict() -> None:
    after = OLD.replace("  - id: b\n    enabled: true\n", "")
    text, [conflict] = replay(after, Set(("models", 1, "enabled"), False))
    assert text == after
    assert "gone" in conflict.reason


def test_deleting_what_others_changed_is_a_conflict() -> None:
    after = OLD.replace("tier: high", "tier: low")
    assert replay(after, Delete(("models", 0)))[1][0].now["tier"] == "low"
    assert replay(after, Delete(("models", 0, "tier")))[1][0].now == "low"


def test_deleting_what_others_deleted_is_done_already() -> None:
    after = OLD.replace("    tier: high\n", "")
    assert replay(after, Delete(("models", 0, "tier"))) == (after, [])


def test_adding_what_others_added_otherwise_is_a_conflict() -> None:
    after = OLD + "new: 1\n"
    assert replay(after, Put(("new",), 2))[1][0].now == 1
    assert replay(after, Insert((), "new", 2))[1][0].now == 1
    assert replay(after, Put(("new",), 1)) == (after, [])


def test_items_go_behind_their_neighbour() -> None:
    after = OLD.replace("models:\n", "models:\n  - id: z\n")
    text, conflicts = replay(after, InsertItem(("models",), 1, {"id": "new"}))
    assert conflicts == []
    assert [item["id"] for item in YamlDoc.parse(text.encode()).data["models"]] == ["z", "a", "new", "b", "c"]


def test_moves_follow_both_ends() -> None:
    after = OLD.replace("models:\n", "models:\n  - id: z\n")
    text, conflicts = replay(after, Move(("models",), 2, 0))
    assert conflicts == []
    assert [item["id"] for item in YamlDoc.parse(text.encode()).data["models"]] == ["z", "c", "a", "b"]


def test_edits_that_build_on_each_other() -> None:
    edits = (InsertItem(("models",), 3, {"id": "d"}), Put(("models", 3, "enabled"), True), Rename(("other",), "mine"))
    text, conflicts = replay(OLD.replace("# ours", "# theirs"), *edits)
    assert conflicts == []
    assert YamlDoc.parse(text.encode()).data["models"][3] == {"id": "d", "enabled": True}
    assert "mine: 1" in text


def test_what_builds_on_a_conflict_is_one_too() -> None:
    after = OLD.replace("other: 1", "other: 2")
    edits = (Set(("other",), {"x": 1}), Put(("other", "y"), 2))
    assert len(replay(after, *edits)[1]) == 2


def test_a_file_that_is_no_yaml_any_more() -> None:
    with pytest.raises(Invalid):
        replay("a: [", Set(("other",), 2))


def test_items_that_cannot_be_told_apart_are_not_guessed() -> None:
    before, after = "l:\n- x: 1\n- x: 1\n", "l:\n- x: 1\n- x: 1\n- x: 1\n"
    text, [conflict] = replay(after, Set(("l", 1, "x"), 2), before=before)
    assert text == after
    assert "gone" in conflict.reason or "told" in conflict.reason
