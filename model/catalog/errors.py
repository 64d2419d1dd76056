"""Why a catalog cannot be used. It fails closed, with IBEX's kinds (ADR-0041, decision 3)."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


class CatalogError(Exception):
    """A row that breaks a rule. `row` is its model_id, or its place where it has none."""

    def __init__(self, row: str, field: str, rule: str, place: str = "") -> None:
        super().__init__(row, field, rule, place)
        self.row = row
        self.field = field
        self.rule = rule
        self.place = place

    def __str__(self) -> str:
        where = f"{self.place}: " if self.place else ""
        return f"{where}catalog row {self.row!r}, {self.field}: {self.rule}"


class MissingRow(CatalogError):
    """A model_id that has to have a row, and has none."""


class InvalidRow(CatalogError):
    """A row with a field that is not as the rules say."""


class DuplicateRow(CatalogError):
    """An id or alias that two rows claim, or a row that would replace another."""


def one_of(given: str, allowed: Iterable[str]) -> str:
    """The rule's text for a word outside a list, with the nearest word of the list."""
    words = [str(word) for word in allowed]
    near = get_close_matches(given, words, n=1)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    return f"{given!r} is none of {', '.join(words)}{hint}"
