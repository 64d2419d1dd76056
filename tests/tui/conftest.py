"""The app on the demo's sample: the same files, keys, day and size in every run."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from textual import events
from textual.keys import _character_to_key
from textual.pilot import Pilot

from adapters.secrets import CredentialResolver
from model.files import FileSpec
from model.snapshot import Surroundings
from model.vocabulary import Layer
from model.workbench import Workbench
from tui.app import CapdeckApp
from tui.cli.demo import SAMPLE
from tui.settings import NO_SETTINGS, Settings

TODAY = datetime.date(2026, 11, 30)
Open = Callable[..., CapdeckApp]


class Typed(str):
    """A text whose letters are all on their way before the first one is handled, as a fast typist's or a paste's."""


async def press(pilot: Pilot[Any], *keys: str) -> None:
    """As `pilot.press`, which waits after each key, but for what is `Typed`."""
    for key in keys:
        if not isinstance(key, Typed):
            await pilot.press(key)
            continue
        for letter in key:
            event = events.Key(letter if letter.isalnum() else _character_to_key(letter), letter)
            pilot.app.post_message(event.set_sender(pilot.app))
        await pilot.pause()


@pytest.fixture
def open_app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Open:
    """Opens the app on a text (the demo's sample unless another is given), in a folder of its own."""
    monkeypatch.chdir(tmp_path)

    def open_text(
        text: str | None = None, *, environ: dict[str, str] | None = None, settings: Settings = NO_SETTINGS
    ) -> CapdeckApp:
        path = Path("models.yaml")
        path.write_text(SAMPLE.read_text(encoding="utf-8") if text is None else text, encoding="utf-8")
        keys = {"ANTHROPIC_API_KEY": "mock_x", "OPENAI_API_KEY": "mock_x", "GATEWAY_API_KEY": "mock_x"}
        credentials = CredentialResolver(environ=keys if environ is None else environ, home=tmp_path)
        bench = Workbench([FileSpec(path, Layer.GLOBAL)], Surroundings(credentials))
        app = CapdeckApp(bench, today=TODAY, settings=settings)
        app.animation_level = "none"
        app.watching = False
        return app

    return open_text
