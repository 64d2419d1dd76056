"""A secret in use appears nowhere: errors, events, records, reprs, logs, tracebacks; whatever a server does with it."""

from __future__ import annotations

import base64
import logging
import traceback
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import httpx
import pytest

from adapters.discovery import discover, prove_key
from adapters.errors import ProviderError
from adapters.probes import PROBES, plan, run
from adapters.registry import Connections, open_adapter
from adapters.secrets import CredentialResolver
from model.auth import parse_auth_ref
from model.vocabulary import ProviderKind
from tests.adapters.opening import ASK, collect, settings
from tests.adapters.streams import OPENAI_STREAM
from tests.adapters.test_discovery import TODAY
from tests.adapters.wire import Handler, json_reply, ndjson_reply, reply, sse_reply

CANARY = 'cnry-7Hq/2b+Zz="\\Wm9'
CORE = "7Hq"
FORMS = [
    CANARY,
    quote(CANARY, safe=""),
    base64.b64encode(f"u:{CANARY}".encode()).decode(),
    CANARY[:6] + "****" + CANARY[-4:],
]


def traces(text: str) -> bool:
    """Whether the canary, or its base64 at any offset, can be read in `text`."""
    if CORE in text or quote(CANARY, safe="")[:9] in text:
        return True
    return any(base64.b64encode(b"0" * shift + CANARY.encode()).decode()[4:16] in text for shift in range(3))


def test_the_test_sees_a_leak() -> None:
    assert all(traces(f"x {form} y") for form in FORMS[:3])
    assert not traces("nothing here")


@pytest.fixture(params=["env", "file"])
def auth_ref(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    (tmp_path / "key").write_text(CANARY)
    return "env:CANARY" if request.param == "env" else f"file:{tmp_path}/key"


KINDS = [ProviderKind.ANTHROPIC, ProviderKind.OPENAI, ProviderKind.OPENROUTER, ProviderKind.OLLAMA]


def echoing(say: Callable[[str], httpx.Response]) -> Handler:
    """A hostile server that answers with whatever key it was sent, in every form."""

    def answer(request: httpx.Request) -> httpx.Response:
        sent = request.headers.get("x-api-key") or request.headers.get("authorization", "").removeprefix("Bearer ")
        assert sent in {CANARY, ""}
        return say(" ".join(FORMS))

    return answer


def error_body(status: int) -> Callable[[str], httpx.Response]:
    return lambda text: json_reply({"error": {"message": f"bad key {text}", "type": text, "code": text}}, status)


def stream_of(text: str) -> httpx.Response:
    events = [{**event, "id": text, "model": text} for event in OPENAI_STREAM]
    pieces = [{**events[1], "choices": [{"index": 0, "delta": {"content": piece}}]} for piece in text]
    return sse_reply(events[0], *pieces, *events[3:], done=True)


HOSTILE: dict[str, Callable[[str], httpx.Response]] = {
    "401": error_body(401),
    "404": error_body(404),
    "429": error_body(429),
    "500": error_body(500),
    "plain text": lambda text: reply(text.encode(), {"content-type": "text/plain"}, 400),
    "web page": lambda text: reply(f"<html>{text}".encode(), {"content-type": "text/html"}),
    "redirect": lambda text: httpx.Response(
        302, headers={"location": f"https://{CANARY[:4]}.evil.example/{quote(text)}"}
    ),
    "headers": lambda text: json_reply({"x": 1}, 400, **{"x-echo": text, "retry-after": text, "content-type": text}),
    "200 with an error": lambda text: json_reply({"error": {"message": text, "code": text}}),
    "malformed": lambda text: reply(f'data: {{"{text}'.encode() + b"\n\n", {"content-type": "text/event-stream"}),
    "error in a stream": lambda text: sse_reply({"type": "error", "error": {"type": text, "message": text}}),
    "error in lines": lambda text: ndjson_reply({"error": text}),
    "text of a stream": stream_of,
    "list": lambda text: json_reply({"data": [{"id": text, "display_name": text}], "models": [{"name": text}]}),
    "list that goes on": lambda text: json_reply({"data": [], "has_more": True, "last_id": text}),
}


async def everything(kind: ProviderKind, auth_ref: str, handler: Handler, *, with_locals: bool = False) -> list[str]:
    """All that one adapter says to anybody, as text."""
    connections = Connections(CredentialResolver({"CANARY": CANARY}), http=httpx.MockTransport(handler))
    adapter = open_adapter(settings(kind, auth_ref=parse_auth_ref(auth_ref)), connections)
    said = [repr(adapter), repr(connections), repr(vars(adapter)), repr(adapter.settings)]
    probe = plan(adapter, "m1", PROBES[:1])[0]
    for ask in (
        lambda: collect(adapter.complete(ASK)),
        lambda: adapter.listed(),
        lambda: adapter.list_models(),
        lambda: adapter.look_up("m1"),
        lambda: adapter.count_tokens(ASK),
        lambda: discover(adapter, TODAY),
        lambda: prove_key(adapter),
        lambda: run(adapter, probe, TODAY),
    ):
        try:
            said.append(repr(await ask()))
        except ProviderError as error:
            said += [str(error), repr(error), repr(error.failure), _trace(error, with_locals)]
    await adapter.aclose()
    return said


def _trace(error: BaseException, with_locals: bool) -> str:
    return "".join(traceback.TracebackException.from_exception(error, capture_locals=with_locals).format())


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("say", HOSTILE.values(), ids=HOSTILE.keys())
async def test_nothing_that_an_adapter_says_holds_the_key(
    kind: ProviderKind, say: Callable[[str], httpx.Response], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    said = await everything(kind, "env:CANARY", echoing(say))
    for text in said:
        assert not traces(text), text[max(0, text.find(CORE) - 600) :][:900]
    assert not traces(caplog.text)


async def test_a_transport_error_keeps_no_request_with_its_key(auth_ref: str) -> None:
    def broken(request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError(f"while sending {request.headers}", request=request)

    said = await everything(ProviderKind.ANTHROPIC, auth_ref, broken, with_locals=True)
    assert not any(traces(text) for text in said)


async def test_a_refusal_shows_no_key_even_with_the_variables_of_every_frame(auth_ref: str) -> None:
    said = await everything(ProviderKind.OPENAI, auth_ref, echoing(error_body(401)), with_locals=True)
    assert not any(traces(text) for text in said)


async def test_no_exception_that_is_left_holds_a_request(auth_ref: str) -> None:
    connections = Connections(CredentialResolver({"CANARY": CANARY}), http=httpx.MockTransport(lambda _: _broken()))
    adapter = open_adapter(settings(ProviderKind.OPENAI, auth_ref=parse_auth_ref(auth_ref)), connections)
    with pytest.raises(ProviderError) as caught:
        await adapter.listed()
    assert caught.value.__context__ is None
    assert caught.value.__cause__ is None


def _broken() -> httpx.Response:
    raise httpx.ReadError("broken")
