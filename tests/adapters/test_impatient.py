"""A name server that does not answer holds up neither the checks nor the end of the process."""

from __future__ import annotations

import asyncio
import socket
import time
from threading import Event

import pytest

from adapters.checks import Phase, run_checks
from adapters.impatient import run
from adapters.registry import Connections
from adapters.secrets import CredentialResolver
from tests.adapters.visits import KEY, provider, snapshot_of

NEVER_SECONDS = 20.0
"""Far longer than the test takes where it is right."""


def test_a_look_up_that_hangs_is_left_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    released = Event()

    def hanging(*_: object, **__: object) -> list[object]:
        released.wait(NEVER_SECONDS)
        raise socket.gaierror("never")

    monkeypatch.setattr(socket, "getaddrinfo", hanging)

    async def visited() -> list[str]:
        connections = Connections(CredentialResolver({"K": KEY}))
        rows = run_checks(snapshot_of(provider()), connections, row_s=0.2)
        return [row.result.endpoint_words async for row in rows if row.phase is Phase.DONE and row.result]

    started = time.monotonic()
    try:
        assert run(visited()) == ["timed out"]
        assert time.monotonic() - started < NEVER_SECONDS
    finally:
        released.set()


def test_what_a_thread_gives_or_raises_arrives() -> None:
    async def work() -> tuple[int, str]:
        try:
            await asyncio.to_thread(int, "x")
        except ValueError as error:
            return await asyncio.to_thread(int, "7"), type(error).__name__
        return 0, ""

    assert run(work()) == (7, "ValueError")
