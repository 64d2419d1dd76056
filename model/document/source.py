"""A file's bytes as text that goes back to the same bytes."""

from __future__ import annotations

import errno
import os
import re
import stat
from dataclasses import dataclass
from functools import cached_property

from model.document.errors import Place, Refused
from model.document.events import line_and_column
from model.document.style import Style, detect

MAX_BYTES = 32 * 1024 * 1024
BOM = "\ufeff".encode()
_ODD_BREAK = re.compile("\r(?!\n)|[\x85\u2028\u2029]")


@dataclass(frozen=True)
class Source:
    """Text without its byte order mark, which is remembered; line breaks are as in the file."""

    text: str
    bom: bool = False

    @cached_property
    def style(self) -> Style:
        """How the file is written, by its first pages."""
        return detect(self.text)

    @cached_property
    def odd_breaks(self) -> bool:
        """Whether YAML sees line breaks that editors do not: lone CR, NEL, LS, PS."""
        return (not self.text.isascii() and _ODD_BREAK.search(self.text) is not None) or has_lone_cr(self.text)

    def with_bom(self) -> str:
        """The text as it stands in the file, the byte order mark too."""
        return "\ufeff" + self.text if self.bom else self.text

    def to_bytes(self) -> bytes:
        return self.with_bom().encode()

    def place(self, start: int, end: int) -> Place:
        line, column = line_and_column(self.text, start)
        return Place(line, column, start, end)


def has_lone_cr(text: str) -> bool:
    return text.count("\r") > text.count("\r\n")


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
    return Source(text, bom)


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
