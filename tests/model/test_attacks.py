"""What once lost an edit: files that change on disk under several open files, undone saves and half-done saves."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from model.document import Delete, Edit, Insert, InsertItem, Move, Put, Rename, Set, YamlDoc, inverse
from model.editing import CannotEdit, add_model, remove_model
from model.files import FileSpec
from model.model_ref import ModelRef
from model.outside import Event
from model.targets import change_field
from model.vocabulary import Layer
from model.workbench import Change, Conflict, Unsafe, Workbench

GLOBAL = "providers:\n  - provider_id: p\n    provider_kind: openai\n    models:\n      - model_id: a\n"
PROJECT = "providers:\n  - provider_id: p\n    models:\n      - model_id: a\n        supports: {tool_use: true}  # c\n"
A = ModelRef("p", "a")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    path = tmp_path / "project.yaml"
    path.write_text(PROJECT)
    return path


@pytest.fixture
def home(tmp_path: Path) -> Path:
    path = tmp_path / "home.yaml"
    path.write_text(GLOBAL)
    return path


@pytest.fixture
def bench(project: Path, home: Path) -> Workbench:
    return Workbench([FileSpec(project, Layer.PROJECT), FileSpec(home, Layer.GLOBAL)])


def flip(bench: Workbench) -> None:
    bench.apply(change_field(bench.snapshot, [A], "supports.tool_use", False))


def touched_by_others(path: Path) -> None:
    path.write_text("# theirs\n" + path.read_text())


def text(bench: Workbench, path: Path) -> str:
    doc = bench.file(str(path)).doc
    assert doc is not None
    return doc.text


def test_another_file_that_is_read_again_takes_no_pending_edit_along(
    bench: Workbench, project: Path, home: Path
) -> None:
    flip(bench)
    touched_by_others(home)
    assert [each.event for each in bench.sync()] == [Event.RELOADED]
    assert (bench.pending_changes, bench.undo_title) == (1, "supports.tool_use = false on p/a")
    touched_by_others(project)
    bench.sync()
    assert text(bench, project) == "# theirs\n" + PROJECT.replace("true", "false")
    bench.undo()
    assert text(bench, project) == "# theirs\n" + PROJECT
    assert text(bench, home) == "# theirs\n" + GLOBAL, "what others did to the other file stays"


def test_pending_edits_of_two_files_outlive_a_change_of_one(bench: Workbench, project: Path, home: Path) -> None:
    flip(bench)
    bench.apply(change_field(bench.snapshot, [A], "quality_tier", "strong", Layer.GLOBAL))
    touched_by_others(project)
    bench.sync()
    touched_by_others(home)
    bench.sync()
    assert bench.pending_changes == 2
    assert "quality_tier: strong" in text(bench, home)
    assert "tool_use: false" in text(bench, project)


def test_undo_from_behind_a_save_is_carried_over(bench: Workbench, project: Path) -> None:
    flip(bench)
    bench.save()
    bench.undo()
    touched_by_others(project)
    assert bench.pending_changes == 1
    (event,) = bench.sync()
    assert (event.event, event.conflicts) == (Event.CARRIED_OVER, ())
    assert text(bench, project) == "# theirs\n" + PROJECT
    bench.save()
    assert project.read_text() == "# theirs\n" + PROJECT


def test_an_undo_that_collides_is_told(bench: Workbench, project: Path) -> None:
    flip(bench)
    bench.save()
    bench.undo()
    project.write_text(project.read_text().replace("false", '"odd"'))
    (event,) = bench.sync()
    assert [(each.before, each.now) for each in event.conflicts] == [(False, "odd")]


def test_what_a_half_done_save_wrote_is_not_made_twice(bench: Workbench, project: Path, home: Path) -> None:
    mine, other = bench.file(str(project)), bench.file(str(home))
    added = {each.name: add_model(each.config, ModelRef("p", "n1"), {}) for each in (mine, other)}
    bench.apply(Change("add", added))
    touched_by_others(home)
    with pytest.raises(Conflict):
        bench.save()
    bench.apply(change_field(bench.snapshot, [ModelRef("p", "n1")], "quality_tier", "strong", Layer.PROJECT))
    touched_by_others(project)
    bench.sync()
    assert text(bench, project).count("n1") == 1
    assert text(bench, project).endswith("quality_tier: strong\n")


@pytest.mark.parametrize(("now", "after"), [("nabc", "nac"), ("cba", "ca")])
def test_a_prepared_change_follows_its_model(home: Path, now: str, after: str) -> None:
    def models(names: str) -> str:
        return GLOBAL.removesuffix("      - model_id: a\n") + "".join(f"      - model_id: {name}\n" for name in names)

    home.write_text(models("abc"))
    bench = Workbench([FileSpec(home, Layer.GLOBAL)])
    step = bench.prepare(Change("remove b", {str(home): remove_model(bench.files[0].config, ModelRef("p", "b"))}))
    home.write_text(models(now))
    bench.sync()
    bench.commit(step)
    assert text(bench, home) == models(after)


def test_a_prepared_change_that_collides_is_refused(bench: Workbench, project: Path) -> None:
    step = bench.prepare(change_field(bench.snapshot, [A], "supports.tool_use", False))
    project.write_text(PROJECT.replace("true", '"odd"'))
    bench.sync()
    with pytest.raises(Unsafe, match="changed on disk"):
        bench.commit(step)
    assert not bench.changed_files


def test_a_pipe_in_the_files_place_does_not_hang(bench: Workbench, project: Path) -> None:
    project.unlink()
    os.mkfifo(project)
    assert [each.event for each in bench.sync()] == [Event.UNREADABLE]


@pytest.mark.parametrize("there", ["{p: {models: [a]}}  # c", "some text", "17"])
def test_what_stands_where_a_list_should_be_is_not_replaced_by_one(home: Path, there: str) -> None:
    for before in (f"providers: {there}\n", f"providers:\n  - provider_id: q\n    models: {there}\n"):
        home.write_text(before)
        config = Workbench([FileSpec(home, Layer.GLOBAL)]).files[0].config
        with pytest.raises(CannotEdit, match="is no list"):
            add_model(config, ModelRef("q", "x"), {})


TEXT = "a: {x: 1}\nlist: [1, {m: 2}]\nempty: []\nnone:\n"
EDITS: list[Edit] = [
    Set(("a", "x"), 5),
    Put(("a", "x"), "y"),
    Put(("a", "new", "deep"), 1),
    Put(("none", "new"), 1),
    Insert(("a",), "new", [1]),
    Insert((), "new", None),
    Rename(("a",), "b"),
    Delete(("a",)),
    Delete(("list", 0)),
    Delete(("list", 1, "m")),
    InsertItem(("list",), 1, "new"),
    InsertItem(("empty",), 0, "new"),
    InsertItem(("none",), 0, "new"),
    Move(("list",), 0, 1),
]


@pytest.mark.parametrize("edit", EDITS, ids=str)
def test_the_inverse_of_an_edit_brings_the_data_back(edit: Edit) -> None:
    doc = YamlDoc.parse(TEXT.encode())
    assert doc.apply(edit, inverse(doc, edit)).data == doc.data


COMMENTED = """\
providers:
  - provider_id: p
    provider_kind: openai
    models:
      # every one of them
      - model_id: a

      # the big one
      - model_id: b  # dear
        quality_tier: 'frontier'  # measured
        # and more

      - model_id: c
"""
B_ALONE = COMMENTED.replace("      - model_id: a\n\n", "").replace("\n      - model_id: c\n", "")


@pytest.mark.parametrize("name", ["a", "b", "c"])
def test_an_undone_deletion_that_is_carried_over_comes_back_with_its_comments(home: Path, name: str) -> None:
    home.write_text(COMMENTED)
    bench = Workbench([FileSpec(home, Layer.GLOBAL)])
    bench.apply(Change("remove", {str(home): remove_model(bench.files[0].config, ModelRef("p", name))}))
    bench.save()
    bench.undo()
    touched_by_others(home)
    (event,) = bench.sync()
    assert (event.conflicts, event.warnings) == ((), ())
    assert text(bench, home) == "# theirs\n" + COMMENTED
    bench.save()
    assert home.read_text() == "# theirs\n" + COMMENTED


def test_it_follows_its_neighbour_and_takes_the_indent_of_the_others(home: Path) -> None:
    home.write_text(COMMENTED)
    bench = Workbench([FileSpec(home, Layer.GLOBAL)])
    bench.apply(Change("remove", {str(home): remove_model(bench.files[0].config, ModelRef("p", "b"))}))
    bench.save()
    bench.undo()
    others = "providers:\n- provider_id: p\n  models:\n" + "".join(
        f"  - model_id: {each}\n" for each in ("new", "a", "c")
    )
    home.write_text(others)
    assert bench.sync()[0].conflicts == ()
    lines = COMMENTED.splitlines(keepends=True)[6:11]
    block = "".join(line.replace("      ", "  ", 1) for line in lines)
    assert text(bench, home) == others.replace("  - model_id: c\n", block + "  - model_id: c\n")


def test_a_deletion_that_comes_back_by_its_data_warns_of_the_comments(home: Path) -> None:
    home.write_text(B_ALONE)
    bench = Workbench([FileSpec(home, Layer.GLOBAL)])
    bench.apply(Change("remove", {str(home): remove_model(bench.files[0].config, ModelRef("p", "b"))}))
    bench.save()
    bench.undo()
    touched_by_others(home)
    (event,) = bench.sync()
    assert event.warnings == ("the comments that were deleted with it are not restored",)
    assert "model_id: b\n" in text(bench, home)


def test_a_deleted_key_comes_back_where_it_stood(home: Path) -> None:
    doc = YamlDoc.parse(COMMENTED.encode())
    for path in (
        ("providers", 0, "models"),
        ("providers", 0, "provider_kind"),
        ("providers", 0, "models", 1, "quality_tier"),
    ):
        assert doc.apply(Delete(path), inverse(doc, Delete(path))).text == COMMENTED
