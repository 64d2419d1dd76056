"""Answers made by hand, for adapters under test."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from typing import Any

import httpx

JSON = {"content-type": "application/json"}
SSE = {"content-type": "text/event-stream"}
NDJSON = {"content-type": "application/x-ndjson"}
Handler = Callable[[httpx.Request], httpx.Response]


class Pieces(httpx.AsyncByteStream):
    """A body in pieces; it counts what was read and knows whether it was closed."""

    def __init__(self, pieces: list[bytes], *, repeat: int = 1, stall: bool = False) -> None:
        self.pieces, self.repeat, self.stall = pieces, repeat, stall
        self.read, self.closed = 0, False

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for _ in range(self.repeat):
            for piece in self.pieces:
                self.read += len(piece)
                yield piece
        if self.stall:
            await asyncio.Event().wait()

    async def aclose(self) -> None:
        self.closed = True


def reply(body: bytes | Pieces, headers: dict[str, str] | None = None, status: int = 200) -> httpx.Response:
    stream = body if isinstance(body, Pieces) else Pieces([body])
    return httpx.Response(status, headers=JSON if headers is None else headers, stream=stream)


def json_reply(value: Any, status: int = 200, **headers: str) -> httpx.Response:
    return reply(json.dumps(value).encode(), {**JSON, **headers}, status)


def sse_reply(*events: Any, done: bool = False, named: bool = False) -> httpx.Response:
    """A stream with one event an object; `named` puts its type before it, as Anthropic does."""
    names = [f"event: {event['type']}\n" if named else "" for event in events]
    lines = [f"{name}data: {json.dumps(event)}\n\n" for name, event in zip(names, events, strict=True)]
    return reply(("".join(lines) + "data: [DONE]\n\n" * done).encode(), SSE)


def ndjson_reply(*lines: Any) -> httpx.Response:
    return reply("".join(json.dumps(line) + "\n" for line in lines).encode(), NDJSON)


class Server:
    """Answers by (method, path) and keeps the requests that came."""

    def __init__(self, answers: dict[tuple[str, str], Handler | list[Handler]]) -> None:
        self.answers = answers
        self.requests: list[httpx.Request] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        answer = self.answers.get((request.method, request.url.path))
        if answer is None:
            return json_reply({"error": {"message": "nothing here"}}, 404)
        return (answer.pop(0) if isinstance(answer, list) else answer)(request)

    def body(self, index: int = -1) -> Any:
        return json.loads(self.requests[index].content)
