"""Forty providers on real sockets, most of them broken: one deadline holds for all, and every row has its true word."""

from __future__ import annotations

import asyncio
import json
import socket
import struct
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path

import pytest

from adapters.checks import CheckRow, Phase, run_checks
from adapters.impatient import run
from adapters.registry import Connections
from adapters.secrets import CredentialResolver
from model.auth import AuthState
from model.doctor.online import model_words
from model.snapshot import Snapshot
from tests.adapters.visits import KEY, snapshot_of

Serve = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]
DEADLINE = 3.0


def answering(status: str, body: str = "{}", content_type: str = "application/json") -> Serve:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        await _say(writer, status, body, content_type)

    return serve


async def _say(writer: asyncio.StreamWriter, status: str, body: str, content_type: str = "application/json") -> None:
    head = f"HTTP/1.1 {status}\r\ncontent-type: {content_type}\r\ncontent-length: {len(body)}\r\n\r\n"
    writer.write((head + body).encode())
    await writer.drain()


async def hangs(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.read()


async def resets(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.readuntil(b"\r\n\r\n")
    linger = struct.pack("ii", 1, 0)
    writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
    writer.transport.abort()


async def works(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Lists its model to who has the key."""
    head = await reader.readuntil(b"\r\n\r\n")
    if f"authorization: bearer {KEY}".encode() not in head.lower():
        await _say(writer, "401 Unauthorized", '{"error": {"message": "Invalid API key"}}')
    elif b" /v1/models " in head:
        await _say(writer, "200 OK", '{"data": [{"id": "m"}]}')
    else:
        await _say(writer, "404 Not Found", '{"error": {"message": "nothing here"}}')


_USELESS = ("answered", AuthState.NOT_CHECKED, "not checked")
KINDS: dict[str, tuple[int, Serve, tuple[str, AuthState, str]]] = {
    "hang": (10, hangs, ("timed out", AuthState.NOT_CHECKED, "not checked")),
    "reset": (5, resets, ("refused", AuthState.NOT_CHECKED, "not checked")),
    "page": (
        5,
        answering("200 OK", "<!doctype html>", "text/html"),
        _USELESS,
    ),
    "redirect": (
        5,
        answering("307 Temporary Redirect\r\nlocation: http://127.0.0.1:9/v1"),
        _USELESS,
    ),
    "reject": (5, answering("401 Unauthorized", "{}"), ("answered", AuthState.REJECTED, "not checked")),
    "work": (10, works, ("answered", AuthState.ACCEPTED, "listed")),
}
STATUS = {"page": 200, "redirect": 307, "reject": 401, "work": 200, "hang": None, "reset": None}


@asynccontextmanager
async def crowd() -> AsyncIterator[dict[str, int]]:
    """The ports of the forty by name."""
    async with AsyncExitStack() as stack:
        ports = {}
        for kind, (count, serve, _) in KINDS.items():
            for number in range(count):
                ports[f"{kind}-{number}"] = await stack.enter_async_context(_listening(serve))
        yield ports


@asynccontextmanager
async def _listening(serve: Serve) -> AsyncIterator[int]:
    tasks: set[asyncio.Task[None]] = set()

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        tasks.add(task)
        with suppress(OSError, EOFError, asyncio.CancelledError):
            await serve(reader, writer)
        writer.close()

    server = await asyncio.start_server(connected, "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        for task in tasks:
            task.cancel()


def asking(ports: dict[str, int]) -> Snapshot:
    rows = [
        {
            "provider_id": name,
            "provider_kind": "openai_compatible",
            "base_url": f"http://127.0.0.1:{port}/v1",
            "auth_ref": "env:K",
            "models": [{"model_id": "m"}],
        }
        for name, port in ports.items()
    ]
    return snapshot_of(json.dumps({"providers": rows}))


async def visited(deadline_s: float, row_s: float, concurrency: int) -> tuple[Snapshot, list[CheckRow], float]:
    connections = Connections(CredentialResolver({"K": KEY}, home=Path("/nowhere")))
    async with crowd() as ports:
        snapshot = asking(ports)
        started = asyncio.get_running_loop().time()
        options = {"deadline_s": deadline_s, "row_s": row_s}
        rows = [row async for row in run_checks(snapshot, connections, concurrency=concurrency, **options)]
        return snapshot, rows, asyncio.get_running_loop().time() - started


@pytest.mark.slow
@pytest.mark.parametrize(("row_s", "concurrency"), [(60.0, 40), (1.0, 16)], ids=["one deadline", "short rows"])
def test_forty_providers_within_one_deadline(row_s: float, concurrency: int) -> None:
    snapshot, rows, took = run(visited(DEADLINE, row_s, concurrency))
    assert took <= DEADLINE + 1
    done = {row.provider_id: row.result for row in rows if row.phase is Phase.DONE}
    assert len(done) == 40
    for name, result in done.items():
        assert result is not None
        kind = name.partition("-")[0]
        word = str(model_words(snapshot, result)[0])
        assert (result.reach.value, result.auth, word) == KINDS[kind][2], name
        assert result.status == STATUS[kind], name
