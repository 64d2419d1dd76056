"""Newline-delimited JSON, as Ollama streams it: one object a line, cut at LF only."""

from __future__ import annotations

from adapters.errors import FailureKind, ProviderError, failure
from adapters.limits import Limits
from adapters.sse import Lines, ServerEvent


class LineDecoder:
    """Bytes → one nameless event a line. U+2028 and its like are legal inside JSON strings, so they end no line."""

    def __init__(self, limits: Limits | None = None) -> None:
        self._lines = Lines((limits or Limits()).event_bytes, lone_cr=False)

    def feed(self, piece: bytes) -> list[ServerEvent]:
        """The lines that `piece` completes, without blank ones. Raises ProviderError (OVERFLOW, MALFORMED)."""
        return [_message(line) for line in self._lines.feed(piece) if line.strip()]

    def end(self) -> list[ServerEvent]:
        """The last line, where no line end follows it."""
        rest = self._lines.rest()
        return [_message(rest)] if rest.strip() else []


def _message(line: bytes) -> ServerEvent:
    try:
        return ServerEvent("message", line.decode("utf-8"))
    except UnicodeDecodeError:
        problem = failure(FailureKind.MALFORMED, "a line is not UTF-8")
    raise ProviderError(problem)
