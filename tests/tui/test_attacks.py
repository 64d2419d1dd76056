"""What once changed the wrong model or ended the app: files rewritten while a question stands, keys nobody knows."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from textual._xterm_parser import XTermParser
from textual.command import CommandPalette, Hits
from textual.events import Key
from textual.pilot import Pilot
from textual.system_commands import SystemCommandsProvider
from textual.widgets import Input, OptionList

from model.editing import remove_model, set_field
from model.model_ref import ModelRef
from model.workbench import Change
from tests.tui.conftest import Open
from tests.tui.test_app import text_of as screen_text
from tui.app import CapdeckApp
from tui.messages import ChangeProposed
from tui.screens.assigning import Assigning
from tui.screens.choice import Choice
from tui.screens.proposal import Proposal
from tui.stray_keys import ignore_stray_keys
from tui.watching import take_in

HEAD = "providers:\n  - provider_id: p\n    provider_kind: openai\n    auth_ref: none\n    models:\n"
MODELS = {name: f"      - model_id: {name}\n        quality_tier: cheap  # {name}\n" for name in "abcn"}
FILE = Path("models.yaml")


def text_of(names: str) -> str:
    return HEAD + "".join(MODELS[name] for name in names)


async def settle(pilot: Pilot[None]) -> None:
    await pilot.pause()
    await pilot.app.workers.wait_for_complete()
    await pilot.pause()


async def others_write(app: CapdeckApp, pilot: Pilot[None], text: str) -> None:
    FILE.write_text(text)
    take_in(app)
    await settle(pilot)


def removal(app: CapdeckApp, name: str) -> Change:
    file = app.workbench.files[0]
    return Change(f"remove {name}", {file.name: remove_model(file.config, ModelRef("p", name))})


@pytest.mark.parametrize(("now", "after"), [("nabc", "nac"), ("cba", "ca"), ("ac", "ac")])
async def test_a_change_that_was_agreed_to_follows_its_model(open_app: Open, now: str, after: str) -> None:
    app = open_app(text_of("abc"))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        app.maker.propose(ChangeProposed(removal(app, "b")))
        await settle(pilot)
        await others_write(app, pilot, text_of(now))
        await pilot.press("y")
        await settle(pilot)
        assert app.workbench.files[0].doc is not None
        assert app.workbench.files[0].doc.text == text_of(after)


@pytest.mark.parametrize("now", ["nabc", "nac"])
async def test_my_value_goes_to_the_model_that_it_was_meant_for(open_app: Open, now: str) -> None:
    app = open_app(text_of("abc"))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        file = app.workbench.files[0]
        app.maker.make(Change("b", {file.name: set_field(file.config, ModelRef("p", "b"), "quality_tier", "strong")}))
        disk = text_of(now).replace("cheap  # b", "standard  # b")
        await others_write(app, pilot, disk)
        await pilot.press("m")
        await settle(pilot)
        assert app.workbench.files[0].doc is not None
        assert app.workbench.files[0].doc.text == disk.replace("standard  # b", "strong  # b")


async def test_who_leaves_the_question_of_a_collision_loses_nothing(open_app: Open) -> None:
    app = open_app(text_of("abc"))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        file = app.workbench.files[0]
        app.maker.make(Change("b", {file.name: set_field(file.config, ModelRef("p", "b"), "quality_tier", "strong")}))
        disk = text_of("abc").replace("cheap  # b", "standard  # b")
        await others_write(app, pilot, disk)
        shown = screen_text(app)
        for told in ("p/b", "before  cheap", "on disk standard", "here    strong", "esc my value, unsaved as before"):
            assert told in shown
        await pilot.press("escape")
        await settle(pilot)
        (file,) = app.workbench.changed_files
        assert file.doc is not None
        assert file.doc.text == disk.replace("standard  # b", "strong  # b")
        await pilot.press("u")
        await settle(pilot)
        assert app.workbench.changed_files == ()


async def test_a_file_that_is_gone_is_told_and_written_again(open_app: Open) -> None:
    app = open_app(text_of("abc"))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        path = app.workbench.files[0].path
        path.unlink()
        take_in(app)
        await settle(pilot)
        assert "is gone from the disk" in screen_text(app)
        assert "read-only" not in screen_text(app)
        await pilot.press("q")
        await settle(pilot)
        assert f"{path.name} is gone from the disk." in screen_text(app)
        assert "0 changes" not in screen_text(app)
        await pilot.press("escape", "ctrl+s")
        await settle(pilot)
        assert isinstance(app.screen, Proposal)
        await pilot.press("y")
        await settle(pilot)
        assert path.read_text(encoding="utf-8") == text_of("abc")
        assert "is gone from the disk" not in screen_text(app)


async def test_a_collision_is_not_asked_over_another_question(open_app: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tui.watching.WAIT_SECONDS", 0.01)
    app = open_app(text_of("abc"))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        file = app.workbench.files[0]
        app.maker.make(Change("b", {file.name: set_field(file.config, ModelRef("p", "b"), "quality_tier", "strong")}))
        app.maker.propose(ChangeProposed(removal(app, "c")))
        await settle(pilot)
        await others_write(app, pilot, text_of("abc").replace("cheap  # b", "standard  # b"))
        assert isinstance(app.screen, Proposal)
        await pilot.press("y")
        while not isinstance(app.screen, Choice):
            await pilot.pause(0.01)
        await pilot.press("m")
        await settle(pilot)
        assert app.workbench.files[0].doc is not None
        assert app.workbench.files[0].doc.text == text_of("ab").replace("cheap  # b", "strong  # b")


@pytest.mark.parametrize("key", ["57399;1:3u", "97;5:1u", "99999999999u", "97;;99999999999u"])
def test_a_key_that_nobody_knows_is_passed_over(key: str) -> None:
    ignore_stray_keys()
    ignore_stray_keys()
    parser = XTermParser()
    keys = [each.key for each in parser.feed(f"\x1b[{key}a\x1b[98;5u") if isinstance(each, Key)]
    assert keys[-2:] == ["a", "ctrl+b"]
    assert len(keys) <= 3


async def test_a_page_key_in_a_list_without_room_stays(open_app: Open) -> None:
    ignore_stray_keys()
    app = open_app(text_of("abc"))
    async with app.run_test(size=(2, 80)) as pilot:
        await pilot.press("ctrl+p", "down", "pagedown", "pageup", "z", "z", "pagedown")
        options = OptionList("one", "two")
        options.highlighted = 1
        options._move_page(1)
        assert options.highlighted == 1


async def test_a_model_that_is_gone_is_not_pinned(open_app: Open) -> None:
    app = open_app(text_of("abc"))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        screen = Assigning(app.snapshot, "main", ModelRef("p", "gone"))
        app.push_screen(screen)
        await pilot.press("p", "v")
        assert screen.situation.pin is None


async def test_a_screen_that_is_closed_closes_no_other(open_app: Open) -> None:
    ignore_stray_keys()
    app = open_app(text_of("abc"))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("ctrl+p")
        palette = app.screen
        assert isinstance(palette, CommandPalette)
        palette._action_escape()
        palette._action_escape()
        await pilot.pause()
        assert len(app.screen_stack) == 1
        app.maker.propose(ChangeProposed(removal(app, "b")))
        await settle(pilot)
        palette.dismiss()
        assert isinstance(app.screen, Proposal)


@pytest.mark.parametrize("delay", [0.001, 0.01])
@pytest.mark.parametrize("slow_end", [0.0, 0.2])
async def test_a_letter_that_reaches_the_palette_as_it_closes_begins_no_search(
    open_app: Open, monkeypatch: pytest.MonkeyPatch, delay: float, slow_end: float
) -> None:
    """Its hits would come when the list that shows them is gone, and Textual died of that."""
    ignore_stray_keys()
    search = SystemCommandsProvider.search

    async def slow_search(self: SystemCommandsProvider, query: str) -> Hits:
        await asyncio.sleep(delay)
        async for hit in search(self, query):
            yield hit

    async def slow_shutdown(self: SystemCommandsProvider) -> None:
        await asyncio.sleep(slow_end)

    monkeypatch.setattr(SystemCommandsProvider, "search", slow_search)
    monkeypatch.setattr(SystemCommandsProvider, "discover", lambda self: slow_search(self, "no command is called so"))
    monkeypatch.setattr(SystemCommandsProvider, "shutdown", slow_shutdown)
    app = open_app(text_of("abc"))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("ctrl+p")
        palette = app.screen
        assert isinstance(palette, CommandPalette)
        box = palette.query_one(Input)
        palette._action_escape()
        palette.post_message(Input.Changed(box, "fix"))
        await settle(pilot)
        await pilot.pause(delay + slow_end)
        await pilot.press("ctrl+p", *"quit", "escape")
        await settle(pilot)
        assert len(app.screen_stack) == 1


async def test_the_palette_still_finds_what_is_typed_fast(open_app: Open) -> None:
    ignore_stray_keys()
    app = open_app(text_of("abc"))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("ctrl+p", *"fix all")
        await settle(pilot)
        found = app.screen.query_one(OptionList)
        assert "fix all safe" in str(found.get_option_at_index(0).prompt)
