"""The app by its keys: find a model that fails, read why, change it, see what follows, save, undo."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot

from model.model_ref import ModelRef
from model.vocabulary import Capability, Support
from tests.tui.conftest import Open, Typed, press
from tui.app import CapdeckApp
from tui.commands import COMMANDS, Where, bindings, commands_of, footer
from tui.panes.doctor import DoctorPane
from tui.panes.matrix import MatrixPane
from tui.screens.card import Card
from tui.screens.choice import Choice
from tui.screens.proposal import Proposal

HAIKU = ModelRef("anthropic-main", "claude-haiku-5-5")
SMALL = """\
providers:
  - provider_id: p
    provider_kind: openai
    auth_ref: none
    models:
      - model_id: a   # first
        quality_tier: strong
        cost_tier: low
        context_window_tokens: 200000
        max_output_tokens: 8000
        supports: {tool_use: true, structured_output: false, streaming: true, image_input: false}
"""
A = ModelRef("p", "a")


async def settle(pilot: Pilot[None]) -> None:
    await pilot.pause()
    await pilot.app.workers.wait_for_complete()
    await pilot.pause()


async def settle_without_workers(pilot: Pilot[None]) -> None:
    """For an app whose watcher runs as long as it does."""
    await pilot.pause()
    await pilot.pause()


def text_of(app: CapdeckApp) -> str:
    strips = app.screen._compositor.render_strips()
    return "\n".join("".join(segment.text for segment in line).rstrip() for line in strips)


async def test_the_main_job(open_app: Open) -> None:
    """Issue A, result 2: find, read why, change, see preview and doctor, save through the diff, undo."""
    app = open_app(SMALL)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "slash", Typed("near:execute"), "enter")
        await settle(pilot)
        matrix = app.query_one(MatrixPane)
        assert matrix.ref == A
        assert "1 of 1 models" in text_of(app)
        matrix.grid.go_to(A, "supports.structured_output")
        await settle(pilot)
        assert "structured_output = no" in text_of(app)
        findings = len(app.findings or ())
        await pilot.press("enter")
        await settle(pilot)
        assert isinstance(app.screen, Card)
        assert "models.yaml:11:" in text_of(app)
        await pilot.press("escape", "space")  # no → not stated
        await settle(pilot)
        await pilot.press("space")  # → yes
        await settle(pilot)
        assert app.snapshot.passing["execute"].any == 1
        assert len(app.findings or ()) < findings
        assert "*2" in text_of(app).splitlines()[0]
        await pilot.press("ctrl+s")
        await settle(pilot)
        assert isinstance(app.screen, Proposal)
        assert "structured_output: true" in text_of(app)
        await pilot.press("enter")
        await settle(pilot)
        assert "structured_output: true" in Path("models.yaml").read_text()
        assert "# first" in Path("models.yaml").read_text()
        await pilot.press("u", "u")
        await settle(pilot)
        assert app.snapshot.passing["execute"].any == 0
        await pilot.press("ctrl+s", "y")
        await settle(pilot)
        assert Path("models.yaml").read_text() == SMALL


async def test_a_change_shows_at_once_in_all_panes(open_app: Open) -> None:
    app = open_app()
    async with app.run_test(size=(160, 40)) as pilot:
        await settle(pilot)
        await pilot.press("2")
        await settle(pilot)
        before = app.snapshot.passing["execute"].any.bit_count()
        await pilot.press("1")
        app.query_one(MatrixPane).go_to(HAIKU, "quality_tier")
        await settle(pilot)
        app.query_one(MatrixPane).grid.focus()
        await pilot.press("enter")
        await settle(pilot)
        await press(pilot, "ctrl+u", Typed("strong"), "enter")
        await settle(pilot)
        assert app.snapshot.passing["execute"].any.bit_count() == before + 1
        await pilot.press("2", "down", "down")
        await settle(pilot)
        assert "+1 −0 since you came" in text_of(app)


async def test_a_bad_value_is_refused_while_it_is_typed(open_app: Open) -> None:
    app = open_app(SMALL)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        app.query_one(MatrixPane).go_to(A, "context_window_tokens")
        await settle(pilot)
        await press(pilot, "enter", "ctrl+u", Typed("-5"))
        await settle(pilot)
        assert "must be from 1" in text_of(app)
        await pilot.press("enter")
        await settle(pilot)
        assert "must be from 1" in text_of(app), "enter takes nothing that is wrong"
        await pilot.press("escape")
        assert not app.workbench.changed_files


async def test_quit_asks_for_what_is_not_saved(open_app: Open) -> None:
    app = open_app(SMALL)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        app.query_one(MatrixPane).go_to(A, "supports.tool_use")
        await pilot.press("x", "q")
        await settle(pilot)
        assert isinstance(app.screen, Choice)
        await pilot.press("escape")
        await settle(pilot)
        assert not isinstance(app.screen, Choice)
        assert app.is_running


async def test_what_others_change_on_disk_comes_in(open_app: Open) -> None:
    app = open_app(SMALL)
    app.watching = True
    async with app.run_test(size=(80, 24)) as pilot:
        await settle_without_workers(pilot)
        app.query_one(MatrixPane).go_to(A, "supports.tool_use")
        await pilot.press("x")
        other = Path("other.yaml")
        other.write_text(SMALL.replace("cost_tier: low", "cost_tier: high"))
        other.rename("models.yaml")
        for _ in range(200):
            row = app.snapshot.matrix.get(A)
            if row is not None and row.cost_tier.value == "high":
                break
            await pilot.pause(0.05)
        row = app.snapshot.matrix.get(A)
        assert row is not None
        assert row.cost_tier.value == "high"
        assert row.support(Capability.TOOL_USE) is Support.UNKNOWN, "the pending edit was carried over"
        assert "cost_tier: high" in Path("models.yaml").read_text()


async def test_a_collision_with_the_disk_is_asked(open_app: Open) -> None:
    app = open_app(SMALL)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        app.query_one(MatrixPane).go_to(A, "quality_tier")
        await pilot.press("enter")
        await settle(pilot)
        await press(pilot, "ctrl+u", Typed("frontier"), "enter")
        await settle(pilot)
        Path("models.yaml").write_text(SMALL.replace("quality_tier: strong", "quality_tier: cheap"))
        await pilot.press("ctrl+s", "y")
        await settle(pilot)
        assert isinstance(app.screen, Choice)
        assert "quality_tier" in text_of(app)
        await pilot.press("m", "ctrl+s", "y")
        await settle(pilot)
        assert "quality_tier: frontier" in Path("models.yaml").read_text()


async def test_the_palette_runs_commands_of_the_pane(open_app: Open) -> None:
    app = open_app(SMALL)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("colon")
        await settle(pilot)
        await press(pilot, Typed("next problem"))
        await pilot.pause(0.3)
        assert "next problem" in text_of(app)
        await pilot.press("escape")


async def test_panes_and_keys_are_clicked_too(open_app: Open) -> None:
    app = open_app(SMALL)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.click("#header", offset=(text_of(app).splitlines()[0].index("4 doctor") + 2, 0))
        await settle(pilot)
        assert app.pane is Where.DOCTOR
        await pilot.press("1")
        app.query_one(MatrixPane).go_to(A, "supports.tool_use")
        await settle(pilot)
        await pilot.click("#keys", offset=(2, 0))
        await settle(pilot)
        assert app.workbench.pending_changes == 1


async def test_what_cannot_be_done_says_why(open_app: Open) -> None:
    app = open_app(SMALL)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await settle(pilot)
        await pilot.press("G", "x", "u", "equals_sign", "full_stop")
        await settle(pilot)
        said = " ".join(notification.message for notification in app._notifications)
        assert "right of the name" in said
        assert "nothing to undo" in said
        assert "mark two to four" in said


async def test_marked_rows_change_together_and_undo_together(open_app: Open) -> None:
    app = open_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        matrix = app.query_one(MatrixPane)
        matrix.go_to(ModelRef("openai", "gpt-5.6-luna"), "supports.batch")
        await pilot.press("v", "v")
        await settle(pilot)
        assert len(matrix.view.marks) == 2
        matrix.go_to(ModelRef("openai", "gpt-5.6-luna"), "supports.batch")
        await pilot.press("space")
        await settle(pilot)
        marked = [row for row in app.snapshot.matrix.rows if row.ref in matrix.view.marks]
        assert all(
            "supports.batch" in matrix._arrangement.rows.changed[row.ref] for row in marked if matrix._arrangement
        )
        await pilot.press("u")
        await settle(pilot)
        assert not app.workbench.changed_files


async def test_doctor_jumps_to_the_cell_and_fixes_it(open_app: Open) -> None:
    app = open_app(SMALL.replace("tool_use: true", 'tool_use: "true"'))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("4")
        await settle(pilot)
        doctor = app.query_one(DoctorPane)
        quoted = next(each for each in doctor.findings if each.code == "config-quoted-boolean")
        from tui.finding_rows import finding_key

        doctor.grid.go_to(finding_key(quoted))
        await pilot.press("f")
        await settle(pilot)
        assert isinstance(app.screen, Proposal)
        await pilot.press("y")
        await settle(pilot)
        row = app.snapshot.matrix.get(A)
        assert row is not None
        assert row.support(Capability.TOOL_USE) is Support.YES
        assert all(each.code != "config-quoted-boolean" for each in app.findings or ())


async def test_a_file_that_does_not_parse_is_shown_and_never_written(open_app: Open) -> None:
    app = open_app("providers: [")
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        screen = text_of(app)
        assert "models.yaml:1:13" in screen or "models.yaml:2:1" in screen
        assert "will not be written" in screen
        assert "read-only" in screen
        await pilot.press("a", "ctrl+s")
        await settle(pilot)
        assert Path("models.yaml").read_text() == "providers: ["


HOSTILE = "evil[/nope][@click=app.quit]x[/] \x1b]0;owned\x07 \u202e"


def slowly(*size: int) -> object:
    """A size that only the slow run looks at."""
    return pytest.param(size, marks=pytest.mark.slow)


@pytest.mark.parametrize("size", [(80, 24), slowly(120, 40), slowly(200, 50)])
async def test_names_from_files_are_shown_and_never_obeyed(open_app: Open, size: tuple[int, int]) -> None:
    import json

    name = json.dumps(HOSTILE)
    text = (
        f"providers:\n  - provider_id: p\n    provider_kind: openai\n    display_name: {name}\n    models:\n"
        f"      - {{model_id: {name}, display_name: {name}, notes: [{name}], aliases: [{name}], {name}: 1}}\n"
        f"requirements:\n  {name}: {{tools: [{name}], exclude_models: [{name}]}}\n"
        f"tools: [{{name: {name}}}]\nfallbacks: [{{task: {name}, chain: [{name}]}}]\n{name}: 1\n"
    )
    app = open_app(text)
    async with app.run_test(size=size, notifications=True) as pilot:
        await settle(pilot)
        for keys in (["down"], ["enter"], ["escape"], ["right", "right", "enter"], ["escape"], ["p"], ["escape"], ["y"],
                     ["R"], ["escape"], ["D"], ["escape"], ["2"], ["G"], ["tab"], ["G", "enter"], ["escape"], ["tab"],
                     ["G", "enter"], ["escape"], ["4"], ["G"], ["i"], ["escape"], ["p"], ["escape"], ["question_mark"],
                     ["escape"], ["1"], ["O"]):  # fmt: skip
            await pilot.press(*keys)
            await settle(pilot)
            screen = text_of(app)
            assert "\x1b" not in screen
            assert "\u202e" not in screen
        assert app.is_running


@pytest.mark.parametrize("size", [(20, 5), slowly(40, 10), slowly(60, 15)])
async def test_small_terminals_do_not_crash(open_app: Open, size: tuple[int, int]) -> None:
    app = open_app()
    async with app.run_test(size=size) as pilot:
        for key in ("down", "enter", "escape", "2", "tab", "tab", "4", "f", "escape", "1", "question_mark", "escape"):
            await pilot.press(key)
        await settle(pilot)
        assert app.is_running


async def test_a_crash_shows_no_locals(open_app: Open, capsys: pytest.CaptureFixture[str]) -> None:
    app = open_app(SMALL)
    canary = "sk-ant-canary-0123456789"

    def crash() -> None:
        secret = canary
        raise RuntimeError(f"boom {len(secret) > 0}")

    async def run() -> None:
        async with app.run_test(size=(80, 24)) as pilot:
            app.call_later(crash)
            await settle(pilot)

    with pytest.raises(RuntimeError):
        await run()
    assert canary not in capsys.readouterr().err


def test_every_command_has_an_action_that_exists() -> None:
    from importlib import import_module

    from tui.panes.fallback import FallbackPane
    from tui.panes.need import NeedPane

    homes = {
        Where.EVERYWHERE: CapdeckApp,
        Where.MATRIX: MatrixPane,
        Where.NEED: NeedPane,
        Where.FALLBACK: FallbackPane,
        Where.DOCTOR: DoctorPane,
    }
    for command in COMMANDS:
        name, _, rest = command.action.removeprefix("app.").partition("(")
        home = CapdeckApp if command.action.startswith("app.") else homes[command.where]
        assert hasattr(home, f"action_{name}"), command.id
        if name == "run":
            module, _, function = rest.strip("')").partition(":")
            assert callable(getattr(import_module(module), function)), command.id


def test_ids_and_keys_are_unique_where_they_work() -> None:
    assert len({command.id for command in COMMANDS}) == len(COMMANDS)
    everywhere = {key for command in COMMANDS if command.where is Where.EVERYWHERE for key in command.keys}
    for where in Where:
        keys = [key for command in COMMANDS if command.where is where for key in command.keys]
        assert len(keys) == len(set(keys)), where
        assert where is Where.EVERYWHERE or not everywhere & set(keys), where


def test_bindings_and_footer_come_from_the_table() -> None:
    for where in Where:
        assert len(bindings(where)) == len(commands_of(where))
        assert footer(where)[-1].id == "help"


async def test_assigning_answers_to_the_situation_and_is_recorded(open_app: Open) -> None:
    app = open_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("A")
        await settle(pilot)
        assert "agent_select" in text_of(app)
        await pilot.press("r", "r", "r", "f", "d", "u", "e", "v")
        await settle(pilot)
        assert "scheduler_forced" in text_of(app)
        assert "high risk" in text_of(app)
        await pilot.press("w", "H")
        await settle(pilot)
        assert "assignment  execute" in text_of(app)


async def test_tools_of_a_model(open_app: Open) -> None:
    app = open_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("w")
        await settle(pilot)
        assert "kept     bash" in text_of(app)
