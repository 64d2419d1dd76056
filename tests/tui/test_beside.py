"""What stands beside the matrix at 200 columns: the card, the doctor, and which tasks the model passes."""

from __future__ import annotations

import pytest

from tests.tui.conftest import Open
from tests.tui.test_app import settle, text_of
from tui.panes.band import Band
from tui.panes.matrix import MatrixPane
from tui.task_strip import task_strip


async def test_the_tasks_follow_the_cursor(open_app: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []

    def spy(snapshot, row, room):  # type: ignore[no-untyped-def]
        told.append(row.ref.model_id)
        return task_strip(snapshot, row, room)

    monkeypatch.setattr("tui.panes.band.task_strip", spy)
    app = open_app()
    async with app.run_test(size=(200, 50)) as pilot:
        await settle(pilot)
        assert "claude-opus-5-5  passes 8 of 11 tasks" in text_of(app)
        assert "near miss: it has no image_output" in text_of(app)
        told.clear()
        await pilot.press("right", "right", "right")
        assert told == []
        await pilot.press(*["down"] * 6, *["left"] * 3)
        await settle(pilot)
        assert told[-1] == "gpt-5.6-luna"
        assert "gpt-5.6-luna  passes 3 of 11 tasks" in text_of(app)
        assert "· ticket_triage            the requirement excludes it (+1)" in text_of(app)


async def test_narrower_screens_make_none(open_app: Open) -> None:
    app = open_app()
    async with app.run_test(size=(199, 50)) as pilot:
        await settle(pilot)
        assert not app.query(Band)
        assert "passes main, architecture" in text_of(app)
        await pilot.resize_terminal(200, 50)
        await settle(pilot)
        assert "passes 8 of 11 tasks" in text_of(app)
        await pilot.resize_terminal(120, 40)
        await settle(pilot)
        assert "of 11 tasks" not in text_of(app)
        assert "passes main, architecture, execute," in text_of(app)
        await pilot.resize_terminal(60, 24)
        await settle(pilot)
        assert "? help" in text_of(app).splitlines()[-1]


async def test_a_change_of_the_model_is_told_at_once(open_app: Open) -> None:
    app = open_app()
    async with app.run_test(size=(200, 50)) as pilot:
        await settle(pilot)
        await pilot.press("e")
        await settle(pilot)
        assert "passes 0 of 11 tasks" in text_of(app)


async def test_a_low_screen_says_that_there_are_more(open_app: Open) -> None:
    app = open_app()
    async with app.run_test(size=(200, 24)) as pilot:
        await settle(pilot)
        assert "and 6 more: the name, opened, lists them" in text_of(app)
        row = app.snapshot.matrix.get(app.query_one(MatrixPane).ref)  # type: ignore[arg-type]
        assert row is not None
        assert len(task_strip(app.snapshot, row, 12)) == 12
        assert len(task_strip(app.snapshot, row, 11)) == 11
        assert len(task_strip(app.snapshot, row, 1)) <= 2


async def test_names_of_tasks_are_shown_and_not_obeyed(open_app: Open) -> None:
    text = (
        "providers: [{provider_id: p, provider_kind: ollama, models: [{model_id: 'm[@click=app.quit]x'}]}]\n"
        "requirements: [{task_type: '\\u202e[/x]', required: {tool_use: true}}]\n"
    )
    app = open_app(text)
    async with app.run_test(size=(200, 50)) as pilot:
        await settle(pilot)
        assert "m[@click=app.quit]x  passes" in text_of(app)
