"""aimock: OpenRouter's and Ollama's shapes, thinking, parallel calls and keys, over every protocol that we speak."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from adapters.contract import ProviderAdapter
from adapters.conversion.canonical import Text, Thinking, ToolUse
from adapters.discovery import prove_key
from adapters.errors import FailureKind, ProviderError
from adapters.registry import open_adapter
from model.auth import AuthState
from model.contract import ProviderCompletionInput
from model.vocabulary import Capability, ProviderKind
from tests.adapters.opening import assembled, collect, connections, settings
from tests.servers.conftest import RunningServer

pytestmark = pytest.mark.servers
RIGHT, WRONG = "sk-right-0123456789", "sk-wrong-0123456789"
KINDS = {
    ProviderKind.ANTHROPIC: "",
    ProviderKind.OPENAI: "/v1",
    ProviderKind.OPENROUTER: "/api/v1",
    ProviderKind.OLLAMA: "",
}


def opened(kind: ProviderKind, server: RunningServer, key: str = RIGHT) -> ProviderAdapter:
    return open_adapter(settings(kind, server.url + KINDS[kind]), connections(key=key))


@pytest_asyncio.fixture(params=KINDS, ids=lambda kind: kind.value)
async def adapter(request: pytest.FixtureRequest, aimock: RunningServer) -> AsyncIterator[ProviderAdapter]:
    one = opened(request.param, aimock)
    yield one
    await one.aclose()


def say(words: str) -> ProviderCompletionInput:
    return ProviderCompletionInput(model_id="m", messages=({"role": "user", "content": words},), max_output_tokens=50)


async def test_a_stream_with_every_kind_of_character(adapter: ProviderAdapter) -> None:
    completion = assembled(await collect(adapter.complete(say("hi"))))
    assert completion.content == (Text("Hello, ünïcode ☃ 🙂."),)


async def test_two_calls_in_one_answer(adapter: ProviderAdapter) -> None:
    tool = {"name": "get_weather", "input_schema": {"type": "object", "properties": {"city": {"type": "string"}}}}
    ask = say("weather").model_copy(update={"tools": (tool,)})
    calls = [one for one in assembled(await collect(adapter.complete(ask))).content if isinstance(one, ToolUse)]
    assert [call.input for call in calls] == [{"city": "Paris"}, {"city": "Rome"}]
    assert len({call.id for call in calls}) == 2


async def test_thinking_is_carried_where_the_row_says_so(adapter: ProviderAdapter) -> None:
    content = assembled(await collect(adapter.complete(say("think")))).content
    thoughts = [block.thinking for block in content if isinstance(block, Thinking)]
    assert thoughts == (["Six times seven."] if adapter.settings.kind is ProviderKind.ANTHROPIC else [])
    assert Text("42") in content  # its Ollama side never thinks


async def test_a_cut_stream(adapter: ProviderAdapter) -> None:
    with pytest.raises(ProviderError) as caught:
        await collect(adapter.complete(say("broken off")))
    assert caught.value.kind is FailureKind.TRUNCATED


async def test_a_rate_limit(adapter: ProviderAdapter) -> None:
    with pytest.raises(ProviderError) as caught:
        await collect(adapter.complete(say("too fast")))
    assert caught.value.kind is FailureKind.RATE_LIMITED


@pytest.mark.parametrize("kind", KINDS)
async def test_a_wrong_key(kind: ProviderKind, aimock: RunningServer) -> None:
    one = opened(kind, aimock, WRONG)
    with pytest.raises(ProviderError) as caught:
        await collect(one.complete(say("hi")))
    assert caught.value.kind is FailureKind.UNAUTHORIZED
    await one.aclose()


async def test_openrouters_list_tells_prices_and_parameters(aimock: RunningServer) -> None:
    one = opened(ProviderKind.OPENROUTER, aimock)
    models = await one.listed()
    assert models
    assert all(model.context_window_tokens and model.input_price is not None for model in models)
    assert any(Capability.TOOL_USE in model.flags.yes for model in models)
    await one.aclose()


@pytest.mark.parametrize(("key", "state"), [(RIGHT, AuthState.ACCEPTED), (WRONG, AuthState.REJECTED)])
async def test_a_guarded_list_proves_the_key(aimock: RunningServer, key: str, state: AuthState) -> None:
    one = opened(ProviderKind.OPENAI, aimock, key)
    assert (await prove_key(one)).state is state
    await one.aclose()
