"""Columns of text that stand under each other on a terminal."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence, Set

from model.vocabulary import Support

GLYPHS = {Support.YES: "✓", Support.EMULATED: "~", Support.NO: "·", Support.UNKNOWN: "?"}
"""One glyph a cell value, as on the screen."""
COLOURS = {Support.YES: "green", Support.EMULATED: "yellow", Support.NO: "red", Support.UNKNOWN: "cyan"}
DISAGREE = "!"
"""Stands beside a value about which files, catalog and observation contradict each other."""


def width(text: str) -> int:
    """Terminal cells of a text that `safe_text` has passed."""
    if text.isascii():
        return len(text)
    return sum(_cells(character) for character in text)


def _cells(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def pad(text: str, cells: int, *, right: bool = False) -> str:
    blanks = " " * (cells - width(text))
    return blanks + text if right else text + blanks


def aligned(rows: Sequence[Sequence[str]], *, right: Set[int] = frozenset(), gap: str = "  ") -> list[str]:
    """Each row as one line; the columns in `right` end under each other."""
    widths = [max((width(cell) for cell in column), default=0) for column in zip(*rows, strict=True)]
    return [gap.join(pad(cell, widths[n], right=n in right) for n, cell in enumerate(row)).rstrip() for row in rows]


def tokens(count: int | None) -> str:
    """`200k`, `1M`, `8192`; `?` where nobody states it. Short only where nothing is lost."""
    if count is None:
        return "?"
    for size, letter in ((1_000_000, "M"), (1_000, "k")):
        if count >= size and count % size == 0:
            return f"{count // size}{letter}"
    return str(count)
