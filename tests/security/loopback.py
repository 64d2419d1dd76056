"""A real server on loopback that remembers all that reaches it, for a test that calls capdeck in the same process."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any


@dataclass(frozen=True, slots=True)
class Request:
    method: str
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def text(self) -> str:
        """All of it, to look for what should not be there."""
        return f"{self.method} {self.path} {self.headers} {self.body!r}"


@dataclass(frozen=True, slots=True)
class Reply:
    status: int = 200
    body: Any = None
    headers: dict[str, str] = field(default_factory=dict)


Answer = Callable[[Request], Reply]


@dataclass(slots=True)
class Loopback:
    """`connections` counts what connected, even if no request came."""

    port: int
    requests: list[Request] = field(default_factory=list)
    connections: int = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"


@contextmanager
def listening(answer: Answer) -> Iterator[Loopback]:
    """Serves while the block runs."""
    seen = Loopback(0)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def setup(self) -> None:
            seen.connections += 1
            super().setup()

        def _serve(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length") or 0))
            headers = {name.lower(): value for name, value in self.headers.items()}
            request = Request(self.command, self.path, headers, body)
            seen.requests.append(request)
            reply = answer(request)
            data = reply.body if isinstance(reply.body, bytes) else json.dumps(reply.body).encode()
            self.send_response(reply.status)
            for name, value in {"content-type": "application/json", **reply.headers}.items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        do_GET = do_POST = do_HEAD = _serve

        def log_message(self, *_: object) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    seen.port = server.server_port
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield seen
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def list_of(*ids: str, key: str | None = None, **headers: str) -> Answer:
    """A model list in OpenAI's shape; with `key` it answers 401 to everybody else."""

    def answer(request: Request) -> Reply:
        sent = request.headers.get("authorization", "").removeprefix("Bearer ")
        if key is not None and sent != key:
            return Reply(401, {"error": {"message": f"Incorrect API key provided: {sent}"}}, headers)
        if request.path in {"/models", "/v1/models"}:
            return Reply(200, {"data": [{"id": each, "max_model_len": 4096} for each in ids]}, headers)
        return Reply(404, {"error": {"message": "nothing here"}}, headers)

    return answer
