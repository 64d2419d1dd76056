"""The doctor's pane by its keys: a finding is accepted with a reason, safe mends are one step."""

from __future__ import annotations

from textual.pilot import Pilot

from tests.tui.conftest import Open
from tests.tui.test_app import settle, text_of
from tui.app import CapdeckApp
from tui.panes.doctor import DoctorPane
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
        await pilot.press("escape", "I", *"set in CI", "enter")
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
