"""Every way in which a command can fail, as one record with one look (CLI.md): place, code, message, how to mend."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import click

from tui.safe_text import safe_text

SCHEMA_VERSION = 1
FOUND_SOMETHING = 1
COULD_NOT = 2


@dataclass(eq=False)
class Failure(Exception):
    """Why it could not be done: exit code 2. `path` is a breadcrumb, line and column count from 1."""

    code: str
    message: str
    help: str = ""
    file: str | None = None
    line: int | None = None
    column: int | None = None
    path: str = ""

    def __str__(self) -> str:
        return self.message

    def shape(self) -> dict[str, Any]:
        names = ("code", "message", "file", "line", "column", "path", "help")
        return {"error": {name: getattr(self, name) or None for name in names}}


def located(severity: str, code: str, message: str, *, file: str | None, line: int | None, column: int | None) -> str:
    """`file:line:col: error[CODE] message`, safe to show."""
    place = ":".join(str(part) for part in (file, line, column) if part is not None)
    return safe_text(f"{place}: {severity}[{code}] {message}" if place else f"{severity}[{code}] {message}")


def failure_text(failure: Failure) -> str:
    head = located("error", failure.code, failure.message, file=failure.file, line=failure.line, column=failure.column)
    return "\n".join([head, *(f"  {safe_text(more)}" for more in (failure.path, failure.help) if more)])


def failure_of(error: Exception) -> Failure | None:
    """What an expected exception means to the user; None for one that is a mistake of ours."""
    from model.document import Conflict, DocumentError
    from model.editing import CannotEdit
    from model.model_ref import BadRef
    from model.session_file import StoreError
    from model.workbench import ReadOnly

    if isinstance(error, Failure):
        return error
    if isinstance(error, click.ClickException):
        return _of_click(error)
    if isinstance(error, CannotEdit):
        return Failure("edit-refused", str(error), error.help)
    if isinstance(error, BadRef):
        return Failure("unknown-ref", str(error))
    if isinstance(error, Conflict):
        return Failure("file-changed", error.reason, error.help or "nothing was written; try again")
    if isinstance(error, DocumentError):
        return Failure("edit-refused", error.reason, error.help or "", None, error.line, error.column)
    if isinstance(error, StoreError):
        return Failure("session-store", str(error))
    if isinstance(error, ReadOnly):
        return Failure("read-only", str(error))
    if isinstance(error, OSError):
        return Failure("io", error.strerror or str(error), file=error.filename and str(error.filename))
    if isinstance(error, RuntimeError) and "home directory" in str(error):  # of Path.home(), which has no class for it
        return Failure("io", "nothing says where your home folder is", "set HOME")
    return None


def _of_click(error: click.ClickException) -> Failure:
    context = getattr(error, "ctx", None)
    name = context.command_path if context else "capdeck"
    return Failure("usage", error.format_message(), f"see {name} --help")


def wants_json(arguments: Sequence[str]) -> bool:
    """Whether the command line asks for JSON, even if the rest of it cannot be read."""
    return "--json" in arguments or "--format=json" in arguments or ("--format", "json") in pairwise(arguments)
