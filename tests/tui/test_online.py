"""The doctor's online checks on the screen: alive, cancelled, kept across edits, asked before trust, no key shown."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from adapters.checks import CheckRow, Phase
from adapters.secrets import CredentialResolver
from model.doctor.online import Asked, Listing, OnlineResult, Reach, provider_of
from model.files import FileSpec
from model.model_ref import ModelRef
from model.snapshot import Snapshot, Surroundings
from model.trust import read_trust, trust_path
from model.vocabulary import Layer
from model.workbench import Workbench
from tests.security.loopback import list_of, listening
from tests.tui.conftest import TODAY, Open
from tests.tui.test_app import settle, text_of
from tests.tui.test_trial import until
from tui.app import CapdeckApp
from tui.panes.doctor import DoctorPane
from tui.panes.matrix import MatrixPane
from tui.screens.listed import Listed

KEY = "sk-canary-online-5d1c09e7b3f24a68"
MODEL = ModelRef("gate", "m")


def text(url: str, *, more: str = "") -> str:
    return f"""\
{more}providers:
  - provider_id: gate
    provider_kind: openai_compatible
    base_url: {url}/v1
    auth_ref: env:CAPDECK_TEST_KEY
    models:
      - {{model_id: m, quality_tier: strong, context_window_tokens: 32768}}
"""


def open_with_key(open_app: Open, text: str) -> CapdeckApp:
    return open_app(text, environ={"CAPDECK_TEST_KEY": KEY})


def codes(app: CapdeckApp) -> list[str]:
    return [finding.code for finding in app.findings or ()]


async def asked(pilot: Pilot[None]) -> None:
    await pilot.press("4", "o")
    await settle(pilot)


async def test_rows_say_it_in_exact_words_and_findings_outlive_edits(open_app: Open) -> None:
    with listening(list_of("other", key=KEY)) as server:
        app = open_with_key(open_app, text(server.url))
        async with app.run_test(size=(120, 40)) as pilot:
            await settle(pilot)
            await asked(pilot)
            doctor = app.query_one(DoctorPane)
            assert doctor.grid.row_key == "online"
            await pilot.press("down")
            await pilot.pause()
            assert doctor.check
            assert doctor.check.words(app.snapshot, 0.0)[1:] == ("accepted", "not listed")
            assert "auth accepted" in text_of(app)
            assert "models not listed" in text_of(app)
            assert "model-not-listed" in codes(app)
            await pilot.press("enter")
            await settle(pilot)
            assert app.query_one(MatrixPane).ref == MODEL
            await pilot.press("e")
            await settle(pilot)
            assert "model-not-listed" not in codes(app), "a model that is off is not looked for"
            await pilot.press("u")
            await settle(pilot)
            assert "model-not-listed" in codes(app)


async def test_what_was_seen_stands_in_the_matrix_and_can_be_adopted(open_app: Open) -> None:
    with listening(list_of("m", key=KEY)) as server:
        app = open_with_key(open_app, text(server.url))
        async with app.run_test(size=(120, 40)) as pilot:
            await settle(pilot)
            await asked(pilot)
            row = app.snapshot.matrix.get(MODEL)
            assert row
            assert row.observed
            assert row.observed.context_window_tokens == 4096
            await pilot.press("1")
            app.query_one(MatrixPane).go_to(MODEL, "context_window_tokens")
            await pilot.press("o")
            await settle(pilot)
            row = app.snapshot.matrix.get(MODEL)
            assert row
            assert row.context_window_tokens.value == 4096


async def test_what_was_never_observed_cannot_be_adopted(open_app: Open) -> None:
    app = open_app()
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await settle(pilot)
        await pilot.press("down", "right", "right", "o")
        await until(pilot, "was never")
        assert not app.workbench.changed_files


async def test_a_rejected_key_is_told_and_never_shown(open_app: Open) -> None:
    with listening(list_of("m", key="another")) as server:
        app = open_with_key(open_app, text(server.url))
        async with app.run_test(size=(100, 40)) as pilot:
            await settle(pilot)
            await asked(pilot)
            shown = ""
            for _ in range(3):
                await pilot.press("down")
                await pilot.pause()
                shown += text_of(app)
            assert "auth rejected" in shown
            assert "it said: Incorrect API key provided: «secret»" in " ".join(shown.split())
            assert KEY[-12:] not in shown
            assert "auth-rejected" in codes(app)
            assert not any(KEY in worker.description for worker in app.workers)


class Stub:
    """Stands in for `run_checks`: the first provider is done, the others wait until somebody gives up."""

    def __init__(self) -> None:
        self.left = False

    async def __call__(self, snapshot: Snapshot, *_: Any, **__: Any) -> AsyncIterator[CheckRow]:
        first, *others = (CheckRow(each.provider_id, "http://x/models") for each in snapshot.config.providers)
        try:
            for row in (first, *others):
                yield row
            provider = provider_of(snapshot, first.provider_id)
            assert provider
            yield replace(
                first,
                phase=Phase.DONE,
                result=OnlineResult(Asked.of(provider), reach=Reach.ANSWERED, listing=Listing.LISTED, listed=("x",)),
            )
            yield replace(others[0], phase=Phase.RUNNING, started=0.0)
            await asyncio.Event().wait()
        finally:
            self.left = True


async def test_rows_are_alive_and_escape_cancels(open_app: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    stub = Stub()
    monkeypatch.setattr("adapters.checks.run_checks", stub)
    monkeypatch.setattr(DoctorPane, "clock", staticmethod(lambda: 3.0))
    app = open_app()
    async with app.run_test(size=(100, 40)) as pilot:
        await settle(pilot)
        await pilot.press("4", "o")
        await until(pilot, "openai  running 3 s")
        assert "openrouter  waiting" in text_of(app)
        assert "esc cancels" in text_of(app)
        await pilot.press("escape")
        await settle(pilot)
        assert stub.left
        assert "openai  not checked: cancelled" in text_of(app)
        assert "anthropic-main  answered" in text_of(app), "what was seen stays"
        assert "model-not-listed" in codes(app)


async def test_nothing_moves_under_the_cursor(open_app: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("adapters.checks.run_checks", Stub())
    app = open_app()
    async with app.run_test(size=(100, 16)) as pilot:
        await settle(pilot)
        await pilot.press("4", "G")
        await pilot.pause()
        grid = app.query_one(DoctorPane).grid
        before = (grid.row_key, grid.cursor.row - grid.scroll_offset.y)
        app.online.begin()
        await pilot.pause()
        while len(app.online.rows) < 2:
            await pilot.pause()
        await pilot.pause()
        assert (grid.row_key, grid.cursor.row - grid.scroll_offset.y) == before
        app.online.cancel()
        await settle(pilot)
        assert grid.row_key == before[0]


async def test_the_demo_contacts_nobody_and_says_so(open_app: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: Any, **__: Any) -> None:
        raise AssertionError("somebody was asked")

    monkeypatch.setattr("adapters.checks.run_checks", never)
    app = open_app()
    app.demo = True
    async with app.run_test(size=(100, 40)) as pilot:
        await settle(pilot)
        await asked(pilot)
        assert "local  not checked: the demo contacts nobody" in text_of(app)


@pytest.mark.parametrize("allowed", [True, False])
async def test_it_runs_by_itself_only_where_the_policy_says_so(open_app: Open, allowed: bool) -> None:
    with listening(list_of("m", key=KEY)) as server:
        more = f"policy: {{allow_online_checks: {str(allowed).lower()}}}\n"
        app = open_with_key(open_app, text(server.url, more=more))
        async with app.run_test(size=(120, 40)) as pilot:
            await settle(pilot)
            await settle(pilot)
            assert bool(server.requests) is allowed
            assert ("auth accepted" in text_of(app)) is False, "the heading is under the cursor, the words below it"
            assert ("online: 1 of 1 done" in text_of(app)) is allowed


async def test_keys_that_have_nothing_to_do_say_why(open_app: Open) -> None:
    app = open_app()
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await settle(pilot)
        await pilot.press("4", "escape", "L", "a")
        await until(pilot, "no online check is running")
        shown = " ".join(text_of(app).split())
        assert "no endpoint has listed" in shown
        assert "this is about no provider" in shown or "your own file chooses" in shown


# -- trust ------------------------------------------------------------------------------------------------------------
def open_foreign(tmp_path: Path, url: str) -> CapdeckApp:
    """A file that is not the user's own."""
    path = tmp_path / "models.yaml"
    path.write_text(text(url))
    credentials = CredentialResolver(environ={"CAPDECK_TEST_KEY": KEY}, home=tmp_path)
    bench = Workbench([FileSpec(path, Layer.PROJECT)], Surroundings(credentials, read_trust(trust_path())))
    app = CapdeckApp(bench, today=TODAY)
    app.watching = False
    return app


async def test_an_untrusted_provider_is_contacted_only_after_a_yes(tmp_path: Path) -> None:
    with listening(list_of("m", key=KEY)) as server:
        app = open_foreign(tmp_path, server.url)
        async with app.run_test(size=(120, 40)) as pilot:
            await settle(pilot)
            await asked(pilot)
            await pilot.press("down", "a")
            await settle(pilot)
            assert f"endpoint  {server.url}/v1" in text_of(app)
            assert "key       env:CAPDECK_TEST_KEY" in text_of(app)
            await pilot.press("n", "o")
            await settle(pilot)
            assert server.connections == 0
            await pilot.press("down", "a", "y", "o")
            await settle(pilot)
            assert "gate" not in app.snapshot.given.untrusted
            assert server.connections
            assert read_trust(trust_path()).agreements


# -- what is listed ---------------------------------------------------------------------------------------------------
async def test_listed_models_are_ticked_and_added_as_one_change(open_app: Open) -> None:
    with listening(list_of("new-1", "[/x]\\[bold]y", "new-3", key=KEY)) as server:
        app = open_with_key(open_app, text(server.url))
        async with app.run_test(size=(120, 40)) as pilot:
            await settle(pilot)
            await asked(pilot)
            await pilot.press("L")
            await settle(pilot)
            assert isinstance(app.screen, Listed)
            assert "[/x]\\[bold]y  4,096 tokens window" in text_of(app)
            assert "In the file, and not on the list:" in text_of(app)
            await pilot.press("space", "j", "j", "space", "enter")
            await settle(pilot)
            assert "add 2 models of gate" in text_of(app)
            await pilot.press("y")
            await settle(pilot)
            assert [str(row.ref) for row in app.snapshot.matrix.rows] == ["gate/m", "gate/new-1", "gate/new-3"]
            await pilot.press("u")
            await settle(pilot)
            assert len(app.snapshot.matrix.rows) == 1
