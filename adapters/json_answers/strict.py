"""Text → JSON that every reader reads alike (RFC 8259, and of RFC 7493 the rule that no key stands twice)."""

from __future__ import annotations

import json
import math
from collections import Counter
from typing import Any

from adapters.conversion.fields import MOST_LEVELS, is_too_deep

MOST_DIGITS = 300
"""The longest whole number that is read: one that still is less than the largest float."""
BYTE_ORDER_MARK = "\ufeff"
NO_TEXT = "there is no text"
BREAKS_OFF = "it breaks off"
_TOO_DEEP = f"it nests deeper than {MOST_LEVELS} levels"


class NotJson(ValueError):
    """Why a text is no JSON, in our words; `at` is the offset in it, None where no place can be named."""

    def __init__(self, why: str, at: int | None = None) -> None:
        self.why, self.at = why, at
        super().__init__(why)

    def told(self, text: str) -> str:
        """With line and column in `text`, both counted from 1."""
        if self.at is None:
            return self.why
        line, column = line_column(text, self.at)
        return f"line {line}, column {column}: {self.why}"


def line_column(text: str, at: int) -> tuple[int, int]:
    """Both count from 1; `at` is an offset."""
    return text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)


def read_json(text: str) -> Any:
    """The one JSON value that `text` is; a byte order mark before it is passed over.

    NaN, Infinity, a key that stands twice in one object, numbers that no float can hold and more than 100 levels are
    refused: readers differ there. Raises NotJson.
    """
    skipped = len(text) - len(text.removeprefix(BYTE_ORDER_MARK))
    try:
        value = json.loads(
            text[skipped:], parse_constant=_refuse, parse_int=_whole, parse_float=_number, object_pairs_hook=_object
        )
    except json.JSONDecodeError as error:
        raise NotJson(_why(error), skipped + error.pos) from None
    except RecursionError:
        raise NotJson(_TOO_DEEP) from None
    if is_too_deep(value):
        raise NotJson(_TOO_DEEP)
    return value


def _why(error: json.JSONDecodeError) -> str:
    if not error.doc.strip():
        return NO_TEXT
    if error.msg.startswith("Unterminated string") or error.pos >= len(error.doc.rstrip()):
        return BREAKS_OFF
    if error.msg == "Extra data":
        return "more follows after the JSON"
    return error.msg[:1].lower() + error.msg[1:]


def _refuse(word: str) -> Any:
    raise NotJson(f"{word} is no JSON number")


def _whole(digits: str) -> int:
    if len(digits) > MOST_DIGITS:
        raise NotJson(f"a whole number has more than {MOST_DIGITS} digits")
    return int(digits)


def _number(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise NotJson("a number is larger than any float")
    return number


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        twice = Counter(key for key, _ in pairs).most_common(1)[0][0]
        raise NotJson(f"the key {json.dumps(twice, ensure_ascii=False)} stands twice in one object")
    return made
