"""The workbench in a browser on this machine: textual-serve, behind a door of our own.

textual-serve asks nobody who they are, and whoever reaches its port has the keyboard of an app that writes files and
knows where keys lie: other users of the machine, and any page in the user's browser. So it listens on loopback only,
answers only to its own address, and only to a browser that was opened with the key of this one run.
"""

from __future__ import annotations

import asyncio
import hmac
import logging
import secrets
import socket
from collections.abc import Awaitable, Callable
from typing import Any

import click
from aiohttp import web
from aiohttp.http_exceptions import BadHttpMessage
from textual_serve.server import Server

HOST = "127.0.0.1"
_HEADERS = {
    "Content-Security-Policy": "style-src 'self' 'unsafe-inline'; font-src 'self' data:; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}
"""The page would fetch a font from elsewhere, and thereby tell where that it was opened."""
_NOT_YOU = "This is capdeck. Open the address that `capdeck serve` printed.\n"


class LoopbackServer(Server):
    """Runs one workbench for each page that is opened. `command` goes to a shell and has to be quoted already."""

    def __init__(self, command: str, port: int) -> None:
        super().__init__(command, host=HOST, port=port, title="capdeck", public_url=f"http://{HOST}:{port}")
        self._key = secrets.token_urlsafe(24)
        self._cookie = f"capdeck-{port}"
        self._pages: set[asyncio.Task[Any] | None] = set()

    @property
    def address(self) -> str:
        """What to open; whoever has it is let in."""
        return f"{self.public_url}/?key={self._key}"

    def serve(self, debug: bool = False) -> None:
        """As textual-serve does, but who is told the address is also let in: the port is taken first. Raises
        OSError."""
        self.debug = debug
        self.initialize_logging()
        with socket.create_server((HOST, self.port)) as port:
            web.run_app(self._make_app(), sock=port, print=None)

    def initialize_logging(self) -> None:
        """Textual-serve's own prints the local variables of each traceback."""
        logging.basicConfig(level=logging.WARNING, format="%(message)s")
        logging.getLogger("aiohttp.server").addFilter(_is_of_ours)

    async def on_startup(self, app: web.Application) -> None:
        click.echo(f"capdeck is at {self.address}\nctrl+c ends it")

    async def on_shutdown(self, app: web.Application) -> None:
        """Each page's workbench is asked to leave, as if the page had been closed; else all would be waited for."""
        for page in filter(None, self._pages):
            page.cancel()

    async def handle_websocket(self, request: web.Request) -> web.WebSocketResponse:
        """One open page, from its first frame to its last."""
        page = asyncio.current_task()
        self._pages.add(page)
        try:
            return await super().handle_websocket(request)
        finally:
            self._pages.discard(page)

    async def _make_app(self) -> web.Application:
        app = await super()._make_app()
        app.middlewares.append(self._admit)
        app.on_response_prepare.append(_add_headers)
        return app

    @web.middleware
    async def _admit(
        self, request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
    ) -> web.StreamResponse:
        if request.headers.get("Origin", self.public_url) != self.public_url or request.host != f"{HOST}:{self.port}":
            raise web.HTTPForbidden(text=_NOT_YOU)  # another page, or a name that somebody else points here
        if request.path == "/" and self._opens(request.query.get("key")):
            inside = web.HTTPSeeOther("/")  # so that the key stands in no history
            inside.set_cookie(self._cookie, self._key, httponly=True, samesite="Strict")
            return inside
        if not self._opens(request.cookies.get(self._cookie)):
            raise web.HTTPForbidden(text=_NOT_YOU)
        return await handler(request)

    def _opens(self, key: str | None) -> bool:
        return key is not None and hmac.compare_digest(key.encode(errors="replace"), self._key.encode())


def _is_of_ours(record: logging.LogRecord) -> bool:
    """Whoever reaches the port may send bytes that are no request; what that breaks is not worth a traceback."""
    return not (record.exc_info and isinstance(record.exc_info[1], BadHttpMessage))


async def _add_headers(_: web.Request, response: web.StreamResponse) -> None:
    response.headers.update(_HEADERS)
