"""The styles of the grid."""

from __future__ import annotations

from enum import StrEnum

from rich.style import Style
from textual.widget import Widget

from model.vocabulary import Layer
from tui.widgets.grid_view import Look


class Row(StrEnum):
    """What sets a row apart from the others: it gives the row its background."""

    PLAIN = "plain"
    MARKED = "marked"
    GROUP = "group"
    CURSOR = "cursor"


class Part(StrEnum):
    """What the grid draws besides the cells."""

    HEADER = "header"
    HEADER_CURSOR = "header-cursor"
    GROUP_LINE = "group-line"
    CHANGED = "changed"
    MARK = "mark"
    CURSOR = "cursor"
    CURSOR_BLURRED = "cursor-blurred"


def component(member: Look | Layer | Row | Part) -> str:
    """The component class that styles `member`, such as `matrix-grid--look-yes`."""
    return f"matrix-grid--{type(member).__name__.lower()}-{member.value.replace('_', '-')}"


COMPONENTS = frozenset(component(member) for members in (Look, Layer, Row, Part) for member in members)

CSS = """
MatrixGrid {
    width: 1fr; height: 1fr; overflow: hidden hidden; scrollbar-size: 0 0;
    & .matrix-grid--part-header { text-style: bold; background: $panel; color: $text; }
    & .matrix-grid--part-header-cursor { text-style: bold underline; }
    & .matrix-grid--part-group-line { color: $text-disabled; }
    & .matrix-grid--part-changed { text-style: bold; color: $text-accent; }
    & .matrix-grid--part-mark { text-style: bold; color: $text-accent; }
    & .matrix-grid--part-cursor { text-style: reverse bold; }
    & .matrix-grid--part-cursor-blurred { text-style: underline bold; }
    & .matrix-grid--row-cursor { background: $boost; }
    & .matrix-grid--row-marked { background: $panel; }
    & .matrix-grid--row-group { background: $surface; }
    & .matrix-grid--look-yes { color: $text-success; }
    & .matrix-grid--look-emulated { color: $text-warning; }
    & .matrix-grid--look-no { color: $text-muted; }
    & .matrix-grid--look-unknown { color: $text-primary; }
    & .matrix-grid--look-contradicted { color: $text-error; text-style: bold; }
    & .matrix-grid--look-text { color: $text; }
    & .matrix-grid--look-muted { color: $text-muted; }
    & .matrix-grid--look-warning { color: $text-warning; }
    & .matrix-grid--look-error { color: $text-error; text-style: bold; }
    & .matrix-grid--layer-project { text-style: bold underline; }
    & .matrix-grid--layer-global { text-style: bold; }
    & .matrix-grid--layer-derived { text-style: dim; }
    & .matrix-grid--layer-transport { text-style: dim; }
}
"""
"""The nearer a value is to the user, the stronger it stands out: project, global, catalog and defaults, derived."""


class Palette:
    """The component classes of `widget` as Rich styles: a snapshot, to be made anew when the styles change."""

    def __init__(self, widget: Widget) -> None:
        self._widget = widget
        self._styles: dict[tuple[Look, Layer | None, Row], Style] = {}
        self.background = widget.background_colors[1]
        self.filters = tuple(widget.app.get_line_filters())
        self.header = self._full(Part.HEADER)
        self.header_cursor = self.header + self._partial(Part.HEADER_CURSOR)

    def style(self, look: Look, layer: Layer | None, row: Row) -> Style:
        key = (look, layer, row)
        style = self._styles.get(key)
        if style is None:
            style = self._full(look) + self._back(row)
            style = self._styles[key] = style + self._partial(layer) if layer else style
        return style

    def blank(self, row: Row) -> Style:
        return self.style(Look.TEXT, None, row)

    def part(self, part: Part, row: Row) -> Style:
        return self._full(part) + self._back(row)

    def cursor(self, focused: bool) -> Style:
        """What the cell under the cursor adds to its own style."""
        return self._partial(Part.CURSOR if focused else Part.CURSOR_BLURRED)

    def _back(self, row: Row) -> Style:
        return Style(bgcolor=self._full(row).bgcolor)

    def _full(self, member: Look | Row | Part) -> Style:
        return self._widget.get_component_rich_style(component(member))

    def _partial(self, member: Layer | Part) -> Style:
        return self._widget.get_component_rich_style(component(member), partial=True)
