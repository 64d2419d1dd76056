"""Runs a coroutine in a loop of its own that never waits for a blocked thread: a name server that does not answer, a
keyring that asks. Python would wait for such a thread at the end of the loop and again at exit."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Thread
from typing import Any, TypeVar

T = TypeVar("T")


class _Abandoning(ThreadPoolExecutor):
    """A thread for each call, which dies with the process; the callers' own caps bound how many there are."""

    def submit(self, function: Callable[..., T], /, *args: Any, **more: Any) -> Future[T]:
        future: Future[T] = Future()

        def work() -> None:
            if not future.set_running_or_notify_cancel():
                return
            try:
                future.set_result(function(*args, **more))
            except BaseException as error:  # the waiter gets it, as an executor's does
                future.set_exception(error)

        Thread(target=work, daemon=True, name="capdeck-look-up").start()
        return future


def run(work: Coroutine[Any, Any, T]) -> T:
    """As `asyncio.run`: ctrl-C cancels the work and raises KeyboardInterrupt."""
    with asyncio.Runner(loop_factory=_loop) as runner:
        return runner.run(work)


def _loop() -> asyncio.AbstractEventLoop:
    loop = asyncio.new_event_loop()
    loop.set_default_executor(_Abandoning())
    return loop
