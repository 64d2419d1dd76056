"""How long the first token took, on the screen: from the trial over the session store to the fallback pane."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from textual.pilot import Pilot

from model.config.rows import Flags
from model.fallback.identity import endpoint_of
from model.latency import Latency, latency_of
from model.resolve import Observed
from model.session_observations import WrittenDown
from tests.adapters.streams import OPENAI_STREAM
from tests.tui.cli.model_server import KEY, Caller, config, say, serving
from tests.tui.cli.test_first_token import CONFIG
from tests.tui.conftest import Open
from tests.tui.test_app import settle, text_of
from tests.tui.test_trial import Ticks, until
from tui.app import CapdeckApp
from tui.fallback_rows import LadderRows, ladder_rows
from tui.panes.fallback import FallbackPane
from tui.screens.card import Card
from tui.screens.cards import model_card
from tui.screens.trial import Trial
from tui.widgets.grid import MatrixGrid

DAY = date(2026, 11, 30)
SONNET, GEMINI = "anthropic-main/claude-sonnet-5-5", "gateway/deepseek-v4-pro"


@pytest.fixture(autouse=True)
def _clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Trial, "clock", Ticks())


def observe(app: CapdeckApp, **times: int) -> None:
    """The model of this id took so many milliseconds where it is."""
    found = {}
    for row in app.snapshot.matrix.rows:
        if (time := times.get(row.ref.model_id.replace("-", "_"))) is not None:
            where = endpoint_of(row.model.provider)
            found[row.ref] = Observed(Flags(), None, None, where, DAY, (Latency(time, 5, DAY, where),))
    app.workbench.surround(replace(app.workbench.surroundings, observations=WrittenDown(found)))


def ladder_of(app: CapdeckApp) -> tuple[MatrixGrid, LadderRows]:
    grid = app.query_one(FallbackPane).query_one("#ladder-list", MatrixGrid)
    assert isinstance(grid.source, LadderRows)
    return grid, grid.source


def store_files() -> Sequence[Path]:
    return [path for path in Path(os.environ["CAPDECK_STATE"]).rglob("*.db") if path.is_file()]


async def tried(pilot: Pilot[None]) -> None:
    await settle(pilot)
    await pilot.press("down", "t")
    await pilot.press("x", "enter")


# -- from the trial ---------------------------------------------------------------------------------------------------
async def test_a_trial_reaches_the_ladder(open_app: Open) -> None:
    with serving(say("Hel", "lo")) as server:
        app = open_app(CONFIG.format(url=server.url), environ={"CAPDECK_TEST_KEY": KEY})
        async with app.run_test(size=(120, 40)) as pilot:
            await tried(pilot)
            await until(pilot, "ended: ")
            await settle(pilot)
            time = latency_of(app.snapshot.matrix.rows[1])  # the one under the cursor
            assert time
            assert (time.milliseconds, time.count) == (250, 1)
            assert len(store_files()) == 1
            await pilot.press("escape", "3")
            await settle(pilot)
            assert "250 ms" in text_of(app)


async def test_one_that_was_cancelled_after_it_counts_too(open_app: Open) -> None:
    def reply(caller: Caller) -> None:
        caller.begin()
        caller.send(*OPENAI_STREAM[:2])
        caller.wait_for_end()

    with serving(reply) as server:
        app = open_app(config(server.url), environ={"CAPDECK_TEST_KEY": KEY})
        async with app.run_test(size=(80, 24)) as pilot:
            await tried(pilot)
            await until(pilot, "Hel")
            await pilot.press("escape")
            await until(pilot, "may bill for it")
            assert await asyncio.to_thread(server.left.wait, 5)
            await settle(pilot)
            assert latency_of(app.snapshot.matrix.rows[0])


async def test_the_demo_promotes_nothing(open_app: Open) -> None:
    app = open_app()
    app.demo = True
    async with app.run_test(size=(80, 24)) as pilot:
        await tried(pilot)
        await until(pilot, "ended: end_turn")
        await settle(pilot)
        assert not any(row.observed for row in app.snapshot.matrix.rows)
        assert store_files() == []


async def test_where_it_cannot_be_kept_the_trial_goes_on(
    open_app: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "blocked").write_text("a file")
    monkeypatch.setenv("CAPDECK_STATE", str(tmp_path / "blocked"))
    with serving(say("Hello")) as server:
        app = open_app(config(server.url), environ={"CAPDECK_TEST_KEY": KEY})
        async with app.run_test(size=(120, 40), notifications=True) as pilot:
            await tried(pilot)
            await until(pilot, "ended: ")
            await settle(pilot)
            said = " ".join(notification.message for notification in app._notifications)
            assert "the time to the first token is not kept: " in said
            assert isinstance(app.screen, Trial)
            assert "Hello" in text_of(app)


# -- on the pane ------------------------------------------------------------------------------------------------------
async def test_the_ladder_compares_and_the_step_says_slower(open_app: Open) -> None:
    app = open_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        observe(app, claude_sonnet_5_5=420, deepseek_v4_pro=1900)
        await pilot.press("3", "tab", "tab")
        await settle(pilot)
        grid, rows = ladder_of(app)
        assert "token" in text_of(app)
        taken = next(number for number in range(len(rows)) if (each := rows.candidate(number)) and each.taken)
        grid.go_to(rows.row_key(taken))
        await settle(pilot)
        assert "slower: first token 420 ms → 1.9 s (median of 5, latest 2026-11-30)" in text_of(app)
        await pilot.press("enter")
        await settle(pilot)
        assert isinstance(app.screen, Card)
        assert "slower: first token 420 ms → 1.9 s" in text_of(app)
        await pilot.press("escape", "shift+tab", "enter")
        await settle(pilot)
        assert isinstance(app.screen, Card)
        assert "     slower: first token 420 ms → 1.9 s" in text_of(app)


async def test_without_an_observation_there_is_no_column(open_app: Open) -> None:
    app = open_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("3")
        await settle(pilot)
        assert [column.key for column in ladder_of(app)[1].columns] == ["sign", "candidate", "why"]
        observe(app, claude_sonnet_5_5=12_300)
        app.show_snapshot()
        await settle(pilot)
        assert [column.key for column in ladder_of(app)[1].columns] == ["sign", "candidate", "first_token", "why"]
        assert "12 s" in text_of(app)


@pytest.mark.parametrize(("width", "is_timed"), [(40, False), (45, True), (50, True), (80, True), (160, True)])
async def test_the_reasons_keep_their_room(open_app: Open, width: int, is_timed: bool) -> None:
    app = open_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("3")
        await settle(pilot)
        observe(app, claude_sonnet_5_5=420)
        app.show_snapshot()
        columns = ladder_rows(ladder_of(app)[1].ladder, frozenset(), width).columns
    assert ("first_token" in {column.key for column in columns}) is is_timed
    assert columns[-1].width >= 16
    assert sum(column.width + 1 for column in columns) <= width


async def test_the_model_s_card_tells_it_with_what_it_rests_on(open_app: Open) -> None:
    app = open_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        observe(app, claude_sonnet_5_5=420)
        rows = {str(row.ref): row for row in app.snapshot.matrix.rows}
        told = [str(line) for line in model_card(app.snapshot, rows[SONNET])[1]]
        assert "first token 420 ms  observed at https://api.anthropic.com: median of 5, latest 2026-11-30" in told
        assert not any("first token" in str(line) for line in model_card(app.snapshot, rows[GEMINI])[1])
