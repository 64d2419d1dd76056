"""Event streams: httpx-sse's decoder with its gaps against the WHATWG rules closed, and with limits.

httpx-sse 0.4 loses the first event after a byte-order mark, reports blocks without data as events, and reads the text
in the charset of a header; its own reader also keeps a line of any length. Here bytes are cut into lines first.
Source: SERVERS.md §6; HTML standard, "Interpreting an event stream".
"""

from __future__ import annotations

from httpx_sse._decoders import SSEDecoder  # its public EventSource reads lines without a limit

from adapters.errors import FailureKind, ProviderError, failure
from adapters.limits import Limits
from model.quick_dataclass import dataclass

_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class ServerEvent:
    """One dispatched event. `event` is `message` where the stream names none."""

    event: str
    data: str
    id: str = ""


class Lines:
    """Cuts bytes into lines at LF, CR LF or a lone CR, wherever the pieces were cut. Linear in the input."""

    def __init__(self, max_bytes: int, *, lone_cr: bool = True) -> None:
        self._max_bytes = max_bytes
        self._lone_cr = lone_cr
        self._held = bytearray()
        self._after_cr = False

    def feed(self, piece: bytes) -> list[bytes]:
        """The lines that `piece` completes. Raises ProviderError (OVERFLOW) at a line over the limit."""
        if self._after_cr and piece:
            piece = piece.removeprefix(b"\n")
            self._after_cr = False
        if self._lone_cr and piece.endswith(b"\r"):
            self._after_cr = True
        parts = (piece.replace(b"\r\n", b"\n").replace(b"\r", b"\n") if self._lone_cr else piece).split(b"\n")
        if any(len(part) > self._max_bytes for part in parts) or len(self._held) + len(parts[0]) > self._max_bytes:
            raise ProviderError(failure(FailureKind.OVERFLOW, f"one line is over {self._max_bytes} bytes"))
        self._held += parts[0]
        if len(parts) == 1:
            return []
        lines = [bytes(self._held), *parts[1:-1]]
        self._held = bytearray(parts[-1])
        return lines

    def rest(self) -> bytes:
        """What came after the last line end."""
        return bytes(self._held)


class EventDecoder:
    """Bytes of a `text/event-stream` → events. A block that no blank line ends is dropped, as the standard says."""

    def __init__(self, limits: Limits | None = None, *, max_event_bytes: int | None = None) -> None:
        self._max_bytes = max_event_bytes or (limits or Limits()).event_bytes
        self._lines = Lines(self._max_bytes)
        self._decoder = SSEDecoder()
        self._start: bytes | None = b""
        self._event_bytes = 0
        self._has_data = False

    def feed(self, piece: bytes) -> list[ServerEvent]:
        """The events that `piece` completes. Raises ProviderError (OVERFLOW)."""
        events = (self._line(line) for line in self._lines.feed(self._without_bom(piece)))
        return [event for event in events if event is not None]

    def end(self) -> list[ServerEvent]:
        """Nothing: what no blank line ended is no event."""
        return []

    def _without_bom(self, piece: bytes) -> bytes:
        """One byte-order mark at the very start is no part of the text, even when it comes in pieces."""
        if self._start is None:
            return piece
        start = self._start + piece
        if len(start) < len(_BOM) and _BOM.startswith(start):
            self._start = start
            return b""
        self._start = None
        return start.removeprefix(_BOM)

    def _line(self, line: bytes) -> ServerEvent | None:
        if not line:
            return self._dispatch()
        if line.startswith(b":"):
            return None
        self._event_bytes += len(line)
        if self._event_bytes > self._max_bytes:
            raise ProviderError(failure(FailureKind.OVERFLOW, f"one event is over {self._max_bytes} bytes"))
        self._has_data = self._has_data or line.partition(b":")[0] == b"data"
        self._decoder.decode(line.decode("utf-8", "replace"))
        return None

    def _dispatch(self) -> ServerEvent | None:
        """A block without a data line is no event, but its id is kept and its name forgotten."""
        event = self._decoder.decode("")
        has_data, self._has_data, self._event_bytes = self._has_data, False, 0
        if event is None or not has_data:
            return None
        return ServerEvent(event.event, event.data, event.id)
