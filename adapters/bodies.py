"""Reading an answer's body under a deadline and a limit, packed or not."""

from __future__ import annotations

import asyncio
import json
import zlib
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any, NoReturn, cast

import httpx

from adapters.errors import Failure, FailureKind, ProviderError, failure
from adapters.transport_errors import read_transport_error

_PACKED = {"gzip": 31, "x-gzip": 31, "deflate": 15}


class Unpacker:
    """Unpacks a body in bounded steps, so that a few bytes cannot become a gigabyte in memory."""

    def __init__(self, encoding: str, limit: int) -> None:
        self._limit = limit
        self._unpack = zlib.decompressobj(_PACKED[encoding]) if encoding in _PACKED else None
        if encoding not in {*_PACKED, "", "identity"}:
            raise ProviderError(failure(FailureKind.MALFORMED, "it is packed in a way that was not asked for"))

    def __call__(self, piece: bytes) -> bytes:
        """Raises ProviderError (MALFORMED, OVERFLOW)."""
        if self._unpack is None:
            return piece
        try:
            unpacked = self._unpack.decompress(piece, self._limit + 1)
        except zlib.error:
            problem = failure(FailureKind.MALFORMED, "it cannot be unpacked")
        else:
            if not self._unpack.unconsumed_tail:
                return unpacked
            problem = _over(self._limit)
        raise ProviderError(problem)


async def read_pieces(response: httpx.Response, deadline: float, limit: int) -> AsyncGenerator[bytes, None]:
    """The unpacked body in pieces, until `deadline` (loop time) and at most `limit` bytes.

    Raises ProviderError (TIMEOUT, TRUNCATED, OVERFLOW, MALFORMED).
    """
    _check_declared(response, limit)
    unpack = Unpacker(response.headers.get("content-encoding", "").strip().lower(), limit)
    total = 0
    async with aclosing(_raw(response, deadline)) as raw:
        async for packed in raw:
            piece = unpack(packed)
            total += len(piece)
            if total > limit:
                raise ProviderError(_over(limit))
            if piece:
                yield piece


async def read_body(response: httpx.Response, deadline: float, limit: int) -> bytes:
    """The whole body; raises as `read_pieces`."""
    async with aclosing(read_pieces(response, deadline, limit)) as pieces:
        return b"".join([piece async for piece in pieces])


async def read_start(response: httpx.Response, deadline: float, limit: int) -> tuple[bytes, bool]:
    """As much of an error's body as can be had, and whether something is missing. Never raises ProviderError."""
    start = b""
    try:
        async with aclosing(read_pieces(response, deadline, limit)) as pieces:
            async for piece in pieces:
                start += piece
    except ProviderError:
        return start, True
    return start, False


def parse_json(data: bytes) -> Any:
    """Raises ProviderError (MALFORMED): also for NaN, and for nesting that is too deep."""
    try:
        return json.loads(data.decode("utf-8"), parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        problem = failure(FailureKind.MALFORMED, "it is not JSON")
    raise ProviderError(problem)


def _refuse_constant(text: str) -> NoReturn:
    raise ValueError(text)


async def _raw(response: httpx.Response, deadline: float) -> AsyncGenerator[bytes, None]:
    """The deadline stands around each read, never around a `yield`: it must not cancel the reader of this."""
    async with aclosing(cast(AsyncGenerator[bytes, None], response.aiter_raw())) as raw:
        while piece := await _next_piece(raw, deadline):
            yield piece


async def _next_piece(raw: AsyncGenerator[bytes, None], deadline: float) -> bytes:
    """The next bytes; none at the end."""
    problem: Failure
    try:
        async with asyncio.timeout_at(deadline):
            return await anext(raw, b"")
    except (httpx.HTTPError, httpx.StreamError, OSError) as error:
        problem = read_transport_error(error, answer_begun=True)
    raise ProviderError(problem)


def _check_declared(response: httpx.Response, limit: int) -> None:
    declared = response.headers.get("content-length", "")
    if declared.isascii() and declared.isdigit() and (len(declared) > 18 or int(declared) > limit):
        raise ProviderError(_over(limit))


def _over(limit: int) -> Failure:
    return failure(FailureKind.OVERFLOW, f"over {limit} bytes")
