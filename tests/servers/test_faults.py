"""Every fault on the wire ends in a typed error within the deadline, and leaves neither task nor socket behind."""

from __future__ import annotations

import asyncio
import operator
import os
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from adapters.conversion.canonical import Text
from adapters.errors import FailureKind, ProviderError
from adapters.limits import Limits
from adapters.registry import open_adapter
from model.vocabulary import ProviderKind
from tests.adapters.opening import ASK, KEY, assembled, collect, connections, settings
from tests.adapters.streams import ANTHROPIC_STREAM, OLLAMA_STREAM, OPENAI_STREAM
from tests.adapters.wire import ndjson_reply, sse_reply
from tests.servers import faults
from tests.servers.faults import Fault, canned, proxy

NAME = operator.attrgetter("__name__")
SHORT = Limits(connect_seconds=0.3, total_seconds=0.6)
KINDS = [ProviderKind.OPENAI_COMPATIBLE, ProviderKind.ANTHROPIC_COMPATIBLE, ProviderKind.OLLAMA]
STREAMS = {
    ProviderKind.OPENAI_COMPATIBLE: sse_reply(*OPENAI_STREAM, done=True),
    ProviderKind.ANTHROPIC_COMPATIBLE: sse_reply(*ANTHROPIC_STREAM, named=True),
    ProviderKind.OLLAMA: ndjson_reply(*OLLAMA_STREAM, *[{"message": {"content": "x" * 100}}] * 5),
}


def answer_of(kind: ProviderKind) -> bytes:
    """A good stream of this kind as the bytes on the wire."""
    response = STREAMS[kind]
    body = b"".join(response.stream.pieces)  # type: ignore[union-attr]
    head = f"HTTP/1.1 200 OK\r\ncontent-type: {response.headers['content-type']}\r\n"
    return f"{head}content-length: {len(body)}\r\nconnection: close\r\n\r\n".encode() + body


def sockets() -> int:
    """How many sockets this process has open; 0 where the system does not tell."""
    if not os.path.isdir("/proc/self/fd"):
        return 0
    found = 0
    for name in os.listdir("/proc/self/fd"):
        try:
            found += os.readlink(f"/proc/self/fd/{name}").startswith("socket:")
        except OSError:
            continue
    return found


@asynccontextmanager
async def nothing_left_behind() -> AsyncIterator[None]:
    """The loop gets some turns to close what is closing already."""
    before = (asyncio.all_tasks(), sockets())
    yield
    for _ in range(100):
        if (asyncio.all_tasks(), sockets()) == before:
            return
        await asyncio.sleep(0.01)
    assert (asyncio.all_tasks(), sockets()) == before


async def ask(kind: ProviderKind, port: int, limits: Limits = SHORT) -> list[Any]:
    given = settings(kind, f"http://127.0.0.1:{port}")
    adapter = open_adapter(given, connections(limits=limits))
    try:
        async with asyncio.timeout(limits.total_seconds + 3):
            return await collect(adapter.complete(ASK))
    finally:
        await adapter.aclose()


EXPECTED: dict[Fault, FailureKind] = {
    faults.slowloris: FailureKind.TIMEOUT,
    faults.stall: FailureKind.TIMEOUT,
    faults.black_hole: FailureKind.TIMEOUT,
    faults.endless_interim_answers: FailureKind.TIMEOUT,
    faults.reset_in_the_middle: FailureKind.TRUNCATED,
    faults.close_in_the_middle: FailureKind.TRUNCATED,
    faults.short_body: FailureKind.TRUNCATED,
    faults.reset_at_once: FailureKind.RESET,
    faults.close_at_once: FailureKind.RESET,
    faults.garbage: FailureKind.NOT_HTTP,
    faults.endless_headers: FailureKind.NOT_HTTP,
    faults.web_page: FailureKind.HTML,
    faults.bad_gateway: FailureKind.SERVER_ERROR,
    faults.redirect: FailureKind.REDIRECT,
    faults.endless_stream: FailureKind.OVERFLOW,
    faults.long_line: FailureKind.OVERFLOW,
    faults.packed_bomb: FailureKind.OVERFLOW,
}


@pytest.mark.parametrize("fault", EXPECTED, ids=NAME)
async def test_a_fault_ends_in_a_typed_error(fault: Fault) -> None:
    kind = ProviderKind.OPENAI_COMPATIBLE
    async with nothing_left_behind(), canned(answer_of(kind)) as server, proxy(fault, server.port) as spoiled:
        with pytest.raises(ProviderError) as caught:
            await ask(kind, spoiled.port, SHORT if EXPECTED[fault] is FailureKind.TIMEOUT else Limits())
    assert caught.value.kind is EXPECTED[fault]
    assert spoiled.came == 1, "one attempt, no hidden retry"
    assert KEY not in str(caught.value)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("fault", [faults.clean, faults.latency, faults.byte_by_byte], ids=NAME)
async def test_a_slow_or_cut_up_answer_is_the_same_answer(fault: Fault, kind: ProviderKind) -> None:
    async with nothing_left_behind(), canned(answer_of(kind)) as server, proxy(fault, server.port) as spoiled:
        events = await ask(kind, spoiled.port, Limits())
    assert assembled(events).content == (Text("Hello"),)


@pytest.mark.parametrize("kind", KINDS)
async def test_every_protocol_notices_a_cut(kind: ProviderKind) -> None:
    whole = answer_of(kind)

    async def cut(link: faults.Link) -> None:
        await link.answer(whole.partition(b"content-length")[0] + b"\r\n" + whole.partition(b"\r\n\r\n")[2][:150])

    async with proxy(cut, 0) as spoiled:
        with pytest.raises(ProviderError) as caught:
            await ask(kind, spoiled.port)
    assert caught.value.kind is FailureKind.TRUNCATED


async def test_nobody_listens() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        async with nothing_left_behind():
            with pytest.raises(ProviderError) as caught:
                await ask(ProviderKind.OLLAMA, taken.getsockname()[1])
    assert caught.value.kind is FailureKind.REFUSED


async def test_nobody_accepts() -> None:
    with socket.socket() as full:
        full.bind(("127.0.0.1", 0))
        full.listen(0)
        waiting = [socket.socket() for _ in range(3)]
        for one in waiting:
            one.setblocking(False)
            one.connect_ex(full.getsockname())
        async with nothing_left_behind():
            with pytest.raises(ProviderError) as caught:
                await ask(ProviderKind.OLLAMA, full.getsockname()[1])
        for one in waiting:
            one.close()
    assert caught.value.kind is FailureKind.CONNECT_TIMEOUT


async def test_https_to_a_server_without_tls() -> None:
    async with proxy(faults.no_tls, 0) as server:
        given = settings(ProviderKind.OPENAI_COMPATIBLE, f"https://127.0.0.1:{server.port}")
        adapter = open_adapter(given, connections(limits=SHORT))
        with pytest.raises(ProviderError) as caught:
            await adapter.listed()
        await adapter.aclose()
    assert caught.value.kind is FailureKind.TLS


async def test_a_host_that_nobody_knows() -> None:
    given = settings(ProviderKind.OPENAI_COMPATIBLE, "https://nowhere.invalid")
    adapter = open_adapter(given, connections(limits=SHORT))
    with pytest.raises(ProviderError) as caught:
        await adapter.listed()
    await adapter.aclose()
    assert caught.value.kind in {FailureKind.DNS, FailureKind.UNREACHABLE, FailureKind.CONNECT_TIMEOUT}


async def test_cancelling_closes_the_socket() -> None:
    kind = ProviderKind.OPENAI_COMPATIBLE
    async with nothing_left_behind(), canned(answer_of(kind)) as server, proxy(faults.stall, server.port) as spoiled:
        asking = asyncio.create_task(ask(kind, spoiled.port, Limits()))
        while not spoiled.open:
            await asyncio.sleep(0)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        async with asyncio.timeout(3):
            await spoiled.idle.wait()


async def test_leaving_a_stream_early_closes_the_socket() -> None:
    kind = ProviderKind.OPENAI_COMPATIBLE
    async with nothing_left_behind(), canned(answer_of(kind)) as server, proxy(faults.stall, server.port) as spoiled:
        adapter = open_adapter(settings(kind, f"http://127.0.0.1:{spoiled.port}"), connections())
        events = adapter.complete(ASK)
        await anext(events)
        await events.aclose()
        async with asyncio.timeout(3):
            await spoiled.idle.wait()
        await adapter.aclose()
