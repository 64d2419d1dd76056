"""A file's bytes as text that goes back to the same bytes."""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Iterator
from functools import cached_property
from typing import Self

from model.document.errors import Place, Refused
from model.document.events import line_and_column
from model.document.style import Style, detect
from model.quick_dataclass import dataclass

MAX_BYTES = 32 * 1024 * 1024
MAX_PIECES = 200
BOM = "\ufeff".encode()
_ODD_BREAK = re.compile("\r(?!\n)|[\x85\u2028\u2029]")


@dataclass(frozen=True, slots=True)
class Piece:
    """The characters `start` to `end` of a text, not copied: an edit would spend its time on that."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, eq=False)
class Source:
    """Text without its byte order mark, which is remembered; line breaks are as in the file.

    An edit cuts the pieces anew; the text is put together when it is asked for.
    """

    pieces: tuple[Piece, ...]
    bom: bool = False
    odd_breaks: bool = False  # YAML sees line breaks that editors do not: lone CR, NEL, LS, PS

    @classmethod
    def of(cls, text: str, *, bom: bool) -> Self:
        return cls((Piece(text, 0, len(text)),), bom, has_odd_breaks(text))

    @cached_property
    def text(self) -> str:
        return self.slice(0, len(self))

    @cached_property
    def _length(self) -> int:
        return sum(piece.end - piece.start for piece in self.pieces)

    def __len__(self) -> int:
        return self._length

    def slice(self, start: int, end: int) -> str:
        """The characters `start` to `end`."""
        return "".join(piece.text[piece.start : piece.end] for piece in _cut(self.pieces, start, end))

    def spliced(self, start: int, end: int, text: str) -> Self:
        """With the characters `start` to `end` replaced by `text`."""
        pieces = (*_cut(self.pieces, 0, start), Piece(text, 0, len(text)), *_cut(self.pieces, end, len(self)))
        new = type(self)(pieces, self.bom, self.odd_breaks or has_odd_breaks(text))
        return new if len(pieces) <= MAX_PIECES else type(self).of(new.text, bom=self.bom)

    @cached_property
    def style(self) -> Style:
        """How the file is written, by its first pages."""
        return detect(self.text)

    def with_bom(self) -> str:
        """The text as it stands in the file, the byte order mark too."""
        return "\ufeff" + self.text if self.bom else self.text

    def to_bytes(self) -> bytes:
        return self.with_bom().encode()

    def place(self, start: int, end: int) -> Place:
        line, column = line_and_column(self.text, start)
        return Place(line, column, start, end)


def _cut(pieces: tuple[Piece, ...], start: int, end: int) -> Iterator[Piece]:
    """The pieces of a span."""
    offset = 0
    for piece in pieces:
        low = max(start - offset, 0) + piece.start
        high = min(end - offset + piece.start, piece.end)
        if low < high:
            yield Piece(piece.text, low, high)
        offset += piece.end - piece.start


def has_odd_breaks(text: str) -> bool:
    """Whether YAML sees line breaks in it that editors do not."""
    lone = "\r" in text and text.count("\r") > text.count("\r\n")
    return lone or (not text.isascii() and _ODD_BREAK.search(text) is not None)


def decode(data: bytes) -> Source:
    """Raises Refused for what is too large, not UTF-8, or holds NUL."""
    if len(data) > MAX_BYTES:
        raise Refused(f"{len(data):,} bytes, more than {MAX_BYTES:,}", reason_code="size")
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise Refused("UTF-16 text", reason_code="encoding", line=1, column=1, help="save it as UTF-8")
    bom = data.startswith(BOM)
    try:
        text = data[len(BOM) if bom else 0 :].decode()
    except UnicodeDecodeError as error:
        raise _not_utf8(data, error.start + (len(BOM) if bom else 0)) from None
    if "\0" in text:
        line, column = line_and_column(text, text.index("\0"))
        raise Refused("a NUL character", reason_code="nul", line=line, column=column, help="this is no text file")
    return Source.of(text, bom=bom)


def read_bytes(path: str | os.PathLike[str]) -> bytes:
    """Not more than one byte beyond the limit. Raises OSError, also for what is no regular file: a pipe never ends."""
    if not stat.S_ISREG(os.stat(path).st_mode):
        raise OSError(errno.EINVAL, "not a regular file", os.fspath(path))
    with open(path, "rb") as file:
        return file.read(MAX_BYTES + 1)


def _not_utf8(data: bytes, offset: int) -> Refused:
    line = data.count(b"\n", 0, offset) + 1
    column = len(data[data.rfind(b"\n", 0, offset) + 1 : offset].decode(errors="replace")) + 1
    return Refused(
        f"not UTF-8: byte 0x{data[offset]:02X} at offset {offset:,}",
        reason_code="encoding",
        line=line,
        column=column,
        help="save it as UTF-8",
    )
