"""The form of the answer that `try` asks for: any text, a JSON object, or JSON of a schema."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tui.cli.errors import Failure

if TYPE_CHECKING:
    from adapters.conversion import JsonAnswer

_OPTIONS = (
    click.option("--json-object", is_flag=True, help="The answer has to be a JSON object."),
    click.option("--json-schema", type=click.Path(path_type=Path), metavar="FILE",
                 help="The answer has to be JSON of this JSON Schema."),
    click.option("--second-attempt", is_flag=True,
                 help="If the answer is not that JSON, ask once more, with its errors: a second request."),
)  # fmt: skip


def answer_options(function: Callable[..., Any]) -> Callable[..., Any]:
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


def asked_answer(json_object: bool, json_schema: Path | None, second_attempt: bool) -> JsonAnswer | None:
    """None = any text will do. Raises Failure, with the place in a file that is no schema."""
    from adapters.conversion import JsonAnswer

    if json_object and json_schema is not None:
        raise Failure("usage", "--json-object and --json-schema exclude each other", "the schema says more: keep it")
    if second_attempt and not json_object and json_schema is None:
        raise Failure("usage", "--second-attempt is for JSON answers", "add --json-object or --json-schema FILE")
    if json_schema is not None:
        return _schema_in(json_schema)
    return JsonAnswer() if json_object else None


def _schema_in(file: Path) -> JsonAnswer:
    from adapters.json_answers import BadSchemaFile, read_schema_file

    try:
        return read_schema_file(file)
    except BadSchemaFile as problem:
        place = (str(file), problem.line, problem.column)
        raise Failure("schema-invalid", problem.why, "nothing was sent", *place, path=problem.path) from None
