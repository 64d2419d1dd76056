"""What a trial asks of the answer's form, on one line with the keys that change it."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from textual import on, work
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from model.quick_dataclass import dataclass
from tui.safe_text import safe_text
from tui.widgets.text_prompt import TextPrompt

if TYPE_CHECKING:
    from adapters.conversion import JsonAnswer

_HELP = "A JSON file on this machine; nothing it refers to is fetched."


@dataclass(frozen=True, slots=True)
class Form:
    """`answer`: None = any text. `schema_file` is where its schema stands, as it was typed. `allow_lossy`: JSON may be
    asked for in words. `second_attempt`: an answer that is not that JSON is asked for once more."""

    answer: JsonAnswer | None = None
    schema_file: str = ""
    allow_lossy: bool = False
    second_attempt: bool = False

    @property
    def asked(self) -> str:
        if self.answer is None:
            return "any text"
        return "JSON object" if self.answer.schema is None else f"JSON of {Path(self.schema_file).name}"


ANY_TEXT = Form()


class TrialForm(Static):
    """One line; what it cannot do now it says in a message."""

    @dataclass
    class Said(Message):
        """Something that the user should read."""

        text: str
        warning: bool = False

    @dataclass
    class Read(Message):
        """What a file gives: a schema, or in words why none."""

        file: str
        answer: JsonAnswer | str

    DEFAULT_CSS = """
    TrialForm { height: 1; background: $surface; text-wrap: nowrap; text-overflow: ellipsis; }
    """

    def __init__(self) -> None:
        self.form = ANY_TEXT
        super().__init__(self._shown())

    def _shown(self) -> Content:
        form = self.form
        return Content.assemble(
            (" ^o ", "$text-accent"),
            f"answer: {safe_text(form.asked)}  ",
            (" ^l ", "$text-accent"),
            f"lossy: {_yes(form.allow_lossy)}  ",
            (" ^n ", "$text-accent"),
            ("second attempt: ON", "bold $text-warning") if form.second_attempt else "second attempt: off",
        )

    def _set(self, form: Form) -> None:
        self.form = form
        self.update(self._shown())

    def next_answer(self) -> None:
        """Any text → a JSON object → JSON of a schema in a file → any text."""
        from adapters.conversion import JsonAnswer

        if self.form.answer is None:
            self._set(replace(self.form, answer=JsonAnswer()))
        elif self.form.answer.schema is None:
            self.app.push_screen(TextPrompt("which file holds the JSON Schema?", help=_HELP), self._named)
        else:
            self._set(replace(self.form, answer=None, second_attempt=False))

    def _named(self, file: str | None) -> None:
        if file is not None and file.strip():
            self._read(file.strip())
        else:
            self._set(replace(self.form, answer=None, second_attempt=False))

    @work(exclusive=True, group="schema", exit_on_error=False, description="reading a JSON Schema")
    async def _read(self, file: str) -> None:
        self.post_message(self.Read(file, await asyncio.to_thread(_schema_in, file)))

    @on(Read)
    def _taken(self, event: Read) -> None:
        event.stop()
        if isinstance(event.answer, str):
            self.post_message(self.Said(event.answer, warning=True))
        else:
            self._set(replace(self.form, answer=event.answer, schema_file=event.file))
            self.post_message(self.Said("the answer will be checked against this schema"))

    def switch_lossy(self) -> None:
        self._set(replace(self.form, allow_lossy=not self.form.allow_lossy))

    def switch_second(self) -> None:
        if self.form.answer is None:
            self.post_message(self.Said("a second attempt is for JSON answers: ^o asks for one", warning=True))
        else:
            self._set(replace(self.form, second_attempt=not self.form.second_attempt))


def _yes(value: bool) -> str:
    return "yes" if value else "no"


def _schema_in(file: str) -> JsonAnswer | str:
    """Or why there is none. Slow: loads jsonschema; call it in a thread."""
    from adapters.json_answers import BadSchemaFile, read_schema_file

    try:
        path = Path(file).expanduser()
        if path.exists() and not path.is_file():  # a pipe may never end, and hold up the app's own end
            return f"{file}: is no file"
        return read_schema_file(path)
    except BadSchemaFile as problem:
        return problem.told(file)
    except OSError as problem:
        return f"{file}: {problem.strerror or problem}"
    except Exception as problem:  # the one edge: no home folder, a name with a NUL, or a mistake of ours
        return f"{file}: {problem}"
