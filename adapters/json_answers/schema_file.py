"""A JSON Schema out of a file, checked before anything is sent; what is wrong with it is told with its place."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from adapters.conversion.canonical import JsonAnswer
from adapters.json_answers.schema import BadSchema, checker_of
from adapters.json_answers.strict import BYTE_ORDER_MARK, NotJson, line_column, read_json
from adapters.limits import MIB

MOST_BYTES = MIB
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}:,]|[^\s"\[\]{}:,]+', re.DOTALL)


class BadSchemaFile(ValueError):
    """Why a file gives no schema. Line and column count from 1; `path` is a breadcrumb inside the schema."""

    def __init__(self, why: str, line: int | None = None, column: int | None = None, path: str = "") -> None:
        self.why, self.line, self.column, self.path = why, line, column, path
        super().__init__(why)

    def told(self, file: str) -> str:
        return ":".join(str(part) for part in (file, self.line, self.column) if part is not None) + f": {self.why}"


def read_schema_file(file: Path) -> JsonAnswer:
    """Raises BadSchemaFile, and OSError where it cannot be opened."""
    with file.open("rb") as stream:
        data = stream.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise BadSchemaFile(f"it has more than {MOST_BYTES:,} bytes")
    try:
        return JsonAnswer(_checked(data.decode("utf-8")))
    except UnicodeDecodeError as error:
        raise BadSchemaFile("not UTF-8", data.count(b"\n", 0, error.start) + 1) from None


def _checked(text: str) -> dict[str, Any]:
    try:
        schema = read_json(text)
    except NotJson as problem:
        raise BadSchemaFile(f"not JSON: {problem.why}", *_place(text, problem.at)) from None
    if not isinstance(schema, dict):
        raise BadSchemaFile("a JSON Schema that is an object is expected", 1, 1)
    try:
        checker_of(schema)
    except BadSchema as problem:
        line, column = _place(text, _offset(text, problem.path) if problem.path else None)
        raise BadSchemaFile(f"no usable JSON Schema: {problem.why}", line, column, _crumb(problem)) from None
    return schema


def _place(text: str, at: int | None) -> tuple[int | None, int | None]:
    return (None, None) if at is None else line_column(text, at)


def _crumb(problem: BadSchema) -> str:
    parts = (f"[{part}]" if isinstance(part, int) else f".{part}" for part in problem.path)
    return "".join(parts).removeprefix(".")


def _offset(text: str, path: tuple[str | int, ...]) -> int:
    """Where the value that `path` leads to begins, in text that is known to be JSON."""
    tokens = [token for token in _TOKEN.finditer(text) if token[0] != BYTE_ORDER_MARK]
    at = 0
    for name in path:
        at = _child(tokens, at, name)
    return tokens[at].start()


def _child(tokens: Sequence[re.Match[str]], outer: int, name: str | int) -> int:
    """The token with which the value under this key or index begins; that of the outer one where there is none."""
    in_list, at, index = tokens[outer][0] == "[", outer + 1, 0
    while tokens[at][0] not in ("]", "}"):
        value = at if in_list else at + 2
        if name == (index if in_list else json.loads(tokens[at][0])):
            return value
        at = _after(tokens, value)
        at, index = at + (tokens[at][0] == ","), index + 1
    return outer


def _after(tokens: Sequence[re.Match[str]], at: int) -> int:
    """The token after the value that begins at `at`."""
    depth = 0
    while True:
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(tokens[at][0], 0)
        at += 1
        if depth == 0:
            return at
