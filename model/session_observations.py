"""What endpoints listed and probes and trials saw, as the session store keeps it; never mixed into the files
(DOMAIN.md §2)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any
from urllib.parse import urlsplit

from model.capability_set import CapabilitySet
from model.config.rows import Flags
from model.model_ref import BadRef, ModelRef
from model.quick_dataclass import dataclass
from model.resolve import Observed
from model.vocabulary import Capability

_NUMBERS = ("context_window_tokens", "max_output_tokens")
_LARGEST = 10**12

Row = tuple[str, str, str, int, str, str]


@dataclass(frozen=True, slots=True)
class Observation:
    """One model as it was seen at one endpoint on one day."""

    ref: ModelRef
    seen: Observed

    def rows(self) -> Iterator[Row]:
        """One row a cell; the endpoint without user, query and fragment, which may hold secrets."""
        where, day = bare_url(self.seen.endpoint), self.seen.seen.isoformat()
        for capability in self.seen.flags.stated:
            yield (*self.ref, capability.value, int(capability in self.seen.flags.yes), where, day)
        for name in _NUMBERS:
            value = getattr(self.seen, name)
            if isinstance(value, int) and 0 < value <= _LARGEST:
                yield (*self.ref, name, value, where, day)


def bare_url(url: str) -> str:
    """Scheme, host, port and path."""
    try:
        parts = urlsplit(url)
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        return ""
    host = parts.hostname or ""
    return (
        f"{parts.scheme}://[{host}]{port}{parts.path}" if ":" in host else f"{parts.scheme}://{host}{port}{parts.path}"
    )


@dataclass(frozen=True, slots=True)
class WrittenDown:
    """Implements `resolve.Observations`."""

    by_ref: Mapping[ModelRef, Observed]

    def of(self, ref: ModelRef) -> Observed | None:
        return self.by_ref.get(ref)

    @classmethod
    def of_rows(cls, rows: Iterable[Any], first_tokens: Sequence[Any] = ()) -> WrittenDown:
        """From the store's rows; those that make no sense are passed over. `first_tokens` come oldest first."""
        found: dict[ModelRef, Observed] = {}
        for provider_id, model_id, name, value, endpoint, seen in rows:
            try:
                ref, day = ModelRef(provider_id, model_id), date.fromisoformat(seen)
                before = found.get(ref) or Observed(Flags(), None, None, endpoint, day)
                found[ref] = _with_cell(before, name, int(value), str(endpoint), day)
            except (BadRef, ValueError, TypeError, OverflowError):
                continue
        return cls(_timed(found, first_tokens) if first_tokens else found)


def _timed(found: dict[ModelRef, Observed], rows: Sequence[Any]) -> dict[ModelRef, Observed]:
    """With the times to the first token, which say nothing about a cell."""
    from model.latency import latencies

    for ref, times in latencies(rows).items():
        last = max(times, key=lambda each: each.seen)
        known = found.get(ref) or Observed(Flags(), None, None, last.endpoint, last.seen)
        found[ref] = replace(known, latencies=times)
    return found


def _with_cell(before: Observed, name: str, value: int, endpoint: str, day: date) -> Observed:
    """Of cells seen on several days the endpoint and day of the latest are told."""
    endpoint, day = (endpoint, day) if day >= before.seen else (before.endpoint, before.seen)
    if name in _NUMBERS:
        return replace(before, endpoint=endpoint, seen=day, **{name: value})  # type: ignore[arg-type]  # one of _NUMBERS
    one, flags = CapabilitySet.of((Capability(name),)), before.flags
    flags = Flags(flags.yes | one, flags.no) if value else Flags(flags.yes, flags.no | one)
    return replace(before, flags=flags, endpoint=endpoint, seen=day)
