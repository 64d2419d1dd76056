"""The user's settings: keys, theme, columns. What cannot be had is told with its place, and nothing else suffers."""

from __future__ import annotations

import string
import subprocess
import sys
from pathlib import Path

import pytest
from textual._ansi_sequences import ANSI_SEQUENCES_KEYS
from textual._xterm_parser import XTermParser
from textual.events import Key
from textual.keys import _character_to_key

from tests.tui.conftest import Open, Typed, press
from tests.tui.test_app import settle, text_of
from tui.app import CapdeckApp
from tui.commands import COMMANDS, MOVES, OWN, Where, footer, shown_key
from tui.key_names import SENT_AS, key_named
from tui.keymap import ALL, Clash, without_clashes
from tui.panes.matrix import MatrixPane
from tui.screens.card import Card
from tui.settings import NO_SETTINGS, Settings, read_settings, settings_path
from tui.settings_file import parse
from tui.widgets.filter_line import FilterLine


def read(text: str) -> Settings:
    return parse(text.encode(), Path("settings.yaml"))


def told(text: str) -> list[tuple[int | None, int | None, str]]:
    return [(each.line, each.column, f"{each.message}. {each.help}") for each in read(text).problems]


# -- names ------------------------------------------------------------------------------------------------------------
def test_characters_are_called_as_textual_calls_them() -> None:
    for character in string.punctuation + string.ascii_letters + string.digits + "é§":
        key = key_named(character)
        assert key == _character_to_key(character), character
        assert shown_key(str(key)) == character
    for key in ("tab", "backspace", "f5", "home", "shift+up"):
        assert shown_key(key) == key


def test_every_key_of_the_table_is_a_key() -> None:
    for command in (*COMMANDS, *MOVES):
        for key in command.keys:
            assert key_named(key) == key, command.id


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("ctrl+S", "ctrl+s"), ("F5", "f5"), ("Esc", "escape"), ("shift+ctrl+up", "ctrl+shift+up"), ("+", "plus"),
        ("ctrl++", "ctrl+plus"), ("G", "G"), ("PgDn", "pagedown"), (" ", "space"), ("alt+/", "alt+slash"),
        ("ctrl+hh", None), ("strg+s", None), ("", None), ("\x1b", None), ("f25", None), ("\u0301", None), ("++", None),
    ],
)  # fmt: skip
def test_keys_as_people_write_them(written: str, name: str | None) -> None:
    assert key_named(written) == name


# -- clashes ----------------------------------------------------------------------------------------------------------
def test_a_key_that_textual_reads_as_another_is_known_as_such() -> None:
    control = {f"ctrl+{chr(code + 64).lower()}": chr(code) for code in range(32)}
    alternate = {
        f"alt+{mark}": f"\x1b{mark}" for mark in string.printable.strip() if f"\x1b{mark}" in ANSI_SEQUENCES_KEYS
    }
    read_as = {}
    for written, sequence in (control | alternate).items():
        read_as[key_named(written)] = {event.key for event in XTermParser().feed(sequence) if isinstance(event, Key)}
    assert {key for key, names in read_as.items() if names and names != {key}} <= set(SENT_AS)


def test_the_own_keys_do_not_clash_in_any_place() -> None:
    everyone = {command.id: command.keys for command in ALL.values()}
    assert without_clashes(everyone) == (everyone, ())


def test_two_commands_may_change_their_keys_with_each_other() -> None:
    swapped = {"matrix.sort": ("x",), "matrix.clear": ("s",)}
    assert without_clashes(swapped) == (swapped, ())


def test_of_two_lines_that_clash_the_later_is_passed_over() -> None:
    kept, clashes = without_clashes({"matrix.sort": ("f5",), "undo": ("f5",), "need.jump": ("f5",)})
    assert kept == {"matrix.sort": ("f5",), "need.jump": ("f5",)}  # they never meet
    assert clashes == (Clash("undo", "f5", "matrix.sort"),)


def test_a_line_passed_over_takes_its_own_keys_back() -> None:
    kept, clashes = without_clashes({"matrix.clear": ("s",), "matrix.sort": ("q",)})
    assert kept == {}
    assert clashes == (Clash("matrix.sort", "q", "quit"), Clash("matrix.clear", "s", "matrix.sort"))


def test_moves_meet_every_pane() -> None:
    assert without_clashes({"doctor.fix": ("j",)})[1] == (Clash("doctor.fix", "j", "grid.down"),)


# -- the file ---------------------------------------------------------------------------------------------------------
def test_what_a_file_may_say() -> None:
    text = "theme: nord\ncolumns: [tasks]\nkeys: {undo: 'backspace, ctrl+z', pane.need: 6, peek: [f2, '#']}\n"
    found = read(text)
    keys = {"undo": ("backspace", "ctrl+z"), "pane.need": ("6",), "peek": ("f2", "number_sign")}
    assert found == Settings(Path("settings.yaml"), keys, "nord", ("tasks",))


@pytest.mark.parametrize("text", ["", "# nothing\n", "keys:\n", "keys: {}\ntheme:\ncolumns:\n"])
def test_a_file_that_says_nothing(text: str) -> None:
    assert not read(text).keys
    assert not read(text).problems


@pytest.mark.parametrize(
    ("text", "line", "column", "said"),
    [
        ("kyes: {}\n", 1, 1, "there is no setting 'kyes'. did you mean keys?"),
        ("[]\n", 1, 1, "expected a mapping, found a list"),
        ("keys:\n  matrix.srot: f3\n", 2, 3, "there is no command 'matrix.srot'. did you mean matrix.sort?"),
        ("keys:\n  matrix.sort: pagedwn\n", 2, 16, "there is no key 'pagedwn'. did you mean pagedown?"),
        ("keys:\n  matrix.sort: x\n", 2, 16, "x means matrix.clear there already; matrix.sort keeps s"),
        ("keys:\n  peek: ~\n", 2, 9, "peek needs a key, or some with commas between (in quotes"),
        ("keys: {peek: true}\n", 1, 14, "peek needs a key"),
        ("keys: {peek: [f2, true]}\n", 1, 14, "peek needs a key"),
        ("keys: {peek: [~, f2]}\n", 1, 14, "peek needs a key, or some with commas between (in quotes"),
        ("keys: {peek: ''}\n", 1, 14, "peek needs a key"),
        ("keys: {save: w}\n", 1, 14, "save works while you type, too, and w is typed"),
        ("keys: {peek: ctrl+m}\n", 1, 14, "ctrl+m does not arrive as such: enter comes for it"),
        ("keys: {peek: ctrl+space}\n", 1, 14, "ctrl+space does not arrive as such: a NUL comes for it"),
        ("keys: {peek: shift+p}\n", 1, 14, "a terminal sends P for shift+p. write P"),
        ("keys: {peek: tab}\n", 1, 14, "tab goes to the next list"),
        ("keys: [peek]\n", 1, 7, "keys must be a mapping of ids to keys, not a list"),
        ("theme: nrod\n", 1, 8, "there is no theme 'nrod'. did you mean nord?"),
        ("theme: [a]\n", 1, 8, "there is no theme ['a']"),
        ("columns: [tasks, limts]\n", 1, 18, "there is no group of columns 'limts'. did you mean limits?"),
        ("columns: [[a]]\n", 1, 11, "there is no group of columns ['a']"),
        ("columns: tasks\n", 1, 10, "columns must be a list, not text"),
        ("theme: nord\ntheme: dracula\n", 2, 1, "'theme' is given twice; the last counts"),
        ("keys: [\n", 2, 1, ""),
        ("1: 2\n", 1, 1, "there is no setting 1"),
        ("keys: {1: x, ~: y, [a]: z}\n", 1, 7, "there is no command"),
    ],
)
def test_what_cannot_be_had_is_told_with_its_place(text: str, line: int, column: int, said: str) -> None:
    first = told(text)[0]
    assert first[:2] == (line, column)
    assert first[2].startswith(said)


def test_a_line_that_cannot_be_had_leaves_the_others() -> None:
    assert read("theme: nrod\nkeys: {peek: f2, undo: tab, nobody: x}\n").keys == {"peek": ("f2",)}


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    assert read_settings(tmp_path / "settings.yaml") is NO_SETTINGS
    assert read_settings(tmp_path).problems[0].code == "settings-unreadable"
    (tmp_path / "bytes.yaml").write_bytes(b"\xff\xfe\x00")
    assert read_settings(tmp_path / "bytes.yaml").problems[0].code == "settings-unreadable"


def test_a_file_of_no_measure_is_not_read_to_its_end(tmp_path: Path) -> None:
    (tmp_path / "huge.yaml").write_text("".join(f"k{number}: f3\n" for number in range(20_000)))
    (tmp_path / "endless.yaml").symlink_to("/dev/zero")
    for name in ("huge.yaml", "endless.yaml"):
        settings = read_settings(tmp_path / name)
        assert [problem.message for problem in settings.problems] == ["it has more than 32,768 bytes"]


def test_columns_of_which_none_can_be_had_leave_the_app_s_own() -> None:
    assert read("columns: [nope, 5]").columns is None
    assert read("columns: [nope, tasks]").columns == ("tasks",)
    assert read("columns: []").columns == ()


def test_of_several_documents_the_first_counts_and_that_is_told() -> None:
    for text, keys in ((b"keys: {undo: f5}\n---\nkeys: {undo: f6}\n", {"undo": ("f5",)}), (b"---\n---\na: 1\n", {})):
        settings = parse(text, Path("settings.yaml"))
        assert settings.keys == keys
        assert [problem.message for problem in settings.problems] == ["it holds 2 documents; only the first counts"]


def test_where_the_file_lies() -> None:
    assert settings_path({"CAPDECK_SETTINGS": "/x/mine.yaml"}) == Path("/x/mine.yaml")
    assert settings_path({"CAPDECK_SETTINGS": ""}).parts[-2:] == ("capdeck", "settings.yaml")


def test_no_file_costs_no_reader() -> None:
    code = "import sys; from tui.settings import *; read_settings(settings_path()); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"yaml", "pydantic", "textual", "model.document", "tui.settings_file"} & set(done.stdout.split())


# -- the app ----------------------------------------------------------------------------------------------------------
async def test_rebound_keys_work_and_are_shown_everywhere(open_app: Open) -> None:
    text = "keys: {matrix.next-value: f6, undo: backspace, pane.need: '!', grid.down: n, matrix.next-problem: f4}\n"
    app = open_app(settings=read(text))
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        assert " f6 change" in text_of(app)
        assert " backspace undo" in text_of(app)
        assert " ! need" in text_of(app)
        first = app.query_one(MatrixPane).ref
        await pilot.press("n", *["right"] * 5, "space")
        assert app.query_one(MatrixPane).ref != first
        assert app.workbench.pending_changes == 0
        await pilot.press("f6")
        await settle(pilot)
        assert app.workbench.pending_changes == 1
        await pilot.press("u")
        assert app.workbench.pending_changes == 1
        await pilot.press("backspace")
        await settle(pilot)
        assert app.workbench.pending_changes == 0
        await pilot.press("question_mark")
        await settle(pilot)
        assert "f6          Next value" in text_of(app)
        await pilot.press("escape", "exclamation_mark")
        await settle(pilot)
        assert app.pane is Where.NEED
        commands = [(each.title, each.help) for each in app.get_system_commands(app.screen)]
        assert ("undo · Take the last change back.", "backspace") in commands


async def test_swapped_keys_do_what_the_other_did(open_app: Open) -> None:
    app = open_app(settings=read("keys: {matrix.sort: x, matrix.clear: s}\n"))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("right", "x")
        await settle(pilot)
        assert app.query_one(MatrixPane).view.order.column is not None
        await pilot.press("s")
        await settle(pilot)
        assert app.query_one(MatrixPane).view.order.descending is False


async def test_a_rebound_key_is_still_typed_into_a_text(open_app: Open) -> None:
    app = open_app(settings=read("keys: {undo: e, matrix.enable: f9, matrix.filter: f3}\n"))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("f3", "e", "u", "s")
        await settle(pilot)
        assert "/ eus" in str(text_of(app))
        assert app.query_one(FilterLine) is not None


async def test_theme_and_columns(open_app: Open) -> None:
    app = open_app(settings=read("theme: nord\ncolumns: [tasks]\n"))
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        assert app.theme == "nord"
        assert "exec" in text_of(app)
        assert "tool" not in text_of(app).splitlines()[2]


@pytest.mark.parametrize("text", ["keys: [\n", "keys: {'\x07[@click=app.quit]x': 'a\u202e[/x]'}\n"])
async def test_what_is_passed_over_is_told_at_the_start_and_closed_by_a_key(open_app: Open, text: str) -> None:
    app = open_app(settings=read(text))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert isinstance(app.screen, Card)
        assert "settings.yaml:" in text_of(app)
        assert "\x07" not in text_of(app)
        await pilot.press("escape")
        await settle(pilot)
        assert not isinstance(app.screen, Card)
        assert "space change" in text_of(app)


def test_the_key_line_is_that_of_the_table_where_nothing_is_chosen() -> None:
    assert footer(Where.MATRIX) == footer(Where.MATRIX, OWN)
    assert CapdeckApp.BINDINGS


async def test_sentences_name_the_keys_in_force(open_app: Open) -> None:
    app = open_app(settings=read("keys: {matrix.mark: f5, doctor.fix: f6, matrix.enable: f7, matrix.filter: f8}\n"))
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await settle(pilot)
        await pilot.press("up", "f5")
        await settle(pilot)
        assert "enter folds it, f7 switches it" in text_of(app)
        assert "f5 marks a model" in " ".join(text_of(app).split())
        assert "f6: write true" in text_of(app)
        await press(pilot, "f8", Typed("zzz"), "enter")
        await settle(pilot)
        assert "f8 changes the filter." in text_of(app)
