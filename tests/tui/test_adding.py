"""Adding a model in the app: to a provider that is there, to a new one, to a file that is not there yet."""

from __future__ import annotations

from pathlib import Path

from model.files import FileSpec
from model.model_ref import ModelRef
from model.vocabulary import Layer
from model.workbench import Workbench
from tests.tui.conftest import TODAY, Open, Typed, press
from tests.tui.test_app import SMALL, settle, text_of
from tui.app import CapdeckApp


async def test_a_model_of_the_catalog_to_a_provider_that_is_there(open_app: Open) -> None:
    app = open_app(SMALL)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "a", Typed("gpt-5.1"), "enter")
        await settle(pilot)
        assert "+      - model_id: gpt-5.1" in text_of(app)
        await pilot.press("y")
        await settle(pilot)
        row = app.snapshot.matrix.get(ModelRef("p", "gpt-5.1"))
        assert row is not None
        assert row.context_window_tokens.value == 400_000


async def test_a_new_provider_is_asked_for_its_kind_and_endpoint(open_app: Open) -> None:
    app = open_app(SMALL)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "a", "ctrl+u", Typed("house/own-model"), "enter")
        await settle(pilot)
        assert "what kind of provider" in text_of(app)
        await pilot.press("down", "down", "down", "down", "enter")
        await settle(pilot)
        await press(pilot, "ctrl+u", Typed("ftp://x"), "enter")
        await settle(pilot)
        assert "https://" in text_of(app), "what is no endpoint is not taken"
        await press(pilot, "ctrl+u", Typed("https://llm.example/v1"), "enter")
        await settle(pilot)
        await pilot.press("y")
        await settle(pilot)
        assert app.snapshot.matrix.get(ModelRef("house", "own-model")) is not None
        await pilot.press("u")
        await settle(pilot)
        assert app.snapshot.matrix.get(ModelRef("house", "own-model")) is None


async def test_the_first_file_is_begun(tmp_path: Path) -> None:
    path = tmp_path / "new" / "models.yaml"
    path.parent.mkdir()
    app = CapdeckApp(Workbench([FileSpec(path, Layer.GLOBAL)]), today=TODAY)
    app.watching = False
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert "a adds one" in text_of(app)
        await press(pilot, "a", Typed("anthropic/claude-sonnet-4-6"), "enter")
        await settle(pilot)
        await pilot.press("enter")
        await settle(pilot)
        await pilot.press("y", "ctrl+s", "y")
        await settle(pilot)
    assert "- model_id: claude-sonnet-4-6" in path.read_text()


async def test_a_file_begun_for_a_change_that_was_declined_is_missing_again(tmp_path: Path) -> None:
    path = tmp_path / "models.yaml"
    app = CapdeckApp(Workbench([FileSpec(path, Layer.GLOBAL)]), today=TODAY)
    app.watching = False
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "a", Typed("anthropic/claude-sonnet-4-6"), "enter")
        await settle(pilot)
        await pilot.press("enter")
        await settle(pilot)
        await pilot.press("n")
        await settle(pilot)
        assert app.workbench.files[0].missing
        assert not app.workbench.changed_files
