"""What lies over the panes leaves in sight what has to be seen: the keys of a dialog, and the lines below a toast."""

from __future__ import annotations

import pytest
from textual.screen import Screen
from textual.widgets._toast import Toast

from model.workbench import Change
from tests.tui.conftest import Open
from tests.tui.test_app import SMALL, settle, text_of
from tui.screens.card import Card
from tui.screens.pick import Content, Pick
from tui.screens.proposal import Proposal, leaving
from tui.screens.ways import Ways

DIFF = "--- a/x\n+++ b/x\n@@ -1,0 +1,60 @@\n" + "+line\n" * 60


@pytest.mark.parametrize(
    ("dialog", "keys"),
    [
        (Proposal("save", "why", DIFF, verb="save"), "enter or y: save   esc or n: leave all as it is"),
        (Ways("ways", ["a reason"] * 5, [(f"way {n}", None) for n in range(60)]), "enter show the diff   esc leave"),
        (Pick("pick", [Content("line")] * 60), "enter choose   esc cancel"),
        (Card("card", ["line"] * 60), "esc close"),
        (leaving(2), "d discard and leave   esc cancel"),
    ],
    ids=["proposal", "ways", "pick", "card", "choice"],
)
async def test_the_keys_of_a_dialog_are_seen_however_long_it_is(
    open_app: Open, dialog: Screen[object], keys: str
) -> None:
    app = open_app(SMALL)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        app.push_screen(dialog)
        await settle(pilot)
        assert keys in text_of(app)


async def test_the_last_of_many_ways_can_be_reached(open_app: Open) -> None:
    app = open_app(SMALL)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        ways = [(f"way {n}", Change("title", {})) for n in range(60)]
        app.push_screen(Ways("ways", ["a reason"] * 5, ways))
        await settle(pilot)
        await pilot.press("end")
        await settle(pilot)
        assert "way 59" in text_of(app)


async def test_what_is_said_in_passing_leaves_the_lowest_lines_in_sight(open_app: Open) -> None:
    app = open_app(SMALL)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await settle(pilot)
        before = text_of(app).splitlines()[-2:]
        app.say("something that is said in passing, and that takes more than one line of the screen to be told")
        await settle(pilot)
        (toast,) = app.screen.query(Toast)
        assert toast.region.bottom <= 22
        assert toast.region.height <= 2
        assert text_of(app).splitlines()[-2:] == before
