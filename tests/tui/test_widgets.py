"""The small widgets: the line editor, the filter line, the prompt, the diff."""

from __future__ import annotations

import difflib

import pytest
from rich.cells import cell_len
from textual import events, on
from textual.app import App, ComposeResult
from textual.message import Message
from textual.pilot import Pilot
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Static

from tui.widgets.diff_view import DiffPart, DiffView, diff_lines
from tui.widgets.filter_line import FilterLine
from tui.widgets.line_edit import Line, LineEdit
from tui.widgets.text_prompt import TextPrompt

HOSTILE = "[/nope] [@click=app.bell]x[/] \x1b]0;t\x07 模型"
SHOWN = "[/nope] [@click=app.bell]x[/] ␛]0;t␇ 模型"


class One(App[None]):
    """An app around one widget, which hears what it says. `x` and `question_mark` are commands."""

    BINDINGS = [("x", "command", "x"), ("question_mark", "command", "?")]  # noqa: RUF012

    def __init__(self, *widgets: Widget) -> None:
        super().__init__()
        self.widgets = widgets
        self.told: list[Message] = []
        self.commands = 0

    def compose(self) -> ComposeResult:
        yield from self.widgets

    def action_command(self) -> None:
        self.commands += 1

    @on(LineEdit.Changed)
    @on(LineEdit.Submitted)
    @on(FilterLine.FilterChanged)
    @on(FilterLine.FilterClosed)
    def hear(self, message: Message) -> None:
        self.told.append(message)


def line(widget: Widget) -> Strip:
    return widget.render_lines(widget.size.region)[0]


async def press(pilot: Pilot[None], *keys: str) -> None:
    await pilot.press(*keys)
    await pilot.pause()


# -- the line as a value -----------------------------------------------------------------------------------------


def test_a_line_is_edited_at_its_cursor() -> None:
    assert Line("ac", 1).insert("b") == Line("abc", 2)
    assert Line("abc", 1).cut(0, 1) == Line("bc", 0)
    assert Line("abc", 1).cut(-1, 1) == Line("bc", 0)
    assert Line("abc", 3).cut(3, 4) == Line("abc", 3)
    assert Line("abc", 1).move(9) == Line("abc", 3)
    assert Line("abc", 1).move(-1) == Line("abc", 0)


@pytest.mark.parametrize(
    ("text", "at", "before", "after"),
    [
        ("", 0, 0, 0),
        ("ab cd", 5, 3, 5),
        ("ab cd", 4, 3, 5),
        ("ab cd  ", 7, 3, 7),
        ("ab cd", 2, 0, 5),
        ("ab cd", 0, 0, 2),
    ],
)
def test_a_line_knows_its_words(text: str, at: int, before: int, after: int) -> None:
    assert (Line(text, at).word_before, Line(text, at).word_after) == (before, after)


# -- the line editor ---------------------------------------------------------------------------------------------

TYPED = [
    (["a", "b", "left", "c"], "acb"),
    (["home", "x"], "xone two"),
    (["ctrl+a", "delete", "end", "question_mark"], "ne two?"),
    (["backspace", "backspace"], "one t"),
    (["ctrl+w", "space"], "one  "),
    (["ctrl+left", "ctrl+left", "ctrl+right", "ctrl+k"], "one"),
    (["left", "ctrl+u"], "o"),
    (["home", "ctrl+e", "right", "backspace"], "one tw"),
    (["home", "backspace", "left", "ctrl+u"], "one two"),
]


async def test_keys_edit_the_line_and_are_no_commands_meanwhile() -> None:
    app = One(edit := LineEdit())
    async with app.run_test(size=(40, 3)) as pilot:
        for keys, text in TYPED:
            edit.put("" if keys[0] == "a" else "one two")
            await press(pilot, *keys)
            assert edit.value == text, keys
        assert app.commands == 0
        assert app.told[-1] == LineEdit.Changed("one tw")
        await press(pilot, "enter")
        assert app.told[-1] == LineEdit.Submitted("one two")


async def test_what_is_typed_or_pasted_is_shown_safely_and_kept_raw() -> None:
    app = One(edit := LineEdit(HOSTILE, sign="> "))
    async with app.run_test(size=(70, 3)) as pilot:
        assert line(edit).text.startswith("> " + SHOWN)
        edit.post_message(events.Paste("!\x1b[2J\r\nsecond line"))
        await pilot.pause()
        assert edit.value == HOSTILE + "!\x1b[2J"
        assert line(edit).text.rstrip().endswith("!␛[2J")
        assert cell_len(line(edit).text) == 70


@pytest.mark.parametrize("width", [60, 20, 8, 3, 1])
async def test_the_cursor_stays_in_sight_of_a_long_line(width: int) -> None:
    app = One(edit := LineEdit("模型" * 20 + "end", sign="/ "))
    async with app.run_test(size=(width, 3)) as pilot:
        for key in ("end", "home", "ctrl+right", "left"):
            await press(pilot, key)
            assert line(edit).cell_length == width
            if width > 3:
                assert len([s for s in line(edit) if s.style and s.style.reverse]) == 1
        x, y = app.cursor_position
        assert y == 0
        assert x < max(width, 3)


async def test_a_note_gives_way_to_the_text_and_a_fault_does_not() -> None:
    app = One(edit := LineEdit(sign="/ ", placeholder="filter"))
    async with app.run_test(size=(40, 3)):
        edit.tell("12 of 41 models")
        assert line(edit).text == "/ filter                 12 of 41 models"
        edit.put("quality>=strong ctx>100k")
        assert "models" not in line(edit).text
        edit.tell("12 of 41 models", "ctx>10x is no number of tokens")
        assert line(edit).text.endswith("  ctx>10x is no number of ")
        assert cell_len(line(edit).text) == 40


async def test_a_click_puts_the_cursor_there() -> None:
    app = One(edit := LineEdit("模型 ab", sign="> "))
    async with app.run_test(size=(40, 3)) as pilot:
        await pilot.click(LineEdit, offset=(7, 0))
        await press(pilot, "!")
        assert edit.value == "模型 !ab"
        await pilot.click(LineEdit, offset=(30, 0))
        await press(pilot, "?")
        assert edit.value == "模型 !ab?"


async def test_typing_repaints_the_line_without_a_layout(monkeypatch: pytest.MonkeyPatch) -> None:
    app = One(edit := LineEdit())
    async with app.run_test(size=(40, 3)) as pilot:
        asked: list[object] = []
        monkeypatch.setattr(edit, "refresh", lambda *regions, **kinds: asked.append(kinds))
        await press(pilot, "a")
        assert asked == [{}]


# -- the filter line ---------------------------------------------------------------------------------------------


async def test_the_filter_line_tells_each_text_and_gives_the_keys_back() -> None:
    app = One(edit := FilterLine())
    async with app.run_test(size=(80, 3)) as pilot:
        await press(pilot, "x")
        assert (app.commands, edit.value) == (1, "")
        edit.open()
        await press(pilot, *"x?")
        assert app.told == [FilterLine.FilterChanged("x"), FilterLine.FilterChanged("x?")]
        await press(pilot, "enter")
        assert app.told[-1] == FilterLine.FilterClosed()
        assert not edit.can_focus
        edit.open()
        await press(pilot, "escape")
        assert app.told[-2:] == [FilterLine.FilterChanged(""), FilterLine.FilterClosed()]
        told = len(app.told)
        edit.open()
        await press(pilot, "escape")
        assert len(app.told) == told + 1
        await pilot.click(FilterLine)
        await press(pilot, "a", "down")
        assert app.told[-2:] == [FilterLine.FilterChanged("a"), FilterLine.FilterClosed()]
        edit.clear()
        await pilot.pause()
        assert app.told[-1] == FilterLine.FilterClosed()
        assert edit.value == ""


def test_of_a_burst_of_filters_only_the_last_counts() -> None:
    assert FilterLine.FilterChanged("ab").can_replace(FilterLine.FilterChanged("a"))
    assert not FilterLine.FilterChanged("ab").can_replace(FilterLine.FilterClosed())


# -- the prompt --------------------------------------------------------------------------------------------------


def a_number(text: str) -> str | None:
    return None if text.isdigit() else f"{text!r} is no number of tokens [/x]"


async def test_the_prompt_says_at_each_key_what_is_wrong_and_takes_only_what_is_good() -> None:
    app = One()
    async with app.run_test(size=(80, 24)) as pilot:
        answers: list[str | None] = []
        prompt = TextPrompt(f"window of {HOSTILE}", "12", "tokens", a_number)
        app.push_screen(prompt, answers.append)
        await press(pilot, "x")
        assert "'12x' is no number of tokens [/x]" in screen_text(app)
        assert f"window of {SHOWN}" in screen_text(app)
        await press(pilot, "enter")
        assert answers == []
        await press(pilot, "backspace", "8", "enter")
        assert answers == ["128"]
        app.push_screen(TextPrompt("name", "old"), answers.append)
        await press(pilot, "escape")
        assert answers == ["128", None]


@pytest.mark.parametrize("size", [(80, 24), (20, 5), (4, 3)])
async def test_the_prompt_fits_any_screen(size: tuple[int, int]) -> None:
    app = One()
    async with app.run_test(size=size) as pilot:
        app.push_screen(TextPrompt("a rather long title for a small screen", "value", "help " * 30))
        await press(pilot, "a")
        assert app.screen.query_one(LineEdit).region.right <= size[0]


def screen_text(app: App[None]) -> str:
    strips = app.screen._compositor.render_strips()
    return "\n".join(strip.text for strip in strips)


# -- the diff ----------------------------------------------------------------------------------------------------

OLD = "a\n-- b\nc\nd\ne\nf\ng\nh\n"
NEW = "a\n++ b\nc\nd\ne\nf\ng\n\x1b[2Jh"
DIFF = "".join(difflib.unified_diff(OLD.splitlines(True), NEW.splitlines(True), "old.yaml", "new.yaml", n=1))
DIFF += "\n\\ No newline at end of file\n"


def test_each_line_of_a_diff_is_told_apart_even_where_it_begins_like_a_file_name() -> None:
    parts = [(each.part.value, each.text) for each in diff_lines(DIFF)]
    assert parts == [
        ("file", "--- old.yaml"),
        ("file", "+++ new.yaml"),
        ("place", "@@ -1,3 +1,3 @@"),
        ("same", " a"),
        ("removed", "--- b"),
        ("added", "+++ b"),
        ("same", " c"),
        ("place", "@@ -7,2 +7,2 @@"),
        ("same", " g"),
        ("removed", "-h"),
        ("added", "+␛[2Jh"),
        ("file", "\\ No newline at end of file"),
    ]


def test_two_files_in_one_diff_and_new_files_are_understood() -> None:
    diff = "--- a\n+++ b\n@@ -1 +1 @@\n-x\r\n+y\r\n--- /dev/null\n+++ c\n@@ -0,0 +1,2 @@\n+1\n+2\n"
    parts = [each.part for each in diff_lines(diff)]
    file, place, added, removed = DiffPart.FILE, DiffPart.PLACE, DiffPart.ADDED, DiffPart.REMOVED
    assert parts == [file, file, place, removed, added, file, file, place, added, added]
    assert [each.text for each in diff_lines(diff)][3] == "-x"


async def test_the_diff_is_coloured_by_line_and_scrolls() -> None:
    app = One(view := DiffView(DIFF + "x" * 100))
    view.styles.height = "1fr"
    async with app.run_test(size=(40, 6)) as pilot:
        strips = view.render_lines(view.size.region)
        assert [strip.text.rstrip() for strip in strips][:3] == ["--- old.yaml", "+++ new.yaml", "@@ -1,3 +1,3 @@"]
        assert len({next(iter(strip)).style for strip in strips[1:6]}) == 5
        app.set_focus(view)
        await press(pilot, "j", "j", "l", "l")
        assert view.scroll_offset == (2, 2)
        await press(pilot, "G")
        assert view.scroll_offset.y == 13 - view.scrollable_content_region.height


async def test_without_a_difference_it_says_so_and_takes_one_line() -> None:
    app = One(DiffView(""), Static("below"))
    async with app.run_test(size=(40, 6)) as pilot:
        await pilot.pause()
        assert screen_text(app).splitlines()[:2] == ["no difference" + " " * 27, "below" + " " * 35]


async def test_a_diff_is_read_without_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    app = One(DiffView(DIFF))
    async with app.run_test(size=(40, 20)):
        signs = [text[:1] for text in screen_text(app).splitlines()[3:7]]
        assert signs == [" ", "-", "+", " "]
