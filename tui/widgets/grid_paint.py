"""Draws the lines of the grid, and keeps what it drew."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from rich.style import Style
from textual.cache import LRUCache
from textual.strip import Strip
from textual.widget import Widget

from model.quick_dataclass import dataclass
from tui.safe_text import safe_text
from tui.widgets.grid_columns import GAP, GUTTER, ColumnLayout
from tui.widgets.grid_cursor import Cursor
from tui.widgets.grid_palette import Palette, Part, Row
from tui.widgets.grid_view import Align, CellView, GridSource, Look

CHANGED, MARKED, POINTER, RESTING, FOLDED, OPEN, GROUP_LINE, MORE_LEFT, MORE_RIGHT = "*•▌▏▸▾│‹›"
"""RESTING points at the row of a list that has not the focus."""

HEADER_LINES = 1
_KEPT_LINES = 1024
_KEPT_CELLS = 8192


@dataclass(frozen=True, slots=True)
class Frame:
    """What all lines of one picture have in common.

    `first` is the first moving column drawn; line y shows row `top` + y; `body` rows fit; `empty` is what to say
    without rows.
    """

    source: GridSource
    first: int
    top: int
    cursor: Cursor
    focused: bool
    body: int
    empty: Sequence[str] = ()

    @property
    def more(self) -> str:
        """Whether there are rows above or below those seen, as an arrow."""
        hidden = self.top + HEADER_LINES > 0, self.top + HEADER_LINES + self.body < len(self.source)
        return {(True, True): "↕", (True, False): "↑", (False, True): "↓"}.get(hidden, "")


class LinePainter:
    """Turns rows of a source into strips of the full width.

    The same look of a row gives the same Strip object again. Textual keeps a line's rendered form on the Strip, so
    a line that merely moved costs one look-up. `forget` when styles, columns or width change.
    """

    def __init__(self, widget: Widget) -> None:
        self._widget = widget
        self._palette: Palette | None = None
        self._lines: LRUCache[Hashable, Strip] = LRUCache(_KEPT_LINES)
        self._cells: dict[tuple[int, bool, CellView, Row], list[Segment]] = {}
        self._drawn: dict[int, list[tuple[int, bool]]] = {}
        self.layout = ColumnLayout.fit((), 0)

    def forget(self, layout: ColumnLayout | None = None) -> None:
        """Drop all that was drawn; draw in `layout` from now on."""
        self.layout = layout or self.layout
        self._palette = None
        for kept in (self._lines, self._cells, self._drawn):
            kept.clear()

    @property
    def palette(self) -> Palette:
        if self._palette is None:
            self._palette = Palette(self._widget)
        return self._palette

    # -- lines, kept ---------------------------------------------------------------------------------------------

    def line(self, frame: Frame, y: int) -> Strip:
        """The line `y` of the picture, counted from 0."""
        row = frame.top + y
        if y < HEADER_LINES:
            return self._header(frame)
        if row < len(frame.source):
            return self._row(frame, row)
        return self._words(frame.empty[row] if row < len(frame.empty) else "")

    def _header(self, frame: Frame) -> Strip:
        key = (frame.first, frame.cursor.column, frame.more)
        return self._lines.get(key) or self._keep(key, self._draw_header(frame), self.palette.header)

    def _row(self, frame: Frame, row: int) -> Strip:
        source = frame.source
        pointed = row == frame.cursor.row
        state = Row.CURSOR if pointed else Row.MARKED if source.marked(row) else Row.PLAIN
        cursor = (frame.cursor.column, frame.focused, source.marked(row)) if pointed else None
        key = (source.row_key(row), source.row_version(row), frame.first, state, cursor)
        strip = self._lines.get(key)
        if strip is None:
            draw = self._draw_group if source.is_group(row) else self._draw_model
            strip = self._keep(key, draw(frame, row, state), self.palette.blank(state))
        return strip

    def _words(self, text: str) -> Strip:
        """A line where there is no row."""
        style = self.palette.style(Look.MUTED, None, Row.PLAIN)
        return self._lines.get(text) or self._keep(text, [Segment(" " * GUTTER + safe_text(text), style)], style)

    def _keep(self, key: Hashable, segments: list[Segment], blank: Style) -> Strip:
        strip = Strip(segments).adjust_cell_length(self.layout.width, blank).simplify()
        for line_filter in self.palette.filters:
            strip = strip.apply_filter(line_filter, self.palette.background)
        self._lines[key] = strip
        return strip

    # -- lines, drawn --------------------------------------------------------------------------------------------

    def _draw_header(self, frame: Frame) -> list[Segment]:
        layout, style = self.layout, self.palette.header
        segments = [Segment(frame.more.rjust(GUTTER), style)]
        for index, _lined in self._columns(frame.first):
            column = layout.columns[index]
            segments.append(Segment(MORE_LEFT if index == frame.first > layout.frozen else " " * GAP, style))
            heading = fit(safe_text(column.heading), layout.widths[index], column.align)
            segments.append(Segment(heading, self.palette.header_cursor if index == frame.cursor.column else style))
        if layout.after_last(frame.first) < len(layout.columns):
            line = Strip(segments).adjust_cell_length(max(0, layout.width - 1), style)
            segments = [*line, Segment(MORE_RIGHT, style)]
        return segments

    def _draw_model(self, frame: Frame, row: int, state: Row) -> list[Segment]:
        pointer = POINTER if frame.focused else RESTING
        segments = self._gutter(frame, row, pointer if state is Row.CURSOR else " ", state)
        under = frame.cursor.column if state is Row.CURSOR else None
        for column, lined in self._columns(frame.first):
            view = frame.source.cell(row, column)
            if column == under:
                segments += self._draw_cell(column, lined, view, state, self.palette.cursor(frame.focused))
            else:
                segments += self._cell(column, lined, view, state)
        return segments

    def _cell(self, column: int, lined: bool, view: CellView, state: Row) -> list[Segment]:
        """A cell without the cursor. There are few distinct ones: each is measured and padded once."""
        key = (column, lined, view, state)
        cell = self._cells.get(key)
        if cell is None:
            if len(self._cells) >= _KEPT_CELLS:
                self._cells.clear()
            cell = self._cells[key] = self._draw_cell(column, lined, view, state)
        return cell

    def _draw_group(self, frame: Frame, row: int, state: Row) -> list[Segment]:
        state = Row.GROUP if state is Row.PLAIN else state
        blank = self.palette.blank(state)
        segments = self._gutter(frame, row, FOLDED if frame.source.folded(row) else OPEN, state)
        segments.append(Segment(" " * GAP, blank))
        over = self.palette.cursor(frame.focused) if state is Row.CURSOR else None
        for text, look in frame.source.group_text(row):
            style = self.palette.style(look, None, state)
            segments.append(Segment(safe_text(text), style + over if over else style))
            over = None  # only the label is under the cursor
        line, width = Strip(segments), self.layout.width
        if line.cell_length > width > 1:
            line = Strip([*line.crop(0, width - 1), Segment("…", blank)])
        return list(line.adjust_cell_length(width, blank))

    def _columns(self, first: int) -> list[tuple[int, bool]]:
        """The columns drawn, and whether each has a line before it because another group begins."""
        drawn = self._drawn.get(first)
        if drawn is None:
            columns = self.layout.columns
            shown = self.layout.drawn(first)
            pairs = zip(shown, [None, *shown], strict=False)
            drawn = [(each, left is not None and columns[each].group != columns[left].group) for each, left in pairs]
            self._drawn[first] = drawn
        return drawn

    def _gutter(self, frame: Frame, row: int, sign: str, state: Row) -> list[Segment]:
        blank = self.palette.blank(state)
        if not frame.source.marked(row):
            return [Segment(" " + sign, blank)]
        return [Segment(MARKED, self.palette.part(Part.MARK, state)), Segment(sign, blank)]

    # -- cells ---------------------------------------------------------------------------------------------------

    def _draw_cell(
        self, column: int, lined: bool, view: CellView, state: Row, over: Style | None = None
    ) -> list[Segment]:
        blank, style = self.palette.blank(state), self.palette.style(view.look, view.layer, state)
        left, words, right = "", self._fitted(column, safe_text(view.text)), ""
        if style.underline and over is None:  # the words are underlined, not the blanks around them
            left, words, right = _around(words)
        gap = (" " * GAP, blank if over or style.underline else style)
        if view.changed:
            gap = (CHANGED, self.palette.part(Part.CHANGED, state))
        elif lined:
            gap = (GROUP_LINE, self.palette.part(Part.GROUP_LINE, state))
        pieces = (gap, (left, blank), (words, style + over if over else style), (right, blank))
        return [Segment(text, look) for text, look in pieces if text]

    def _fitted(self, column: int, text: str) -> str:
        width, spec = self.layout.widths[column], self.layout.columns[column]
        return fit(short_ref(text, width) if spec.refs else text, width, spec.align)


def fit(text: str, width: int, align: Align = "left") -> str:
    """`text` in exactly `width` cells; what does not fit is cut, and the cut is shown."""
    length = cell_len(text)
    if length > width:
        return set_cell_size(text, width - 1) + "…" if width > 1 else set_cell_size(text, width)
    if align == "left":
        return text + " " * (width - length)
    left = width - length if align == "right" else (width - length) // 2
    return " " * left + text + " " * (width - length - left)


def short_ref(ref: str, width: int) -> str:
    """`anthropic-main/claude-opus` as `anth…/claude-opus` in at most `width` cells: names differ at their ends."""
    provider, slash, model = ref.partition("/")
    room = width - cell_len(model) - 2
    if cell_len(ref) <= width or not slash or width < 2:
        return ref
    if room < 0:
        return "…" + set_cell_size(model[::-1], width - 1)[::-1]
    return f"{set_cell_size(provider, room)}…/{model}"


def _around(text: str) -> tuple[str, str, str]:
    """The blanks before, the words, and the blanks after."""
    words = text.strip(" ")
    left = len(text) - len(text.lstrip(" ")) if words else len(text)
    return text[:left], words, text[left + len(words) :]
