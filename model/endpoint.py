"""Which base_url may be contacted, judged by its text alone (seed 004; DOMAIN.md §3). Opens no connection."""

from __future__ import annotations

import ipaddress
import re
from dataclasses import replace
from enum import StrEnum
from urllib.parse import SplitResult, urlsplit

from model.quick_dataclass import dataclass

MAX_URL_BYTES = 2048


class EndpointFault(StrEnum):
    """Why a base_url is refused."""

    MISSING = "missing"
    TOO_LONG = "too_long"
    CHARACTERS = "characters"
    SCHEME = "scheme"
    USERINFO = "userinfo"
    QUERY = "query"
    FRAGMENT = "fragment"
    HOST = "host"
    PORT = "port"
    PATH = "path"
    LOCALHOST = "localhost"
    PLAIN_HTTP = "plain_http"


@dataclass(frozen=True, slots=True)
class EndpointProblem:
    """A refused base_url: what is wrong, how to mend it, and a URL that would do where one can be told.

    No text of the URL is repeated where it may hold a secret (userinfo, query, fragment).
    """

    fault: EndpointFault
    text: str
    mend: str
    suggestion: str | None = None


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A base_url that may be contacted: no userinfo, query or fragment, and no `/` at the end of `path`."""

    scheme: str
    host: str
    port: int | None
    path: str = ""

    @property
    def origin(self) -> str:
        """Scheme, host and port: where credentials may go, and nowhere else."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{host}" + (f":{self.port}" if self.port else "")

    @property
    def url(self) -> str:
        return self.origin + self.path

    @property
    def is_loopback(self) -> bool:
        return is_literal_loopback(self.host)

    def join(self, path: str) -> str:
        """The URL of `path` below this base, without `//` and without a doubled version (`/v1/v1`)."""
        path = "/" + path.lstrip("/")
        version = self.path.rpartition("/")[2]
        if _VERSION.match(version) and path.startswith(f"/{version}/"):
            path = path.removeprefix(f"/{version}")
        return self.url + path

    def sibling(self) -> Endpoint:
        """The same base with or without its `/v1`: what to try when every path answers 404."""
        if self.path.endswith("/v1"):
            return replace(self, path=self.path.removesuffix("/v1"))
        return replace(self, path=self.path + "/v1")


_VERSION = re.compile(r"v\d+(?:beta\d*)?\Z")
_URL_CHARACTERS = re.compile(r"[A-Za-z0-9._~:/?#\[\]@!$&'()*+,;=%-]*\Z")
_HOST_NAME = re.compile(r"(?=.{1,253}\Z)(?:[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?\.?)+\Z")
_REQUEST_PATHS = ("/v1/messages/count_tokens", "/v1/messages", "/chat/completions", "/api/chat", "/api/tags")


def is_literal_loopback(host: str) -> bool:
    """127.0.0.0/8 or ::1 written as an address; names are not resolved, so `localhost` is not one (seed 004)."""
    address = _address(host)
    return address == ipaddress.IPv6Address("::1") or (
        isinstance(address, ipaddress.IPv4Address) and address.is_loopback
    )


def _address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(host) if "%" not in host else None
    except ValueError:
        return None


def read_endpoint(base_url: str | None, *, local: bool = False) -> Endpoint | EndpointProblem:
    """`local` is the user's own word (`local: true`); it allows plain http to any host. Never raises."""
    url = base_url or ""
    if problem := _unreadable(url):
        return problem
    try:
        parts = urlsplit(url)
    except ValueError:
        return EndpointProblem(EndpointFault.HOST, "base_url has no readable host", "write https://HOST/PATH")
    if problem := _refused_part(parts) or _bad_host(parts):
        return problem
    endpoint = Endpoint(parts.scheme.lower(), str(parts.hostname), parts.port, parts.path.rstrip("/"))
    return _bad_path(endpoint) or (None if local else _plain_http(endpoint)) or endpoint


def _unreadable(url: str) -> EndpointProblem | None:
    if not url.strip():
        return EndpointProblem(EndpointFault.MISSING, "no base_url is stated", "write base_url: https://HOST/PATH")
    if len(url.encode("utf-8", "surrogatepass")) > MAX_URL_BYTES:
        return EndpointProblem(
            EndpointFault.TOO_LONG, f"base_url is longer than {MAX_URL_BYTES} bytes", "write a shorter one"
        )
    if "${" in url or "{" in url:
        return EndpointProblem(
            EndpointFault.CHARACTERS, "base_url holds a variable, which is not expanded", "write the address itself"
        )
    if not _URL_CHARACTERS.match(url):
        return EndpointProblem(
            EndpointFault.CHARACTERS,
            "base_url holds a blank, a backslash or another character that no URL may hold",
            "remove it; write a name outside ASCII in its xn-- form and other characters as %XX",
        )
    return None


def _refused_part(parts: SplitResult) -> EndpointProblem | None:
    if parts.scheme.lower() not in {"http", "https"}:
        return EndpointProblem(
            EndpointFault.SCHEME,
            "base_url does not start with https:// (or http:// for a server of your own)",
            "write https://HOST/PATH",
        )
    if "@" in parts.netloc:
        return EndpointProblem(
            EndpointFault.USERINFO, "base_url holds a user name or password", "remove it and set auth_ref instead"
        )
    if parts.query:
        return EndpointProblem(
            EndpointFault.QUERY, "base_url holds a query (?…)", "remove it; a key belongs in auth_ref"
        )
    if parts.fragment:
        return EndpointProblem(EndpointFault.FRAGMENT, "base_url holds a fragment (#…)", "remove it")
    return None


def _bad_host(parts: SplitResult) -> EndpointProblem | None:
    host = parts.hostname or ""
    if not _is_host(host):
        return EndpointProblem(EndpointFault.HOST, "base_url has no readable host", "write https://HOST/PATH")
    try:
        port = parts.port
    except ValueError:
        port = 0
    if port == 0:
        return EndpointProblem(EndpointFault.PORT, "base_url's port is no number from 1 to 65535", "mend the port")
    return None


def _is_host(host: str) -> bool:
    """A name or a plain address; numbers such as 2130706433 or 127.1, which some resolvers read as one, are not."""
    last = host.rstrip(".").rpartition(".")[2]
    is_name = _HOST_NAME.match(host) and not re.match(r"(?:\d+|0x[0-9a-f]*)\Z", last)
    return bool(is_name) or _address(host) is not None


def _bad_path(endpoint: Endpoint) -> EndpointProblem | None:
    path = endpoint.path
    decoded = re.sub("%2e", ".", path, flags=re.IGNORECASE)
    if "//" in path or any(part in {".", ".."} for part in decoded.split("/")):
        return EndpointProblem(EndpointFault.PATH, "base_url's path holds //, /./ or /../", "write the plain path")
    for ending in _REQUEST_PATHS:
        if path.endswith(ending):
            base = replace(endpoint, path=path.removesuffix(ending)).url
            text = f"base_url is the URL of one request: {ending} is added by itself"
            return EndpointProblem(EndpointFault.PATH, text, f"write {base}", base)
    return None


def _plain_http(endpoint: Endpoint) -> EndpointProblem | None:
    if endpoint.scheme == "https" or endpoint.is_loopback:
        return None
    if endpoint.host.rstrip(".") in {"localhost", "0.0.0.0", "::"} or endpoint.host.endswith(".localhost"):
        loopback = replace(endpoint, host="127.0.0.1").url
        text = f"plain http to {endpoint.host}, a name that may lead elsewhere"
        return EndpointProblem(EndpointFault.LOCALHOST, text, f"write {loopback}", loopback)
    secure = replace(endpoint, scheme="https").url
    text = f"plain http to {endpoint.host} would send key and prompts in the clear"
    return EndpointProblem(
        EndpointFault.PLAIN_HTTP, text, f"write {secure}, or local: true for a server of your own", secure
    )
