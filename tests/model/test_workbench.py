"""The road from a key to the file and back: apply, undo, redo, save, and a file that changes on disk."""

from __future__ import annotations

from pathlib import Path

import pytest

from model.config.fields import MODEL_FIELDS
from model.document import Move, Put
from model.editing import CannotEdit, add_model, parse_value, remove_model, rename_model
from model.files import Choice, FileSpec, choose_files
from model.model_ref import ModelRef
from model.outside import Event
from model.targets import change_field, drop_field, next_flag, stated_flag
from model.vocabulary import Capability, Layer, Support
from model.workbench import Change, Conflict, ReadOnly, Unsafe, Workbench

TEXT = """\
# mine
providers:
  - provider_id: p   # the one
    provider_kind: openai
    models:
      - model_id: a
        supports:
          tool_use: true   # tested
      - model_id: b  # spare
fallbacks:
  - {model: p/a, chain: [p/b, p/a]}
"""
A, B = ModelRef("p", "a"), ModelRef("p", "b")
TOOLS = Capability.TOOL_USE


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "models.yaml"
    path.write_text(TEXT)
    return path


@pytest.fixture
def bench(path: Path) -> Workbench:
    return Workbench([FileSpec(path, Layer.FILE)])


def support(bench: Workbench, ref: ModelRef = A) -> Support:
    row = bench.snapshot.matrix.get(ref)
    assert row is not None
    return row.support(TOOLS)


def flip(bench: Workbench, ref: ModelRef = A, value: bool = False) -> None:
    bench.apply(change_field(bench.snapshot, [ref], "supports.tool_use", value))


def test_an_edit_changes_the_snapshot_and_one_line(bench: Workbench, path: Path) -> None:
    flip(bench)
    assert support(bench) is Support.NO
    assert bench.pending_changes == 1
    changed = [line for line in bench.diff().splitlines() if line[:1] in "+-" and line[:3] not in {"+++", "---"}]
    assert changed == ["-          tool_use: true   # tested", "+          tool_use: false   # tested"]
    assert path.read_text() == TEXT, "nothing is written before save"
    bench.save()
    assert path.read_text() == TEXT.replace("tool_use: true", "tool_use: false")
    assert bench.pending_changes == 0
    assert not bench.changed_files


def test_undo_and_redo_walk_the_same_road(bench: Workbench, path: Path) -> None:
    flip(bench)
    flip(bench, B, True)
    assert bench.undo() is not None
    assert support(bench, B) is Support.UNKNOWN
    assert bench.undo() is not None
    assert support(bench) is Support.YES
    assert not bench.changed_files
    assert bench.undo() is None
    assert bench.redo() is not None
    assert bench.redo() is not None
    assert (support(bench), support(bench, B)) == (Support.NO, Support.YES)


def test_undo_after_save_makes_a_pending_change(bench: Workbench, path: Path) -> None:
    flip(bench)
    bench.save()
    bench.undo()
    assert bench.changed_files
    bench.save()
    assert path.read_text() == TEXT


def test_clearing_lets_the_next_layer_decide(bench: Workbench) -> None:
    bench.apply(drop_field(bench.snapshot, [A], "supports.tool_use"))
    assert support(bench) is Support.UNKNOWN
    with pytest.raises(CannotEdit):
        drop_field(bench.snapshot, [B], "supports.tool_use")


def test_the_cycle_of_space(bench: Workbench) -> None:
    assert [stated_flag(bench.snapshot, A, TOOLS), stated_flag(bench.snapshot, B, TOOLS)] == [True, None]
    assert [next_flag(None), next_flag(True), next_flag(False)] == [True, False, None]


def test_renaming_a_model_renames_its_mentions(bench: Workbench) -> None:
    file = bench.files[0]
    bench.apply(Change("rename", {file.name: rename_model(file.config, A, "new/one")}))
    text = bench.files[0].doc.text if bench.files[0].doc else ""
    assert "- model_id: new/one\n" in text
    assert "{model: p/new/one, chain: [p/b, p/new/one]}" in text


def test_a_model_is_added_in_the_files_own_style(bench: Workbench) -> None:
    file = bench.files[0]
    bench.apply(Change("add", {file.name: add_model(file.config, ModelRef("q", "x"), {"cost_tier": "low"})}))
    assert [str(row.ref) for row in bench.snapshot.matrix.rows] == ["p/a", "p/b", "q/x"]


def test_a_change_on_disk_conflicts_with_a_save(bench: Workbench, path: Path) -> None:
    flip(bench)
    path.write_text(TEXT.replace("# mine", "# theirs"))
    with pytest.raises(Conflict):
        bench.save()
    assert "# theirs" in path.read_text()


def test_a_change_on_disk_is_read_again(bench: Workbench, path: Path) -> None:
    path.write_text(TEXT.replace("tool_use: true", "tool_use: false"))
    (event,) = bench.sync()
    assert event.event is Event.RELOADED
    assert support(bench) is Support.NO
    assert bench.sync() == ()


def test_pending_edits_are_carried_over(bench: Workbench, path: Path) -> None:
    flip(bench)
    path.write_text(TEXT.replace("# mine", "# theirs"))
    (event,) = bench.sync()
    assert (event.event, event.conflicts) == (Event.CARRIED_OVER, ())
    bench.save()
    assert path.read_text() == TEXT.replace("# mine", "# theirs").replace("tool_use: true", "tool_use: false")
    bench.undo()
    assert support(bench) is Support.YES


def test_a_collision_is_told_and_left_out(bench: Workbench, path: Path) -> None:
    bench.apply(change_field(bench.snapshot, [A], "supports.tool_use", False))
    bench.apply(change_field(bench.snapshot, [A], "quality_tier", "strong"))
    path.write_text(TEXT.replace("tool_use: true", 'tool_use: "maybe"'))
    (event,) = bench.sync()
    assert len(event.conflicts) == 1
    assert (event.conflicts[0].before, event.conflicts[0].now) == (True, "maybe")
    row = bench.snapshot.matrix.get(A)
    assert row is not None
    assert row.quality_tier.value == "strong", "the edit that does not collide is kept"


def test_a_file_that_stops_parsing_stays_on_the_screen_and_is_not_written(bench: Workbench, path: Path) -> None:
    flip(bench)
    path.write_text("a: [")
    (event,) = bench.sync()
    assert event.event is Event.UNREADABLE
    assert support(bench) is Support.NO, "the last good state stays"
    with pytest.raises(ReadOnly):
        flip(bench, B, True)
    path.write_text(TEXT)
    bench.sync()
    flip(bench, B, True)
    assert support(bench, B) is Support.YES


def test_a_deleted_file_is_told_once(bench: Workbench, path: Path) -> None:
    path.unlink()
    assert [each.event for each in bench.sync()] == [Event.GONE]
    assert bench.sync() == ()


def test_a_deleted_file_can_be_edited_and_written_again(bench: Workbench, path: Path) -> None:
    path.unlink()
    bench.sync()
    assert [file.name for file in bench.changed_files] == [str(path)]
    assert [line[1:] for line in bench.diff().splitlines() if line.startswith("+")][1:] == TEXT.splitlines()
    flip(bench)
    assert support(bench) is Support.NO
    bench.save()
    assert "tool_use: false" in path.read_text()
    assert bench.changed_files == ()
    bench.undo()
    bench.save()
    assert path.read_text() == TEXT


def test_a_deleted_file_that_comes_back_takes_the_edits_in(bench: Workbench, path: Path) -> None:
    path.unlink()
    bench.sync()
    flip(bench)
    path.write_text("# new\n" + TEXT)
    assert [each.event for each in bench.sync()] == [Event.CARRIED_OVER]
    assert support(bench) is Support.NO
    bench.undo()
    assert bench.changed_files == ()


def test_a_deleted_file_does_not_overwrite_what_came_in_its_place(bench: Workbench, path: Path) -> None:
    path.unlink()
    bench.sync()
    path.write_text("providers: []\n")
    with pytest.raises(Conflict):
        bench.save()
    assert path.read_text() == "providers: []\n"


def test_edits_go_to_the_file_that_decides(tmp_path: Path) -> None:
    project, global_ = tmp_path / "project.yaml", tmp_path / "global.yaml"
    global_.write_text(
        "providers: [{provider_id: p, provider_kind: openai, models: [{model_id: a, cost_tier: low}]}]\n"
    )
    project.write_text("providers: [{provider_id: p, models: [{model_id: a, supports: {tool_use: true}}]}]\n")
    bench = Workbench([FileSpec(project, Layer.PROJECT), FileSpec(global_, Layer.GLOBAL)])
    decided = change_field(bench.snapshot, [A], "supports.tool_use", False)
    assert list(decided.edits) == [str(project)]
    assert list(change_field(bench.snapshot, [A], "quality_tier", "strong").edits) == [str(global_)]
    assert list(change_field(bench.snapshot, [A], "quality_tier", "strong", Layer.PROJECT).edits) == [str(project)]


def test_a_project_file_gets_an_entry_for_a_model_it_lacks(tmp_path: Path) -> None:
    project, global_ = tmp_path / "project.yaml", tmp_path / "global.yaml"
    global_.write_text("providers:\n  - provider_id: p\n    provider_kind: openai\n    models:\n      - model_id: a\n")
    project.write_text("# ours\n")
    bench = Workbench([FileSpec(project, Layer.PROJECT), FileSpec(global_, Layer.GLOBAL)])
    bench.apply(change_field(bench.snapshot, [A], "supports.tool_use", True, Layer.PROJECT))
    assert support(bench) is Support.YES
    bench.save()
    assert project.read_text().startswith("# ours\nproviders:\n")


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("context_window_tokens", "200_000", 200_000),
        ("context_window_tokens", "200k", 200_000),
        ("supports.tool_use", "true", True),
        ("quality_tier", "strong", "strong"),
        ("notes", "one, two", ["one", "two"]),
    ],
)
def test_typed_values(name: str, text: str, value: object) -> None:
    assert parse_value(MODEL_FIELDS[name], text) == value


@pytest.mark.parametrize(
    ("name", "text"), [("context_window_tokens", "-3"), ("quality_tier", "best"), ("supports.tool_use", "perhaps")]
)
def test_bad_typed_values_say_why(name: str, text: str) -> None:
    with pytest.raises(CannotEdit):
        parse_value(MODEL_FIELDS[name], text)


def test_which_files_are_open(tmp_path: Path) -> None:
    project = tmp_path / "work" / ".air" / "shared" / "models.yaml"
    project.parent.mkdir(parents=True)
    project.write_text("")
    deep = tmp_path / "work" / "src"
    deep.mkdir()
    environ = {"CAPDECK_GLOBAL": str(tmp_path / "global.yaml")}
    found = choose_files(Choice(), deep, environ)
    assert [(spec.layer, spec.path) for spec in found] == [
        (Layer.PROJECT, project),
        (Layer.GLOBAL, tmp_path / "global.yaml"),
    ]
    alone = choose_files(Choice(path=project), deep, environ)
    assert [(spec.layer, spec.path) for spec in alone] == [(Layer.FILE, project)]
    assert choose_files(Choice(no_global=True, no_project=True), deep, environ) == []


def test_a_model_is_renamed_in_every_file_that_names_it(tmp_path: Path) -> None:
    from model.targets import rename_everywhere

    project, home = tmp_path / "project.yaml", tmp_path / "home.yaml"
    home.write_text("providers: [{provider_id: p, models: [{model_id: old, default_use: {execute: true}}]}]\n")
    project.write_text(
        "providers: []\n"
        "fallbacks: [{task: execute, chain: [p/old, p/older]}]\n"
        "requirements: {execute: {exclude_models: [p/old]}}\n"
        "policy: {ignore: [{code: model-none, at: p/old}]}\n"
    )
    bench = Workbench([FileSpec(project, Layer.PROJECT), FileSpec(home, Layer.GLOBAL)])
    bench.apply(rename_everywhere(bench.snapshot, ModelRef("p", "old"), "new"))
    bench.save()
    assert (
        home.read_text() == "providers: [{provider_id: p, models: [{model_id: new, default_use: {execute: true}}]}]\n"
    )
    assert "chain: [p/new, p/older]" in project.read_text()
    assert "exclude_models: [p/new]" in project.read_text()
    assert "at: p/new" in project.read_text()
    assert bench.undo_title == "rename p/old to new"


COMMENTED = """providers:
  - provider_id: p
    provider_kind: openai
    models:
      - model_id: a
        enabled: false   # until legal has read the terms
        quality_tier: strong
        supports:
          tool_use: false  # the template has none
          streaming: true
"""


@pytest.fixture
def commented(tmp_path: Path) -> Workbench:
    path = tmp_path / "models.yaml"
    path.write_text(COMMENTED)
    return Workbench([FileSpec(path, Layer.FILE)])


def text(bench: Workbench) -> str:
    doc = bench.files[0].doc
    assert doc is not None
    return doc.text


def test_a_flag_that_went_all_the_way_round_stands_as_it_stood(commented: Workbench) -> None:
    commented.apply(drop_field(commented.snapshot, [A], "supports.tool_use"))
    for value in (True, False):
        commented.apply(change_field(commented.snapshot, [A], "supports.tool_use", value))
    assert text(commented) == COMMENTED
    assert commented.changed_files == ()
    for _ in range(3):
        commented.undo()
    assert text(commented) == COMMENTED


def test_another_value_comes_back_on_the_old_line(commented: Workbench) -> None:
    commented.apply(drop_field(commented.snapshot, [A], "supports.tool_use"))
    commented.apply(change_field(commented.snapshot, [A], "supports.tool_use", True))
    assert text(commented) == COMMENTED.replace("tool_use: false", "tool_use: true")


def test_switched_on_and_off_again_keeps_its_comment(commented: Workbench) -> None:
    commented.apply(drop_field(commented.snapshot, [A], "enabled"))
    commented.apply(change_field(commented.snapshot, [A], "enabled", False))
    assert text(commented) == COMMENTED


def test_another_model_in_its_place_gets_nothing_of_it(commented: Workbench) -> None:
    file = commented.files[0]
    commented.apply(Change("out", {file.name: remove_model(file.config, A)}))
    file = commented.files[0]
    commented.apply(Change("in", {file.name: add_model(file.config, B, {})}))
    commented.apply(change_field(commented.snapshot, [B], "supports.tool_use", False))
    assert "template" not in text(commented)


def test_the_old_line_is_found_where_its_model_stands_by_now(commented: Workbench) -> None:
    file = commented.files[0]
    commented.apply(Change("in", {file.name: add_model(file.config, B, {"quality_tier": "cheap"})}))
    file = commented.files[0]
    first = Move(("providers", 0, "models"), 0, 1)
    commented.apply(Change("move", {file.name: (first,)}))
    commented.apply(drop_field(commented.snapshot, [A], "supports.tool_use"))
    commented.apply(change_field(commented.snapshot, [A], "supports.tool_use", False))
    assert "tool_use: false  # the template has none" in text(commented)


def test_a_path_that_leads_nowhere_is_refused_as_ever(commented: Workbench) -> None:
    commented.apply(drop_field(commented.snapshot, [A], "supports.tool_use"))
    nowhere = Put(("providers", 7, "models", 0, "enabled"), True)
    with pytest.raises(Unsafe):
        commented.apply(Change("bad", {commented.files[0].name: (nowhere,)}))
