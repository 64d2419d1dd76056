"""The matrix grid, on rows in memory."""

from __future__ import annotations

from dataclasses import replace

import pytest
from rich.cells import cell_len
from textual import events
from textual.app import App, ComposeResult
from textual.message import Message
from textual.pilot import Pilot

from model.vocabulary import Layer
from tests.benchmarks.grid_rows import COLUMNS, Rows, model, models
from tui.widgets.grid import MatrixGrid
from tui.widgets.grid_columns import GUTTER, ColumnLayout
from tui.widgets.grid_cursor import Cursor
from tui.widgets.grid_paint import fit, short_ref
from tui.widgets.grid_view import CellView, ColumnView, Look

HOSTILE = [
    "[/nope]",
    "[@click=app.bell]x[/]",
    "[$error]",
    "\x1b]0;t\x07",
    "模型-" * 9,
    "👨\u200d👩\u200d👧 zwj",
    "a\nb",
    "",
]
LAST = len(COLUMNS) - 1


class GridApp(App[None]):
    def __init__(self, rows: Rows) -> None:
        super().__init__()
        self.rows = rows
        self.told: list[Message] = []

    def compose(self) -> ComposeResult:
        yield MatrixGrid(self.rows)

    @property
    def grid(self) -> MatrixGrid:
        return self.query_one(MatrixGrid)

    def on_matrix_grid_cursor_moved(self, message: MatrixGrid.CursorMoved) -> None:
        self.told.append(message)

    def on_matrix_grid_cell_activated(self, message: MatrixGrid.CellActivated) -> None:
        self.told.append(message)

    def on_matrix_grid_group_toggled(self, message: MatrixGrid.GroupToggled) -> None:
        self.told.append(message)
        self.rows = Rows(self.rows.models, folds=self.rows.folds ^ {str(message.row_key)})
        self.grid.show(self.rows)

    def on_matrix_grid_heading_clicked(self, message: MatrixGrid.HeadingClicked) -> None:
        self.told.append(message)


def lines(grid: MatrixGrid) -> list[str]:
    return [strip.text for strip in grid.render_lines(grid.size.region)]


def line_of(grid: MatrixGrid, row: int) -> int:
    return row - grid.scroll_offset.y + 1


async def press(pilot: Pilot[None], *keys: str) -> None:
    await pilot.press(*keys)
    await pilot.pause()


# -- sizes and movement ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [(200, 50), (120, 40), (80, 24), (40, 10), (20, 5), (10, 3), (3, 2), (1, 1)])
async def test_the_cursor_is_always_on_the_screen(size: tuple[int, int]) -> None:
    app = GridApp(Rows(models(300)))
    async with app.run_test(size=size) as pilot:
        grid = app.grid
        for move in (
            grid.action_last_row,
            *[lambda: grid.action_move(-1, 1)] * 4,
            grid.action_last_column,
            lambda: grid.action_page(-1),
            *[lambda: grid.action_move(0, -1)] * 4,
            grid.action_first_row,
            lambda: grid.action_page(0.5),
            grid.action_first_column,
        ):
            move()
            await pilot.pause()
            assert {strip.cell_length for strip in grid.render_lines(grid.size.region)} == {size[0]}
            if size[1] > 1:
                assert 1 <= line_of(grid, grid.cursor.row) < size[1]
            layout, column = ColumnLayout.fit(COLUMNS, size[0]), grid.cursor.column
            assert column in layout.drawn(grid._first)


MOVES = [
    (["j"], Cursor(1, 0)),
    (["down", "down", "k"], Cursor(1, 0)),
    (["l", "right", "h"], Cursor(0, 1)),
    (["left", "up"], Cursor(0, 0)),
    (["dollar_sign"], Cursor(0, LAST)),
    (["end", "l"], Cursor(0, LAST)),
    (["end", "0"], Cursor(0, 0)),
    (["end", "home"], Cursor(0, 0)),
    (["G"], Cursor(307, 0)),
    (["ctrl+end", "j", "g"], Cursor(0, 0)),
    (["pagedown"], Cursor(22, 0)),
    (["ctrl+f", "ctrl+b"], Cursor(0, 0)),
    (["ctrl+d"], Cursor(11, 0)),
    (["ctrl+d", "ctrl+d", "ctrl+u"], Cursor(11, 0)),
    (["pagedown", "l", "ctrl+home"], Cursor(0, 1)),
]


async def test_keys_move_the_cursor() -> None:
    app = GridApp(Rows(models(300)))
    async with app.run_test(size=(80, 24)) as pilot:
        for keys, cursor in MOVES:
            app.grid._go(0, 0)
            await press(pilot, *keys)
            assert app.grid.cursor == cursor, keys


async def test_a_page_keeps_the_cursor_on_its_line_of_the_screen() -> None:
    app = GridApp(Rows(models(300)))
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, *"jjjjj")
        line = line_of(app.grid, app.grid.cursor.row)
        await press(pilot, "pagedown", "pagedown", "ctrl+u")
        assert line_of(app.grid, app.grid.cursor.row) == line


async def test_the_grid_binds_movement_only_and_every_binding_has_an_id() -> None:
    keys = {key for binding in MatrixGrid.BINDINGS for key in binding.key.split(",")}  # type: ignore[union-attr]
    assert keys.isdisjoint({"enter", "space", "escape", "slash", "x", "s", "n", "u", "v", "q", "ctrl+s", "ctrl+r"})
    ids = [binding.id for binding in MatrixGrid.BINDINGS]  # type: ignore[union-attr]
    assert all(each and each.startswith("grid.") for each in ids)
    assert len(set(ids)) == len(ids)


async def test_it_tells_where_the_cursor_is() -> None:
    app = GridApp(Rows(models(5000)))
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "j", "l", "l", "l")
        assert app.grid.position == "row 2/5,125"
        assert (app.grid.row_key, app.grid.column_key) == ("provider-000/model-name-00000", "text_output")
        assert app.told[-1] == MatrixGrid.CursorMoved("provider-000/model-name-00000", "text_output")


async def test_a_burst_of_moves_may_be_told_as_one() -> None:
    moved = MatrixGrid.CursorMoved("a", "b")
    assert moved.can_replace(MatrixGrid.CursorMoved("c", "d"))
    assert not moved.can_replace(MatrixGrid.CellActivated("a", "b"))


async def test_the_terminal_cursor_follows_the_cell() -> None:
    app = GridApp(Rows(models(300)))
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "j", "j", "l", "l", "j")
        x, y = app.cursor_position
        assert lines(app.grid)[y][x] in "✓~·?!"
        assert y == 4
        await press(pilot, "dollar_sign")
        x, y = app.cursor_position
        assert lines(app.grid)[y][x:].startswith("kept for")


# -- what is drawn -----------------------------------------------------------------------------------------------


async def test_group_rows_stand_between_models_with_their_fold_mark() -> None:
    app = GridApp(Rows(models(20, 5), folds=frozenset({"provider-001"})))
    async with app.run_test(size=(80, 24)):
        text = lines(app.grid)
        assert text[1].startswith(" ▾ provider-000  openai_compatible  key missing ")
        assert text[7].startswith(" ▸ provider-001")
        assert text[8].startswith(" ▾ provider-002")
        assert text[2].startswith("   model-name-00000         front │✓ ")


async def test_the_first_columns_and_the_header_stay_while_the_rest_scrolls_by_whole_columns() -> None:
    app = GridApp(Rows(models(300)))
    async with app.run_test(size=(80, 24)) as pilot:
        assert lines(app.grid)[0].startswith(" ↓ model                    qual   text text stre")
        assert lines(app.grid)[0].endswith("prom›")
        await press(pilot, *["l"] * 11, "G")
        header = lines(app.grid)[0]
        assert header.startswith(" ↑ model                    qual  ‹text stre tool")
        assert header.rstrip().endswith("syst›")
        await press(pilot, "dollar_sign")
        assert lines(app.grid)[0].rstrip().endswith("notes")
        assert lines(app.grid)[-1].startswith(" ▌ model-name-00299         cheap │")


async def test_marked_rows_and_unsaved_changes_have_a_sign() -> None:
    rows = Rows(models(10), marks={"provider-000/model-name-00001"})
    rows.models[1].put(3, CellView.glyph(Look.NO, Layer.PROJECT, changed=True))
    app = GridApp(rows)
    async with app.run_test(size=(80, 24)):
        assert lines(app.grid)[3].startswith("•  model-name-00001         strong│✓   *· ")


async def test_looks_and_layers_differ_in_style_and_looks_in_glyph_too() -> None:
    rows = Rows(models(1))
    for column, look in enumerate((Look.YES, Look.EMULATED, Look.NO, Look.UNKNOWN, Look.CONTRADICTED), 2):
        rows.models[0].put(column, CellView.glyph(look))
    for column, layer in enumerate((Layer.PROJECT, Layer.GLOBAL, Layer.CATALOG, Layer.DERIVED), 7):
        rows.models[0].put(column, CellView.glyph(Look.YES, layer))
    app = GridApp(rows)
    async with app.run_test(size=(120, 24)):
        strip = app.grid.render_lines(app.grid.size.region)[2]
        glyphs = [s for s in strip if s.text.strip(" │*") in {"✓", "~", "·", "?", "!"}]
        assert [s.text.strip(" │*") for s in glyphs[:9]] == ["✓", "~", "·", "?", "!", "✓", "✓", "✓", "✓"]
        assert len({s.style for s in glyphs[5:9]}) == 4


async def test_an_underlined_cell_does_not_underline_its_blanks() -> None:
    rows = Rows(models(1))
    rows.models[0].put(4, CellView.glyph(Look.YES, Layer.PROJECT))
    app = GridApp(rows)
    async with app.run_test(size=(120, 24)):
        strip = app.grid.render_lines(app.grid.size.region)[2]
        underlined = [s.text for s in strip if s.style and s.style.underline]
        assert all(text == text.strip() for text in underlined)
        assert underlined


@pytest.mark.parametrize(("no_color", "theme"), [(True, "textual-dark"), (True, "ansi-dark"), (False, "ansi-dark")])
async def test_without_colours_the_cursor_is_reverse_video(
    monkeypatch: pytest.MonkeyPatch, no_color: bool, theme: str
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    if no_color:
        monkeypatch.setenv("NO_COLOR", "1")
    app = GridApp(Rows(models(10)))
    app.theme = theme
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "j", "l", "l")
        strip = app.grid.render_lines(app.grid.size.region)[2]
        assert [s.text for s in strip if s.style and s.style.reverse] == ["✓   "]
        if no_color:
            for segment in strip:
                assert segment.style is not None
                assert _is_grey(segment.style.color) and _is_grey(segment.style.bgcolor)  # noqa: PT018


def _is_grey(color: object) -> bool:
    triplet = getattr(color, "triplet", None)
    return triplet is None or len(set(triplet)) == 1


async def test_a_new_theme_is_drawn_at_once() -> None:
    app = GridApp(Rows(models(10)))
    async with app.run_test(size=(80, 24)) as pilot:
        before = [s.style for s in app.grid.render_lines(app.grid.size.region)[2]]
        app.theme = "textual-light"
        await pilot.pause()
        assert [s.style for s in app.grid.render_lines(app.grid.size.region)[2]] != before


async def test_no_theme_draws_a_text_in_the_colour_of_its_background() -> None:
    rows = Rows(models(30), marks={model.key for model in models(6)})
    app = GridApp(rows)
    async with app.run_test(size=(160, 40)) as pilot:
        await press(pilot, "j", "j")
        for theme in app.available_themes:
            app.theme = theme
            await pilot.pause()
            styles = [s.style for strip in app.grid.render_lines(app.grid.size.region) for s in strip if s.text.strip()]
            assert styles
            pairs = [(style.color, style.bgcolor) for style in styles if style]
            assert not [text for text, back in pairs if text == back and text and not text.is_default], theme


async def test_without_focus_the_cursor_is_still_marked() -> None:
    app = GridApp(Rows(models(10)))
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "j")
        app.set_focus(None)
        await pilot.pause()
        strip = app.grid.render_lines(app.grid.size.region)[2]
        assert not [s for s in strip if s.style and s.style.reverse]
        assert strip.text.startswith(" ▏ "), "a weaker one: of several lists only one has the focus"


async def test_the_header_says_whether_there_are_rows_above_and_below() -> None:
    app = GridApp(Rows(models(300)))
    async with app.run_test(size=(80, 24)) as pilot:
        assert lines(app.grid)[0].startswith(" ↓ model")
        await press(pilot, "pagedown", "pagedown")
        assert lines(app.grid)[0].startswith(" ↕ model")
        await press(pilot, "G")
        assert lines(app.grid)[0].startswith(" ↑ model")
        app.grid.show(Rows(models(3)))
        await pilot.pause()
        assert lines(app.grid)[0].startswith("   model")


async def test_the_cut_of_a_group_line_is_shown() -> None:
    app = GridApp(Rows(models(3)))
    async with app.run_test(size=(24, 24)):
        assert lines(app.grid)[1] == " ▾ provider-000  openai…"


@pytest.mark.parametrize(
    ("ref", "width", "shown"),
    [
        ("anthropic-main/claude-opus", 30, "anthropic-main/claude-opus"),
        ("anthropic-main/claude-opus", 17, "anth…/claude-opus"),
        ("openrouter/moonshotai/kimi-k3", 23, "ope…/moonshotai/kimi-k3"),
        ("gateway/a-very-long-name", 8, "…ng-name"),
        ("no-slash-here", 8, "no-slash-here"),
    ],
)
def test_of_a_name_the_provider_is_cut_first(ref: str, width: int, shown: str) -> None:
    assert short_ref(ref, width) == shown


async def test_hostile_names_are_shown_and_never_obeyed() -> None:
    rows = Rows([model(f"p{n}", name, n) for n, name in enumerate(HOSTILE)])
    rows.columns = [replace(COLUMNS[0], heading="\x1b[31m[b]model"), *COLUMNS[1:]]
    rows._rows[0] = "provider \x1b[2J [/x]"
    app = GridApp(rows)
    async with app.run_test(size=(97, 30)) as pilot:
        for key in ("j", "j", "dollar_sign", "G", "0"):
            await press(pilot, key)
            strips = app.grid.render_lines(app.grid.size.region)
            assert {strip.cell_length for strip in strips} == {97}
            assert {cell_len(strip.text) for strip in strips} == {97}
            text = "\n".join(strip.text for strip in strips)
            assert text.replace("\n", "").isprintable()
            assert "[/nope]" in text
            assert "[@click=app.bell]x[/]" in text
            assert "␛]0;t␇" in text
            assert "provider ␛[2J [/x]" in text


async def test_a_grid_without_rows_says_what_it_is_told_to_say() -> None:
    app = GridApp(Rows([]))
    async with app.run_test(size=(60, 8)) as pilot:
        app.grid.show(Rows([]), empty=("no model matches", "'opuz' excludes all"))
        await press(pilot, "j", "G", "l", "pagedown")
        app.grid.activate()
        await pilot.click(MatrixGrid, offset=(5, 3))
        text = lines(app.grid)
        assert text[1].strip() == "no model matches"
        assert text[2].strip() == "'opuz' excludes all"
        assert app.grid.row_key is None
        assert app.grid.position == "no rows"
        assert app.told == []
        assert app.grid.column_key == "quality"
    assert MatrixGrid().column_key is None


@pytest.mark.parametrize(
    ("text", "width", "align", "shown"),
    [
        ("abc", 5, "left", "abc  "),
        ("abc", 5, "right", "  abc"),
        ("abc", 6, "center", " abc  "),
        ("abcdef", 4, "left", "abc…"),
        ("模型模型", 5, "left", "模型…"),
        ("模型模型", 4, "left", "模 …"),
        ("abc", 1, "left", "a"),
        ("abc", 0, "left", ""),
    ],
)
def test_text_fits_its_cells(text: str, width: int, align: str, shown: str) -> None:
    assert fit(text, width, align) == shown  # type: ignore[arg-type]
    assert cell_len(shown) == width


# -- drawing no more than needed ---------------------------------------------------------------------------------


async def test_a_line_that_did_not_change_is_the_same_object() -> None:
    app = GridApp(Rows(models(300)))
    async with app.run_test(size=(80, 24)) as pilot:
        before = app.grid.render_lines(app.grid.size.region)
        await press(pilot, "j", "j", "j")
        after = app.grid.render_lines(app.grid.size.region)
        assert [y for y in range(24) if before[y] is not after[y]] == [1, 4]
        app.grid.show(Rows(app.rows.models))
        assert all(a is b for a, b in zip(after, app.grid.render_lines(app.grid.size.region), strict=True))


async def test_a_move_and_an_edit_repaint_only_the_lines_that_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    app = GridApp(Rows(models(300)))
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "j", "l")
        asked: list[int] = []
        monkeypatch.setattr(app.grid, "refresh", lambda *regions, **_: asked.extend(r.y for r in regions))
        app.grid.action_move(1, 0)
        assert asked == [2, 3]
        app.grid.render_lines(app.grid.size.region)
        asked.clear()
        app.rows.models[4].put(3, CellView.glyph(Look.NO, Layer.PROJECT, changed=True))
        app.rows.marks.add(app.rows.models[6].key)
        app.grid.show(Rows(app.rows.models, marks=app.rows.marks))
        assert asked == [6, 8]


async def test_only_what_is_visible_is_asked_of_the_source() -> None:
    class Counting(Rows):
        asked = 0

        def cell(self, row: int, column: int) -> CellView:
            self.asked += 1
            return super().cell(row, column)

    rows = Counting(models(5000))
    app = GridApp(rows)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "G", "g", "pagedown")
        assert 0 < rows.asked < 4 * 24 * len(COLUMNS)


# -- another source ----------------------------------------------------------------------------------------------


async def test_the_cursor_stays_on_its_row_and_line_when_rows_are_sorted_and_columns_chosen() -> None:
    all_models = models(300)
    app = GridApp(Rows(all_models))
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "pagedown", "pagedown", "l", "l", "l", "l")
        key, line = app.grid.row_key, line_of(app.grid, app.grid.cursor.row)
        chosen = [COLUMNS[0], *COLUMNS[3:]]
        rows = Rows([replace(m, cells=[m.cells[0], *m.cells[3:]]) for m in reversed(all_models)], chosen)
        app.grid.show(rows)
        await pilot.pause()
        assert app.grid.row_key == key
        assert app.grid.column_key == COLUMNS[4].key
        assert line_of(app.grid, app.grid.cursor.row) == line
        assert {strip.cell_length for strip in app.grid.render_lines(app.grid.size.region)} == {80}


async def test_a_filtered_out_row_gives_the_cursor_to_its_neighbour_and_gets_it_back() -> None:
    rows = Rows(models(100, 1000))
    app = GridApp(rows)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "pagedown")
        key = app.grid.row_key
        app.grid.show(rows.only(m for m in rows.models if m.name.endswith("5")))
        await pilot.pause()
        assert app.grid.row_key == "provider-000/model-name-00025"
        assert app.told[-1] == MatrixGrid.CursorMoved("provider-000/model-name-00025", "model")
        app.grid.show(rows.only([]))
        app.grid.show(rows)
        assert app.grid.row_key == key
        app.grid.show(rows.only(rows.models[:3]))
        await press(pilot, "k")
        app.grid.show(rows)
        assert app.grid.row_key == rows.models[1].key


async def test_the_first_cursor_is_on_the_first_model() -> None:
    app = GridApp(Rows([]))
    async with app.run_test(size=(80, 24)) as pilot:
        app.grid.show(Rows(models(10)))
        await pilot.pause()
        assert app.grid.row_key == "provider-000/model-name-00000"
        assert app.grid.scroll_offset.y == 0


async def test_it_goes_to_a_cell_by_its_keys() -> None:
    app = GridApp(Rows(models(5000)))
    async with app.run_test(size=(80, 24)) as pilot:
        assert app.grid.go_to("provider-100/model-name-04010", "batch")
        await pilot.pause()
        assert (app.grid.row_key, app.grid.column_key) == ("provider-100/model-name-04010", "batch")
        assert 1 <= line_of(app.grid, app.grid.cursor.row) < 24
        assert not app.grid.go_to("provider-100/none")
        assert not app.grid.go_to("provider-100/model-name-04010", "none")
        assert app.grid.go_to("provider-000")
        assert app.grid.column_key == "batch"


async def test_a_smaller_terminal_keeps_the_cursor_visible() -> None:
    app = GridApp(Rows(models(300)))
    async with app.run_test(size=(120, 40)) as pilot:
        await press(pilot, "pagedown", *["l"] * 14)
        cursor = app.grid.cursor
        await pilot.resize_terminal(60, 12)
        await pilot.pause()
        assert app.grid.cursor == cursor
        assert 1 <= line_of(app.grid, cursor.row) < 12
        assert cursor.column in ColumnLayout.fit(COLUMNS, 60).drawn(app.grid._first)


# -- choosing and the mouse --------------------------------------------------------------------------------------


async def test_activating_says_which_cell_or_folds_the_group() -> None:
    app = GridApp(Rows(models(20, 5)))
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "j", "l")
        app.grid.activate()
        await pilot.pause()
        assert app.told[-1] == MatrixGrid.CellActivated("provider-000/model-name-00000", "quality")
        await press(pilot, "k")
        app.grid.activate()
        await pilot.pause()
        assert lines(app.grid)[1].startswith(" ▸ provider-000")
        assert lines(app.grid)[2].startswith(" ▾ provider-001")
        assert app.grid.row_key == "provider-000"


async def test_a_click_moves_and_a_second_click_activates() -> None:
    app = GridApp(Rows(models(300)))
    async with app.run_test(size=(80, 24)) as pilot:
        x = ColumnLayout.fit(COLUMNS, 80).left_of(3, 2)
        await pilot.click(MatrixGrid, offset=(x, 5))
        assert app.grid.cursor == Cursor(4, 3)
        assert not [m for m in app.told if isinstance(m, MatrixGrid.CellActivated)]
        await pilot.click(MatrixGrid, offset=(x + 1, 5))
        await pilot.pause()
        assert app.told[-1] == MatrixGrid.CellActivated("provider-000/model-name-00003", COLUMNS[3].key)
        await pilot.click(MatrixGrid, offset=(0, 7))
        assert app.grid.cursor == Cursor(6, 3)


async def test_a_click_on_a_group_folds_it_and_one_on_a_heading_names_the_column() -> None:
    app = GridApp(Rows(models(20, 5)))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.click(MatrixGrid, offset=(40, 7))
        await pilot.pause()
        assert lines(app.grid)[7].startswith(" ▸ provider-001")
        await pilot.click(MatrixGrid, offset=(GUTTER + 3, 0))
        await pilot.pause()
        assert app.told[-1] == MatrixGrid.HeadingClicked("model")
        told = len(app.told)
        await pilot.click(MatrixGrid, offset=(5, 23))  # below the last row
        assert len(app.told) == told


async def test_the_wheel_scrolls_and_leaves_the_cursor() -> None:
    app = GridApp(Rows(models(300)))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot._post_mouse_events([events.MouseScrollDown], MatrixGrid, (5, 5))
        await pilot.pause()
        assert app.grid.scroll_offset.y == 3
        assert app.grid.cursor == Cursor(0, 0)
        app.grid._scroll_columns(2)
        assert app.grid._first == 4
        app.grid._scroll_columns(99)
        assert lines(app.grid)[0].rstrip().endswith("notes")
        app.grid._scroll_columns(-99)
        await press(pilot, "j")
        assert app.grid.scroll_offset.y == 1


# -- where columns stand -----------------------------------------------------------------------------------------


def test_frozen_columns_give_way_where_nothing_else_would_fit() -> None:
    columns = [ColumnView("a", "a", 20, frozen=True), ColumnView("b", "b", 8, frozen=True), ColumnView("c", "c", 10)]
    assert ColumnLayout.fit(columns, 80).frozen == 2
    assert ColumnLayout.fit(columns, 43).frozen == 2
    assert ColumnLayout.fit(columns, 42).frozen == 1
    assert ColumnLayout.fit(columns, 30).widths[0] == 16
    assert ColumnLayout.fit(columns, 5).widths[0] == 4


def test_only_whole_columns_are_drawn_but_the_first_always() -> None:
    columns = [ColumnView("a", "a", 4, frozen=True), ColumnView("b", "b", 50), ColumnView("c", "c", 3)]
    layout = ColumnLayout.fit(columns, 20)
    assert layout.drawn(1) == [0, 1]
    assert layout.drawn(2) == [0, 2]
    assert layout.first_for(2, 1) == 2
    assert layout.last_first == 2
    assert [layout.column_at(x, 2) for x in (0, 2, 6, 7, 10, 11)] == [None, 0, 0, 2, 2, None]


def test_there_may_be_no_columns_or_only_frozen_ones() -> None:
    assert ColumnLayout.fit((), 80).drawn(0) == []
    assert ColumnLayout.fit([ColumnView("a", "a", 4, frozen=True)], 80).drawn(1) == [0]
