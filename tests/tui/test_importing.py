"""Import in the app: what comes and what does not is shown first, one undo takes it back, errors are one line."""

from __future__ import annotations

from pathlib import Path

import pytest

from model.files import FileSpec
from model.model_ref import ModelRef
from model.vocabulary import Layer
from model.workbench import Workbench
from tests.tui.cli.test_import import KEY, SOURCE
from tests.tui.conftest import TODAY, Open, Typed, press
from tests.tui.test_app import SMALL, settle, text_of
from tui.app import CapdeckApp
from tui.screens.proposal import Proposal

QUICK = ModelRef("groq", "llama")


async def test_it_is_shown_first_and_is_one_change(open_app: Open) -> None:
    app = open_app(SMALL)
    Path("config.yaml").write_text(SOURCE)
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await press(pilot, "M", "enter", Typed("config.yaml"), "enter")
        await settle(pilot)
        assert isinstance(app.screen, Proposal)
        shown = text_of(app)
        assert "temperature (line 3)" in shown
        assert "+  - provider_id: groq" in shown
        assert KEY not in shown
        await pilot.press("y")
        await settle(pilot)
        assert app.snapshot.matrix.get(QUICK)
        await press(pilot, "M", "enter", Typed("config.yaml"), "enter")
        await settle(pilot)
        assert "nothing to add" in text_of(app)
        await pilot.press("escape", "u")
        await settle(pilot)
        assert not app.snapshot.matrix.get(QUICK)
    assert Path("config.yaml").read_text() == SOURCE


async def test_into_a_file_that_is_not_there_yet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("config.yaml").write_text(SOURCE)
    app = CapdeckApp(Workbench([FileSpec(Path("models.yaml"), Layer.GLOBAL)]), today=TODAY)
    app.watching = False
    async with app.run_test(size=(100, 30)) as pilot:
        await settle(pilot)
        await press(pilot, "M", "enter", Typed("config.yaml"), "enter")
        await settle(pilot)
        await pilot.press("y", "ctrl+s", "y")
        await settle(pilot)
    assert "provider_id: groq" in Path("models.yaml").read_text()


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (None, "config.yaml: No such file or directory"),
        ("a: [", "config.yaml: 2:1: "),
        ("providers: []", "it looks like a models.yaml"),
    ],
)
async def test_what_cannot_be_read_is_told_in_one_line(open_app: Open, content: str | None, told: str) -> None:
    app = open_app(SMALL)
    if content is not None:
        Path("config.yaml").write_text(content)
    async with app.run_test(size=(160, 30), notifications=True) as pilot:
        await settle(pilot)
        await press(pilot, "M", "enter", Typed("config.yaml"), "enter")
        await settle(pilot)
        assert told in " ".join(text_of(app).split())
        assert not app.workbench.changed_files


async def test_a_folder_is_no_file(open_app: Open) -> None:
    app = open_app(SMALL)
    async with app.run_test(size=(120, 30), notifications=True) as pilot:
        await settle(pilot)
        await pilot.press("M", "enter", ".", "enter")
        await settle(pilot)
        assert ".: is no file" in text_of(app)
