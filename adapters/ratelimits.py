"""Rate-limit headers of the providers, read into one shape."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from model.quick_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Quota:
    """One quota: how many requests or tokens, how many are left, and in how many seconds it is full again."""

    limit: int | None = None
    remaining: int | None = None
    reset_seconds: float | None = None


@dataclass(frozen=True, slots=True)
class RateLimits:
    """What an answer's headers say; an entry that no header names is None."""

    requests: Quota | None = None
    tokens: Quota | None = None
    input_tokens: Quota | None = None
    output_tokens: Quota | None = None
    retry_after_seconds: float | None = None

    @property
    def reset_seconds(self) -> float | None:
        """When to try again: what retry-after says, else the latest reset of a quota that is used up."""
        if self.retry_after_seconds is not None:
            return self.retry_after_seconds
        quotas = (self.requests, self.tokens, self.input_tokens, self.output_tokens)
        return max((q.reset_seconds for q in quotas if q and q.remaining == 0 and q.reset_seconds), default=None)


def read_rate_limits(headers: Mapping[str, str], now: datetime | None = None) -> RateLimits:
    """`headers` with lower-case names. Values that cannot be read count as not stated."""
    moment = now or datetime.now(UTC)
    return RateLimits(
        requests=_quota(headers, "requests", moment),
        tokens=_quota(headers, "tokens", moment),
        input_tokens=_quota(headers, "input-tokens", moment),
        output_tokens=_quota(headers, "output-tokens", moment),
        retry_after_seconds=_retry_after(headers, moment),
    )


def _quota(headers: Mapping[str, str], what: str, now: datetime) -> Quota | None:
    """anthropic-ratelimit-requests-limit, x-ratelimit-limit-requests, and OpenRouter's bare x-ratelimit-limit."""

    def read(part: str) -> str | None:
        names = [f"anthropic-ratelimit-{what}-{part}", f"x-ratelimit-{part}-{what}"]
        if what == "requests":
            names.append(f"x-ratelimit-{part}")
        return next((headers[name] for name in names if name in headers), None)

    quota = Quota(_count(read("limit")), _count(read("remaining")), _seconds(read("reset"), now))
    return quota if quota != Quota() else None


def _retry_after(headers: Mapping[str, str], now: datetime) -> float | None:
    if (milliseconds := _number(headers.get("retry-after-ms"))) is not None:
        return milliseconds / 1000
    return _seconds(headers.get("retry-after") or headers.get("llm_provider-retry-after"), now)


def _count(text: str | None) -> int | None:
    number = _number(text)
    return None if number is None else int(number)


def _number(text: str | None) -> float | None:
    return float(text) if text and re.fullmatch(r"\d{1,15}(\.\d{1,9})?", text.strip()) else None


_DURATION = re.compile(r"(?=.)(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m(?!s))?(?:(\d+(?:\.\d+)?)s)?(?:(\d+(?:\.\d+)?)ms)?\Z")
_EPOCH_SECONDS, _EPOCH_MILLISECONDS = 1e9, 1e12


def _seconds(text: str | None, now: datetime) -> float | None:
    """Seconds, a duration (6m0s, 20ms), an epoch time (s or ms), an RFC 3339 time or an HTTP date; never below 0."""
    text = (text or "").strip()
    number = _number(text)
    if number is not None:
        if number >= _EPOCH_SECONDS:
            number = (number / 1000 if number >= _EPOCH_MILLISECONDS else number) - now.timestamp()
        return max(0.0, number)
    if len(text) < 40 and (match := _DURATION.match(text)):
        days, hours, minutes, seconds, milliseconds = (float(part or 0) for part in match.groups())
        return days * 86400 + hours * 3600 + minutes * 60 + seconds + milliseconds / 1000
    moment = read_moment(text)
    return None if moment is None else max(0.0, (moment - now).total_seconds())


def read_moment(text: str) -> datetime | None:
    """An RFC 3339 time or an HTTP date; without a zone it is taken as UTC."""
    for read in (datetime.fromisoformat, parsedate_to_datetime):
        try:
            moment = read(text)
        except (ValueError, TypeError, OverflowError):
            continue
        return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return None
