"""How the screens look, at three sizes and without colour. Look at a picture before you approve it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from itertools import groupby

import pytest
from textual.pilot import Pilot

from tests.tui.conftest import Open
from tests.tui.test_first_token import observe

SIZES = [(80, 24), pytest.param((120, 40), marks=pytest.mark.slow), (200, 50)]
Compare = Callable[..., bool]


async def settle(pilot: Pilot[None]) -> None:
    await pilot.pause()
    await pilot.app.workers.wait_for_complete()
    await pilot.pause()


MOVES = frozenset({"up", "down", "left", "right", "tab"})


def after(*keys: str) -> Callable[[Pilot[None]], Awaitable[None]]:
    """What only moves the cursor needs no settling before the next key."""

    async def run(pilot: Pilot[None]) -> None:
        await settle(pilot)
        for moving, some in groupby(keys, MOVES.__contains__):
            for part in [list(some)] if moving else [[key] for key in some]:
                await pilot.press(*part)
                await settle(pilot)

    return run


@pytest.mark.parametrize("size", SIZES)
def test_matrix(snap_compare: Compare, open_app: Open, size: tuple[int, int]) -> None:
    assert snap_compare(
        open_app(), terminal_size=size, run_before=after("down", "right", "right", "right", "right", "right")
    )


@pytest.mark.parametrize("size", SIZES)
def test_need(snap_compare: Compare, open_app: Open, size: tuple[int, int]) -> None:
    keys = ("2", "down", "down", "tab", "down", "down", "down", "space")
    assert snap_compare(open_app(), terminal_size=size, run_before=after(*keys))


@pytest.mark.parametrize("size", SIZES)
def test_doctor(snap_compare: Compare, open_app: Open, size: tuple[int, int]) -> None:
    assert snap_compare(open_app(), terminal_size=size, run_before=after("4", "down"))


@pytest.mark.parametrize("keys", [("down", *["right"] * 5, "space", "ctrl+s")], ids=["save"])
def test_diff_before_saving(snap_compare: Compare, open_app: Open, keys: tuple[str, ...]) -> None:
    assert snap_compare(open_app(), terminal_size=(80, 24), run_before=after(*keys))


def test_why(snap_compare: Compare, open_app: Open) -> None:
    keys = (*["down"] * 15, *["right"] * 5, "enter")
    assert snap_compare(open_app(), terminal_size=(80, 24), run_before=after(*keys))


def test_help(snap_compare: Compare, open_app: Open) -> None:
    assert snap_compare(open_app(), terminal_size=(80, 24), run_before=after("question_mark"))


def test_smallest_changes(snap_compare: Compare, open_app: Open) -> None:
    keys = ("2", "down", "down", "tab", "tab", *["down"] * 9, "enter")
    assert snap_compare(open_app(), terminal_size=(120, 40), run_before=after(*keys))


@pytest.mark.parametrize("pane", ["1", "2", "4"])
def test_without_colour(snap_compare: Compare, open_app: Open, monkeypatch: pytest.MonkeyPatch, pane: str) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    assert snap_compare(open_app(), terminal_size=(80, 24), run_before=after(pane, "down"))


def test_a_file_that_does_not_parse(snap_compare: Compare, open_app: Open) -> None:
    assert snap_compare(open_app("providers:\n  - [\n"), terminal_size=(80, 24), run_before=after())


def test_no_models_yet(snap_compare: Compare, open_app: Open) -> None:
    assert snap_compare(open_app("# nothing yet\n"), terminal_size=(80, 24), run_before=after())


@pytest.mark.parametrize("size", SIZES)
def test_fallback(snap_compare: Compare, open_app: Open, size: tuple[int, int]) -> None:
    keys = ("3", "space", "tab", "G")
    assert snap_compare(open_app(), terminal_size=size, run_before=after(*keys))


def test_first_tokens_on_the_ladder(snap_compare: Compare, open_app: Open) -> None:
    app = open_app()

    async def run(pilot: Pilot[None]) -> None:
        await settle(pilot)
        observe(app, claude_sonnet_5_5=420, claude_opus_5_5=2100, deepseek_v4_pro=1900)
        await after("3", "tab", "tab", "down", "down", "down", "down")(pilot)

    assert snap_compare(app, terminal_size=(80, 24), run_before=run)


def test_fallback_without_colour(snap_compare: Compare, open_app: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    assert snap_compare(open_app(), terminal_size=(80, 24), run_before=after("3", "space"))


@pytest.mark.parametrize("size", SIZES)
def test_two_outages_compared(snap_compare: Compare, open_app: Open, size: tuple[int, int]) -> None:
    keys = ("3", "space", "equals_sign", "x", "down", "down", "down", "down", "space")
    assert snap_compare(open_app(), terminal_size=size, run_before=after(*keys))


def test_chain_walked_to_its_end(snap_compare: Compare, open_app: Open) -> None:
    keys = ("3", "space", "tab", "down", "down", "enter")
    assert snap_compare(open_app(), terminal_size=(80, 24), run_before=after(*keys))
