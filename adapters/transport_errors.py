"""Exceptions of httpx and the system → failures. Their texts are not repeated: they may hold anything."""

from __future__ import annotations

import errno
import socket
import ssl
from collections.abc import Iterator

import httpx

from adapters.errors import Failure, FailureKind, failure


def read_transport_error(error: BaseException, *, answer_begun: bool) -> Failure:
    """`answer_begun`: the head of the answer had arrived, so that a break means a cut answer."""
    if isinstance(error, httpx.ConnectTimeout | httpx.PoolTimeout):
        return failure(FailureKind.CONNECT_TIMEOUT)
    if isinstance(error, TimeoutError | httpx.TimeoutException):
        return failure(FailureKind.TIMEOUT)
    if isinstance(error, httpx.ConnectError | httpx.ProxyError):
        return _no_connection(error)
    if answer_begun:
        return failure(FailureKind.TRUNCATED)
    if isinstance(error, httpx.RemoteProtocolError) and "disconnected" not in str(error):
        return failure(FailureKind.NOT_HTTP)
    if tls := next((cause for cause in _causes(error) if isinstance(cause, ssl.SSLError)), None):
        return _tls(tls)
    return failure(FailureKind.RESET)


def _no_connection(error: BaseException) -> Failure:
    for cause in _causes(error):
        if isinstance(cause, ssl.SSLError):
            return _tls(cause)
        if isinstance(cause, socket.gaierror):
            return failure(FailureKind.DNS)
        if isinstance(cause, OSError) and cause.errno == errno.ECONNREFUSED:
            return failure(FailureKind.REFUSED)
        if isinstance(cause, OSError) and cause.errno in {errno.ECONNRESET, errno.EPIPE}:
            return failure(FailureKind.RESET)
    if isinstance(error, httpx.ProxyError):
        return failure(FailureKind.UNREACHABLE, "the proxy refused", mend="Check the proxy's settings")
    return failure(FailureKind.UNREACHABLE)


def _tls(error: ssl.SSLError) -> Failure:
    if isinstance(error, ssl.SSLCertVerificationError):
        code = error.verify_code
        return failure(
            FailureKind.TLS, _CERTIFICATE.get(code, "its certificate is not accepted"), mend=_MENDS.get(code, "")
        )
    if getattr(error, "reason", None) in {"WRONG_VERSION_NUMBER", "HTTP_REQUEST", "RECORD_LAYER_FAILURE"}:
        return failure(FailureKind.TLS, "the server speaks no TLS there", mend="Check the port, and http against https")
    return failure(FailureKind.TLS)


_NOT_YET, _EXPIRED, _SELF_SIGNED, _SELF_SIGNED_CHAIN, _NO_ISSUER, _HOST, _ADDRESS = 9, 10, 18, 19, 20, 62, 64
_CERTIFICATE = {
    _NOT_YET: "its certificate is not valid yet",
    _EXPIRED: "its certificate has expired",
    _SELF_SIGNED: "its certificate is self-signed",
    _SELF_SIGNED_CHAIN: "its chain ends in a certificate that is not trusted here",
    _NO_ISSUER: "the issuer of its certificate is not known here",
    _HOST: "its certificate is for another host",
    _ADDRESS: "its certificate is for another address",
}
_OWN_CA = "If that authority is yours, name its file in SSL_CERT_FILE"
_MENDS = {
    _NOT_YET: "Check this machine's clock",
    _EXPIRED: "Check this machine's clock, else the server needs a new certificate",
    _SELF_SIGNED: _OWN_CA,
    _SELF_SIGNED_CHAIN: _OWN_CA,
    _NO_ISSUER: _OWN_CA,
    _HOST: "Write the host that the certificate names",
    _ADDRESS: "Write the host that the certificate names",
}


def _causes(error: BaseException) -> Iterator[BaseException]:
    """The error, what it was raised from, and the members of groups, each once."""
    queue, seen = [error], set[int]()
    while queue:
        current = queue.pop(0)
        if id(current) in seen:
            continue
        seen.add(id(current))
        yield current
        queue += [cause for cause in (current.__cause__, current.__context__) if cause]
        if isinstance(current, BaseExceptionGroup):
            queue += current.exceptions
