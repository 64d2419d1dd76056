"""A text as plain data: all of it, condensed where it is large, or some entries cut out of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress

from model.document.condensing import condensed
from model.document.errors import Invalid, Refused
from model.document.gc_pause import without_gc
from model.document.outline import settle
from model.document.reader import Anchor, Misjudged, Reader, Reading

LARGE = 20_000  # characters: a smaller text is not worth condensing


def read(text: str, *, document: int = 0, whole: Sequence[tuple[int, int]] = ()) -> Reading:
    """The data of one document of `text`, of which the spans `whole` are not condensed. Raises Invalid and Refused."""
    if len(text) >= LARGE:
        with suppress(Misjudged, Invalid, Refused):  # the whole text tells, and gives errors their right places
            return _read_condensed(text, document, whole)
    return _read(text, text, Reader(document, {}, piece=False))


def _read_condensed(text: str, document: int, whole: Sequence[tuple[int, int]]) -> Reading:
    shorter, runs = condensed(text, whole)
    return _read(text, shorter, Reader(document, {}, piece=False, runs=runs))


def read_piece(text: str, known: Mapping[str, Anchor]) -> Reading:
    """The data and the outline, however small, of some entries cut out of a text that defines `known` above them."""
    return _read(text, text, Reader(0, known, piece=True))


def _read(text: str, shorter: str, reader: Reader) -> Reading:
    with without_gc():
        reading = reader.read(shorter)
        reading.outline = settle(reading.outline, text, 0)
    return reading
