"""llmock: failures in the vendors' own words, broken streams and quotas, and its verdict on us as a client."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest
import pytest_asyncio

from adapters.attempts import conduct
from adapters.contract import ProviderAdapter
from adapters.conversion import JsonAnswer, convert, from_completion_input
from adapters.conversion.canonical import ToolUse
from adapters.errors import FailureKind, ProviderError
from adapters.json_answers import JsonOutcome
from adapters.limits import Limits
from adapters.redaction import Redactor
from adapters.registry import open_adapter
from model.contract import ProviderCompletionInput
from model.vocabulary import JsonLevel, ProviderKind
from tests.adapters.opening import assembled, collect, connections, settings
from tests.adapters.test_attempts import Watching
from tests.servers.conftest import RunningServer

pytestmark = pytest.mark.servers
KINDS = {ProviderKind.OPENAI_COMPATIBLE: "/v1", ProviderKind.ANTHROPIC_COMPATIBLE: "/anthropic"}
ASK = ProviderCompletionInput(model_id="m", messages=({"role": "user", "content": "Say hi"},), max_output_tokens=50)


@pytest_asyncio.fixture(params=KINDS, ids=lambda kind: kind.value)
async def adapter(request: pytest.FixtureRequest, llmock: RunningServer) -> AsyncIterator[ProviderAdapter]:
    given = settings(request.param, llmock.url + KINDS[request.param])
    one = open_adapter(given, connections(limits=Limits(total_seconds=1)))
    yield one
    await one.aclose()


@pytest.fixture
def scenario(llmock: RunningServer) -> Any:
    """Queues what the next request meets."""

    def queue(**behavior: Any) -> None:
        llmock.ask("/_llmock/scenario", {"behaviors": [behavior]})

    return queue


async def kind_of(adapter: ProviderAdapter) -> FailureKind:
    with pytest.raises(ProviderError) as caught:
        await collect(adapter.complete(ASK))
    return caught.value.kind


async def test_it_lists_and_streams(adapter: ProviderAdapter) -> None:
    assert await adapter.listed()
    assert assembled(await collect(adapter.complete(ASK))).content


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, FailureKind.BAD_REQUEST),
        (401, FailureKind.UNAUTHORIZED),
        (403, FailureKind.FORBIDDEN),
        (404, FailureKind.NOT_FOUND),
        (413, FailureKind.TOO_LARGE),
        (429, FailureKind.RATE_LIMITED),
        (500, FailureKind.SERVER_ERROR),
        (503, FailureKind.SERVER_ERROR),
        (529, FailureKind.OVERLOADED),
    ],
)
async def test_each_status_is_what_it_means(
    adapter: ProviderAdapter, scenario: Any, status: int, kind: FailureKind
) -> None:
    scenario(type="fail", status=status, times=1)
    found = await kind_of(adapter)
    assert found is kind or (status in {404, 503} and found in {FailureKind.MODEL_NOT_FOUND, FailureKind.OVERLOADED})


async def test_a_rate_limit_tells_its_wait(adapter: ProviderAdapter, scenario: Any) -> None:
    scenario(type="fail", status=429, times=1, retry_after=2)
    with pytest.raises(ProviderError) as caught:
        await collect(adapter.complete(ASK))
    assert caught.value.failure.retry_after_seconds == 2


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        ("disconnect", FailureKind.TRUNCATED),
        ("truncate", FailureKind.TRUNCATED),
        ("malformed", FailureKind.MALFORMED),
        ("stall", FailureKind.TIMEOUT),
    ],
)
async def test_broken_streams(adapter: ProviderAdapter, scenario: Any, fault: str, kind: FailureKind) -> None:
    more = {"stall_seconds": 20} if fault == "stall" else {}
    scenario(type="stream_fault", kind=fault, after_chunks=2, **more)
    assert await kind_of(adapter) is kind


async def test_tools(adapter: ProviderAdapter) -> None:
    tool = {"name": "get_weather", "input_schema": {"type": "object", "properties": {"city": {"type": "string"}}}}
    ask = ASK.model_copy(update={"tools": (tool,)})
    call = assembled(await collect(adapter.complete(ask))).content[-1]
    assert isinstance(call, ToolUse)
    assert call.name == "get_weather"


async def test_arguments_that_are_no_json_are_refused(llmock: RunningServer, scenario: Any) -> None:
    one = open_adapter(settings(ProviderKind.OPENAI_COMPATIBLE, llmock.url + "/v1"), connections())
    scenario(type="tool_fault", kind="malformed_arguments", times=1)
    tool = {"name": "get_weather", "input_schema": {"type": "object"}}
    events = await collect(one.complete(ASK.model_copy(update={"tools": (tool,)})))
    with pytest.raises(ValueError, match="JSON"):
        assembled(events)
    await one.aclose()


@pytest.mark.parametrize("status", [422, 429, 500])
async def test_there_is_one_attempt(
    adapter: ProviderAdapter, scenario: Any, llmock: RunningServer, status: int
) -> None:
    """By the mock's own count: nothing is tried again behind the user's back."""
    before = llmock.ask("/_llmock/verdict")["attempts"]
    scenario(type="fail", status=status, times=1)
    await kind_of(adapter)
    assert llmock.ask("/_llmock/verdict")["attempts"] == before + 1


@pytest.mark.parametrize("second", [False, True])
async def test_a_second_attempt_is_one_request_more(
    adapter: ProviderAdapter, llmock: RunningServer, second: bool
) -> None:
    """By the mock's own count; what it says is no JSON."""
    before = llmock.ask("/_llmock/verdict")["attempts"]
    target = replace(adapter.target("m"), json_schema=JsonLevel.PROMPT_ONLY, allow_lossy=True)
    request = from_completion_input(ASK, stream=True, answer=JsonAnswer({"type": "object"}))
    converted = convert(request, target)
    done = await conduct(adapter, converted, target, Redactor(), Watching(), second_attempt=second)
    assert [each.verdict and each.verdict.outcome for each in done.attempts] == [JsonOutcome.NOT_JSON] * (1 + second)
    assert llmock.ask("/_llmock/verdict")["attempts"] == before + 1 + second
