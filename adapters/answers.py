"""An HTTP answer that says no → the failure it means: the dictionary of known errors."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import field
from typing import Any
from urllib.parse import urlsplit

from adapters.errors import Failure, FailureKind, failure
from adapters.ratelimits import read_rate_limits
from adapters.redaction import Redactor
from model.quick_dataclass import dataclass

SAID_CHARACTERS = 500
"""How much of a provider's own words is shown, in characters after redaction."""
_READ_CHARACTERS = 4000


@dataclass(frozen=True, slots=True)
class KnownAnswer:
    """A row of the dictionary: an answer with one of `statuses` (none = any) whose text matches `words`."""

    kind: FailureKind
    statuses: frozenset[int] = field(default_factory=frozenset)
    words: re.Pattern[str] | None = None

    def matches(self, status: int, text: str) -> bool:
        return (not self.statuses or status in self.statuses) and (self.words is None or bool(self.words.search(text)))


def _row(kind: FailureKind, statuses: tuple[int, ...], *words: str) -> KnownAnswer:
    return KnownAnswer(kind, frozenset(statuses), re.compile("|".join(words), re.IGNORECASE) if words else None)


ANSWERS: tuple[KnownAnswer, ...] = (
    _row(
        FailureKind.NOT_OFFERED,
        (400, 404),
        r"no (allowed )?(providers?|endpoints?) .{0,80}(support|available|found)",
        r"does not support (tools|tool use|function)",
        r"tool.?choice.{0,80}not supported",
    ),
    _row(FailureKind.NOT_OFFERED, (400, 404, 500, 501), r"(image|audio|video|file)s?( input)? (is|are) not supported"),
    _row(
        FailureKind.CONTEXT_LENGTH,
        (400, 413, 500),
        r"exceed_context",
        r"context.?(length|window|size)",
        r"prompt is too long",
        r"maximum context",
        r"too many (input )?tokens",
    ),
    _row(
        FailureKind.PAYMENT,
        (400, 402, 403, 429),
        r"insufficient_quota",
        r"credit balance",
        r"insufficient (credits|funds|balance)",
    ),
    _row(FailureKind.PAYMENT, (402,)),
    _row(FailureKind.RATE_LIMITED, (429,)),
    _row(FailureKind.OVERLOADED, (529,)),
    _row(FailureKind.OVERLOADED, (500, 503), r"overloaded"),
    _row(FailureKind.UNAUTHORIZED, (401,)),
    _row(
        FailureKind.UNAUTHORIZED,
        (400, 403),
        r"(invalid|incorrect|expired|missing|malformed).{0,20}(api.?key|x-api-key)",
        r"api.?key.{0,20}(not valid|invalid|expired)",
    ),
    _row(FailureKind.FORBIDDEN, (403,)),
    _row(
        FailureKind.MODEL_NOT_FOUND,
        (400, 404),
        r"model.{0,80}(not.?found|does not exist|not exist|unknown|not a valid)",
        r"(unknown|invalid|no such) model",
        r"is not a valid model",
        r"model_not_found|not_found_error.{0,40}model",
    ),
    _row(FailureKind.NOT_FOUND, (404, 405)),
    _row(FailureKind.TOO_LARGE, (413,)),
    _row(
        FailureKind.REFUSED_PARAMETER,
        (400, 422),
        r"unsupported.(parameter|value)",
        r"extra inputs are not permitted",
        r"unknown (parameter|field)|unrecognized request argument",
        r"\b(is|are) not (supported|permitted|allowed)",
    ),
)


def read_refusal(
    status: int, headers: Mapping[str, str], body: bytes, redactor: Redactor, *, partial: bool = False
) -> Failure:
    """The failure that an answer with `status` outside 200 to 299 means. `partial`: `body` was cut at its limit."""
    if 300 <= status < 400:
        return failure(FailureKind.REDIRECT, _origin(redactor(headers.get("location", ""))), status=status)
    text = body.decode("utf-8", "replace")
    said = redactor.cut(_said(text), SAID_CHARACTERS, partial=partial)
    kind = _kind(status, text[:_READ_CHARACTERS])
    if _is_html(headers, text):
        return _web_page(status, kind)
    limits = read_rate_limits(headers)
    waits = kind in {FailureKind.RATE_LIMITED, FailureKind.OVERLOADED, FailureKind.SERVER_ERROR}
    wait = limits.reset_seconds if waits else None
    mend = f"Wait {wait:.0f} s, lower the rate, or raise the limit" if wait else ""
    return failure(kind, status=status, said=said, retry_after_seconds=wait, mend=mend)


def read_stream_error(word: str, message: str, redactor: Redactor, status: int | None = None) -> Failure:
    """An error that came inside an answer already begun: `word` is its type or code, as the provider wrote it."""
    said = redactor.cut(f"{word}: {message}" if word else message, SAID_CHARACTERS)
    kind = next((kind for known, kind in _STREAM_WORDS.items() if known in word.lower()), None)
    return failure(kind or FailureKind.STREAM_ERROR, status=status, said=said)


def read_error_body(value: Any, redactor: Redactor) -> Failure | None:
    """The failure in a JSON body that came with HTTP 200 and is nothing but an error; None where it is none."""
    if not isinstance(value, dict) or not value.get("error"):
        return None
    error = value["error"]
    word = str(error.get("type") or error.get("code") or "") if isinstance(error, dict) else ""
    message = error.get("message") if isinstance(error, dict) else error
    return read_stream_error(word, message if isinstance(message, str) else "", redactor)


_STREAM_WORDS = {
    "overloaded": FailureKind.OVERLOADED,
    "rate_limit": FailureKind.RATE_LIMITED,
    "429": FailureKind.RATE_LIMITED,
    "authentication": FailureKind.UNAUTHORIZED,
    "api_error": FailureKind.SERVER_ERROR,
    "server_error": FailureKind.SERVER_ERROR,
    "502": FailureKind.SERVER_ERROR,
    "503": FailureKind.OVERLOADED,
    "invalid_request": FailureKind.BAD_REQUEST,
    "context_length": FailureKind.CONTEXT_LENGTH,
}


def _kind(status: int, text: str) -> FailureKind:
    known = next((row.kind for row in ANSWERS if row.matches(status, text)), None)
    return known or (FailureKind.SERVER_ERROR if status >= 500 else FailureKind.BAD_REQUEST)


def _origin(location: str) -> str:
    """Where a redirect leads, without path and query: those may hold anything."""
    try:
        parts = urlsplit(location)
        return f"to {parts.scheme}://{parts.hostname}" if parts.scheme and parts.hostname else "to another path"
    except ValueError:
        return ""


def _is_html(headers: Mapping[str, str], text: str) -> bool:
    return "html" in headers.get("content-type", "").lower() or text.lstrip()[:15].lower().startswith(
        ("<!doctype", "<html")
    )


def _web_page(status: int, kind: FailureKind) -> Failure:
    """A gateway's own error page keeps the meaning of its status; its markup says nothing worth showing."""
    if status >= 500 or kind in {FailureKind.UNAUTHORIZED, FailureKind.RATE_LIMITED}:
        return failure(kind, "a gateway's web page came instead of an answer", status=status)
    return failure(FailureKind.HTML, status=status)


def _said(text: str) -> str:
    """The message inside an error body of any of the known shapes, else the body itself."""
    try:
        body = json.loads(text)
    except (ValueError, RecursionError):
        return " ".join(text.split())
    message = _message(body)
    return message or " ".join(text.split())


def _message(body: Any) -> str:
    """{"error": {"message", "type" or "code"}} (Anthropic, OpenAI), {"error": "..."} (Ollama), {"detail": ...}."""
    if not isinstance(body, dict):
        return ""
    error = body.get("error", body.get("detail", body))
    if isinstance(error, str):
        return error
    if not isinstance(error, dict) or not isinstance(error.get("message"), str):
        return ""
    word = error.get("type") or error.get("code") or ""
    upstream = error.get("metadata")
    raw = upstream.get("raw") if isinstance(upstream, dict) else None  # OpenRouter passes on its provider's words
    parts = [str(word), error["message"], raw if isinstance(raw, str) else ""]
    return ": ".join(part for part in parts if part)
