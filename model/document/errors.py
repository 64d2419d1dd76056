"""What can go wrong with a file, said so that a person can act on it (YAML.md, issue B)."""

from __future__ import annotations

from model.quick_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Place:
    """Where something stands: line and column count from 1, start and end are character offsets in the text."""

    line: int
    column: int
    start: int
    end: int


class DocumentError(Exception):
    """Why a document cannot be read, edited or saved; line and column count from 1."""

    def __init__(
        self, reason: str, *, line: int | None = None, column: int | None = None, help: str | None = None
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.line = line
        self.column = column
        self.help = help

    def __str__(self) -> str:
        if self.line is None:
            return self.reason
        at = f"line {self.line}" if self.column is None else f"line {self.line}, column {self.column}"
        return f"{self.reason} ({at})"


class Refused(DocumentError):
    """The file is beyond our bounds or not text that we can keep byte for byte: it stays read-only.

    `reason_code` is one of size, encoding, nul, depth, aliases, recursion, merge.
    """

    def __init__(
        self,
        reason: str,
        *,
        reason_code: str,
        line: int | None = None,
        column: int | None = None,
        help: str | None = None,
    ) -> None:
        super().__init__(reason, line=line, column=column, help=help)
        self.reason_code = reason_code


class Invalid(DocumentError):
    """The text is not YAML."""


class Unsafe(DocumentError):
    """The edit cannot be done faithfully, so it is not done."""


class FromMerge(Unsafe):
    """The key is not written here: a merge key brings it in."""


class Conflict(DocumentError):
    """The file on disk is no longer the one that was opened; `disk` holds its bytes, None if it is gone."""

    def __init__(self, reason: str, *, disk: bytes | None, help: str | None = None) -> None:
        super().__init__(reason, help=help)
        self.disk = disk
