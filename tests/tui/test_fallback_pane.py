"""The fallback pane by its keys: which task dies, and which edit would save it (issue E, result 3)."""

from __future__ import annotations

from pathlib import Path

from tests.tui.conftest import Open
from tests.tui.test_app import settle, text_of
from tui.fallback_rows import LadderRows, candidate_text
from tui.panes.fallback import FallbackPane
from tui.panes.matrix import MatrixPane
from tui.screens.card import Card
from tui.screens.proposal import Proposal
from tui.screens.ways import Ways
from tui.widgets.grid import MatrixGrid


async def test_which_task_dies_and_which_edit_saves_it(open_app: Open) -> None:
    app = open_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("3", "space")  # the cursor stands on anthropic-main
        await settle(pilot)
        pane = app.query_one(FallbackPane)
        assert pane.outage.providers == {"anthropic-main"}
        dead = [row.task for row in pane.board.blocked if row.start]
        assert dead == ["ticket_triage"]
        assert "x claude-sonnet-5-5" in text_of(app)
        await pilot.press("tab", "b")
        await settle(pilot)
        assert "If anthropic-main/claude-sonnet-5-5 fails, gateway/deepseek-v4-pro, then" in text_of(app)
        assert "only after that it blocks" in " ".join(text_of(app).split())
        await pilot.press("escape", "G", "b")
        await settle(pilot)
        assert isinstance(app.screen, Ways)
        assert "gateway/mistral-large-4" in text_of(app)
        await pilot.press("enter")
        await settle(pilot)
        assert isinstance(app.screen, Proposal)
        assert "+          image_input: true" in text_of(app)
        await pilot.press("y")
        await settle(pilot)
        assert [row.task for row in pane.board.blocked if row.start] == []
        await pilot.press("S")
        await settle(pilot)
        assert isinstance(app.screen, Card)
        assert "the unsaved edits change" in text_of(app)
        await pilot.press("escape", "u")
        await settle(pilot)
        assert [row.task for row in pane.board.blocked if row.start] == ["ticket_triage"]


async def test_marks_failures_starts_and_comparison(open_app: Open) -> None:
    app = open_app()
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await settle(pilot)
        await pilot.press("3", "down", "space", "E")
        await settle(pilot)
        pane = app.query_one(FallbackPane)
        assert {str(ref) for ref in pane.outage.models} == {"anthropic-main/claude-opus-5-5"}
        assert pane.outage.endpoints
        await pilot.press("f", "m", "equals_sign", "x")
        await settle(pilot)
        assert pane.failure.value == "model_missing"
        assert str(pane.start) == "anthropic-main/claude-opus-5-5"
        assert not pane.outage
        assert "the last column says what" in text_of(app), "what the key did is said"
        await pilot.press("tab", "enter")
        await settle(pilot)
        assert isinstance(app.screen, Card)
        assert "1. " in text_of(app)


async def test_the_ladder_jumps_to_a_candidate_in_the_matrix(open_app: Open) -> None:
    app = open_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("3", "tab", "tab")
        await settle(pilot)
        ladder = app.query_one(FallbackPane).query_one("#ladder-list", MatrixGrid)
        rows = ladder.source
        assert isinstance(rows, LadderRows)
        ready = next(number for number in range(len(rows)) if (each := rows.candidate(number)) and not each.taken)
        ladder.go_to(rows.row_key(ready))
        await pilot.press("enter")
        await settle(pilot)
        candidate = rows.candidate(ready)
        assert candidate is not None
        passed_over = next(each for each in map(rows.candidate, range(len(rows))) if each and each.reasons)
        assert candidate_text(passed_over).startswith(passed_over.reasons[0].text)
        assert (app.pane.value, app.query_one(MatrixPane).ref) == ("matrix", candidate.ref)


async def test_pictures_and_boards_are_exported(open_app: Open) -> None:
    app = open_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("3", "space", "y", "W")
        await settle(pilot)
        assert "| main |" in app.clipboard
        assert Path("capdeck-fallback.svg").read_text().startswith("<svg")
