"""The doctor's pane by its keys: a finding is accepted with a reason, safe mends are one step."""

from __future__ import annotations

from dataclasses import replace

import pytest
from textual.pilot import Pilot

from tests.tui.conftest import Open, Typed, press
from tests.tui.test_app import settle, text_of
from tui.app import CapdeckApp
from tui.panes.doctor import DoctorPane
from tui.panes.matrix import MatrixPane
from tui.screens.card import Card
from tui.screens.proposal import Proposal
from tui.widgets.text_prompt import TextPrompt

FAULTY = """\
providers:
  - provider_id: p
    provider_kind: anthropic
    auth_ref: env:UNSET   # comes from CI
    models:
      - {model_id: claude-opus-4-7, quality_tier: frontier, supports: {tool_use: "true", thinking: "yes"}}
"""


async def at(pilot: Pilot[None], app: CapdeckApp, code: str) -> None:
    """The cursor on the finding with this code."""
    await pilot.press("4")
    await settle(pilot)
    pane = app.query_one(DoctorPane)
    for _ in range(len(pane.grid.source)):
        if pane.finding and pane.finding.code == code:
            return
        await pilot.press("down")
    raise AssertionError(f"{code} is not shown")


def codes(app: CapdeckApp) -> list[str]:
    return [finding.code for finding in app.findings or ()]


async def test_a_finding_is_ignored_with_a_reason_that_the_file_keeps(open_app: Open) -> None:
    app = open_app(FAULTY)
    async with app.run_test(size=(100, 30)) as pilot:
        await at(pilot, app, "auth-env-unset")
        await pilot.press("I")
        await settle(pilot)
        assert isinstance(app.screen, TextPrompt)
        await press(pilot, "escape", "I", Typed("set in CI"), "enter")
        await settle(pilot)
        assert isinstance(app.screen, Proposal)
        assert "reason: set in CI" in text_of(app)
        await pilot.press("y")
        await settle(pilot)
        assert "auth-env-unset" not in codes(app)
        (row,) = app.workbench.files[0].config.policy.ignore or ()
        assert (row.code, row.at, row.reason) == ("auth-env-unset", "p", "set in CI")
        doc = app.workbench.files[0].doc
        assert doc is not None
        assert doc.text.startswith(FAULTY)
        await pilot.press("u")
        await settle(pilot)
        assert "auth-env-unset" in codes(app)
        assert doc is not app.workbench.files[0].doc


async def test_all_safe_mends_are_one_change(open_app: Open) -> None:
    app = open_app(FAULTY)
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.press("4", "F")
        await settle(pilot)
        assert isinstance(app.screen, Proposal)
        assert "2 mends" in text_of(app)
        await pilot.press("y")
        await settle(pilot)
        doc = app.workbench.files[0].doc
        assert doc is not None
        assert "supports: {tool_use: true, thinking: true}" in doc.text
        await pilot.press("u", "F", "escape")
        await settle(pilot)
        assert not app.workbench.changed_files


LONG = "a" * 30 + " b" * 200
"""A name longer than any pane is wide."""


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 50)])
async def test_a_long_message_can_be_read_whole(open_app: Open, size: tuple[int, int]) -> None:
    app = open_app()
    async with app.run_test(size=size) as pilot:
        await at(pilot, app, "capability-not-stated")
        await settle(pilot)
        shown = " ".join(text_of(app).split())
        assert "state it under supports" in shown
        finding = app.query_one(DoctorPane).finding
        assert finding is not None
        longer = replace(finding, message=f"{LONG} end", evidence=LONG, help="the last line")
        app.query_one(DoctorPane).show(app.snapshot, [longer])
        await settle(pilot)
        await pilot.press("down", "i")
        await settle(pilot)
        assert isinstance(app.screen, Card)
        seen = text_of(app)
        for _ in range(3):
            await pilot.press("pagedown")
            await settle(pilot)
            seen += text_of(app)
        assert " end" in seen
        assert "the last line" in seen
        assert "State it under supports." in seen


async def test_the_card_of_the_cell_makes_room_and_is_there_again_as_it_is_now(open_app: Open) -> None:
    app = open_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        card = app.query_one("#card")
        assert card.display
        await pilot.press("4")
        await settle(pilot)
        assert not card.display
        app.query_one(MatrixPane).grid.action_move(1, 0)
        await settle(pilot)
        await pilot.press("1")
        await settle(pilot)
        assert card.display
        assert "anthropic-main/claude-sonnet-5-5\n" in str(card.render())
