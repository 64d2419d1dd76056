"""A unified diff to read: coloured by line, told apart by its signs alone where there is no colour."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum
from typing import ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip

from model.quick_dataclass import dataclass
from tui.safe_text import safe_text

_HUNK = re.compile(r"@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@")


class DiffPart(StrEnum):
    """What a line of a diff is."""

    FILE = "file"
    PLACE = "place"
    ADDED = "added"
    REMOVED = "removed"
    SAME = "same"


@dataclass(frozen=True, slots=True)
class DiffLine:
    """One line, safe to be shown."""

    part: DiffPart
    text: str


def diff_lines(diff: str) -> Iterator[DiffLine]:
    """The lines of a unified diff. The counts of `@@` tell a removed line `-- x` from the name of a file."""
    old = new = 0
    lines = diff.split("\n")  # not splitlines: a vertical tab or U+2028 within a line ends no line
    for text in lines[:-1] if not lines[-1] else lines:
        part = _part(text, in_hunk=old > 0 or new > 0)
        if part is DiffPart.PLACE and (found := _HUNK.match(text)):
            old, new = (int(count or 1) for count in found.groups())
        old -= part in (DiffPart.REMOVED, DiffPart.SAME)
        new -= part in (DiffPart.ADDED, DiffPart.SAME)
        yield DiffLine(part, safe_text(text.removesuffix("\r")))


def _part(text: str, *, in_hunk: bool) -> DiffPart:
    if text.startswith("@@"):
        return DiffPart.PLACE
    if not in_hunk or text.startswith("\\"):  # `\ No newline at end of file` belongs to neither side
        return DiffPart.FILE
    return {"+": DiffPart.ADDED, "-": DiffPart.REMOVED}.get(text[:1], DiffPart.SAME)


class DiffView(ScrollView, can_focus=True):
    """Scrolls both ways and draws only what is visible: a diff may be as long as the file."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"diff-view--{part}" for part in DiffPart}
    DEFAULT_CSS = """
    DiffView {
        height: auto; scrollbar-size: 1 1; color: $text;
        & .diff-view--file { text-style: bold; }
        & .diff-view--place { color: $text-accent; }
        & .diff-view--added { color: $text-success; }
        & .diff-view--removed { color: $text-error; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("j", "scroll_down", "Down", show=False, id="diff.down"),
        Binding("k", "scroll_up", "Up", show=False, id="diff.up"),
        Binding("l", "scroll_right", "Right", show=False, id="diff.right"),
        Binding("h", "scroll_left", "Left", show=False, id="diff.left"),
        Binding("g", "scroll_home", "Start", show=False, id="diff.start"),
        Binding("G", "scroll_end", "End", show=False, id="diff.end"),
    ]

    def __init__(self, diff: str) -> None:
        super().__init__()
        self._lines = tuple(diff_lines(diff)) or (DiffLine(DiffPart.SAME, "no difference"),)
        self.virtual_size = Size(max(cell_len(line.text) for line in self._lines), len(self._lines))

    def render_line(self, y: int) -> Strip:
        left, top = self.scroll_offset
        style, width = self.rich_style, self.size.width
        if top + y >= len(self._lines):
            return Strip.blank(width, style)
        line = self._lines[top + y]
        look = self.get_component_rich_style(f"diff-view--{line.part}")
        return Strip([Segment(line.text, look)]).crop_extend(left, left + width, style)
