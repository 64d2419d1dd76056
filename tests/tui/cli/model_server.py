"""A model's server on loopback that answers as it is told, and a desk whose models.yaml names it."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.adapters.streams import OPENAI_STREAM, chunk
from tests.tui.cli.conftest import Desk

KEY = "sk-canary-trial-7f3a9c51e2b84d06"
Reply = Callable[["Caller"], None]


class Caller(BaseHTTPRequestHandler):
    """One request: `body` is what was sent."""

    protocol_version = "HTTP/1.0"
    server: ModelServer

    def do_POST(self) -> None:
        self.body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.server.bodies.append(self.body)
        self.server.reply(self)

    def log_message(self, format: str, *args: Any) -> None:
        """Silence."""

    def begin(self, status: int = 200, media_type: str = "text/event-stream") -> None:
        self.send_response(status)
        self.send_header("content-type", media_type)
        self.end_headers()

    def send(self, *events: Any) -> None:
        for event in events:
            self.wfile.write(f"data: {json.dumps(event)}\n\n".encode())

    def wait_for_end(self) -> None:
        """Until the other side has closed its socket."""
        with suppress(ConnectionResetError):
            while self.rfile.read(1):
                pass
        self.server.left.set()


class ModelServer(ThreadingHTTPServer):
    """`left` is set once a caller has closed a stream that did not end."""

    daemon_threads = True

    def __init__(self, reply: Reply) -> None:
        super().__init__(("127.0.0.1", 0), Caller)
        self.reply = reply
        self.bodies: list[Any] = []
        self.left = threading.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"


def say(*texts: str) -> Reply:
    """A good stream of these pieces."""

    def reply(caller: Caller) -> None:
        caller.begin()
        caller.send(OPENAI_STREAM[0], *(chunk({"content": text}) for text in texts), *OPENAI_STREAM[-2:])
        caller.wfile.write(b"data: [DONE]\n\n")

    return reply


def refuse(status: int, message: str) -> Reply:
    def reply(caller: Caller) -> None:
        caller.begin(status, "application/json")
        caller.wfile.write(json.dumps({"error": {"message": message, "type": "x"}}).encode())

    return reply


@contextmanager
def serving(reply: Reply) -> Iterator[ModelServer]:
    server = ModelServer(reply)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def config(url: str, *, enabled: bool = True) -> str:
    return f"""\
providers:
  - provider_id: near
    provider_kind: openai_compatible
    base_url: {url}
    auth_ref: env:CAPDECK_TEST_KEY
    models:
      - model_id: m1
        enabled: {str(enabled).lower()}
        max_output_tokens: 500
        supports: {{streaming: true, tool_use: true, structured_output: false}}
"""


def put(desk: Desk, server: ModelServer, **more: bool) -> None:
    desk.write(config(server.url, **more))
