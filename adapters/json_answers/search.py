"""The one JSON value in an answer: the answer itself, a code fence in it, or the one value among its words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from enum import StrEnum
from itertools import islice
from typing import Any

from adapters.json_answers.strict import BREAKS_OFF, NO_TEXT, NotJson, read_json
from model.quick_dataclass import dataclass

_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})")
_OPENING = re.compile(r"[\[{]")
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*(?:"|\Z)|[\[\]{}]', re.DOTALL)
"""A bracket, or a string that hides its own; one that never ends hides all that follows, so that this stays linear."""


MOST_PARTS = 100
"""How many fences, or pairs of brackets, are looked into."""


class Found(StrEnum):
    """Where in the answer its JSON stood."""

    WHOLE = "whole"
    FENCED = "code_fence"
    AMONG_WORDS = "among_words"


@dataclass(frozen=True, slots=True)
class FoundJson:
    value: Any
    found: Found


@dataclass(frozen=True, slots=True)
class _Part:
    """Offsets in the answer."""

    start: int
    end: int


def find_json(text: str) -> FoundJson:
    """The answer's JSON. A code fence goes before other words, as it is how models set an answer apart.

    Two values that could be meant are refused, and so is JSON inside brackets that are none: nothing is guessed.
    Raises NotJson, whose `at` is an offset in `text`.
    """
    with suppress(NotJson):
        return FoundJson(read_json(text), Found.WHOLE)
    for found, parts in ((Found.FENCED, _fenced(text)), (Found.AMONG_WORDS, _bracketed(text))):
        if some := list(islice(parts, MOST_PARTS + 1)):
            return FoundJson(_only_value(text, some), found)
    raise NotJson(NO_TEXT if not text.strip() else "no JSON stands in it")


def _only_value(text: str, parts: Sequence[_Part]) -> Any:
    """Raises NotJson: since several are JSON, one is cut off, or none is any."""
    if len(parts) > MOST_PARTS:
        raise NotJson(f"more than {MOST_PARTS} parts of it could be JSON")
    values, problems = [], []
    for part in parts:
        try:
            values.append(read_json(text[part.start : part.end]))
        except NotJson as error:
            problems.append(NotJson(error.why, None if error.at is None else part.start + error.at))
    cut_off = [problem for problem in problems if problem.why == BREAKS_OFF]
    if len(values) > 1:
        raise NotJson(f"{len(values)} JSON values stand in it, and nothing says which one is meant")
    if cut_off or not values:
        raise (cut_off or problems)[0]
    return values[0]


def _fenced(text: str) -> Iterator[_Part]:
    """What stands inside code fences (CommonMark §4.5); one that is not closed goes on to the end."""
    opening, start, at = "", 0, 0
    for line in text.split("\n"):
        after = min(at + len(line) + 1, len(text))
        mark = _FENCE.match(line)
        rest = line[mark.end() :] if mark else ""
        if mark and not opening and "`" not in rest:
            opening, start = mark[1], after
        elif mark and opening and mark[1].startswith(opening) and not rest.strip():
            yield _Part(start, at)
            opening = ""
        at = after
    if opening:
        yield _Part(start, len(text))


def _bracketed(text: str) -> Iterator[_Part]:
    """What stands in outermost brackets; one that is not closed goes on to the end."""
    at = 0
    while opening := _OPENING.search(text, at):
        at = _closing(text, opening.start())
        yield _Part(opening.start(), at)


def _closing(text: str, start: int) -> int:
    depth = 0
    for token in _TOKEN.finditer(text, start):
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(token[0], 0)
        if depth == 0:
            return token.end()
    return len(text)
