"""The one HTTP client: one host, no redirects, no hidden retry, limits on time and size, keys to that host only."""

from __future__ import annotations

import asyncio
import json
import logging
import ssl
from collections.abc import AsyncIterator, Callable, Generator, Mapping
from contextlib import aclosing, asynccontextmanager
from dataclasses import field, replace
from datetime import UTC, datetime
from functools import lru_cache
from types import TracebackType
from typing import Any, Self

import httpx

from adapters.answers import read_error_body, read_refusal
from adapters.bodies import parse_json, read_body, read_pieces, read_start
from adapters.errors import Failure, FailureKind, ProviderError, failure
from adapters.limits import Limits
from adapters.ratelimits import RateLimits, read_moment, read_rate_limits
from adapters.redaction import Redactor
from adapters.secrets import Secret
from adapters.transport_errors import read_transport_error
from model.endpoint import Endpoint
from model.quick_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class KeyHeader:
    """How an Api wants its key: the header's name and what stands before the key."""

    name: str
    prefix: str = ""


BEARER = KeyHeader("authorization", "Bearer ")
X_API_KEY = KeyHeader("x-api-key")


class _KeyAuth(httpx.Auth):
    """Puts the key into the request at the last moment, so that no frame of ours holds it as text."""

    def __init__(self, secret: Secret | None, headers: tuple[KeyHeader, ...]) -> None:
        self._secret = secret
        self._headers = headers

    def auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        if self._secret is not None:
            for header in self._headers:
                request.headers[header.name] = header.prefix + self._secret.reveal()
        yield request


@dataclass(frozen=True, slots=True)
class Answer:
    """A whole answer: its JSON, its headers (lower-case names) and how long it took in seconds."""

    json: Any
    headers: Mapping[str, str]
    seconds: float


@dataclass(frozen=True, slots=True)
class Exchange:
    """The head of one answer, whatever it says: the exact address that was asked (it holds no secret), the HTTP status,
    the seconds until it came, the quotas it tells, and by how many seconds the server's clock is ahead of ours."""

    url: str
    status: int
    seconds: float
    quotas: RateLimits
    clock_seconds: float | None


@dataclass(frozen=True, slots=True)
class OpenAnswer:
    """An answer whose head is there and whose body still comes."""

    headers: Mapping[str, str]
    pieces: AsyncIterator[bytes]


@dataclass(slots=True)
class Channel:
    """The way to one provider. Use as `async with`; its client opens with the first request.

    Every method makes one attempt and raises ProviderError. `transport` is the seam for tests.
    """

    endpoint: Endpoint
    secret: Secret | None = None
    key_headers: tuple[KeyHeader, ...] = (BEARER,)
    redactor: Redactor = field(default_factory=Redactor)
    limits: Limits = field(default_factory=Limits)
    headers: Mapping[str, str] = field(default_factory=dict)
    allow_proxy: bool = False
    transport: httpx.AsyncBaseTransport | None = field(default=None, repr=False)
    watch: Callable[[Exchange], None] | None = field(default=None, repr=False)
    """Hears of the head of every answer."""
    _client: httpx.AsyncClient | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        self.redactor.add(self.secret)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            await client.aclose()

    def at_root(self) -> Channel:
        """Another channel to the same host, without base_url's path."""
        return replace(self, endpoint=replace(self.endpoint, path=""))

    async def get(self, path: str, query: Mapping[str, str] | None = None) -> Answer:
        return await self._whole("GET", path, query=query)

    async def post(self, path: str, body: Mapping[str, Any]) -> Answer:
        return await self._whole("POST", path, body=body)

    @asynccontextmanager
    async def stream(
        self, path: str, body: Mapping[str, Any], media_types: tuple[str, ...]
    ) -> AsyncIterator[OpenAnswer]:
        """An answer that must be of one of `media_types`, as bytes in pieces. Leaving the block closes the socket."""
        deadline = self._deadline()
        response = await self._send("POST", path, deadline, body=body)
        try:
            await self._require(response, deadline, media_types)
            async with aclosing(read_pieces(response, deadline, self.limits.stream_bytes)) as pieces:
                yield OpenAnswer(_plain(response.headers), pieces)
        finally:
            await response.aclose()

    async def _whole(
        self, method: str, path: str, *, query: Mapping[str, str] | None = None, body: Mapping[str, Any] | None = None
    ) -> Answer:
        started, deadline = asyncio.get_running_loop().time(), self._deadline()
        response = await self._send(method, path, deadline, query=query, body=body)
        try:
            await self._require(response, deadline, ())
            value = _read_json(response, await read_body(response, deadline, self.limits.body_bytes), self.redactor)
        finally:
            await response.aclose()
        if isinstance(value, Failure):
            raise ProviderError(value)
        return Answer(value, _plain(response.headers), asyncio.get_running_loop().time() - started)

    async def _send(
        self,
        method: str,
        path: str,
        deadline: float,
        *,
        query: Mapping[str, str] | None = None,
        body: Mapping[str, Any] | None = None,
    ) -> httpx.Response:
        content = None if body is None else self._encode(body)
        headers = {"content-type": "application/json"} if body is not None else {}
        url = self.endpoint.join(path)
        problem: Failure
        try:
            request = self._open().build_request(method, url, params=query or None, content=content, headers=headers)
            started = asyncio.get_running_loop().time()
            async with asyncio.timeout_at(deadline):
                response = await self._open().send(request, stream=True)
            if self.watch is not None:
                self.watch(_exchange(url, response, asyncio.get_running_loop().time() - started))
            return response
        except httpx.InvalidURL:
            problem = failure(FailureKind.BAD_REQUEST, "an id in its address is too long or not printable")
        except (httpx.HTTPError, OSError) as error:
            problem = read_transport_error(error, answer_begun=False)
        raise ProviderError(problem)

    async def _require(self, response: httpx.Response, deadline: float, media_types: tuple[str, ...]) -> None:
        """Refuses every status but 2xx, and any media type but those asked for."""
        if not response.is_success or (media_types and _media_type(response) not in media_types):
            raise ProviderError(await self._refusal(response, deadline))

    async def _refusal(self, response: httpx.Response, deadline: float) -> Failure:
        """Made here and raised elsewhere, so that no frame of a traceback holds a body that may echo the key."""
        start, partial = await read_start(response, deadline, self.limits.error_body_bytes)
        if response.is_success:
            return _wrong_type(response, start, self.redactor)
        return read_refusal(response.status_code, _plain(response.headers), start, self.redactor, partial=partial)

    def _encode(self, body: Mapping[str, Any]) -> bytes:
        """Raises ProviderError (SECRET_IN_BODY, BLOCKED): a lone surrogate or NaN would not arrive as it was."""
        try:
            text = json.dumps(body, ensure_ascii=False, allow_nan=False)
            data = text.encode("utf-8")
        except ValueError:
            data = None
        if data is None:
            raise ProviderError(failure(FailureKind.BLOCKED, "it holds a character or number that JSON cannot carry"))
        if self.redactor.holds_secret(text):
            raise ProviderError(failure(FailureKind.SECRET_IN_BODY))
        return data

    def _open(self) -> httpx.AsyncClient:
        if self._client is None:
            self._client = open_client(self)
        return self._client

    def _deadline(self) -> float:
        return asyncio.get_running_loop().time() + self.limits.total_seconds


def open_client(channel: Channel) -> httpx.AsyncClient:
    """The one place that makes a client. Its logs are off: they hold headers."""
    for name in ("httpx", "httpcore"):
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    limits = channel.limits
    timeout = httpx.Timeout(limits.total_seconds, connect=limits.connect_seconds)
    return httpx.AsyncClient(
        auth=_KeyAuth(channel.secret, channel.key_headers),
        headers={"user-agent": "capdeck", "accept-encoding": "identity", **channel.headers},
        verify=_tls_context() if channel.endpoint.scheme == "https" else _no_tls(),
        trust_env=channel.allow_proxy,
        follow_redirects=False,
        timeout=timeout,
        transport=channel.transport,
    )


@lru_cache(maxsize=1)
def _tls_context() -> ssl.SSLContext:
    """Shared, since reading the CA bundle takes tens of milliseconds. SSL_CERT_FILE and SSL_CERT_DIR count."""
    return httpx.create_ssl_context()


@lru_cache(maxsize=1)
def _no_tls() -> ssl.SSLContext:
    """For plain http: trusts no authority at all, so that TLS through it cannot succeed."""
    return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


def _plain(headers: httpx.Headers) -> dict[str, str]:
    return dict(headers.items())


def _exchange(url: str, response: httpx.Response, seconds: float) -> Exchange:
    headers, now = _plain(response.headers), datetime.now(UTC)
    told = None if "age" in headers else read_moment(headers.get("date", ""))
    ahead = None if told is None else (told - now).total_seconds()
    return Exchange(url, response.status_code, seconds, read_rate_limits(headers, now), ahead)


def _media_type(response: httpx.Response) -> str:
    content_type: str = response.headers.get("content-type", "")
    return content_type.partition(";")[0].strip().lower()


def _read_json(response: httpx.Response, data: bytes, redactor: Redactor) -> Any:
    """The JSON of a whole answer, or the Failure that it is."""
    try:
        value = parse_json(data)
    except ProviderError as error:
        return _wrong_type(response, data, redactor) if "html" in _media_type(response) else error.failure
    return read_error_body(value, redactor) or value


def _wrong_type(response: httpx.Response, start: bytes, redactor: Redactor) -> Failure:
    """HTTP 200 with a web page, or with JSON where a stream was asked for; an error in that JSON is what counts."""
    if "html" in _media_type(response) or start.lstrip()[:9].lower() == b"<!doctype":
        return failure(FailureKind.HTML, status=response.status_code)
    value: Any = None
    try:
        value = parse_json(start)
    except ProviderError:
        value = None
    return read_error_body(value, redactor) or failure(FailureKind.WRONG_MEDIA_TYPE, status=response.status_code)
