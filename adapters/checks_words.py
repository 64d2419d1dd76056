"""A failure of an adapter → what the doctor says of it: which code, and what is known of the endpoint."""

from __future__ import annotations

from adapters.errors import Failure, FailureKind
from model.doctor.online import Reach, Trouble, TroubleCode

_CODES = {
    FailureKind.DNS: TroubleCode.REFUSED,
    FailureKind.REFUSED: TroubleCode.REFUSED,
    FailureKind.UNREACHABLE: TroubleCode.REFUSED,
    FailureKind.RESET: TroubleCode.REFUSED,
    FailureKind.TLS: TroubleCode.TLS,
    FailureKind.CONNECT_TIMEOUT: TroubleCode.TIMED_OUT,
    FailureKind.TIMEOUT: TroubleCode.TIMED_OUT,
    FailureKind.REDIRECT: TroubleCode.REDIRECT,
    FailureKind.HTML: TroubleCode.WEB_PAGE,
    FailureKind.UNAUTHORIZED: TroubleCode.KEY_REJECTED,
    FailureKind.FORBIDDEN: TroubleCode.FORBIDDEN,
    FailureKind.PAYMENT: TroubleCode.NO_CREDIT,
    FailureKind.RATE_LIMITED: TroubleCode.USED_UP,
    FailureKind.NOT_FOUND: TroubleCode.NO_LIST,
    FailureKind.MODEL_NOT_FOUND: TroubleCode.NO_LIST,
}
"""All others are FAILED: something answered, and it cannot be used."""

MAYBE_ELSEWHERE = frozenset(
    {FailureKind.NOT_FOUND, FailureKind.MODEL_NOT_FOUND, FailureKind.HTML, FailureKind.STREAM_ERROR}
)
"""After these the sibling path (with or without /v1) is tried; LM Studio says 200 with an error."""

_REACH = {
    TroubleCode.REFUSED: Reach.REFUSED,
    TroubleCode.TLS: Reach.REFUSED,
    TroubleCode.TIMED_OUT: Reach.TIMED_OUT,
}
NO_ANSWER = Trouble(
    TroubleCode.TIMED_OUT, "no complete answer within the deadline", "see whether the host can be reached from here"
)


def trouble_of(failure: Failure, *, key_sent: bool) -> Trouble:
    """In the adapter's words. Without a key no key was rejected: one is wanted."""
    code = _CODES.get(failure.kind, TroubleCode.FAILED)
    if code is TroubleCode.KEY_REJECTED and not key_sent:
        text, mend = "it asks for a key, and the file names none", "add auth_ref: env:NAME"
        return Trouble(TroubleCode.KEY_WANTED, text, mend, failure.said)
    return Trouble(code, failure.text, failure.mend[:1].lower() + failure.mend[1:], failure.said)


def reach_after(trouble: Trouble) -> Reach:
    return _REACH.get(trouble.code, Reach.ANSWERED)
