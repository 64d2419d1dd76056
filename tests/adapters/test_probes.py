"""Probes: what is sent, what an answer shows, and that errors are results."""

from __future__ import annotations

import json
from datetime import date
from itertools import count
from typing import Any

import pytest

from adapters.conversion.canonical import CanonicalRequest, Text, Thinking, ToolUse
from adapters.conversion.completion import Completion, StopReason, Usage
from adapters.images import media_type_of
from adapters.probe_requests import SHOWN_BY, red_square, request_for
from adapters.probes import PROBES, Outcome, ProbeResult, observed, plan, run
from adapters.registry import open_adapter
from model.capability_set import CapabilitySet
from model.conversion import Omission
from model.vocabulary import Capability, ProviderKind
from tests.adapters.opening import KEY, adapter, connections, settings
from tests.adapters.streams import OPENAI_STREAM
from tests.adapters.wire import Handler, Server, json_reply, sse_reply

TODAY = date(2026, 11, 30)


def said(*content: Any, **more: Any) -> Completion:
    blocks = tuple(Text(block) if isinstance(block, str) else block for block in content)
    return Completion("id", "m", blocks, StopReason.END_TURN, **more)


def call(**given: Any) -> ToolUse:
    return ToolUse("t", "look_up_city", given)


@pytest.mark.parametrize(
    ("capability", "completion", "pieces", "holds"),
    [
        (Capability.TEXT_OUTPUT, said("OK"), 0, True),
        (Capability.TEXT_OUTPUT, said(" "), 0, None),
        (Capability.STREAMING, said("one two"), 2, True),
        (Capability.STREAMING, said("one two"), 1, None),
        (Capability.SYSTEM_PROMPT, said("Pelican."), 0, True),
        (Capability.SYSTEM_PROMPT, said("Blue"), 0, None),
        (Capability.JSON_MODE, said('{"city": "Rome"}'), 0, True),
        (Capability.JSON_MODE, said("Rome"), 0, False),
        (Capability.JSON_MODE, said("[1]"), 0, False),
        (Capability.JSON_MODE, said('```json\n{"city": "Rome"}\n```'), 0, True),
        (Capability.JSON_MODE, said('Here: {"city": "Rome"}'), 0, False),
        (Capability.JSON_MODE, said('{"ci', 'ty": "Rome"}'), 0, True),
        (Capability.STRUCTURED_OUTPUT, said('{"city": "Rome", "inhabitants": 3}'), 0, True),
        (Capability.STRUCTURED_OUTPUT, said('{"city": "Rome"}'), 0, False),
        (Capability.TOOL_USE, said("Let me see", call(city="Paris")), 0, True),
        (Capability.TOOL_USE, said(call(town="Paris")), 0, False),
        (Capability.TOOL_USE, said(ToolUse("t", "other", {})), 0, False),
        (Capability.TOOL_USE, said("Paris is a city"), 0, None),
        (Capability.PARALLEL_TOOL_USE, said(call(city="Paris"), call(city="Rome")), 0, True),
        (Capability.PARALLEL_TOOL_USE, said(call(city="Paris")), 0, None),
        (Capability.IMAGE_INPUT, said("It is red."), 0, True),
        (Capability.IMAGE_INPUT, said("I see no picture"), 0, None),
        (Capability.THINKING, said(Thinking("13"), "13"), 0, True),
        (Capability.THINKING, said("13", words=(Omission.THINKING_STRIPPED,)), 0, True),
        (Capability.THINKING, said("13", usage=Usage(thinking_tokens=5)), 0, True),
        (Capability.THINKING, said("13"), 0, None),
        (Capability.LONG_CONTEXT, said("pelican"), 0, True),
    ],
)
def test_what_an_answer_shows(capability: Capability, completion: Completion, pieces: int, holds: bool | None) -> None:
    shown = SHOWN_BY[capability](completion, pieces)
    assert shown.holds is holds
    assert shown.evidence


@pytest.mark.parametrize("capability", PROBES)
def test_requests_are_small_and_bounded(capability: Capability) -> None:
    request: CanonicalRequest = request_for(capability, "m", 1000)
    assert request.max_output_tokens is not None
    assert request.max_output_tokens <= 2048
    assert len(repr(request)) < 6000


def test_the_picture_is_a_png() -> None:
    assert media_type_of(red_square()) == "image/png"
    assert len(red_square()) < 1000


def test_a_plan_tells_what_it_may_cost() -> None:
    one = adapter(ProviderKind.OPENAI, Server({}))
    probes = plan(one, "m", {Capability.TOOL_USE, Capability.TEXT_OUTPUT, Capability.BATCH})
    assert [probe.capability for probe in probes] == [Capability.TEXT_OUTPUT, Capability.TOOL_USE]
    assert all(0 < probe.input_tokens < 200 and 0 < probe.output_tokens <= 128 for probe in probes)
    long = plan(one, "m", {Capability.LONG_CONTEXT}, window_tokens=10_000)[0]
    assert 8_500 < long.input_tokens < 11_000


async def probed(capability: Capability, answer: Handler, kind: ProviderKind = ProviderKind.OPENAI) -> ProbeResult:
    path = {ProviderKind.ANTHROPIC: "/v1/messages", ProviderKind.OLLAMA: "/api/chat"}.get(kind, "/v1/chat/completions")
    one = adapter(kind, Server({("POST", path): answer}))
    (probe,) = plan(one, "m1", {capability})
    return await run(one, probe, TODAY)


def whole(content: str, **message: Any) -> Handler:
    choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": content, **message}}
    usage = {"prompt_tokens": 5, "completion_tokens": 2, "total_tokens": 7}
    return lambda _: json_reply({"id": "c", "model": "m1", "choices": [choice], "usage": usage})


async def test_a_probe_passes_with_evidence_and_usage() -> None:
    result = await probed(Capability.JSON_MODE, whole('{"city": "Rome"}'))
    assert (result.outcome, result.seen) == (Outcome.PASSED, TODAY)
    assert result.usage == Usage(5, 2)
    assert "Rome" not in result.evidence


async def test_streaming_is_probed_with_a_stream() -> None:
    result = await probed(Capability.STREAMING, lambda _: sse_reply(*OPENAI_STREAM, done=True))
    assert (result.outcome, result.evidence) == (Outcome.PASSED, "the text came in 2 pieces, with an end mark")


async def test_only_a_stream_is_timed() -> None:
    """Each look at this clock is a second: sent at 1, the first piece at 2."""
    one = adapter(
        ProviderKind.OPENAI, Server({("POST", "/v1/chat/completions"): lambda _: sse_reply(*OPENAI_STREAM, done=True)})
    )
    (probe,) = plan(one, "m1", {Capability.STREAMING})
    assert (await run(one, probe, TODAY, clock=count(1).__next__)).first_token_seconds == 1
    assert (await probed(Capability.TEXT_OUTPUT, whole("OK"))).first_token_seconds is None
    assert (await probed(Capability.STREAMING, lambda _: json_reply({}, 500))).first_token_seconds is None


async def test_a_call_is_looked_at_and_not_executed() -> None:
    function = {"name": "look_up_city", "arguments": json.dumps({"city": "Paris"})}
    result = await probed(
        Capability.TOOL_USE, whole("", tool_calls=[{"id": "c1", "type": "function", "function": function}])
    )
    assert result.outcome is Outcome.PASSED


@pytest.mark.parametrize(
    ("status", "message", "outcome"),
    [
        (404, "No endpoints found that support tool use.", Outcome.FAILED),
        (400, "tools are not supported", Outcome.FAILED),
        (401, f"bad key {KEY}", Outcome.INCONCLUSIVE),
        (429, "slow down", Outcome.INCONCLUSIVE),
        (500, "oops", Outcome.INCONCLUSIVE),
        (500, "image input is not supported", Outcome.FAILED),
    ],
)
async def test_an_error_is_a_result(status: int, message: str, outcome: Outcome) -> None:
    result = await probed(Capability.TOOL_USE, lambda _: json_reply({"error": {"message": message}}, status))
    assert result.outcome is outcome
    assert result.evidence.startswith(f"HTTP {status}: ")
    assert KEY not in result.evidence


async def test_only_a_refused_length_says_no_to_long_input() -> None:
    too_long = lambda _: json_reply({"error": {"message": "maximum context length is 8"}}, 400)  # noqa: E731
    assert (await probed(Capability.LONG_CONTEXT, too_long)).outcome is Outcome.FAILED
    assert (await probed(Capability.TOOL_USE, too_long)).outcome is Outcome.INCONCLUSIVE


async def test_offline_probes_promote_nothing() -> None:
    one = open_adapter(settings(ProviderKind.OPENAI), connections(key="mock_"))
    results = [await run(one, probe, TODAY) for probe in plan(one, "m", PROBES, window_tokens=1000)]
    assert {result.outcome for result in results} == {Outcome.INCONCLUSIVE}


def test_results_become_observations() -> None:
    results = [
        ProbeResult(Capability.TOOL_USE, Outcome.PASSED, "", TODAY),
        ProbeResult(Capability.THINKING, Outcome.FAILED, "", TODAY),
        ProbeResult(Capability.STREAMING, Outcome.INCONCLUSIVE, "", TODAY),
    ]
    seen = observed(results, "https://h", TODAY)
    assert seen.flags.yes == CapabilitySet.of([Capability.TOOL_USE])
    assert seen.flags.no == CapabilitySet.of([Capability.THINKING])
