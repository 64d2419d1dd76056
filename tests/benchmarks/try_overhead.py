"""First token by `capdeck try`'s path against a bare httpx stream: `python -m tests.benchmarks.try_overhead`.

Both ask one server on loopback, in turns, in one process. Counted is everything from a prompt to the first words of
its answer: `try` looks the key up, opens the adapter, converts, sends, decodes and redacts; the bare stream makes a
client, sends and reads lines. Imports and the reading of models.yaml come before either. The server is a process of
its own that thinks for a while, as every model does; with --think 0 nothing is left but the overhead itself. With
--base-url and --model a real server is asked instead.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import ssl
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from statistics import median

import httpx

from adapters.conversion import convert
from adapters.model_target import target_of
from adapters.reach import at_wire, connections_of, settings_in
from adapters.registry import open_adapter
from adapters.secrets import CredentialResolver
from adapters.trial import Meter, attempt, prompt_request
from model.resolve import ResolvedModel
from model.snapshot import Snapshot, Surroundings, derive
from model.vocabulary import Layer
from tests.adapters.streams import OPENAI_STREAM
from tests.model.samples import open_file_text

LIMIT = 1.2
"""How many times a bare stream's time to the first token `try` may take (issue F, result 6)."""
PROMPT = "Say hello."
MOST = 16
KEY = "sk-benchmark-0123456789"
Way = Callable[[], Awaitable[float]]


def config(base_url: str, model_id: str) -> str:
    return f"""\
providers:
  - provider_id: p
    provider_kind: openai_compatible
    base_url: {base_url}
    auth_ref: env:KEY
    models: [{{model_id: "{model_id}", supports: {{streaming: true}}}}]
"""


async def by_try(snapshot: Snapshot, row: ResolvedModel) -> float:
    """Seconds to the first words."""
    start, first = time.perf_counter(), [0.0]
    connections = connections_of(snapshot)
    adapter = open_adapter(settings_in(snapshot, row.model.provider), connections)
    target = at_wire(adapter, target_of(row))
    converted = convert(prompt_request(row, PROMPT, max_output_tokens=MOST), target)

    def show(_: object) -> None:
        first[0] = first[0] or time.perf_counter()

    reading = await attempt(adapter, converted, target, Meter(), connections.redactor, show)
    if not first[0]:
        raise SystemExit(f"no words came: {reading.failure}")
    return first[0] - start


async def by_httpx(base_url: str, model_id: str, context: ssl.SSLContext) -> float:
    """Seconds to the first words."""
    start, first = time.perf_counter(), 0.0
    body = {"model": model_id, "messages": [{"role": "user", "content": PROMPT}], "max_tokens": MOST, "stream": True}
    headers = {"authorization": f"Bearer {KEY}"}
    async with (
        httpx.AsyncClient(verify=context, trust_env=False) as client,
        client.stream("POST", f"{base_url}/chat/completions", json=body, headers=headers) as answer,
    ):
        async for line in answer.aiter_lines():
            if not first and _words(line):
                first = time.perf_counter()
    return first - start


def _words(line: str) -> str:
    if not line.startswith("data: {"):
        return ""
    choices = json.loads(line.removeprefix("data: "))["choices"]
    return choices[0]["delta"].get("content") or "" if choices else ""


async def measure(ways: dict[str, Way], rounds: int) -> dict[str, float]:
    """Median milliseconds, asked in turns so that a busy machine slows both alike; the first round warms up."""
    taken: dict[str, list[float]] = {name: [] for name in ways}
    for number in range(rounds + 1):
        for name, way in ways.items():
            seconds = await way()
            if number:
                taken[name].append(seconds * 1000)
    return {name: median(times) for name, times in taken.items()}


# -- the server -------------------------------------------------------------------------------------------------------
async def serve(think: float) -> None:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        length = next(line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:"))
        await reader.readexactly(int(length.partition(b":")[2]))
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n")
        await asyncio.sleep(think)
        for event in OPENAI_STREAM:
            writer.write(f"data: {json.dumps(event)}\n\n".encode())
            await writer.drain()
        writer.write(b"data: [DONE]\n\n")
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


@contextmanager
def server(think: float) -> Iterator[str]:
    """Its base_url."""
    words = [sys.executable, "-m", "tests.benchmarks.try_overhead", "--serve", "--think", str(think)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield f"http://127.0.0.1:{process.stdout.readline().strip()}/v1"
        finally:
            process.terminate()


def compare(base_url: str, model_id: str, rounds: int) -> float:
    """Prints both, and returns how many times a bare stream's time `try` takes."""
    credentials = CredentialResolver(environ={"KEY": KEY})
    file = open_file_text(config(base_url, model_id), layer=Layer.GLOBAL)
    snapshot = derive((file,), Surroundings(credentials))
    row, context = snapshot.matrix.rows[0], ssl.create_default_context()
    ways: dict[str, Way] = {
        "httpx": lambda: by_httpx(base_url, model_id, context),
        "try": lambda: by_try(snapshot, row),
    }
    found = asyncio.run(measure(ways, rounds))
    ratio = found["try"] / found["httpx"]
    print(f"first token: bare httpx {found['httpx']:.1f} ms, try {found['try']:.1f} ms: {ratio:.2f}×")
    return ratio


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--think", type=float, default=0.05, help="seconds before the server's first token")
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--base-url", default="", help="ask this server instead")
    parser.add_argument("--model", default="m1")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.serve:
        asyncio.run(serve(given.think))
        return
    if given.base_url:
        ratio = compare(given.base_url, given.model, given.rounds)
    else:
        with server(given.think) as base_url:
            ratio = compare(base_url, given.model, given.rounds)
    if ratio > LIMIT:
        sys.exit(f"more than {LIMIT}×")


if __name__ == "__main__":
    main()
