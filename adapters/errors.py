"""What can go wrong with a provider, as typed values that say what to do."""

from __future__ import annotations

from enum import StrEnum

from model.quick_dataclass import dataclass


class FailureKind(StrEnum):
    """Why a request gave no answer that can be used."""

    # before any request
    UNTRUSTED = "untrusted"
    ENDPOINT = "endpoint"
    NO_CREDENTIAL = "no_credential"
    UNSUPPORTED = "unsupported"
    BLOCKED = "blocked"
    SECRET_IN_BODY = "secret_in_body"
    IMAGE = "image"
    # on the way
    DNS = "dns"
    REFUSED = "refused"
    UNREACHABLE = "unreachable"
    TLS = "tls"
    CONNECT_TIMEOUT = "connect_timeout"
    TIMEOUT = "timeout"
    RESET = "reset"
    NOT_HTTP = "not_http"
    REDIRECT = "redirect"
    # the provider's own no
    UNAUTHORIZED = "unauthorized"
    FORBIDDEN = "forbidden"
    PAYMENT = "payment"
    NOT_FOUND = "not_found"
    MODEL_NOT_FOUND = "model_not_found"
    NOT_OFFERED = "not_offered"
    BAD_REQUEST = "bad_request"
    REFUSED_PARAMETER = "refused_parameter"
    CONTEXT_LENGTH = "context_length"
    TOO_LARGE = "too_large"
    RATE_LIMITED = "rate_limited"
    SERVER_ERROR = "server_error"
    OVERLOADED = "overloaded"
    # an answer that cannot be used
    WRONG_MEDIA_TYPE = "wrong_media_type"
    HTML = "html"
    MALFORMED = "malformed"
    TRUNCATED = "truncated"
    OVERFLOW = "overflow"
    STREAM_ERROR = "stream_error"


@dataclass(frozen=True, slots=True)
class Failure:
    """One failure: what happened, what to do, and what the provider said (redacted, bounded, still foreign text)."""

    kind: FailureKind
    text: str
    mend: str
    status: int | None = None
    said: str = ""
    retry_after_seconds: float | None = None

    def __str__(self) -> str:
        status = f"HTTP {self.status}: " if self.status else ""
        said = f" The provider said: {self.said}" if self.said else ""
        return f"{status}{self.text}. {self.mend}.{said}"


class ProviderError(Exception):
    """Raised by adapters, and the only exception of theirs besides asyncio.CancelledError.

    It is raised outside `except` blocks, so that no HTTP library's exception (which holds the request with its key)
    hangs on it as context.
    """

    def __init__(self, failure: Failure) -> None:
        super().__init__(str(failure))
        self.failure = failure

    @property
    def kind(self) -> FailureKind:
        return self.failure.kind


CANCELLED_NOTICE = "Cancelled here. The provider may go on working, and may bill for it."
"""What to say when a request is cancelled: closing a socket stops nobody else (seed 004)."""


@dataclass(frozen=True, slots=True)
class Known:
    """What a failure means and what to do about it."""

    text: str
    mend: str


KNOWN: dict[FailureKind, Known] = {
    FailureKind.UNTRUSTED: Known(
        "this endpoint and auth_ref come from a project file that you have not trusted",
        "Look at both and run `capdeck trust` if they are yours",
    ),
    FailureKind.ENDPOINT: Known("the base_url may not be contacted", "Mend base_url"),
    FailureKind.NO_CREDENTIAL: Known("no credential was found", "Set what auth_ref names, or mend auth_ref"),
    FailureKind.UNSUPPORTED: Known(
        "this Api does not carry what was asked for", "Choose another model or leave it out"
    ),
    FailureKind.BLOCKED: Known("the conversion to this Api loses something needed", "Read the conversion report"),
    FailureKind.SECRET_IN_BODY: Known(
        "the request holds a secret that is in use, so it was not sent", "Remove the key from prompt, tools or metadata"
    ),
    FailureKind.IMAGE: Known("the image may not be sent", "Choose another image"),
    FailureKind.DNS: Known("the host name is not known", "Check base_url, the network and the name server"),
    FailureKind.REFUSED: Known("nobody listens on that port", "Start the server, or mend the port in base_url"),
    FailureKind.UNREACHABLE: Known("the host cannot be reached", "Check the network, VPN and firewall"),
    FailureKind.TLS: Known(
        "the TLS handshake failed", "Check base_url's host, its certificate, this machine's clock and its CA bundle"
    ),
    FailureKind.CONNECT_TIMEOUT: Known(
        "no connection within the deadline", "Check host and port, or allow more time to connect"
    ),
    FailureKind.TIMEOUT: Known(
        "no complete answer within the deadline", "Allow more time, or ask for fewer output tokens; it may be billed"
    ),
    FailureKind.RESET: Known("the server closed the connection", "Try again; look at the server's log"),
    FailureKind.NOT_HTTP: Known("what answered does not speak HTTP", "Check the port, and http against https"),
    FailureKind.REDIRECT: Known(
        "the server redirects elsewhere, and keys are not sent after it", "Write the final address as base_url"
    ),
    FailureKind.UNAUTHORIZED: Known("the key was rejected", "Check that auth_ref names this provider's current key"),
    FailureKind.FORBIDDEN: Known(
        "the key may not do this", "Check the key's rights, region and organisation, and access to this model"
    ),
    FailureKind.PAYMENT: Known("the account has no credit left", "Add credit, or choose another provider"),
    FailureKind.NOT_FOUND: Known("nothing is there", "Check base_url: with or without /v1?"),
    FailureKind.MODEL_NOT_FOUND: Known(
        "the provider does not know this model", "Check model_id against its model list"
    ),
    FailureKind.NOT_OFFERED: Known(
        "no endpoint of this model takes what was asked for, such as tools",
        "Choose another model, or set tool_use: false for this one",
    ),
    FailureKind.BAD_REQUEST: Known("the provider refused the request", "Read what it said"),
    FailureKind.REFUSED_PARAMETER: Known(
        "the provider refuses one of the parameters", "Leave the parameter out that it names"
    ),
    FailureKind.CONTEXT_LENGTH: Known(
        "the request is longer than the model's window", "Shorten it, or choose a model with a larger window"
    ),
    FailureKind.TOO_LARGE: Known("the request has too many bytes", "Send fewer or smaller images and tools"),
    FailureKind.RATE_LIMITED: Known("a rate limit or quota is used up", "Wait, lower the rate, or raise the limit"),
    FailureKind.SERVER_ERROR: Known("the provider failed", "Try again later; look at its status page"),
    FailureKind.OVERLOADED: Known("the provider is overloaded", "Try again later, or use another provider"),
    FailureKind.WRONG_MEDIA_TYPE: Known(
        "the answer is not of the type that was asked for", "Check base_url and whether the server streams"
    ),
    FailureKind.HTML: Known(
        "a web page came instead of an answer", "Check base_url: a login page, proxy or website is answering"
    ),
    FailureKind.MALFORMED: Known("the answer cannot be read", "Check that the server speaks the provider's Api"),
    FailureKind.TRUNCATED: Known("the answer broke off before its end", "Try again; the part received is not complete"),
    FailureKind.OVERFLOW: Known("the answer is larger than allowed, so reading was stopped", "Ask for less"),
    FailureKind.STREAM_ERROR: Known("the provider reported an error in the middle of the answer", "Read what it said"),
}


def failure(
    kind: FailureKind,
    detail: str = "",
    *,
    mend: str = "",
    status: int | None = None,
    said: str = "",
    retry_after_seconds: float | None = None,
) -> Failure:
    """A failure of `kind` in the known words; `detail` follows them, `mend` replaces theirs."""
    known = KNOWN[kind]
    text = f"{known.text}: {detail}" if detail else known.text
    return Failure(kind, text, mend or known.mend, status, said, retry_after_seconds)
