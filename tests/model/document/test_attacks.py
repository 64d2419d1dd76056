"""What once broke the document layer: files that hung or crashed the reader, saves that died in the second reader."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from model.document import InsertItem, Set, YamlDoc, save
from model.document.outline import WINDOW

LARGE = WINDOW // 10  # items of ten characters and more


@pytest.mark.parametrize("end", ["\r", "\x85", "\u2028", "\u2029"])
@pytest.mark.parametrize("mixed", ["", "a: 1\n"])
def test_a_large_list_whose_line_breaks_only_yaml_sees_is_read(end: str, mixed: str) -> None:
    items = [f"item {number}" for number in range(LARGE)]
    text = f"{mixed}list:{end}" + "".join(f"- {item}{end}" for item in items)
    doc = YamlDoc.parse(text.encode())
    assert doc.data["list"] == items
    place = doc.place(("list", 7))
    assert place is not None
    assert text[place.start : place.end] == "item 7"
    assert doc.apply(Set(("list", 7), "x")).text == text.replace("item 7" + end, "x" + end)


@pytest.mark.parametrize("mark", ["!t", "!t &a", "&a", "!t # c", "!t\n# c\n"])
@pytest.mark.parametrize("pad", ["", "  ", "       "])
def test_a_large_list_with_a_tag_or_an_anchor_is_read_and_edited(mark: str, pad: str) -> None:
    text = f"head: 1\nlist: {mark}\n" + "".join(f"{pad}- item {number}\n" for number in range(LARGE)) + "tail: 1\n"
    doc = YamlDoc.parse(text.encode())
    new = doc.apply(InsertItem(("list",), 5, "new"), Set(("list", 0), "first"))
    new.prove()
    assert new.text == text.replace("item 0\n", "first\n").replace("item 5\n", f"new\n{pad}- item 5\n")


def test_a_value_that_the_second_reader_dies_of_does_not_stop_a_save() -> None:
    doc = YamlDoc.parse(b'a: !!int ""\nb: 1\n').apply(Set(("b",), 2))
    doc.prove()
    assert doc.text == 'a: !!int ""\nb: 2\n'


def test_a_save_is_silent_where_the_second_reader_warns(recwarn: pytest.WarningsRecorder) -> None:
    YamlDoc.parse(b"%YAML 1.1\n---\na: 1e400\nb: 1\n").apply(Set(("b",), 2)).prove()
    assert not recwarn.list


@pytest.mark.parametrize("name", ["models.yaml", "n" * 250 + ".yaml", "a\nb.yaml", "[a-z]*.yaml"])
def test_a_save_leaves_what_only_looks_like_its_leftovers(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text("a: 1\n")
    notes, folder = tmp_path / ".models.yaml.capdeck-notes.tmp", tmp_path / ".models.yaml.capdeck-0123456789ab.tmp"
    notes.write_text("mine")
    folder.mkdir()
    doc = YamlDoc.open(path)
    save(doc.apply(Set(("a",), 2)), path, expected_sha256=doc.sha256)
    assert path.read_text() == "a: 2\n"
    assert {each.name for each in tmp_path.iterdir()} == {name, notes.name, folder.name}


@pytest.mark.parametrize("name", ["models.yaml", "n" * 250 + ".yaml"])
def test_a_save_that_fails_names_the_file_and_leaves_nothing(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / name
    path.write_text("a: 1\n")
    doc = YamlDoc.open(path)

    def full(*_: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("model.document.saving.os.write", full)
    with pytest.raises(OSError, match="No space left") as caught:
        save(doc.apply(Set(("a",), 2)), path, expected_sha256=doc.sha256)
    assert caught.value.filename == str(path)
    assert [each.name for each in tmp_path.iterdir()] == [name]
    assert path.read_text() == "a: 1\n"
