"""The one client: limits, media types, redirects, secrets, with answers made by hand."""

from __future__ import annotations

import asyncio
import gzip
import json
import logging
import zlib
from collections.abc import Callable

import httpx
import pytest

from adapters.errors import FailureKind, ProviderError
from adapters.http import BEARER, X_API_KEY, Channel
from adapters.limits import MIB, Limits
from adapters.secrets import Secret
from model.endpoint import Endpoint
from tests.adapters.wire import JSON, Handler, Pieces

KEY = "sk-canary-0123456789"
HOST = Endpoint("https", "api.example", None, "/v1")


def channel(handler: Handler, *, secret: str = KEY, limits: Limits | None = None) -> Channel:
    transport = httpx.MockTransport(handler)
    return Channel(HOST, Secret(secret), transport=transport, limits=limits or Limits())


def answering(status: int = 200, headers: dict[str, str] | None = None, body: bytes | Pieces = b"{}") -> Handler:
    def handler(request: httpx.Request) -> httpx.Response:
        stream = body if isinstance(body, Pieces) else Pieces([body])
        return httpx.Response(status, headers=JSON if headers is None else headers, stream=stream)

    return handler


async def kind_of_get(handler: Handler, limits: Limits | None = None) -> FailureKind:
    async with channel(handler, limits=limits) as way:
        with pytest.raises(ProviderError) as caught:
            await way.get("/models")
    assert caught.value.__context__ is None
    assert KEY not in str(caught.value)
    return caught.value.kind


async def test_a_get_reaches_the_joined_url_with_the_key_and_gives_json() -> None:
    seen: list[httpx.Request] = []

    def handler(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return httpx.Response(200, headers={"X-Ratelimit-Limit": "5"}, stream=Pieces([b'{"data": [1]}']))

    async with channel(handler) as way:
        answer = await way.get("/v1/models", {"limit": "1000"})
    assert str(seen[0].url) == "https://api.example/v1/models?limit=1000"
    assert seen[0].headers["authorization"] == f"Bearer {KEY}"
    assert seen[0].headers["accept-encoding"] == "identity"
    assert answer.json == {"data": [1]}
    assert answer.headers["x-ratelimit-limit"] == "5"


async def test_no_secret_no_header() -> None:
    def handler(request: httpx.Request) -> httpx.Response:
        assert "authorization" not in request.headers
        assert "x-api-key" not in request.headers
        return httpx.Response(200, stream=Pieces([b"{}"]))

    async with Channel(HOST, None, (BEARER, X_API_KEY), transport=httpx.MockTransport(handler)) as way:
        await way.get("/models")


async def test_neither_environment_nor_netrc_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:9")
    way = Channel(HOST)
    client = way._open()
    assert client.trust_env is False
    assert client._mounts == {}
    assert client.follow_redirects is False
    await way.aclose()


async def test_a_policy_may_allow_the_proxies_of_the_environment() -> None:
    way = Channel(HOST, allow_proxy=True)
    assert way._open().trust_env is True
    await way.aclose()


async def test_logs_of_the_http_library_are_off(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    async with channel(answering()) as way:
        await way.get("/models")
    assert [record for record in caplog.records if record.name.startswith("http")] == []


async def test_a_redirect_is_refused_and_nothing_follows_it() -> None:
    hosts: list[str] = []

    def handler(request: httpx.Request) -> httpx.Response:
        hosts.append(request.url.host)
        return httpx.Response(307, headers={"location": f"https://evil.example/{KEY}?k={KEY}"})

    async with channel(handler) as way:
        with pytest.raises(ProviderError) as caught:
            await way.post("/chat/completions", {"messages": []})
    assert caught.value.kind is FailureKind.REDIRECT
    assert "to https://evil.example" in str(caught.value)
    assert KEY not in str(caught.value)
    assert hosts == ["api.example"]


@pytest.mark.parametrize("where", ["prompt", "tool description", "key of an object"])
async def test_a_body_that_holds_the_key_is_not_sent(where: str) -> None:
    body = {KEY: 1} if where == "key of an object" else {"messages": [{"content": f"my {where}: {KEY}"}]}

    def handler(request: httpx.Request) -> httpx.Response:
        raise AssertionError("sent")

    async with channel(handler) as way:
        with pytest.raises(ProviderError) as caught:
            await way.post("/chat/completions", body)
    assert caught.value.kind is FailureKind.SECRET_IN_BODY


@pytest.mark.parametrize("value", ["lone \ud800 surrogate", float("nan")])
async def test_a_body_that_json_cannot_carry_is_not_sent(value: object) -> None:
    async with channel(answering()) as way:
        with pytest.raises(ProviderError) as caught:
            await way.post("/chat/completions", {"x": value})
    assert caught.value.kind is FailureKind.BLOCKED


async def test_a_body_declared_too_large_is_not_read() -> None:
    body = Pieces([b"x"])
    headers = {**JSON, "content-length": str(2 * MIB + 1)}
    assert await kind_of_get(answering(200, headers, body)) is FailureKind.OVERFLOW
    assert (body.read, body.closed) == (0, True)


async def test_a_body_that_grows_too_large_is_stopped() -> None:
    body = Pieces([b"x" * 65536], repeat=10_000)
    assert await kind_of_get(answering(200, JSON, body)) is FailureKind.OVERFLOW
    assert body.read <= 2 * MIB + 65536
    assert body.closed


async def test_a_body_of_exactly_the_limit_is_read() -> None:
    text = b'"' + b"x" * (2 * MIB - 2) + b'"'
    async with channel(answering(200, JSON, Pieces([text]))) as way:
        assert len((await way.get("/x")).json) == 2 * MIB - 2


@pytest.mark.parametrize(("encoding", "pack"), [("gzip", gzip.compress), ("deflate", zlib.compress)])
async def test_a_packed_body_is_unpacked_within_the_limit(encoding: str, pack: Callable[[bytes], bytes]) -> None:
    headers = {**JSON, "content-encoding": encoding}
    packed = pack(b'{"a": 1}')
    async with channel(answering(200, headers, Pieces([packed[:5], packed[5:]]))) as way:
        assert (await way.get("/x")).json == {"a": 1}
    bomb = Pieces([pack(bytes(8 * MIB))])
    assert await kind_of_get(answering(200, headers, bomb)) is FailureKind.OVERFLOW
    assert await kind_of_get(answering(200, headers, Pieces([b"not packed"]))) is FailureKind.MALFORMED


async def test_packing_that_was_not_asked_for_is_refused() -> None:
    assert (
        await kind_of_get(answering(200, {**JSON, "content-encoding": "br"}, Pieces([b"x"]))) is FailureKind.MALFORMED
    )


@pytest.mark.parametrize(
    ("status", "headers", "body", "kind"),
    [
        (200, {"content-type": "text/html"}, b"<html>login</html>", FailureKind.HTML),
        (200, JSON, b"<!doctype html>", FailureKind.MALFORMED),
        (502, {"content-type": "text/html"}, b"<html>bad gateway</html>", FailureKind.SERVER_ERROR),
        (403, {"content-type": "text/html"}, b"<html>blocked</html>", FailureKind.HTML),
        (200, JSON, b"{", FailureKind.MALFORMED),
        (200, JSON, b"[NaN]", FailureKind.MALFORMED),
        pytest.param(200, JSON, b"[" * 100_000, FailureKind.MALFORMED, id="deep"),
        (200, JSON, b"\xff", FailureKind.MALFORMED),
        (200, JSON, b'{"error": {"code": 429, "message": "slow down"}}', FailureKind.RATE_LIMITED),
        (200, JSON, b'{"error": "model failed"}', FailureKind.STREAM_ERROR),
        (204, {}, b"", FailureKind.MALFORMED),
    ],
)
async def test_answers_that_cannot_be_used(
    status: int, headers: dict[str, str], body: bytes, kind: FailureKind
) -> None:
    assert await kind_of_get(answering(status, headers, body)) is kind


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (httpx.ConnectTimeout("x"), FailureKind.CONNECT_TIMEOUT),
        (httpx.ReadTimeout("x"), FailureKind.TIMEOUT),
        (httpx.ConnectError(KEY), FailureKind.UNREACHABLE),
        (httpx.ReadError(KEY), FailureKind.RESET),
        (httpx.RemoteProtocolError("Server disconnected without sending a response."), FailureKind.RESET),
        (httpx.RemoteProtocolError("illegal status line"), FailureKind.NOT_HTTP),
        (httpx.ProxyError("x"), FailureKind.UNREACHABLE),
    ],
)
async def test_transport_errors(error: Exception, kind: FailureKind) -> None:
    def handler(request: httpx.Request) -> httpx.Response:
        raise error

    assert await kind_of_get(handler) is kind


async def test_a_stalled_body_ends_at_the_deadline() -> None:
    body = Pieces([b"{"], stall=True)
    assert await kind_of_get(answering(200, JSON, body), Limits(total_seconds=0.05)) is FailureKind.TIMEOUT
    assert body.closed


async def read_all(way: Channel, media_type: str = "text/event-stream") -> bytes:
    async with way.stream("/chat/completions", {}, (media_type,)) as answer:
        return b"".join([piece async for piece in answer.pieces])


@pytest.mark.parametrize("content_type", ["text/event-stream", "TEXT/Event-Stream; charset=iso-8859-1"])
async def test_a_stream_of_the_right_type_is_read(content_type: str) -> None:
    async with channel(answering(200, {"content-type": content_type}, Pieces([b"a", b"", b"b"]))) as way:
        assert await read_all(way) == b"ab"


@pytest.mark.parametrize(
    ("headers", "body", "kind"),
    [
        (JSON, b"{}", FailureKind.WRONG_MEDIA_TYPE),
        (JSON, json.dumps({"error": {"type": "overloaded_error", "message": "m"}}).encode(), FailureKind.OVERLOADED),
        ({"content-type": "text/html"}, b"<html>", FailureKind.HTML),
        ({}, b"data: x\n\n", FailureKind.WRONG_MEDIA_TYPE),
    ],
)
async def test_a_stream_of_another_type_is_refused(headers: dict[str, str], body: bytes, kind: FailureKind) -> None:
    async with channel(answering(200, headers, body)) as way:
        with pytest.raises(ProviderError) as caught:
            await read_all(way)
    assert caught.value.kind is kind


async def test_a_stream_over_the_limit_is_stopped() -> None:
    body = Pieces([b"data: x\n\n" * 1000], repeat=10_000)
    async with channel(answering(200, {"content-type": "text/event-stream"}, body)) as way:
        with pytest.raises(ProviderError) as caught:
            await read_all(way)
    assert caught.value.kind is FailureKind.OVERFLOW
    assert body.read < 3 * MIB
    assert body.closed


async def test_leaving_a_stream_early_closes_it() -> None:
    body = Pieces([b"a"], stall=True)
    async with (
        channel(answering(200, {"content-type": "text/event-stream"}, body)) as way,
        way.stream("/x", {}, ("text/event-stream",)) as answer,
    ):
        assert await anext(answer.pieces) == b"a"
    assert body.closed


async def test_cancelling_a_waiting_reader_closes_the_stream() -> None:
    body = Pieces([b"a"], stall=True)
    async with channel(answering(200, {"content-type": "text/event-stream"}, body)) as way:
        reader = asyncio.create_task(read_all(way))
        while not body.read:
            await asyncio.sleep(0)
        reader.cancel()
        with pytest.raises(asyncio.CancelledError):
            await reader
    assert body.closed


@pytest.mark.parametrize(
    "changes",
    [
        {"body_bytes": 0},
        {"event_bytes": 128 * 1024 + 1},
        {"chunks": 4097},
        {"total_seconds": 0},
        {"delivered_bytes": 100},
    ],
)
def test_limits_may_only_be_lowered(changes: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=r"must be|may not"):
        Limits(**changes)  # type: ignore[arg-type]


def test_longer_deadlines_may_be_chosen() -> None:
    assert Limits(total_seconds=600).total_seconds == 600


def test_a_channel_does_not_show_its_key() -> None:
    assert KEY not in repr(channel(answering()))
