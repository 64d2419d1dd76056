"""A TCP proxy on loopback that spoils what passes through it, one fault at a time.

As a script, in front of a server that already runs: python -m tests.servers.faults FAULT UPSTREAM_PORT PORT
"""

from __future__ import annotations

import asyncio
import gzip
import itertools
import socket
import ssl
import struct
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

LOOPBACK = "127.0.0.1"
SSE_HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n"
MIB = 2**20


@dataclass(slots=True)
class Link:
    """A client's connection, and the port of the server that it wanted."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    upstream: int

    async def request(self) -> bytes:
        """The request's head and body, as far as its content-length goes."""
        head = await self.reader.readuntil(b"\r\n\r\n")
        sizes = [line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
        return head + await self.reader.readexactly(int(sizes[0].split(b":")[1]) if sizes else 0)

    async def say(self, data: bytes) -> None:
        self.writer.write(data)
        await self.writer.drain()

    async def upstream_pieces(self, step: int = 65536) -> AsyncIterator[bytes]:
        """What the real server answers to this request, at most `step` bytes at a time."""
        request = await self.request()
        reader, writer = await asyncio.open_connection(LOOPBACK, self.upstream)
        try:
            writer.write(request)
            while piece := await reader.read(step):
                yield piece
        finally:
            writer.close()

    async def pass_on(self, most: int | None = None, step: int = 65536, pause: float = 0) -> None:
        """The real answer: its first `most` bytes, with a pause in seconds after each step."""
        left = most
        async for piece in self.upstream_pieces(step):
            await self.say(piece if left is None else piece[:left])
            left = None if left is None else left - len(piece)
            if left is not None and left <= 0:
                return
            if pause:
                await asyncio.sleep(pause)

    def reset(self) -> None:
        """Ends with RST instead of FIN."""
        self.writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.writer.transport.abort()

    async def answer(self, data: bytes) -> None:
        await self.request()
        await self.say(data)


Fault = Callable[[Link], Awaitable[None]]
_CUT = 700


async def clean(link: Link) -> None:
    await link.pass_on()


async def latency(link: Link) -> None:
    await asyncio.sleep(0.1)
    await link.pass_on()


async def byte_by_byte(link: Link) -> None:
    await link.pass_on(step=1, pause=0.00001)


async def slowloris(link: Link) -> None:
    await link.pass_on(step=1, pause=0.05)


async def stall(link: Link) -> None:
    await link.pass_on(_CUT)
    await link.reader.read()


async def reset_in_the_middle(link: Link) -> None:
    await link.pass_on(_CUT)
    await asyncio.sleep(0.02)
    link.reset()


async def close_in_the_middle(link: Link) -> None:
    await link.pass_on(_CUT)


async def reset_at_once(link: Link) -> None:
    await link.reader.read(1)
    link.reset()


async def close_at_once(link: Link) -> None:
    await link.request()


async def black_hole(link: Link) -> None:
    await link.reader.read()
    await asyncio.sleep(3600)


async def garbage(link: Link) -> None:
    await link.answer(b"\x16\x03\x01 this is no HTTP\r\n\r\n")


async def short_body(link: Link) -> None:
    await link.answer(b'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: 1000\r\n\r\ndata: {"')


async def web_page(link: Link) -> None:
    page = b"<html>please log in</html>"
    await link.answer(b"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: %d\r\n\r\n%b" % (len(page), page))


async def bad_gateway(link: Link) -> None:
    head = b"HTTP/1.1 502 Bad Gateway\r\ncontent-type: text/html\r\nconnection: close\r\n\r\n"
    await link.answer(head + b"<html>502</html>")


async def redirect(link: Link) -> None:
    place = b"http://%b:%d/stolen" % (LOOPBACK.encode(), link.upstream)
    await link.answer(b"HTTP/1.1 307 Moved\r\nlocation: %b\r\ncontent-length: 0\r\n\r\n" % place)


async def endless_headers(link: Link) -> None:
    await link.answer(b"HTTP/1.1 200 OK\r\n")
    for number in itertools.count():
        await link.say(b"x-%d: %b\r\n" % (number, b"a" * 100))


async def endless_interim_answers(link: Link) -> None:
    await link.request()
    while True:
        await link.say(b"HTTP/1.1 103 Early Hints\r\n\r\n")


async def endless_stream(link: Link) -> None:
    await link.answer(SSE_HEAD)
    while True:
        await link.say(b": keep-alive\n\n" * 1000)


async def long_line(link: Link) -> None:
    await link.answer(SSE_HEAD + b"data: ")
    for _ in range(160):
        await link.say(b"x" * 65536)


BOMB = gzip.compress(bytes(16 * MIB), 1)


async def packed_bomb(link: Link) -> None:
    head = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-encoding: gzip\r\n\r\n"
    await link.answer(head + BOMB)


async def no_tls(link: Link) -> None:
    await link.say(b"HTTP/1.1 400 Bad Request\r\n\r\n")


@dataclass(slots=True)
class Proxy:
    """A running proxy: its port, and how many connections are open."""

    port: int = 0
    open: int = 0
    came: int = 0
    idle: asyncio.Event = field(default_factory=asyncio.Event)


@asynccontextmanager
async def proxy(
    fault: Fault, upstream: int, port: int = 0, *, tls: ssl.SSLContext | None = None
) -> AsyncIterator[Proxy]:
    """Listens on loopback while the block runs, and ends every connection with it."""
    running, tasks = Proxy(), set[asyncio.Task[None]]()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        running.open, running.came = running.open + 1, running.came + 1
        task = asyncio.current_task()
        assert task is not None
        tasks.add(task)
        try:
            with suppress(OSError, EOFError, asyncio.IncompleteReadError):
                await fault(Link(reader, writer, upstream))
        except asyncio.CancelledError:
            pass
        finally:
            writer.close()
            tasks.discard(task)
            running.open -= 1
            if not running.open:
                running.idle.set()

    server = await asyncio.start_server(serve, LOOPBACK, port, ssl=tls)
    running.port = server.sockets[0].getsockname()[1]
    try:
        yield running
    finally:
        server.close()
        for task in list(tasks):
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


@asynccontextmanager
async def canned(answer: bytes) -> AsyncIterator[Proxy]:
    """A server that gives every request the same answer."""

    async def say(link: Link) -> None:
        await link.answer(answer)

    async with proxy(say, 0) as running:
        yield running


async def _main(name: str, upstream: int, port: int) -> None:
    async with proxy(globals()[name], upstream, port) as running:
        print(f"{name} on {LOOPBACK}:{running.port} before port {upstream}", flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    with suppress(KeyboardInterrupt):
        asyncio.run(_main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
