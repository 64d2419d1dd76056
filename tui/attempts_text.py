"""A trial that is over, attempt by attempt, in lines that both the command line and the screen show."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapters.errors import CANCELLED_NOTICE
from model.conversion import Omission
from tui.safe_text import safe_text
from tui.trial_text import NO_COST, failure_lines, reading_words, usage_words

if TYPE_CHECKING:
    from adapters.attempts import Attempt, Conducted

_ERROR_CHARACTERS = 200
_FOUND = {
    "whole": "",
    "code_fence": ", taken out of a code fence",
    "among_words": ", taken out of the words around it",
}
SECOND_ATTEMPT = "asking once more, stricter: a second request"
STOPPED_AFTER = "cancelled after the answer; nothing more was sent"
_IN_WORDS = {Omission.SCHEMA_IN_WORDS.value, Omission.JSON_IN_WORDS.value}


def verdict_lines(attempt: Attempt) -> list[str]:
    """The verdict with the way the JSON was found, then each further error on a line of its own; none without JSON."""
    verdict, asked = attempt.verdict, attempt.converted.request.answer
    if verdict is None or asked is None:
        return []
    found = _FOUND[verdict.found.value] if verdict.found else ""
    errors = [safe_text(str(error), limit=_ERROR_CHARACTERS) for error in verdict.errors]
    match verdict.outcome.value:
        case "valid":
            return [f"valid JSON{found}" + ("" if asked.schema is None else ", as the schema asks")]
        case "not_json":
            head = "not JSON: "
        case "breaks_schema":
            head = f"JSON{found}, but it breaks {'what was asked' if asked.schema is None else 'the schema'} "
        case _:
            head = f"JSON{found}, not checked: "
    return [head + errors[0], *(f"  {error}" for error in errors[1:])]


def taken_lines(conducted: Conducted, cost: str, *, offline: bool) -> list[str]:
    """What it took; of two attempts each, and then the sum with its cost."""
    sent = [each.reading for each in conducted.attempts if each.reading.ending.value != "blocked"]
    if len(conducted.attempts) == 1:
        return [" · ".join(reading_words(reading, cost, offline=offline)) for reading in sent]
    lines = [
        f"attempt {number}: " + " · ".join(reading_words(reading, None, offline=offline))
        for number, reading in enumerate(sent, start=1)
    ]
    words = [usage_words(conducted.usage), NO_COST if offline else cost]
    return [*lines, f"{len(sent)} requests in all: {' · '.join(words)}"]


def problem_lines(conducted: Conducted) -> list[str]:
    """Why the last attempt gave no whole answer; none where it gave one."""
    reading = conducted.last.reading
    if reading.ending.value == "cancelled":
        return [CANCELLED_NOTICE]
    if conducted.ending.value == "cancelled":
        return [STOPPED_AFTER]
    return failure_lines(reading.failure) if reading.failure else []


def waits_for_lossy(conducted: Conducted, *, allowed: bool) -> bool:
    """Whether it was not sent since JSON can be asked for in words only, and that was not allowed."""
    converted = conducted.last.converted
    return bool(converted.blocked) and not allowed and bool(_IN_WORDS & set(converted.report.omissions))
