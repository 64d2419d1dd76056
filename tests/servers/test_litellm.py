"""LiteLLM's proxy, as it is installed at many a user's: its mock answers, its failures, and a stream through it.

It takes 760 MB, and 15 seconds to start, so it is asked for: CAPDECK_LITELLM names an environment that has it.

    python3 -m venv FOLDER && FOLDER/bin/python -m pip install 'litellm[proxy]==1.108.7'
    CAPDECK_LITELLM=FOLDER pytest -m servers tests/servers/test_litellm.py
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from adapters.contract import ProviderAdapter
from adapters.conversion.canonical import Text, ToolUse
from adapters.conversion.completion import Completion, StopReason
from adapters.conversion.convert import convert
from adapters.conversion.events import TextDelta
from adapters.conversion.requests import from_completion_input
from adapters.errors import FailureKind, ProviderError
from adapters.limits import Limits
from adapters.registry import open_adapter
from model.contract import ProviderCompletionInput
from model.vocabulary import ProviderKind
from tests.adapters.opening import assembled, collect, connections, settings
from tests.adapters.streams import OPENAI_STREAM, chunk
from tests.servers.conftest import RunningServer, free_port, running
from tests.tui.cli.model_server import Caller, ModelServer, serving

pytestmark = [pytest.mark.servers, pytest.mark.slow]
KEY = "sk-right-0123456789"
SAYS = "Hello from the mock, with ünïcode ☃ and more words."
ASK = ProviderCompletionInput(model_id="says", messages=({"role": "user", "content": "Say hi"},), max_output_tokens=50)
TOOL = {"name": "get_weather", "input_schema": {"type": "object", "properties": {"city": {"type": "string"}}}}
OFFLINE = {
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    "LITELLM_LOCAL_ANTHROPIC_BETA_HEADERS": "True",
    "LITELLM_LOCAL_BLOG_POSTS": "True",
    "LITELLM_MODE": "PRODUCTION",
    "DISABLE_ADMIN_UI": "True",
    "NO_DOCS": "True",
}
CALLED = {"index": 0, "id": "call_1", "type": "function", "function": {"name": "get_weather", "arguments": ""}}


def behind(caller: Caller) -> None:
    """The server that the proxy stands before: `calls` calls a tool, `never` does not end."""
    caller.begin()
    caller.send(OPENAI_STREAM[0])
    if caller.body["model"] == "never":
        caller.send(chunk({"content": "Hel"}))
        return caller.wait_for_end()
    arguments = ('{"ci', 'ty": "Pa', 'ris"}')
    caller.send(chunk({"tool_calls": [CALLED]}))
    caller.send(*(chunk({"tool_calls": [{"index": 0, "function": {"arguments": part}}]}) for part in arguments))
    caller.send(chunk({}, "tool_calls"), OPENAI_STREAM[-1])
    caller.wfile.write(b"data: [DONE]\n\n")
    return None


def config(url: str) -> str:
    """JSON, which is YAML."""
    mocks = {
        "says": {"mock_response": SAYS},
        "calls-at-once": {"mock_tool_calls": [{**CALLED, "function": {"name": "get_weather", "arguments": "{}"}}]},
        "limited": {"mock_response": "litellm.RateLimitError"},
        "broken": {"mock_response": "litellm.InternalServerError"},
        "too-long": {"mock_response": "litellm.ContextWindowExceededError"},
        "breaks-off": {"mock_response": "Exception: mock_streaming_error"},
    }
    rows: dict[str, dict[str, Any]] = {name: {"model": "openai/gpt-4o", **mock} for name, mock in mocks.items()}
    rows |= {name: {"model": f"hosted_vllm/{name}", "api_base": url} for name in ("calls", "never")}
    rows["dead"] = {"model": "hosted_vllm/dead", "api_base": "http://127.0.0.1:9/v1"}
    models = [{"model_name": name, "litellm_params": {"api_key": "sk-x", **row}} for name, row in rows.items()]
    return json.dumps(
        {
            "model_list": models,
            "litellm_settings": {"telemetry": False, "num_retries": 0},
            "router_settings": {"num_retries": 0, "disable_cooldowns": True},
            "general_settings": {"master_key": KEY},
        }
    )


@pytest.fixture(scope="session")
def server_behind() -> Iterator[ModelServer]:
    with serving(behind) as server:
        yield server


@pytest.fixture(scope="session")
def litellm(server_behind: ModelServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    place = os.environ.get("CAPDECK_LITELLM")
    if not place or not (binary := Path(place) / "bin" / "litellm").exists():
        pytest.skip(f"CAPDECK_LITELLM names no environment with LiteLLM's proxy: {place or 'not set'}")
    folder, port = tmp_path_factory.mktemp("litellm"), free_port()
    (folder / "config.yaml").write_text(config(server_behind.url))
    command = [str(binary), "--config", "config.yaml", "--host", "127.0.0.1", "--port", str(port), "--num_workers", "1"]
    with running(command, port, "/health/liveliness", folder, **OFFLINE) as server:
        yield server


def opened(server: RunningServer, key: str = KEY) -> ProviderAdapter:
    given = settings(ProviderKind.OPENAI_COMPATIBLE, server.url + "/v1")
    return open_adapter(given, connections(key=key, limits=Limits(total_seconds=60)))


@pytest_asyncio.fixture
async def adapter(litellm: RunningServer) -> AsyncIterator[ProviderAdapter]:
    one = opened(litellm)
    yield one
    await one.aclose()


def of(model_id: str, **more: Any) -> ProviderCompletionInput:
    return ASK.model_copy(update={"model_id": model_id, **more})


async def whole(adapter: ProviderAdapter, request: ProviderCompletionInput) -> Completion:
    target = adapter.target(request.model_id)
    return await adapter.answer(convert(from_completion_input(request), target), target)


async def test_it_lists_and_looks_up(adapter: ProviderAdapter) -> None:
    models = {model.model_id: model for model in await adapter.listed()}
    assert {"says", "calls", "dead"} <= set(models)
    assert models["says"].context_window_tokens == 128_000  # of the model that the mock stands for
    assert (await adapter.look_up("says")).model_id == "says"


async def test_it_answers_in_one_piece_and_in_many(adapter: ProviderAdapter) -> None:
    events = await collect(adapter.complete(ASK))
    assert sum(isinstance(event, TextDelta) for event in events) > 1
    for completion in (await whole(adapter, ASK), assembled(events)):
        assert completion.content == (Text(SAYS),)
        assert completion.stop_reason is StopReason.END_TURN
        assert completion.usage.output_tokens


async def test_tools(adapter: ProviderAdapter) -> None:
    at_once = await whole(adapter, of("calls-at-once", tools=(TOOL,)))
    streamed = assembled(await collect(adapter.complete(of("calls", tools=(TOOL,)))))
    for completion, given in ((at_once, {}), (streamed, {"city": "Paris"})):
        call = completion.content[-1]
        assert isinstance(call, ToolUse)
        assert (call.name, call.input) == ("get_weather", given)
    assert streamed.stop_reason is StopReason.TOOL_USE
    assert streamed.usage.input_tokens == 9


@pytest.mark.parametrize("streamed", [False, True], ids=["in one piece", "streamed"])
@pytest.mark.parametrize(
    ("model_id", "kind"),
    [
        ("limited", FailureKind.RATE_LIMITED),
        ("broken", FailureKind.SERVER_ERROR),
        ("too-long", FailureKind.CONTEXT_LENGTH),
        ("dead", FailureKind.SERVER_ERROR),
        ("nobody", FailureKind.MODEL_NOT_FOUND),
    ],
)
async def test_failures(adapter: ProviderAdapter, model_id: str, kind: FailureKind, streamed: bool) -> None:
    with pytest.raises(ProviderError) as caught:
        await (collect(adapter.complete(of(model_id))) if streamed else whole(adapter, of(model_id)))
    assert caught.value.kind is kind
    assert KEY not in str(caught.value)


async def test_a_failure_within_a_stream(adapter: ProviderAdapter) -> None:
    with pytest.raises(ProviderError) as caught:
        await collect(adapter.complete(of("breaks-off")))
    assert caught.value.kind is FailureKind.OVERLOADED


async def test_a_wrong_key_is_told_and_not_repeated(litellm: RunningServer) -> None:
    """Without a database the proxy cannot look one up, and says 400."""
    one = opened(litellm, "sk-wrong-0123456789")
    with pytest.raises(ProviderError) as caught:
        await collect(one.complete(ASK))
    assert caught.value.kind in {FailureKind.UNAUTHORIZED, FailureKind.BAD_REQUEST}
    assert "wrong-0123" not in str(caught.value)
    await one.aclose()


async def test_cancelling_reaches_the_server_behind(adapter: ProviderAdapter, server_behind: ModelServer) -> None:
    begun = asyncio.Event()

    async def read() -> None:
        async for event in adapter.complete(of("never")):
            if isinstance(event, TextDelta):
                begun.set()

    reading = asyncio.create_task(read())
    async with asyncio.timeout(30):
        await begun.wait()
    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading
    assert await asyncio.to_thread(server_behind.left.wait, 30)
