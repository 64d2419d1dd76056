"""What once broke the document layer: files that hung or crashed the reader, saves that died in the second reader."""

from __future__ import annotations

import pytest

from model.document import InsertItem, Set, YamlDoc
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
