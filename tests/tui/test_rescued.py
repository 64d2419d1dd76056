"""What a run that was cut off left behind: told at the next start, taken in only if the user says so."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from textual.pilot import Pilot

from model.document.state import rescue_folder, rescue_path
from model.files import FileSpec
from model.vocabulary import Layer
from model.workbench import Workbench
from tests.tui.conftest import Open
from tui.app import CapdeckApp
from tui.screens.choice import Choice
from tui.screens.proposal import Proposal
from tui.watching import take_in

FILE = Path("models.yaml")
TEXT = """\
providers:
  - provider_id: p
    provider_kind: openai
    auth_ref: none
    models:
      - model_id: a # mine
        quality_tier: cheap
"""
EDITED = TEXT.replace("cheap", "strong")


def rescue(text: str | bytes) -> Path:
    path = rescue_path(FILE)
    path.parent.mkdir(parents=True)
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


async def settle(pilot: Pilot[None]) -> None:
    await pilot.pause()
    await pilot.app.workers.wait_for_complete()
    await pilot.pause()


def banner(app: CapdeckApp) -> str:
    shown = app.query_one("#banner")
    return str(shown.content) if shown.has_class("on") else ""  # type: ignore[attr-defined]


def text_now(app: CapdeckApp) -> str:
    doc = app.workbench.files[0].doc
    assert doc is not None
    return doc.text


async def test_a_start_without_any_says_nothing(open_app: Open) -> None:
    app = open_app(TEXT)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert banner(app) == ""
        await pilot.press("r")
        assert len(app.screen_stack) == 1
    assert not rescue_folder().exists()


async def test_they_are_told_and_not_applied(open_app: Open) -> None:
    app = open_app(TEXT)
    path = rescue(EDITED)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert banner(app) == "models.yaml: unsaved edits of a run that was cut off are kept; r shows what can be done."
        assert text_now(app) == TEXT
        await pilot.press("r", "escape")
        await settle(pilot)
        assert banner(app)
        assert text_now(app) == TEXT
    assert path.read_text() == EDITED


async def test_they_are_opened_undone_and_made_again(open_app: Open) -> None:
    app = open_app(TEXT)
    path = rescue(EDITED)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("r", "o")
        await settle(pilot)
        assert text_now(app) == EDITED
        assert app.workbench.pending_changes == 1
        assert banner(app) == ""
        await pilot.press("u")
        assert text_now(app) == TEXT
        await pilot.press("ctrl+r")
        assert text_now(app) == EDITED
        assert path.exists()
        await pilot.press("ctrl+s", "y")
        await settle(pilot)
    assert FILE.read_text() == EDITED
    assert not path.exists()


async def test_what_another_run_left_since_is_not_dropped_with_them(open_app: Open) -> None:
    app = open_app(TEXT)
    path = rescue(EDITED)
    os.utime(path, (1, 1))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("r", "o")
        await settle(pilot)
        path.write_text("other: 1\n")
        await pilot.press("ctrl+s", "y")
        await settle(pilot)
    assert FILE.read_text() == EDITED
    assert path.read_text() == "other: 1\n"


async def test_opened_edits_follow_a_change_on_disk(open_app: Open) -> None:
    app = open_app(TEXT)
    rescue(EDITED)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("r", "o")
        FILE.write_text(TEXT.replace("auth_ref: none", "auth_ref: env:K"))
        take_in(app)
        await settle(pilot)
        assert text_now(app) == EDITED.replace("auth_ref: none", "auth_ref: env:K")


async def test_the_diff_is_shown_first_with_a_word_about_a_file_that_is_newer(open_app: Open) -> None:
    app = open_app(TEXT.replace("# mine", "# theirs"))
    path = rescue(EDITED)
    os.utime(path, (0, 0))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("r", "l")
        await settle(pilot)
        assert isinstance(app.screen, Proposal)
        assert "was written since" in app.screen._notes[0]
        assert "+        quality_tier: strong" in app.screen._diff
        await pilot.press("n")
        await settle(pilot)
        assert text_now(app) == TEXT.replace("# mine", "# theirs")
        await pilot.press("r", "l", "y")
        await settle(pilot)
        assert text_now(app) == EDITED


async def test_they_are_dropped(open_app: Open) -> None:
    app = open_app(TEXT)
    path = rescue(EDITED)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("r", "x")
        await settle(pilot)
        assert banner(app) == ""
        assert text_now(app) == TEXT
    assert not path.exists()


async def test_what_the_file_says_already_is_removed_without_a_word(open_app: Open) -> None:
    app = open_app(TEXT)
    path = rescue(TEXT)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert banner(app) == ""
    assert not path.exists()


def _folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def _pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def _dangling(path: Path) -> None:
    path.unlink()
    path.symlink_to("nowhere")


@pytest.mark.skipif(os.name != "posix", reason="pipes and links of POSIX")
@pytest.mark.parametrize("spoil", [_folder, _pipe, _dangling, lambda path: path.write_bytes(b"a: b: \xff")])
async def test_what_cannot_be_read_is_named_and_left(open_app: Open, spoil: Callable[[Path], None]) -> None:
    app = open_app(TEXT)
    path = rescue(EDITED)
    spoil(path)
    async with app.run_test(size=(120, 24)) as pilot:
        await settle(pilot)
        assert banner(app)
        await pilot.press("r")
        await settle(pilot)
        assert isinstance(app.screen, Choice)
        assert any("cannot be opened" in str(line) for line in app.screen._lines)
        await pilot.press("o", "l")
        assert isinstance(app.screen, Choice)
        await pilot.press("escape")
        assert text_now(app) == TEXT
    assert path.exists() or path.is_symlink()


async def test_edits_of_a_file_that_was_never_written(open_app: Open) -> None:
    open_app(TEXT)
    FILE.unlink()
    path = rescue(EDITED)
    app = CapdeckApp(Workbench([FileSpec(FILE, Layer.GLOBAL)]))
    app.watching = False
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("r", "l", "n")
        await settle(pilot)
        assert app.workbench.files[0].missing
        await pilot.press("r", "o")
        await settle(pilot)
        assert text_now(app) == EDITED
        await pilot.press("ctrl+s", "y")
        await settle(pilot)
    assert FILE.read_text() == EDITED
    assert not path.exists()
