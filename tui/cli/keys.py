"""`capdeck keys`: every command of the workbench by its id, with its keys, and what settings.yaml says of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tui.cli.errors import FOUND_SOMETHING, located
from tui.cli.invocation import Invocation, command
from tui.cli.lines import aligned
from tui.commands import Command, shown_key
from tui.safe_text import safe_text

if TYPE_CHECKING:
    from pathlib import Path

    from tui.cli.output import Output
    from tui.settings import Problem, Settings


@command()
def keys(invocation: Invocation) -> int:
    """Print the ids and keys of the workbench's commands, and where settings.yaml lies that may rebind them.

    \b
    theme: nord
    columns: [capabilities, tasks]
    keys:
      matrix.sort: f3
      undo: "backspace, ctrl+z"
    """
    from tui.keymap import ALL
    from tui.settings import read_settings, settings_path

    path = settings_path()
    settings = read_settings(path)
    if invocation.out.as_json:
        invocation.out.document(_shape(path, settings, list(ALL.values())))
    else:
        _print(invocation.out, path, settings, list(ALL.values()))
    return FOUND_SOMETHING if settings.problems else 0


def _print(out: Output, path: Path, settings: Settings, commands: list[Command]) -> None:
    out.line(safe_text(f"settings: {path}" + ("" if settings.file else "  (there is none)")))
    for problem in settings.problems:
        out.line(problem_text(path, problem))
    out.line()
    rows = [
        [command.id, " ".join(shown_key(key) for key in settings.keys.get(command.id, command.keys)), command.help]
        for command in commands
    ]
    for line in aligned(rows):
        out.line(line)


def problem_text(path: Path, problem: Problem) -> str:
    """`file:line:col: warning[code] message`, and how to mend it; safe to show."""
    head = located("warning", problem.code, problem.message, file=str(path), line=problem.line, column=problem.column)
    return f"{head}\n  {safe_text(problem.help)}" if problem.help else head


def _shape(path: Path, settings: Settings, commands: list[Command]) -> dict[str, Any]:
    return {
        "settings": {
            "file": str(path),
            "exists": settings.file is not None,
            "theme": settings.theme,
            "columns": settings.columns,
            "problems": [_problem_shape(problem) for problem in settings.problems],
        },
        "keys": [
            {
                "id": command.id,
                "where": command.where.value,
                "keys": settings.keys.get(command.id, command.keys),
                "default": command.keys,
                "help": command.help,
            }
            for command in commands
        ],
    }


def _problem_shape(problem: Problem) -> dict[str, Any]:
    names = ("code", "message", "line", "column", "help")
    return {name: getattr(problem, name) or None for name in names}
