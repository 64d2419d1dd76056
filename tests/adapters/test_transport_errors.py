"""Exceptions of the network → failures: the cause decides, wherever in the chain it stands."""

from __future__ import annotations

import errno
import shutil
import socket
import ssl
import subprocess
from pathlib import Path

import httpx
import pytest

from adapters.errors import FailureKind, ProviderError
from adapters.registry import open_adapter
from adapters.transport_errors import read_transport_error
from model.vocabulary import ProviderKind
from tests.adapters.opening import connections, settings
from tests.servers.faults import clean, proxy


def caused_by(cause: BaseException) -> httpx.ConnectError:
    """As httpx raises it: the cause two steps back, in a group."""
    middle = OSError("All connection attempts failed")
    middle.__cause__ = BaseExceptionGroup("attempts", [cause])
    error = httpx.ConnectError("failed")
    error.__context__ = middle
    return error


def verification(code: int) -> ssl.SSLCertVerificationError:
    error = ssl.SSLCertVerificationError(1, "certificate verify failed")
    error.verify_code = code
    return error


@pytest.mark.parametrize(
    ("cause", "kind"),
    [
        (socket.gaierror(-2, "Name or service not known"), FailureKind.DNS),
        (OSError(errno.ECONNREFUSED, "refused"), FailureKind.REFUSED),
        (OSError(errno.ECONNRESET, "reset"), FailureKind.RESET),
        (OSError(errno.ENETUNREACH, "unreachable"), FailureKind.UNREACHABLE),
        (ssl.SSLError(1, "handshake failure"), FailureKind.TLS),
        (ValueError("odd"), FailureKind.UNREACHABLE),
    ],
)
def test_no_connection(cause: BaseException, kind: FailureKind) -> None:
    assert read_transport_error(caused_by(cause), answer_begun=False).kind is kind


@pytest.mark.parametrize(
    ("code", "word", "mend"),
    [
        (9, "not valid yet", "clock"),
        (10, "expired", "clock"),
        (18, "self-signed", "SSL_CERT_FILE"),
        (62, "another host", "host"),
        (1, "not accepted", "CA"),
    ],
)
def test_a_certificates_fault_is_told(code: int, word: str, mend: str) -> None:
    found = read_transport_error(caused_by(verification(code)), answer_begun=False)
    assert found.kind is FailureKind.TLS
    assert word in found.text
    assert mend in found.mend


def test_a_break_after_the_head_is_a_cut_answer() -> None:
    for error in (httpx.ReadError("x"), httpx.RemoteProtocolError("x"), OSError("x")):
        assert read_transport_error(error, answer_begun=True).kind is FailureKind.TRUNCATED
    assert read_transport_error(TimeoutError(), answer_begun=True).kind is FailureKind.TIMEOUT


def test_a_chain_that_bites_its_tail_ends() -> None:
    error = httpx.ConnectError("x")
    error.__cause__ = error
    assert read_transport_error(error, answer_begun=False).kind is FailureKind.UNREACHABLE


async def test_a_self_signed_server(tmp_path: Path) -> None:
    if not shutil.which("openssl"):
        pytest.skip("openssl is not installed: no certificate to test with")
    command = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1 -subj /CN=localhost"
    files = ["-keyout", str(tmp_path / "key.pem"), "-out", str(tmp_path / "cert.pem")]
    subprocess.run([*command.split(), *files], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "cert.pem", tmp_path / "key.pem")
    async with proxy(clean, 0, tls=context) as server:
        adapter = open_adapter(settings(ProviderKind.OPENAI, f"https://127.0.0.1:{server.port}"), connections())
        with pytest.raises(ProviderError) as caught:
            await adapter.listed()
        await adapter.aclose()
    assert caught.value.kind is FailureKind.TLS
    assert "self-signed" in caught.value.failure.text
