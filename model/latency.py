"""The time to the first token, as it was measured where a model is: observed, so it is told and decides nothing. No
verdict, no ranking and no ladder depends on it (DOMAIN.md §2.3)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date
from typing import TYPE_CHECKING, Any

from model.fallback.identity import endpoint_named, endpoint_of
from model.model_ref import BadRef, ModelRef
from model.quick_dataclass import dataclass
from model.session_observations import bare_url

if TYPE_CHECKING:
    from model.resolve import ResolvedModel

KEPT = 9
"""Measurements of one model at one endpoint that are kept, the latest: few enough that a median of them is of today."""
LONGEST_MS = 3_600_000
"""Milliseconds; what took longer was no answer that anybody waited for."""

Row = tuple[str, str, str, str, int]


@dataclass(frozen=True, slots=True)
class FirstToken:
    """One measurement at an endpoint: milliseconds from sending to the first token of a streamed answer."""

    ref: ModelRef
    endpoint: str
    seen: date
    milliseconds: int

    @classmethod
    def after(cls, seconds: float, ref: ModelRef, url: str, seen: date) -> FirstToken | None:
        """`url` is what was asked; of it stays what can be no secret. None for what can be no measurement."""
        milliseconds, where = max(1, round(seconds * 1000)), endpoint_named(bare_url(url)) if url else ""
        return cls(ref, where, seen, milliseconds) if where and milliseconds <= LONGEST_MS else None

    def row(self) -> Row:
        return (*self.ref, self.endpoint, self.seen.isoformat(), self.milliseconds)


@dataclass(frozen=True, slots=True)
class Latency:
    """The median of the latest measurements of one model at one endpoint, in milliseconds; how many they are, and the
    day of the latest."""

    milliseconds: int
    count: int
    seen: date
    endpoint: str

    def __str__(self) -> str:
        return in_words(self.milliseconds)

    @property
    def basis(self) -> str:
        """What it rests on."""
        day = self.seen.isoformat()
        return f"measured once, {day}" if self.count == 1 else f"median of {self.count}, latest {day}"


def in_words(milliseconds: int) -> str:
    """As exact as people read it: 420 ms, 1.9 s, 12 s."""
    if milliseconds < 1000:
        return f"{milliseconds} ms"
    seconds = milliseconds / 1000
    return f"{seconds:.1f} s" if seconds < 9.95 else f"{seconds:.0f} s"


def latency_of(row: ResolvedModel) -> Latency | None:
    """What was observed of a model at the endpoint that its provider has now; what was seen elsewhere is not of it."""
    seen = row.observed.latencies if row.observed else ()
    here = endpoint_of(row.model.provider) if seen else ""
    return next((each for each in seen if each.endpoint == here), None)


def change_words(before: Latency | None, after: Latency | None) -> str:
    """What taking over changes, as a loss or a gain; empty where nothing was observed or people see no difference."""
    if before and after:
        if str(before) == str(after):
            return ""
        turn = "slower" if after.milliseconds > before.milliseconds else "faster"
        return f"{turn}: first token {before} → {after}"
    return f"first token {before or _UNSEEN} → {after or _UNSEEN}" if before or after else ""


_UNSEEN = "not observed"


def candidate_words(before: Latency | None, own: Latency | None) -> str:
    """What was observed of a candidate, against the original and with what it rests on; empty where nothing was."""
    return f"{change_words(before, own) or f'first token {own}'} ({own.basis})" if own else ""


def latencies(rows: Iterable[Any]) -> dict[ModelRef, tuple[Latency, ...]]:
    """From the store's rows, oldest first; those that make no sense are passed over."""
    groups: dict[tuple[ModelRef, str], list[FirstToken]] = {}
    for one in _first_tokens(rows):
        groups.setdefault((one.ref, one.endpoint), []).append(one)
    found: dict[ModelRef, tuple[Latency, ...]] = {}
    for (ref, _), group in groups.items():
        found[ref] = (*found.get(ref, ()), _latency(group[-KEPT:]))
    return found


def _first_tokens(rows: Iterable[Any]) -> Iterator[FirstToken]:
    for provider_id, model_id, endpoint, seen, milliseconds in rows:
        try:
            one = FirstToken(ModelRef(provider_id, model_id), endpoint, date.fromisoformat(seen), int(milliseconds))
        except (BadRef, ValueError, TypeError, OverflowError):
            continue
        if 0 < one.milliseconds <= LONGEST_MS:
            yield one


def _latency(group: list[FirstToken]) -> Latency:
    """Between two in the middle it is the mean of both."""
    times, half = sorted(one.milliseconds for one in group), len(group) // 2
    median = times[half] if len(group) % 2 else round((times[half - 1] + times[half]) / 2)
    return Latency(median, len(group), max(one.seen for one in group), group[0].endpoint)
