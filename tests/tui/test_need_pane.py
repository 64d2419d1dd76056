"""The requirements pane by its keys: the form is edited, the file says only what differs, the preview follows."""

from __future__ import annotations

from pathlib import Path

from model.model_ref import ModelRef
from model.vocabulary import Capability
from tests.tui.conftest import Open, Typed, press
from tests.tui.test_app import settle, text_of
from tui.panes.need import NeedPane
from tui.screens.card import Card
from tui.screens.proposal import Proposal
from tui.screens.ways import Ways
from tui.widgets.grid import MatrixGrid


def to_line(pane: NeedPane, name: str) -> None:
    form = pane.query_one("#form-list", MatrixGrid)
    form.focus()
    assert form.go_to(name)


async def test_a_capability_is_asked_for_and_the_file_says_only_what_differs(open_app: Open) -> None:
    app = open_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        before = app.snapshot.passing["main"].any
        await pilot.press("2")
        await settle(pilot)
        pane = app.query_one(NeedPane)
        to_line(pane, "image_input")
        await pilot.press("space", "space")  # off → preferred → required
        await settle(pilot)
        assert Capability.IMAGE_INPUT in app.snapshot.requirements["main"].required
        assert app.snapshot.passing["main"].any != before
        assert "since you came" in text_of(app)
        await pilot.press("space", "space")  # forbidden → off: as the default again
        await settle(pilot)
        assert app.snapshot.passing["main"].any == before
        assert app.workbench.files[0].doc is not None
        assert "\n  main:" not in app.workbench.files[0].doc.text
        await pilot.press("u", "u", "u", "u")
        await settle(pilot)
        assert not app.workbench.changed_files


async def test_floors_windows_and_lists_are_edited(open_app: Open) -> None:
    app = open_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("2")
        await settle(pilot)
        pane = app.query_one(NeedPane)
        to_line(pane, "min_context_window_tokens")
        await pilot.press("enter")
        await settle(pilot)
        await press(pilot, "ctrl+u", Typed("500k"), "enter")
        await settle(pilot)
        assert app.snapshot.requirements["main"].min_context_window_tokens == 500_000
        to_line(pane, "any_of")
        await pilot.press("enter")
        await settle(pilot)
        await press(pilot, "ctrl+u", Typed("long_context | 64000 + batch"), "enter")
        await settle(pilot)
        assert len(app.snapshot.requirements["main"].any_of) == 2
        to_line(pane, "allow_lossy_conversion")
        await pilot.press("space")
        await settle(pilot)
        assert app.snapshot.requirements["main"].allow_lossy_conversion
        to_line(pane, "any_of")
        await pilot.press("x")
        await settle(pilot)
        assert app.snapshot.requirements["main"].any_of == ()
        await pilot.press("ctrl+s", "y")
        await settle(pilot)
        written = Path("models.yaml").read_text()
        assert "  main:\n    min_context_window_tokens: 500000\n    allow_lossy_conversion: true\n" in written


async def test_what_a_task_asks_for_comes_first_and_the_line_says_why_a_model_fails(open_app: Open) -> None:
    app = open_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("2", "down", "down")
        await settle(pilot)
        seen = text_of(app)
        for asked in ("min_quality_tier", "min_context_window_tokens", "tool_use", "structured_output", "thinking"):
            assert asked in seen
        assert "max_cost_tier" in seen.partition("long_context")[2], "what is not asked for comes last"
        assert "anthrop…/claude-opus-5-5" in seen, "names differ at their ends"
        preview = app.query_one(NeedPane).query_one("#preview-list", MatrixGrid)
        preview.focus()
        preview.go_to(ModelRef("anthropic-main", "claude-haiku-5-5"))
        await settle(pilot)
        assert "quality_tier is standard, the floor is strong" in text_of(app).splitlines()[-2]


async def test_a_task_of_ones_own(open_app: Open) -> None:
    app = open_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await press(pilot, "2", "plus", Typed("translate"), "enter")
        await settle(pilot)
        assert app.snapshot.requirements["translate"].min_quality_tier == "standard"
        assert "translate" in text_of(app)


async def test_a_failing_model_is_offered_its_smallest_change(open_app: Open) -> None:
    app = open_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("2", "down", "down")
        await settle(pilot)
        pane = app.query_one(NeedPane)
        preview = pane.query_one("#preview-list", MatrixGrid)
        preview.focus()
        near = next(row.ref for row in app.snapshot.matrix.rows if row.ref.model_id == "deepseek-v4-pro")
        preview.go_to(near)
        await pilot.press("enter")
        await settle(pilot)
        assert isinstance(app.screen, Ways)
        assert "unknown:structured_output" in text_of(app)
        await pilot.press("enter")
        await settle(pilot)
        assert isinstance(app.screen, Proposal)
        before = app.snapshot.passing["execute"].any.bit_count()
        await pilot.press("y")
        await settle(pilot)
        assert app.snapshot.passing["execute"].any.bit_count() == before + 1
        preview.action_first_row()
        await pilot.press("down", "enter")
        await settle(pilot)
        assert isinstance(app.screen, Card)
        assert "ranked by" in text_of(app)


async def test_what_speaks_against_a_change_stands_on_a_line_of_its_own(open_app: Open) -> None:
    app = open_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("2", "down", "down")
        await settle(pilot)
        pane = app.query_one(NeedPane)
        to_line(pane, "prompt_cache")
        await pilot.press("space", "space")  # required now
        await settle(pilot)
        preview = pane.query_one("#preview-list", MatrixGrid)
        preview.focus()
        preview.go_to(ModelRef("openrouter", "google/gemini-3.8-flash"))
        await pilot.press("enter")
        await settle(pilot)
        assert "│   but " in text_of(app)
        assert "␊" not in text_of(app)


async def test_what_nobody_passes_is_unblocked(open_app: Open) -> None:
    app = open_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("2")
        await settle(pilot)
        app.query_one(NeedPane).query_one("#task-list", MatrixGrid).go_to("image_generation")
        await pilot.press("b")
        await settle(pilot)
        assert isinstance(app.screen, Ways)
        await pilot.press("escape", "O")
        await settle(pilot)
        assert app.pane.value == "matrix"
        assert "main arch exec" in text_of(app)
