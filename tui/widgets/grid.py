"""The matrix grid: thousands of rows, many columns, one cursor.

Textual's DataTable redraws every line on each key and rebuilds per-row tables on each edit. This grid draws on the
line API what is visible and no more, and gives Textual the same Strip objects again for lines that did not change.
It has no scrollbars (they repaint all their lines on each step); `position` says where the cursor is.
Give it no border and no padding: those belong to its parent.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import events
from textual.binding import BindingType
from textual.geometry import Offset, Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from tui.commands import Where, bindings
from tui.widgets.grid_columns import ColumnLayout
from tui.widgets.grid_cursor import Cursor, Place, column_to_stand_on, row_to_stand_on
from tui.widgets.grid_paint import HEADER_LINES, Frame, LinePainter
from tui.widgets.grid_palette import COMPONENTS, CSS
from tui.widgets.grid_view import GridSource, NoRows

_WHEEL_ROWS = 3
_MANY_LINES = 8


class MatrixGrid(ScrollView, can_focus=True, inherit_bindings=False):
    """Shows a `GridSource`. Binds movement only; `activate` is for the app's own keys."""

    COMPONENT_CLASSES: ClassVar[set[str]] = set(COMPONENTS)
    DEFAULT_CSS = CSS
    ALLOW_SELECT = False
    BINDINGS: ClassVar[list[BindingType]] = bindings(Where.LISTS)

    @dataclass
    class CursorMoved(Message):
        """The cursor stands on another row or column."""

        row_key: Hashable
        column_key: str

        def can_replace(self, message: Message) -> bool:
            return isinstance(message, MatrixGrid.CursorMoved)

    @dataclass
    class CellActivated(Message):
        """The cell under the cursor was clicked again, or activated by a key."""

        row_key: Hashable
        column_key: str

    @dataclass
    class GroupToggled(Message):
        """A group row was clicked or activated: it asks to be folded or unfolded."""

        row_key: Hashable

    @dataclass
    class HeadingClicked(Message):
        """A column's heading was clicked."""

        column_key: str

    def __init__(self, source: GridSource | None = None, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._source: GridSource = NoRows() if source is None else source
        self._columns = tuple(self._source.columns)
        self._empty: tuple[str, ...] = ()
        self._cursor = Cursor()
        self._left: Place | None = None  # where the user stood, until a source has that row again
        self._first = 0
        self._painter = LinePainter(self)
        self._on_screen: dict[int, Strip] = {}

    # -- what it shows -------------------------------------------------------------------------------------------
    @property
    def source(self) -> GridSource:
        return self._source

    @property
    def cursor(self) -> Cursor:
        return self._cursor

    @property
    def row_key(self) -> Hashable | None:
        """The key of the row under the cursor; None if there are no rows."""
        return self._source.row_key(self._cursor.row) if len(self._source) else None

    @property
    def column_key(self) -> str | None:
        """The key of the column under the cursor; None if there are no columns."""
        return self._columns[self._cursor.column].key if self._columns else None

    @property
    def position(self) -> str:
        """Where the cursor is, in words: `row 123/5,000`."""
        rows = len(self._source)
        return f"row {self._cursor.row + 1:,}/{rows:,}" if rows else "no rows"

    def show(self, source: GridSource, *, empty: Sequence[str] = (), from_top: bool = False) -> None:
        """Show another source. `empty` is what to say, line by line, if it has no rows.

        The cursor stays on its row, on the same line of the screen if it can. Where the row is gone, it goes to the
        nearest row left, and comes back if a later source has the row again and the cursor was not moved meanwhile.
        `from_top` puts it on the first row instead: a list in which nobody stands, however long, is not searched.
        """
        before = (self.row_key, self.column_key)
        line = self._cursor.row - self.scroll_offset.y if len(self._source) else None
        columns = tuple(source.columns)
        stood = self._left or Place(self._source, self._cursor.row)
        row = 0 if from_top else row_to_stand_on(stood, source)
        self._left = None if from_top or stood.key in (None, Place(source, row).key) else stood
        column = column_to_stand_on(self._columns, self._cursor.column, columns)
        self._source, self._empty = source, tuple(empty)
        if columns != self._columns:
            self._columns = columns
            self._lay_out()
        self._measure()
        self._place(row, column, 0 if line is None or from_top else row - line)
        self._tell_if_moved(before)

    def go_to(self, row_key: Hashable, column_key: str | None = None) -> bool:
        """Put the cursor on a row, and on a column if one is named. False if either is not shown."""
        row = next((row for row in range(len(self._source)) if self._source.row_key(row) == row_key), None)
        keys = [column.key for column in self._columns]
        if row is None or (column_key is not None and column_key not in keys):
            return False
        self._go(row, self._cursor.column if column_key is None else keys.index(column_key))
        return True

    def repaint(self) -> None:
        """Draw again the lines that look different now: rows changed in place, or were marked."""
        lines = self._draw(range(self.size.height))
        changed = [y for y, line in enumerate(lines) if line is not self._on_screen.get(y)]
        if len(changed) > _MANY_LINES:
            self.refresh(self.size.region)
        elif changed:
            self.refresh(*(Region(0, y, self.size.width, 1) for y in changed))

    def activate(self) -> None:
        """Say that the user chose what is under the cursor: a cell, or a group to be folded."""
        if not len(self._source):
            return
        key = self._source.row_key(self._cursor.row)
        if self._source.is_group(self._cursor.row):
            self.post_message(self.GroupToggled(key))
        elif self.column_key is not None:
            self.post_message(self.CellActivated(key, self.column_key))

    # -- drawing -------------------------------------------------------------------------------------------------

    def render_lines(self, crop: Region) -> list[Strip]:
        lines = self._draw(crop.line_range)
        self._on_screen.update(zip(crop.line_range, lines, strict=True))
        if crop.column_span != (0, self.size.width):
            return [line.crop(*crop.column_span) for line in lines]
        return lines

    def _draw(self, line_range: Iterable[int]) -> list[Strip]:
        top, empty = self.scroll_offset.y - HEADER_LINES, () if len(self._source) else self._empty
        frame = Frame(self._source, self._first, top, self._cursor, self.has_focus, self._body, empty)
        return [self._painter.line(frame, y) for y in line_range]

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._painter.forget()

    def on_resize(self) -> None:
        self._lay_out()
        self._measure()
        self._place(self._cursor.row, self._cursor.column)

    def watch_has_focus(self, has_focus: bool) -> None:
        super().watch_has_focus(has_focus)
        self.repaint()
        self._place_terminal_cursor()

    def _lay_out(self) -> None:
        self._painter.forget(ColumnLayout.fit(self._columns, self.size.width))
        self._on_screen.clear()

    def _measure(self) -> None:
        """Tell ScrollView how far it can scroll, without the layout of the whole screen that its reactive asks for."""
        self.set_reactive(MatrixGrid.virtual_size, Size(self.size.width, len(self._source) + HEADER_LINES))

    # -- the cursor ----------------------------------------------------------------------------------------------

    @property
    def _body(self) -> int:
        """How many rows fit on the screen."""
        return max(1, self.size.height - HEADER_LINES)

    def _go(self, row: int, column: int, top: int | None = None) -> None:
        """The user moves the cursor."""
        before = (self.row_key, self.column_key)
        self._place(row, column, top)
        self._left = None
        self._tell_if_moved(before)

    def _tell_if_moved(self, before: tuple[Hashable | None, str | None]) -> None:
        row_key, column_key = self.row_key, self.column_key
        if row_key is not None and column_key is not None and (row_key, column_key) != before:
            # From the grid itself, also while its parent handles a message: else Textual lets it rise no further.
            self.post_message(self.CursorMoved(row_key, column_key).set_sender(self))

    def _place(self, row: int, column: int, top: int | None = None) -> None:
        """Put the cursor there and scroll no further than needed; `top` is the row wished for on the first line."""
        row = max(0, min(row, len(self._source) - 1))
        column = max(0, min(column, len(self._columns) - 1))
        self._cursor = Cursor(row, column)
        self._first = self._painter.layout.first_for(column, max(self._first, self._painter.layout.frozen))
        before = self.scroll_offset.y
        self._scroll_rows(max(row - self._body + 1, min(row, before if top is None else top)))
        if self.scroll_offset.y == before:
            self.repaint()
        self._place_terminal_cursor()

    def _scroll_rows(self, top: int) -> None:
        if not self.size:
            return  # not laid out yet: nothing is known of what fits
        self.scroll_to(y=max(0, min(top, len(self._source) - self._body)), animate=False, force=True)

    def _place_terminal_cursor(self) -> None:
        """Let the terminal's own cursor follow the cell, for screen readers and magnifiers."""
        y = self._cursor.row - self.scroll_offset.y + HEADER_LINES
        if self.has_focus and self._columns and HEADER_LINES <= y < self.size.height:
            x = self._painter.layout.left_of(self._cursor.column, self._first)
            self.app.cursor_position = self.content_region.offset + Offset(x, y)

    # -- keys ----------------------------------------------------------------------------------------------------

    def action_move(self, rows: int, columns: int) -> None:
        self._go(self._cursor.row + rows, self._cursor.column + columns)

    def action_page(self, pages: float) -> None:
        step = max(1, int(abs(pages) * (self._body - 1))) * (1 if pages > 0 else -1)
        self._go(self._cursor.row + step, self._cursor.column, self.scroll_offset.y + step)

    def action_first_row(self) -> None:
        self._go(0, self._cursor.column)

    def action_last_row(self) -> None:
        self._go(len(self._source) - 1, self._cursor.column)

    def action_first_column(self) -> None:
        self._go(self._cursor.row, 0)

    def action_last_column(self) -> None:
        self._go(self._cursor.row, len(self._columns) - 1)

    # -- mouse ---------------------------------------------------------------------------------------------------

    def on_click(self, event: events.Click) -> None:
        event.stop()
        column = self._painter.layout.column_at(event.x, self._first)
        row = self.scroll_offset.y + event.y - HEADER_LINES
        if event.y < HEADER_LINES:
            if column is not None:
                self.post_message(self.HeadingClicked(self._columns[column].key))
        elif row < len(self._source):
            self._click_row(row, column)

    def _click_row(self, row: int, column: int | None) -> None:
        target = Cursor(row, self._cursor.column if column is None else column)
        again = target == self._cursor and column is not None
        self._go(target.row, target.column)
        if again or self._source.is_group(row):
            self.activate()

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        self._wheel(event, _WHEEL_ROWS)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        self._wheel(event, -_WHEEL_ROWS)

    def on_mouse_scroll_right(self, event: events.MouseScrollRight) -> None:
        event.stop()
        self._scroll_columns(1)

    def on_mouse_scroll_left(self, event: events.MouseScrollLeft) -> None:
        event.stop()
        self._scroll_columns(-1)

    def _wheel(self, event: events.MouseEvent, rows: int) -> None:
        event.stop()
        if event.shift or event.ctrl:
            self._scroll_columns(1 if rows > 0 else -1)
        else:
            self._scroll_rows(self.scroll_offset.y + rows)

    def _scroll_columns(self, columns: int) -> None:
        layout = self._painter.layout
        self._first = max(layout.frozen, min(layout.last_first, self._first + columns))
        self.repaint()
