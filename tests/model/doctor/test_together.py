"""Several mends as one change."""

from __future__ import annotations

from pathlib import Path

import pytest

from model.doctor.together import together
from model.document import Delete, Edit, InsertItem, Put, Rename, Set
from model.findings import Finding, Fix, Severity, Spot
from model.vocabulary import Layer
from model.workbench import Workbench
from tests.model.doctor.cases import bench, report

TEXT = """\
a: {b: 1, c: 2}
list: [0, 1, 2, 3]
rows:
  - {x: 0}
  - {x: 1}
  - {x: 2}
"""


def mend(workbench: Workbench, name: str, *edits: Edit) -> Finding:
    file = workbench.files[0].name
    return Finding("config-x", Severity.INFO, Spot(file), name, fix=Fix(name, file, edits, safe=True))


def after(folder: Path, *edits: tuple[Edit, ...]) -> tuple[object, list[str]]:
    """The data once as much as can be is mended at once, and the names of those that wait."""
    workbench = bench(folder / "m.yaml", TEXT)
    mends = together(workbench.snapshot, [mend(workbench, str(n), *each) for n, each in enumerate(edits)])
    if mends is None:
        return None, []
    workbench.apply(mends.change)
    doc = workbench.files[0].doc
    assert doc is not None
    return doc.data, [each.message for each in mends.left]


def without(*numbers: int) -> list[int]:
    return [number for number in range(4) if number not in numbers]


@pytest.mark.parametrize("order", [(1, 3), (3, 1)])
def test_items_of_one_list_go_whatever_the_order(order: tuple[int, int], tmp_path: Path) -> None:
    data, left = after(tmp_path, *((Delete(("list", number)),) for number in order))
    assert (data["list"], left) == (without(1, 3), [])  # type: ignore[index]  # plain data


def test_what_lies_before_a_removed_item_can_be_changed_with_it(tmp_path: Path) -> None:
    data, left = after(tmp_path, (Set(("rows", 0, "x"), 9),), (Delete(("rows", 1)),), (Set(("rows", 2, "x"), 8),))
    assert (data["rows"], left) == ([{"x": 9}, {"x": 8}], [])  # type: ignore[index]  # plain data


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (Set(("a", "b"), 5), Set(("a", "b"), 6)),
        (Rename(("a",), "z"), Set(("a", "b"), 5)),
        (Delete(("rows", 1)), Set(("rows", 1, "x"), 5)),
        (Put(("a",), {}), Put(("a", "d"), 1)),
    ],
)
def test_of_two_mends_of_one_place_one_waits(first: Edit, second: Edit, tmp_path: Path) -> None:
    data, left = after(tmp_path, (first,), (second,))
    assert data is not None
    assert len(left) == 1


def test_a_mend_that_moves_what_another_names_lets_it_wait(tmp_path: Path) -> None:
    """The second mend reaches further down the list, so it comes first; its first edit moves what the other names."""
    data, left = after(tmp_path, (Set(("list", 2), 9),), (Delete(("list", 3)), Delete(("list", 0))))
    assert (data["list"], left) == ([1, 2], ["0"])  # type: ignore[index]  # plain data
    data, left = after(tmp_path, (Set(("list", 2), 9),), (InsertItem(("list",), 3, 7), InsertItem(("list",), 1, 7)))
    assert left == ["0"]


def test_the_same_mend_for_two_findings_is_made_once(tmp_path: Path) -> None:
    data, left = after(tmp_path, (Delete(("list", 1)),), (Delete(("list", 1)),))
    assert (data["list"], left) == (without(1), [])  # type: ignore[index]  # plain data


def test_a_mend_that_the_document_refuses_waits_and_the_rest_is_made(tmp_path: Path) -> None:
    data, left = after(tmp_path, (Set(("nothing", "here"), 1),), (Set(("a", "c"), 7),))
    assert (data["a"], left) == ({"b": 1, "c": 7}, ["0"])  # type: ignore[index]  # plain data


def test_nothing_to_mend_is_no_change(tmp_path: Path) -> None:
    assert after(tmp_path) == (None, [])
    assert after(tmp_path, (Set(("nothing", "here"), 1),)) == (None, [])


CHAINS = """\
providers:
  - provider_id: main
    provider_kind: anthropic
    auth_ref: env:K
    models:
      - {model_id: claude-opus-4-7, supports: {tool_use: "true", thinking: "yes"}}
      - {model_id: claude-opus-4-6}
fallbacks:
  - task: review
    chain: [main/claude-opus-4-7, main/claude-opus-4-7, main/claude-opus-4-6, main/claude-opus-4-7]
"""


def test_all_safe_mends_of_a_file_are_one_step_back(tmp_path: Path) -> None:
    workbench = bench(tmp_path / "m.yaml", CHAINS, Layer.GLOBAL)
    mends = together(workbench.snapshot, report(workbench).safe_fixes)
    assert mends is not None
    assert len(mends.mended) >= 4
    workbench.apply(mends.change)
    assert report(workbench).safe_fixes == ()
    assert workbench.undo() == mends.change.title
    assert not workbench.changed_files
