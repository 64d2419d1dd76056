"""The matrix pane by its keys: what it says of the cell and of the model under the cursor."""

from __future__ import annotations

import pytest

from model.model_ref import ModelRef
from tests.tui.conftest import Open
from tests.tui.test_app import settle, text_of
from tui.commands import Where, command_with
from tui.filtering import Marks, asked_task, filter_rows
from tui.palette import run
from tui.panes.fallback import FallbackPane
from tui.panes.matrix import MatrixPane
from tui.screens.card import Card
from tui.screens.cards import comparison_card, help_card


async def test_while_the_filter_asks_about_a_task_the_line_says_why_a_model_fails_it(open_app: Open) -> None:
    app = open_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("slash", *"near:execute", "enter")
        await settle(pilot)
        line = text_of(app).splitlines()[-2]
        assert line.startswith(" claude-haiku-5-5  execute: fail  quality_tier is standard, the floor is strong")
        await pilot.press("enter")
        await settle(pilot)
        assert isinstance(app.screen, Card)
        assert "fails main, architecture, execute" in text_of(app)
        await pilot.press("escape", "slash", "escape")
        await settle(pilot)
        assert "  passes compact, " in text_of(app).splitlines()[-2]


async def test_filters_about_tasks(open_app: Open) -> None:
    snapshot = open_app().snapshot
    passing = snapshot.passing["execute"]
    for word, mask in {
        "task:execute": passing.any,
        "!task:execute": snapshot.bitmap.all & ~passing.any,
        "lossy:execute": passing.lossy & ~passing.strict,
    }.items():
        assert filter_rows(word, snapshot, Marks()).mask == mask, word
    assert filter_rows("!task:nothing", snapshot, Marks()).problem
    assert asked_task("tools near:exe", snapshot) == "execute"
    assert asked_task("provider:openai tools", snapshot) is None
    assert asked_task("near:", snapshot) is None


async def test_what_nobody_states_is_called_that(open_app: Open) -> None:
    app = open_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        pane = app.query_one(MatrixPane)
        pane.go_to(ModelRef("openai", "gpt-image-2"), "supports.parallel_tool_use")
        assert "parallel_tool_use = not stated" in pane.detail().plain
        rows = app.snapshot.matrix.rows
        _, lines = comparison_card(app.snapshot, [rows[0], rows[6]])
        text = "\n".join(map(str, lines))
        assert "? not stated" in text
        assert "1,000,000" in text
        assert "unknown" not in text


def test_help_names_the_words_of_the_filter() -> None:
    assert "near:execute" in "\n".join(map(str, help_card(Where.MATRIX)[1]))


async def test_the_palette_finds_commands_of_other_panes_by_what_they_do(open_app: Open) -> None:
    app = open_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        found = next(each for each in app.get_system_commands(app.screen) if "double outage" in each.title)
        assert (found.help, found.discover) == ("S  in fallback", False)
        run(app, command_with("fallback.failure"))
        await settle(pilot)
        assert app.pane is Where.FALLBACK
        assert app.query_one(FallbackPane).failure.value == "model_missing"


KEYS = {"!": "exclamation_mark", "?": "question_mark", ":": "colon", " ": "space"}


@pytest.mark.parametrize("accepted", [False, True])
async def test_where_a_filter_leaves_the_cursor_does_not_depend_on_how_fast_it_was_typed(
    accepted: bool, open_app: Open
) -> None:
    """Escape goes back to where the user stood; after enter, the user stands where the filter led."""
    app = open_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        grid = app.query_one(MatrixPane).grid
        starts = [grid.source.row_key(row) for row in (4, 10)]
        for words, start in zip(["?json", "zzz"], starts, strict=True):
            ways = []
            for together in (True, False):
                grid.go_to(start)
                await pilot.press("slash")
                keys = [KEYS.get(letter, letter) for letter in words]
                for burst in [keys] if together else [[key] for key in keys]:
                    await pilot.press(*burst)
                    await settle(pilot)
                if accepted:
                    await pilot.press("enter", "slash")
                    await settle(pilot)
                filtered = grid.row_key
                await pilot.press("escape")
                await settle(pilot)
                assert grid.row_key == (filtered if accepted and filtered else start)
                ways.append(filtered)
            assert ways[0] == ways[1]


async def test_a_removal_says_what_still_names_the_model(open_app: Open) -> None:
    app = open_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        app.query_one(MatrixPane).go_to(ModelRef("openrouter", "google/gemini-3.8-flash"))
        await pilot.press("D")
        await settle(pilot)
        assert "Still named after that: fallbacks[" in text_of(app)


async def test_the_columns_that_are_shown_are_told_in_words(open_app: Open) -> None:
    app = open_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("c")
        await settle(pilot)
        before = text_of(app).count("shown")
        await pilot.press("space")
        await settle(pilot)
        assert abs(text_of(app).count("shown") - before) == 1
        await pilot.press("space")
        await settle(pilot)
        assert text_of(app).count("shown") == before


async def test_a_model_that_is_switched_off_is_told_so_in_every_column(open_app: Open) -> None:
    app = open_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        pane = app.query_one(MatrixPane)
        for column in ("name", "quality_tier", "supports.tool_use"):
            pane.go_to(ModelRef("openrouter", "x-ai/grok-4.7"), column)
            assert "switched off  " in pane.detail().plain


async def test_keys_that_go_all_the_way_round_leave_the_file_as_it_was(open_app: Open) -> None:
    app = open_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        pane = app.query_one(MatrixPane)
        pane.go_to(ModelRef("openrouter", "x-ai/grok-4.7"))
        for _ in range(2):
            await pilot.press("e")
            await settle(pilot)
        assert app.workbench.diff() == ""
        house = next(row.ref for row in app.snapshot.matrix.rows if row.ref.model_id.startswith("house"))
        pane.go_to(house, "supports.tool_use")
        for _ in range(3):
            await pilot.press("space")
            await settle(pilot)
        assert app.workbench.diff() == ""
        for _ in range(5):
            await pilot.press("u")
            await settle(pilot)
        assert app.workbench.diff() == ""
