"""`capdeck serve`: on loopback, for who has the address, and with the files that were asked for."""

from __future__ import annotations

import asyncio
import os
import shlex
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.tui.cli.conftest import Desk
from tests.tui.cli.test_startup import loaded
from tui.cli.invocation import Invocation
from tui.cli.serve import shell_line, words_of


def test_without_the_extra_it_says_how_to_install_it(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tui.cli.serve.find_spec", lambda name: None)
    answer = desk.run("serve")
    assert answer.code == 2
    assert answer.err.splitlines()[0].startswith("error[web-missing]")
    assert "pip install 'capdeck[web]'" in answer.err


def test_a_file_that_is_not_there_is_told_before_anything_is_served(desk: Desk) -> None:
    pytest.importorskip("textual_serve", reason="the extra `web` is not installed")
    answer = desk.run("serve", "absent.yaml")
    assert answer.code == 2
    assert "there is no such file" in answer.err


def test_only_loopback_is_offered(desk: Desk) -> None:
    assert desk.run("serve", "--host", "0.0.0.0").code == 2


@pytest.mark.skipif(sys.platform == "win32", reason="another shell")
@pytest.mark.parametrize("name", ["a b;touch x", "$(touch x)", "'\"`x`", "--global", "demo", "-x", "\n"])
def test_a_file_of_any_name_is_one_word_to_the_shell_and_no_command_to_us(tmp_path: Path, name: str) -> None:
    words = words_of(Invocation(global_file=tmp_path / name, no_project=True), Path(name))
    assert shlex.split(shell_line(words)) == words
    assert words[-3:] == [f"--global={tmp_path / name}", "--no-project", str(Path.cwd() / name)]


def test_its_help_loads_no_screen(desk: Desk) -> None:
    code, modules = loaded(desk, "serve", "--help")
    assert code == 0
    assert not {"textual", "textual_serve", "aiohttp", "rich"} & modules


COMPLAINTS = "serve.err"
"""In the user's home; what the server says on standard error."""


@contextmanager
def served(desk: Desk, end: int = signal.SIGINT) -> Iterator[tuple[str, str]]:
    """The address of the server and its key, as it prints them."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    words = [sys.executable, "-m", "tui.cli.main", "serve", "--port", str(port)]
    with Path(COMPLAINTS).open("w") as complaints:
        process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=complaints, text=True, start_new_session=True)
    assert process.stdout is not None
    try:
        address, _, key = process.stdout.readline().split()[-1].partition("?key=")
        yield address, key
    finally:
        process.send_signal(end)
        process.communicate(timeout=30)


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_the_page_is_there_for_who_has_the_address_and_for_nobody_else(desk: Desk) -> None:
    pytest.importorskip("textual_serve", reason="the extra `web` is not installed")
    with served(desk) as (address, key), httpx.Client(trust_env=False, follow_redirects=True) as browser:
        assert address.startswith("http://127.0.0.1:")
        assert browser.get(address).status_code == 403
        assert browser.get(address, params={"key": "x"}).status_code == 403
        page = browser.get(address, params={"key": key})
        assert page.status_code == 200
        assert "capdeck" in page.text
        assert "key=" not in str(page.url)
        assert "font-src 'self'" in page.headers["content-security-policy"]
        assert browser.get(address).status_code == 200  # the browser has the cookie now
        for foreign in ({"Origin": "http://evil.example"}, {"Host": "evil.example"}):
            assert browser.get(address, headers=foreign).status_code == 403
        again = desk.run("serve", "--port", address.rstrip("/").rpartition(":")[2])
        assert again.err.startswith("error[port-taken]")
        assert not again.out  # no address that nobody answers at


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_bytes_that_are_no_request_are_refused_without_a_word(desk: Desk) -> None:
    pytest.importorskip("textual_serve", reason="the extra `web` is not installed")
    with served(desk) as (address, _):
        port = int(address.rstrip("/").rpartition(":")[2])
        host = f"Host: 127.0.0.1:{port}\r\n".encode()
        for request, status in (
            (b"GET / HTTP/1.1\r\n" + host + b"Cookie: capdeck-%d=\xff\xfe\r\n\r\n" % port, b"403"),
            (b"GET /?key=\xc3\xa9 HTTP/1.1\r\n" + host + b"\r\n", b"400"),
            (b"\x16\x03\x01\x00\r\n\r\n", b"400"),
        ):
            with socket.create_connection(("127.0.0.1", port)) as caller:
                caller.sendall(request)
                assert status in caller.recv(100)
    assert not Path(COMPLAINTS).read_text()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize("signal_number", [signal.SIGINT, signal.SIGTERM])
async def test_it_ends_though_pages_are_open(desk: Desk, signal_number: int) -> None:
    """They would be waited for for a minute."""
    aiohttp = pytest.importorskip("aiohttp", reason="the extra `web` is not installed")
    with served(desk, signal_number) as (address, key):
        browser = aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True))
        await browser.get(address, params={"key": key})
        page = await browser.ws_connect(address.replace("http", "ws") + "ws", origin=address.rstrip("/"))
        await page.receive(timeout=60)
    await browser.close()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals")
async def test_a_page_that_is_closed_keeps_its_unsaved_edits(desk: Desk) -> None:
    aiohttp = pytest.importorskip("aiohttp", reason="the extra `web` is not installed")

    async def seen(page: Any, what: bytes) -> None:
        while what not in (await page.receive(timeout=60)).data:
            pass

    with served(desk) as (address, key):
        async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as browser:
            await browser.get(address, params={"key": key})
            door = address.replace("http", "ws") + "ws"
            with pytest.raises(aiohttp.WSServerHandshakeError):
                await browser.ws_connect(door, origin="http://evil.example")
            page = await browser.ws_connect(door, origin=address.rstrip("/"), params={"width": 80, "height": 24})
            await seen(page, b"claude-opus-4-7")
            await page.send_json(["stdin", "e"])
            await seen(page, b"*1")
            await page.close()
        rescued = Path(os.environ["CAPDECK_STATE"]) / "rescued"
        for _ in range(600):
            if list(rescued.glob("*.yaml")):
                return
            await asyncio.sleep(0.1)
    raise AssertionError("nothing was kept")
