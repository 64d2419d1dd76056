"""A canary in every place where a key can be, and servers that give back what they were sent: no output of the online
checks and nothing that is kept holds a piece of it."""

from __future__ import annotations

import base64
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import httpx
import pytest

from tests.security.loopback import Loopback, Reply, Request, listening
from tests.tui.cli.conftest import Answer, Desk, bare_desk

__all__ = ["bare_desk"]

ENV, FILE, RING, LITERAL, URL = (f"sk-Canary-{name}-7f3A9c51E2b84D06" for name in ("env", "file", "ring", "ref", "url"))
CANARIES = (ENV, FILE, RING, LITERAL, URL)
FORMATS = ("text", "json", "sarif", "junit", "github")


def config(server: Loopback, home: Path) -> str:
    def row(name: str, auth_ref: str, url: str = f"{server.url}/v1") -> dict[str, object]:
        models = [{"model_id": "m", "context_window_tokens": 999999}]
        kind = "openai_compatible"
        return {"provider_id": name, "provider_kind": kind, "base_url": url, "auth_ref": auth_ref, "models": models}

    rows = [
        row("by-env", "env:CAPDECK_TEST_KEY"),
        row("by-file", f"file:{home}/key"),
        row("by-ring", "keyring:capdeck/me"),
        row("literal", LITERAL),
        row("in-url", "env:CAPDECK_TEST_KEY", f"http://me:{URL}@127.0.0.1:{server.port}/v1?key={URL}"),
    ]
    return json.dumps({"providers": rows}, indent=1)


@pytest.fixture
def keyholder(bare_desk: Desk, monkeypatch: pytest.MonkeyPatch) -> Desk:
    monkeypatch.setenv("CAPDECK_TEST_KEY", ENV)
    bare_desk.write(FILE, "key")
    monkeypatch.setitem(sys.modules, "keyring", SimpleNamespace(get_password=lambda service, user: RING))
    return bare_desk


def sent(request: Request) -> str:
    return request.headers.get("authorization", "").removeprefix("Bearer ") or "nothing"


def in_a_list(request: Request) -> Reply:
    key = sent(request)
    rows = [{"id": key, "name": key, "max_model_len": 4096}, {"id": f"m-{key}", "owned_by": key}, {"id": "m2"}]
    return Reply(200, {"data": rows})


PLAIN, HTML = {"content-type": "text/plain"}, {"content-type": "text/html"}
ECHOES: dict[str, Callable[[Request], Reply]] = {
    "a refusal": lambda request: Reply(401, {"error": {"message": f"wrong: {sent(request)}", "type": sent(request)}}),
    "half a key": lambda request: Reply(403, {"error": {"message": f"{sent(request)[:14]}***{sent(request)[-6:]}"}}),
    "base64": lambda request: Reply(400, {"error": base64.b64encode(f"me:{sent(request)}".encode()).decode()}),
    "plain text": lambda request: Reply(500, f"{sent(request)}: {request.headers}".encode(), PLAIN),
    "a web page": lambda request: Reply(200, f"<html>{sent(request)}".encode(), HTML),
    "a redirect": lambda request: Reply(302, b"", {"location": f"https://{sent(request)}.example/?k={sent(request)}"}),
    "headers": lambda request: Reply(
        429, {}, {"x-echo": sent(request), "retry-after": sent(request), "x-ratelimit-limit-requests": sent(request)}
    ),
    "a list": in_a_list,
    "200 with an error": lambda request: Reply(200, {"error": {"message": sent(request), "code": sent(request)}}),
    "broken JSON": lambda request: Reply(200, f'{{"{sent(request)}'.encode()),
}  # fmt: skip


def pieces(text: str) -> list[str]:
    """What of the canaries a text holds: whole, the end, or the part that is not in its name."""
    parts = {part for canary in CANARIES for part in (canary, canary[-12:], canary[10:])}
    return [part for part in parts if part.lower() in text.lower()]


def holds_no_canary(answer: Answer) -> None:
    assert not pieces(answer.out + answer.err)


@pytest.mark.parametrize("echo", ECHOES.values(), ids=ECHOES.keys())
def test_no_format_and_no_store_holds_a_key(keyholder: Desk, echo: Callable[[Request], Reply]) -> None:
    with listening(echo) as server:
        keyholder.write(config(server, keyholder.home))
        for format in FORMATS:
            answer = keyholder.run("doctor", "--online", "--format", format)
            assert answer.code in {0, 1}, answer.err
            assert answer.out
            holds_no_canary(answer)
        reached = {sent(request) for request in server.requests} - {"nothing"}
    assert reached == {ENV, FILE, RING}
    kept = [path for path in Path(os.environ["CAPDECK_STATE"]).rglob("*") if path.is_file()]
    for path in kept:
        assert not pieces(path.read_bytes().decode("utf-8", "replace"))


def test_an_exceptions_text_is_not_repeated(keyholder: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken(self: object, request: httpx.Request, **_: object) -> httpx.Response:
        raise httpx.ConnectError(f"while sending {request.headers} {ENV}", request=request)

    monkeypatch.setattr("httpx.AsyncClient.send", broken)
    keyholder.write(config(Loopback(9), keyholder.home))
    answer = keyholder.run("doctor", "--online", "--json")
    assert answer.code == 1
    holds_no_canary(answer)


def test_a_mistake_of_ours_in_a_check_is_not_repeated(keyholder: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken(self: object, adapter: object) -> None:
        raise RuntimeError(f"about {ENV}")

    monkeypatch.setattr("adapters.checks_visit.Visit._ask", broken)
    keyholder.write(config(Loopback(9), keyholder.home))
    answer = keyholder.run("doctor", "--online")
    assert "the check itself failed with RuntimeError" in answer.out
    holds_no_canary(answer)


def test_the_list_of_what_could_be_trusted_shows_no_key(keyholder: Desk) -> None:
    with listening(in_a_list) as server:
        path = keyholder.write(config(server, keyholder.home), "clone/.air/shared/models.yaml")
        for words in (("--json",), ("--yes",)):
            holds_no_canary(keyholder.run("trust", "--project", path, *words))
        holds_no_canary(keyholder.run("untrust", "--all", "--json"))
    assert not pieces((keyholder.home / ".air" / "trust.yaml").read_text())


def test_the_canaries_would_be_shown_without_the_redactor(keyholder: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """So the tests above prove something."""
    monkeypatch.setattr("adapters.redaction.Redactor.add", lambda self, secret: None)
    with listening(ECHOES["a refusal"]) as server:
        keyholder.write(config(server, keyholder.home))
        assert pieces(keyholder.run("doctor", "--online").out)
