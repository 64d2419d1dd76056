"""One line of text to type into.

Textual's Input takes a layout and two repaints of the screen for each typed key; this repaints its own line once.
"""

from __future__ import annotations

import re
from typing import ClassVar

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Offset
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from model.quick_dataclass import dataclass
from tui.safe_text import safe_text
from tui.widgets.grid_paint import fit

_WORD_BEFORE = re.compile(r"\S*\s*\Z")
_WORD_AFTER = re.compile(r"\s*\S*")
_LEAST_ROOM = 12


@dataclass(frozen=True, slots=True)
class Line:
    """A text, and the place in it where the next character goes (0 to its length)."""

    text: str = ""
    at: int = 0

    def insert(self, text: str) -> Line:
        return Line(self.text[: self.at] + text + self.text[self.at :], self.at + len(text))

    def move(self, to: int) -> Line:
        return Line(self.text, max(0, min(to, len(self.text))))

    def cut(self, start: int, end: int) -> Line:
        """Without the characters from `start` to `end`."""
        start = max(0, start)
        return Line(self.text[:start] + self.text[end:], start)

    @property
    def word_before(self) -> int:
        """Where the word before the cursor begins."""
        found = _WORD_BEFORE.search(self.text[: self.at])
        return found.start() if found else 0

    @property
    def word_after(self) -> int:
        """Where the word after the cursor ends."""
        found = _WORD_AFTER.match(self.text, self.at)
        return found.end() if found else len(self.text)


class LineEdit(Widget, can_focus=True):
    """Shows `sign`, the text (or the placeholder), and a `note` at the right. The value is raw, what is drawn safe."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "line-edit--sign",
        "line-edit--cursor",
        "line-edit--placeholder",
        "line-edit--note",
        "line-edit--fault",
    }
    DEFAULT_CSS = """
    LineEdit {
        height: 1; width: 1fr; color: $text;
        & .line-edit--sign { color: $text-accent; text-style: bold; }
        & .line-edit--cursor { text-style: reverse; }
        & .line-edit--placeholder { color: $text-muted; }
        & .line-edit--note { color: $text-muted; }
        & .line-edit--fault { color: $text-error; text-style: bold; }
    }
    """
    ALLOW_SELECT = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left,ctrl+b", "go('left')", "Left", show=False, id="line.left"),
        Binding("right,ctrl+f", "go('right')", "Right", show=False, id="line.right"),
        Binding("ctrl+left,alt+b", "go('word_left')", "A word left", show=False, id="line.word-left"),
        Binding("ctrl+right,alt+f", "go('word_right')", "A word right", show=False, id="line.word-right"),
        Binding("home,ctrl+a", "go('start')", "Start", show=False, id="line.start"),
        Binding("end,ctrl+e", "go('end')", "End", show=False, id="line.end"),
        Binding("backspace", "delete('left')", "Delete left", show=False, id="line.delete-left"),
        Binding("delete,ctrl+d", "delete('right')", "Delete right", show=False, id="line.delete-right"),
        Binding("ctrl+w,alt+backspace", "delete('word_left')", "Delete word", show=False, id="line.delete-word"),
        Binding("ctrl+u", "delete('start')", "Delete to start", show=False, id="line.delete-to-start"),
        Binding("ctrl+k", "delete('end')", "Delete to end", show=False, id="line.delete-to-end"),
        Binding("enter", "submit", "Take", show=False, id="line.take"),
    ]

    @dataclass
    class Changed(Message):
        """The user changed the text."""

        value: str

        def can_replace(self, message: Message) -> bool:
            return isinstance(message, LineEdit.Changed)

    @dataclass
    class Submitted(Message):
        """Enter."""

        value: str

    def __init__(self, value: str = "", *, sign: str = "", placeholder: str = "") -> None:
        super().__init__()
        self._line = Line(value, len(value))
        self._sign, self._placeholder = sign, placeholder
        self._note, self._fault = "", False
        self._first = 0

    @property
    def value(self) -> str:
        return self._line.text

    def put(self, value: str) -> None:
        """Another text, set by the program: no message follows."""
        self._set(Line(value, len(value)), tell=False)

    def tell(self, note: str, fault: str | None = None) -> None:
        """What stands at the right. A fault takes the note's place, and what room it needs; a note gives way."""
        told = (safe_text(fault or note), bool(fault))
        if told != (self._note, self._fault):
            self._note, self._fault = told
            self.refresh()

    # -- editing -------------------------------------------------------------------------------------------------

    def _set(self, line: Line, *, tell: bool = True) -> None:
        if line == self._line:
            return
        before, self._line = self._line, line
        self.refresh()
        self._place_terminal_cursor()
        if tell and before.text != line.text:
            self.post_message(self.Changed(line.text))

    def _target(self, where: str) -> int:
        line = self._line
        return {
            "left": line.at - 1,
            "right": line.at + 1,
            "word_left": line.word_before,
            "word_right": line.word_after,
            "start": 0,
            "end": len(line.text),
        }[where]

    def action_go(self, where: str) -> None:
        self._set(self._line.move(self._target(where)))

    def action_delete(self, where: str) -> None:
        start, end = sorted((self._line.at, self._target(where)))
        self._set(self._line.cut(start, end))

    def action_submit(self) -> None:
        self.post_message(self.Submitted(self.value))

    def check_consume_key(self, key: str, character: str | None) -> bool:
        """Printable keys are typed, so they are no commands while this line has the focus."""
        return character is not None and character.isprintable()

    def on_key(self, event: events.Key) -> None:
        if event.character is not None and event.is_printable:
            event.stop()
            event.prevent_default()
            self._set(self._line.insert(event.character))

    def on_paste(self, event: events.Paste) -> None:
        event.stop()
        self._set(self._line.insert(next(iter(event.text.splitlines()), "")))

    def on_click(self, event: events.Click) -> None:
        event.stop()
        before, at = cell_len(self._sign), self._first
        while at < len(self.value) and before + cell_len(self._shown(self._first, at + 1)) <= event.x:
            at += 1
        self._set(self._line.move(at))

    # -- drawing -------------------------------------------------------------------------------------------------

    def _shown(self, start: int, end: int | None = None) -> str:
        return safe_text(self.value[start:end])

    def _split(self) -> tuple[int, str]:
        """How many cells the text gets, and the note in the cells left."""
        room = max(1, self.size.width - cell_len(self._sign))
        wanted = cell_len(self._note) + 2 if self._note else 0
        if self._fault:
            wanted = min(wanted, max(0, room - _LEAST_ROOM))
        elif room - wanted < max(_LEAST_ROOM, cell_len(self._shown(0)) + 1):
            wanted = 0
        return room - wanted, set_cell_size("  " + self._note, wanted) if wanted else ""

    def _scroll(self, room: int) -> None:
        """Keep the cursor in the room that the text has."""
        at = self._line.at
        self._first = min(self._first, at) if cell_len(self._shown(0)) >= room else 0
        while self._first < at and cell_len(self._shown(self._first, at)) >= room:
            self._first += 1

    def render_line(self, y: int) -> Strip:
        room, note = self._split()
        self._scroll(room)
        base = self.rich_style
        note_look = self._look("fault" if self._fault else "note")
        line = [Segment(self._sign, self._look("sign")), *self._text(room, base), Segment(note, note_look)]
        return Strip([segment for segment in line if segment.text]).adjust_cell_length(self.size.width, base)

    def _text(self, room: int, base: Style) -> Strip:
        at, first, focused = self._line.at, self._first, self.has_focus
        if not self.value and not focused:
            return Strip([Segment(fit(self._placeholder, room), self._look("placeholder"))])
        under = base + self._look("cursor") if focused else base
        text, rest_look = (self.value, base) if self.value else (self._placeholder, self._look("placeholder"))
        before, here, after = (safe_text(part) for part in (text[first:at], text[at : at + 1], text[at + 1 :]))
        parts = [Segment(before, base), Segment(here or " ", under), Segment(after, rest_look)]
        return Strip(parts).adjust_cell_length(room, base)

    def _look(self, name: str) -> Style:
        return self.get_component_rich_style(f"line-edit--{name}", partial=name == "cursor")

    def watch_has_focus(self, has_focus: bool) -> None:
        super().watch_has_focus(has_focus)
        self.refresh()
        self._place_terminal_cursor()

    def _place_terminal_cursor(self) -> None:
        if self.has_focus and self.size:
            self._scroll(self._split()[0])
            x = cell_len(self._sign) + cell_len(self._shown(self._first, self._line.at))
            self.app.cursor_position = self.content_region.offset + Offset(x, 0)
