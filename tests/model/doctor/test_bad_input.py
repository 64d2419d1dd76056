"""Whatever the file is, the doctor says what is wrong with it and never fails."""

from __future__ import annotations

from pathlib import Path

import pytest

from model.doctor import examine
from model.files import FileSpec
from model.vocabulary import Layer
from model.workbench import Workbench
from tests.model.doctor.cases import SEED, TODAY, bench, codes, places, report, surroundings


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (b"", ["1:1 model-no-providers"]),
        (b"# only a comment\n", ["1:1 model-no-providers"]),
        (b"null\n", ["1:1 model-no-providers"]),
        (b"providers:\n", ["1:1 model-no-providers"]),
        (b"- a\n- b\n", ["1:1 config-wrong-type"]),
        (b"just text\n", ["1:1 config-wrong-type"]),
        (b"providers: [1, null]\n", ["1:13 config-wrong-type", "1:16 config-wrong-type"]),
        (b"providers: {}\n", ["1:12 config-not-a-list"]),
        (b"a: \xff\xfe\n", ["1:4 config-refused"]),
        (b"a: b: c\n", ["1:5 config-not-yaml"]),
        (b"\x00\x01\x02", ["1:1 config-refused"]),
        (b"[" * 200 + b"]" * 200, ["1:101 config-refused"]),
    ],
)
def test_a_file_that_is_none(text: bytes, expected: list[str], tmp_path: Path) -> None:
    workbench = bench(tmp_path / "models.yaml", text)
    assert places(workbench, report(workbench)) == expected


def test_a_folder_is_unreadable(tmp_path: Path) -> None:
    workbench = Workbench([FileSpec(tmp_path, Layer.GLOBAL)], surroundings())
    assert codes(examine(workbench.snapshot, today=TODAY)) == ["config-unreadable"]


def test_no_file_at_all_is_no_finding(tmp_path: Path) -> None:
    workbench = Workbench([FileSpec(tmp_path / "none.yaml", Layer.GLOBAL)], surroundings())
    found = examine(workbench.snapshot, today=TODAY)
    assert (codes(found), found.checked) == ([], 9)
    assert codes(examine(Workbench([], surroundings()).snapshot, today=TODAY)) == []


def test_a_broken_project_file_says_nothing_about_the_models_of_the_global_one(tmp_path: Path) -> None:
    (tmp_path / "project.yaml").write_text("a: b: c\n", encoding="utf-8")
    (tmp_path / "global.yaml").write_text(SEED, encoding="utf-8")
    specs = [FileSpec(tmp_path / "project.yaml", Layer.PROJECT), FileSpec(tmp_path / "global.yaml", Layer.GLOBAL)]
    found = examine(Workbench(specs, surroundings()).snapshot, today=TODAY)
    assert codes(found) == ["config-not-yaml"]


def test_names_that_would_be_markup_or_commands_are_told_as_text(tmp_path: Path) -> None:
    name = "[bold]x[/nope]\\u001b[31m\\n::error::"
    text = SEED.replace("claude-opus-4-7", f'"{name}"')
    found = report(bench(tmp_path / "models.yaml", text))
    assert "capability-not-stated" in codes(found)
