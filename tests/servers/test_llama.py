"""llama.cpp's server with a small real model: both protocols, list to cancel."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import date

import pytest
import pytest_asyncio

from adapters.attempts import conduct
from adapters.contract import ProviderAdapter
from adapters.conversion.canonical import JsonAnswer, Text, ToolUse
from adapters.conversion.completion import Completion, StopReason
from adapters.conversion.convert import convert
from adapters.conversion.events import MessageStart, TextDelta
from adapters.conversion.requests import from_completion_input
from adapters.discovery import ServerKind, discover, prove_key
from adapters.errors import FailureKind, ProviderError
from adapters.json_answers import JsonOutcome
from adapters.limits import Limits
from adapters.probes import Outcome, plan, run
from adapters.redaction import Redactor
from adapters.registry import open_adapter
from model.auth import AuthState
from model.contract import ProviderCompletionInput
from model.vocabulary import Capability, JsonLevel, ProviderKind
from tests.adapters.opening import assembled, collect, connections, settings
from tests.adapters.test_attempts import Watching
from tests.servers.conftest import RunningServer

pytestmark = pytest.mark.servers
TODAY = date(2026, 11, 30)
PATIENT = Limits(total_seconds=120)
KINDS = {ProviderKind.OPENAI_COMPATIBLE: "/v1", ProviderKind.ANTHROPIC_COMPATIBLE: ""}
ASK = ProviderCompletionInput(
    model_id="smollm2", messages=({"role": "user", "content": "Say hi"},), max_output_tokens=12
)
TOOL = {
    "name": "get_weather",
    "description": "The weather of a city",
    "input_schema": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
}
CALL = ASK.model_copy(
    update={
        "messages": ({"role": "user", "content": 'CALL {"name": "get_weather", "arguments": {"city": "Paris"}}'},),
        "tools": (TOOL,),
        "max_output_tokens": 60,
    }
)


def opened(kind: ProviderKind, server: RunningServer, key: str = "sk-any-0123456789") -> ProviderAdapter:
    return open_adapter(settings(kind, server.url + KINDS[kind]), connections(key=key, limits=PATIENT))


@pytest_asyncio.fixture(params=KINDS, ids=lambda kind: kind.value)
async def adapter(request: pytest.FixtureRequest, llama: RunningServer) -> AsyncIterator[ProviderAdapter]:
    one = opened(request.param, llama)
    yield one
    await one.aclose()


async def whole(
    adapter: ProviderAdapter, request: ProviderCompletionInput, answer: JsonAnswer | None = None
) -> Completion:
    target = adapter.target(request.model_id)
    return await adapter.answer(convert(from_completion_input(request, answer=answer), target), target)


def prompt_tokens(completion: Completion) -> int:
    """All of the prompt, whether it was read anew or came from the server's cache."""
    return (completion.usage.input_tokens or 0) + (completion.usage.cache_read_tokens or 0)


async def test_it_lists_its_model_with_a_window(adapter: ProviderAdapter) -> None:
    models = await adapter.listed()
    assert [model.model_id for model in models] == ["smollm2"]
    assert models[0].context_window_tokens
    assert (await adapter.look_up("smollm2")).model_id == "smollm2"
    with pytest.raises(ProviderError) as caught:
        await adapter.look_up("smollm3")
    assert "smollm2" in caught.value.failure.mend


async def test_it_answers_in_one_piece(adapter: ProviderAdapter) -> None:
    completion = await whole(adapter, ASK)
    assert isinstance(completion.content[0], Text)
    assert completion.content[0].text
    assert completion.usage.input_tokens
    assert 0 < (completion.usage.output_tokens or 0) <= 12


async def test_it_streams(adapter: ProviderAdapter) -> None:
    events = await collect(adapter.complete(ASK))
    assert isinstance(events[0], MessageStart)
    assert sum(isinstance(event, TextDelta) for event in events) > 1
    completion = assembled(events)
    assert completion.stop_reason in {StopReason.END_TURN, StopReason.MAX_TOKENS}
    assert completion.usage.input_tokens
    assert completion.usage.output_tokens


async def test_the_same_prompt_costs_the_same_over_both_protocols(llama: RunningServer) -> None:
    ask = ASK.model_copy(update={"system": "Be brief.", "tools": (TOOL,)})
    counts = []
    for kind in KINDS:
        one = opened(kind, llama)
        counts.append(prompt_tokens(await whole(one, ask)))
        await one.aclose()
    assert counts[0] == counts[1]


async def test_it_counts_tokens(llama: RunningServer) -> None:
    ask = ASK.model_copy(update={"system": "Be brief.", "tools": (TOOL,)})
    one = opened(ProviderKind.ANTHROPIC_COMPATIBLE, llama)
    count = await one.count(from_completion_input(ask))
    assert not count.is_estimate
    assert count.tokens == prompt_tokens(await whole(one, ask))
    await one.aclose()


@pytest.mark.parametrize("choice", [{"type": "auto"}, {"type": "any"}, {"type": "tool", "name": "get_weather"}])
async def test_it_calls_a_tool(adapter: ProviderAdapter, choice: dict[str, str]) -> None:
    if choice["type"] == "tool" and adapter.settings.kind is ProviderKind.OPENAI_COMPATIBLE:
        choice = {"type": "any"}
    ask = CALL.model_copy(update={"tool_choice": choice})
    for completion in (await whole(adapter, ask), assembled(await collect(adapter.complete(ask)))):
        call = completion.content[-1]
        assert isinstance(call, ToolUse)
        assert (call.name, call.input) == ("get_weather", {"city": "Paris"})
        assert completion.stop_reason is StopReason.TOOL_USE


async def test_a_conversation_with_a_tool_result_goes_on(adapter: ProviderAdapter) -> None:
    turns = (
        {"role": "user", "content": "Weather in Paris?"},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "toolu_1", "name": "get_weather", "input": {}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_1", "content": "18 degrees"}]},
    )
    completion = await whole(adapter, ASK.model_copy(update={"messages": turns, "tools": (TOOL,)}))
    assert completion.usage.output_tokens


async def test_a_json_schema_holds(llama: RunningServer) -> None:
    schema = {
        "type": "object",
        "properties": {"name": {"type": "string", "maxLength": 12}, "age": {"type": "integer"}},
        "required": ["name", "age"],
        "additionalProperties": False,
    }
    one = opened(ProviderKind.OPENAI_COMPATIBLE, llama)
    completion = await whole(one, ASK.model_copy(update={"max_output_tokens": 60}), JsonAnswer(schema))
    assert isinstance(completion.content[0], Text)
    assert set(json.loads(completion.content[0].text)) == {"name", "age"}
    await one.aclose()


async def test_a_json_schema_in_words_is_judged(adapter: ProviderAdapter) -> None:
    """Whatever so small a model says: it is judged, and asked once more only where it missed."""
    schema = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
    target = replace(adapter.target(ASK.model_id), json_schema=JsonLevel.PROMPT_ONLY, allow_lossy=True)
    ask = ASK.model_copy(update={"max_output_tokens": 40})
    converted = convert(from_completion_input(ask, stream=True, answer=JsonAnswer(schema)), target)
    done = await conduct(adapter, converted, target, Redactor(), Watching(), second_attempt=True)
    first = done.attempts[0].verdict
    assert first
    assert first.outcome is not JsonOutcome.UNCHECKED
    assert len(done.attempts) == (1 if first.is_valid else 2)
    assert done.usage.output_tokens  # of the input it may say less than none, where its cache holds more than was sent


async def test_a_prompt_over_the_window_says_so(adapter: ProviderAdapter) -> None:
    long = ASK.model_copy(update={"messages": ({"role": "user", "content": "word " * 9000},)})
    with pytest.raises(ProviderError) as caught:
        await collect(adapter.complete(long))
    assert caught.value.kind is FailureKind.CONTEXT_LENGTH


@pytest.mark.parametrize("kind", KINDS)
async def test_a_wrong_key_is_rejected_and_the_right_one_accepted(
    kind: ProviderKind, llama_with_key: RunningServer
) -> None:
    wrong = opened(kind, llama_with_key, "sk-wrong-0123456789")
    with pytest.raises(ProviderError) as caught:
        await collect(wrong.complete(ASK))
    assert caught.value.kind is FailureKind.UNAUTHORIZED
    assert "wrong-0123" not in str(caught.value)
    await wrong.aclose()
    right = opened(kind, llama_with_key, "sk-right-0123456789")
    assert await collect(right.complete(ASK))
    await right.aclose()


async def test_cancelling_frees_the_server(adapter: ProviderAdapter, llama: RunningServer) -> None:
    long = ASK.model_copy(update={"max_output_tokens": 2000})
    begun = asyncio.Event()

    async def read() -> None:
        async for event in adapter.complete(long):
            if isinstance(event, TextDelta):
                begun.set()

    reading = asyncio.create_task(read())
    await begun.wait()
    assert await busy_slots(llama)
    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading
    async with asyncio.timeout(10):
        while await busy_slots(llama):
            await asyncio.sleep(0.05)


async def busy_slots(server: RunningServer) -> int:
    slots = await asyncio.to_thread(server.ask, "/slots")
    return sum(slot["is_processing"] for slot in slots)


async def test_it_tells_of_itself(llama: RunningServer) -> None:
    one = opened(ProviderKind.OPENAI_COMPATIBLE, llama)
    found = await discover(one, TODAY)
    assert found.server is ServerKind.LLAMA_CPP
    assert found.models[0].context_window_tokens == 2048  # 4096 over two slots
    assert Capability.TOOL_USE in found.models[0].flags.yes
    assert Capability.IMAGE_INPUT in found.models[0].flags.no
    await one.aclose()


async def test_a_list_that_is_open_to_all_proves_no_key(llama_with_key: RunningServer) -> None:
    for key in ("sk-wrong-0123456789", "sk-right-0123456789"):
        one = opened(ProviderKind.OPENAI_COMPATIBLE, llama_with_key, key)
        assert (await prove_key(one)).state is AuthState.NOT_CHECKED
        await one.aclose()


async def test_probes(adapter: ProviderAdapter) -> None:
    """What a real but tiny model shows: text and streams surely, JSON by its grammar, and no picture."""
    wanted = {Capability.TEXT_OUTPUT, Capability.STREAMING, Capability.STRUCTURED_OUTPUT, Capability.IMAGE_INPUT}
    results = {one.capability: await run(adapter, one, TODAY) for one in plan(adapter, "smollm2", wanted)}
    assert results[Capability.TEXT_OUTPUT].outcome is Outcome.PASSED
    assert results[Capability.STREAMING].outcome is Outcome.PASSED
    assert results[Capability.IMAGE_INPUT].outcome is Outcome.FAILED
    if adapter.settings.kind is ProviderKind.OPENAI_COMPATIBLE:
        assert results[Capability.STRUCTURED_OUTPUT].outcome is Outcome.PASSED
