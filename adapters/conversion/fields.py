"""Reading JSON that others wrote: one object's keys, each asked for once, with the place in every error."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NoReturn

from model.quick_dataclass import dataclass

_NAMES = {str: "a text", int: "a whole number", float: "a number", bool: "true or false", list: "a list"}


class CanonicalError(ValueError):
    """Input that is no canonical request: where (message and block count from 0), and what was expected."""

    def __init__(self, place: Place, expected: str, found: object) -> None:
        self.message_index = place.message
        self.block_index = place.block
        self.expected = expected
        self.found = describe(found)
        super().__init__(f"{place}: expected {expected}, found {self.found}")


@dataclass(frozen=True, slots=True)
class Place:
    """Where in a request something stands; `inside` names what lies deeper (`system`, `tools[2]`, `content[1]`)."""

    message: int | None = None
    block: int | None = None
    inside: str = ""

    def within(self, name: str) -> Place:
        return Place(self.message, self.block, f"{self.inside}.{name}" if self.inside else name)

    def __str__(self) -> str:
        parts = [] if self.message is None else [f"message {self.message}"]
        parts += [] if self.block is None else [f"block {self.block}"]
        parts += [self.inside] if self.inside else []
        return ", ".join(parts) or "the request"


MOST_LEVELS = 100
"""How deep a request's JSON may nest: what reads it goes down level by level."""


def is_too_deep(value: object) -> bool:
    """Whether it nests deeper than MOST_LEVELS; works level by level, so that no depth hurts it."""
    level: list[object] = [value]
    for _ in range(MOST_LEVELS):
        level = [inner for outer in level for inner in _inside(outer)]
        if not level:
            return False
    return True


def refuse_too_deep(value: object, place: Place) -> None:
    """Raises CanonicalError."""
    if is_too_deep(value):
        raise CanonicalError(place, f"JSON of at most {MOST_LEVELS} levels", value)


def _inside(value: object) -> Iterable[object]:
    if isinstance(value, Mapping):
        return value.values()
    return value if isinstance(value, list | tuple) else ()


def describe(value: object) -> str:
    """A value's kind in words. Never the value itself: it may be a prompt or a secret."""
    if value is None:
        return "nothing"
    if isinstance(value, Mapping):
        return "an object"
    if isinstance(value, str):
        return "a text" if value else "an empty text"
    return _NAMES.get(type(value), "something else")


class Fields:
    """The keys of one JSON object. What was never asked for is `rest`."""

    def __init__(self, value: object, place: Place, expected: str = "an object") -> None:
        if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
            raise CanonicalError(place, expected, value)
        self._left: dict[str, Any] = dict(value)
        self.place = place

    def refuse(self, key: str, expected: str, found: object) -> NoReturn:
        raise CanonicalError(self.place.within(key), expected, found)

    def take(self, key: str) -> Any:
        """The value and no check; None where the key is missing."""
        return self._left.pop(key, None)

    def text(self, key: str) -> str:
        value = self.take(key)
        return value if isinstance(value, str) else self.refuse(key, "a text", value)

    def name(self, key: str) -> str:
        """A text that is not blank."""
        value = self.text(key)
        return value if value.strip() else self.refuse(key, "a text that is not empty", value)

    def maybe_text(self, key: str) -> str | None:
        value = self.take(key)
        return value if value is None or isinstance(value, str) else self.refuse(key, "a text", value)

    def flag(self, key: str) -> bool:
        value = self.take(key)
        return bool(value) if value is None or isinstance(value, bool) else self.refuse(key, "true or false", value)

    def maybe_count(self, key: str) -> int | None:
        value = self.take(key)
        if value is None or (isinstance(value, int) and not isinstance(value, bool) and value > 0):
            return value
        return self.refuse(key, "a whole number above 0", value)

    def maybe_number(self, key: str) -> float | None:
        value = self.take(key)
        if value is None or (isinstance(value, int | float) and not isinstance(value, bool)):
            return value
        return self.refuse(key, "a number", value)

    def object(self, key: str) -> dict[str, Any]:
        value = self.maybe_object(key)
        return value if value is not None else self.refuse(key, "an object", None)

    def maybe_object(self, key: str) -> dict[str, Any] | None:
        value = self.take(key)
        return value if value is None or isinstance(value, dict) else self.refuse(key, "an object", value)

    def items(self, key: str) -> list[Any]:
        """A list; a missing key is an empty one."""
        value = self.take(key)
        if value is None:
            return []
        return list(value) if isinstance(value, list | tuple) else self.refuse(key, "a list", value)

    @property
    def rest(self) -> dict[str, Any]:
        """The keys nobody asked for; a null says nothing and is left out."""
        return {key: value for key, value in self._left.items() if value is not None}
