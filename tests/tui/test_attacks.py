"""What once changed the wrong model: files that others rewrite while a question stands on the screen."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot

from model.editing import remove_model, set_field
from model.vocabulary import ModelRef
from model.workbench import Change
from tests.tui.conftest import Open
from tui.app import CapdeckApp
from tui.messages import ChangeProposed
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
