"""Moving a conversation to another model, after gsd-2's rules without its gaps (SEED-FACTS.md §2.4, §2.6)."""

from __future__ import annotations

from typing import Any

import pytest

from adapters.conversion import Origin, SourcedMessage, Switched, convert, switch
from adapters.conversion.canonical import Message
from adapters.conversion.requests import message_json, parse_messages
from model.contract import ProviderSwitchReport
from model.vocabulary import Api, Canonical, Capability
from tests.adapters.conversion.build import IMAGE, USER, assistant, call, request, result, target, text, user

OPUS = Origin("anthropic-main", Api.ANTHROPIC_MESSAGES, "opus")
GEMINI = Origin("google", Api.GOOGLE_GENERATIVE_AI, "gemini")
OPENAI = target(Api.OPENAI_COMPLETIONS, provider_id="openai-main")
SIGNED = {"type": "thinking", "thinking": "hmm", "signature": "c2ln"}
REDACTED = {"type": "redacted_thinking", "data": "eA=="}


def history(*messages: Any, origin: Origin = OPUS, aborted: tuple[int, ...] = ()) -> list[SourcedMessage]:
    return [SourcedMessage(message, origin, index in aborted) for index, message in enumerate(parse_messages(messages))]


def report(switched: Switched) -> dict[str, Any]:
    """The only report's counts that are not zero."""
    (only,) = switched.reports
    return {name: value for name, value in only.model_dump(exclude={"from_api", "to_api"}).items() if value}


def said(switched: Switched) -> list[Any]:
    return [message_json(one.message) for one in switched.messages]


def test_an_empty_report_is_all_zeros() -> None:
    switched = switch(history(USER), OPENAI)
    zeros = ProviderSwitchReport(from_api=Api.ANTHROPIC_MESSAGES, to_api=Api.OPENAI_COMPLETIONS)
    assert switched.reports == (zeros,)


COUNTS: list[tuple[str, list[Any], dict[str, int]]] = [
    ("signed thinking", [USER, assistant(SIGNED, text("a"))], {"thinking_blocks_dropped": 1}),
    ("redacted thinking", [USER, assistant(REDACTED, text("a"))], {"thinking_blocks_dropped": 1}),
    (
        "a turn of thinking alone",
        [USER, assistant(SIGNED), USER],
        {"thinking_blocks_dropped": 1, "turns_dropped": 1},
    ),
    ("a fitting call", [USER, assistant(call()), user(result())], {}),
    ("a foreign id", [USER, assistant(call("a|b")), user(result("a|b"))], {"tool_call_ids_remapped": 1}),
    ("a call without a result", [USER, assistant(call()), USER], {"synthetic_tool_results_inserted": 1}),
    ("a call at the very end", [USER, assistant(call())], {"synthetic_tool_results_inserted": 1}),
    (
        "a signed call",
        [USER, assistant(call(thought_signature="c2ln")), user(result())],
        {"thought_signatures_dropped": 1},
    ),
    ("a signed text", [USER, assistant(text("a", signature="c2ln"))], {"thought_signatures_dropped": 1}),
]


@pytest.mark.parametrize(("name", "messages", "counts"), COUNTS, ids=[case[0] for case in COUNTS])
def test_what_is_counted(name: str, messages: list[Any], counts: dict[str, int]) -> None:
    assert report(switch(history(*messages), OPENAI)) == counts


@pytest.mark.parametrize(("name", "messages", "counts"), COUNTS, ids=[case[0] for case in COUNTS])
def test_a_switch_is_counted_once(name: str, messages: list[Any], counts: dict[str, int]) -> None:
    first = switch(history(*messages), OPENAI)
    again = switch(first.messages, OPENAI)
    assert again.reports == ()
    assert again.messages == first.messages


@pytest.mark.parametrize(("name", "messages", "counts"), COUNTS, ids=[case[0] for case in COUNTS])
def test_after_a_switch_the_conversion_finds_nothing_to_report(
    name: str, messages: list[Any], counts: dict[str, int]
) -> None:
    switched = switch(history(*messages), OPENAI)
    converted = convert(request(messages=said(switched)), OPENAI)
    assert converted.report.status is Canonical.LOSSLESS
    assert not converted.tool_ids.canonical


def test_from_api_is_the_messages_own() -> None:
    mixed = [*history(USER, assistant(SIGNED, text("a"))), *history(USER, assistant(SIGNED, text("b")), origin=GEMINI)]
    reports = switch(mixed, OPENAI).reports
    assert [(one.from_api, one.thinking_blocks_dropped) for one in reports] == [
        (Api.ANTHROPIC_MESSAGES, 1),
        (Api.GOOGLE_GENERATIVE_AI, 1),
    ]
    assert {one.to_api for one in reports} == {Api.OPENAI_COMPLETIONS}


def test_the_same_model_keeps_everything() -> None:
    same = target(Api.ANTHROPIC_MESSAGES, provider_id="anthropic-main", model_id="opus")
    messages = history(USER, assistant(SIGNED, REDACTED, call()), user(result(content=[text("18 C")])))
    switched = switch(messages, same)
    assert switched.reports == ()
    assert [one.message for one in switched.messages] == [one.message for one in messages]


def test_another_model_of_the_same_api_does_not_get_its_thinking() -> None:
    sonnet = target(Api.ANTHROPIC_MESSAGES, provider_id="anthropic-main", model_id="sonnet")
    assert report(switch(history(USER, assistant(SIGNED, text("a"))), sonnet)) == {"thinking_blocks_dropped": 1}


def test_thinking_is_downgraded_only_where_it_stays_hidden() -> None:
    switched = switch(history(USER, assistant(SIGNED, text("a"))), target(Api.OLLAMA_CHAT))
    assert report(switched) == {"thinking_blocks_downgraded": 1, "thought_signatures_dropped": 1}
    assert said(switched)[1]["content"][0] == {"type": "thinking", "thinking": "hmm", "signature": ""}


def test_images_for_a_model_without_eyes() -> None:
    blind = target(Api.OPENAI_COMPLETIONS, without=(Capability.IMAGE_INPUT,))
    switched = switch(history(user(IMAGE), assistant(call()), user(result(content=[IMAGE]))), blind)
    assert report(switched) == {"images_dropped": 2}


def test_an_aborted_turn_goes_with_its_results() -> None:
    messages = history(USER, assistant(text("half"), call()), user(result(), text("go on")), aborted=(1,))
    switched = switch(messages, OPENAI)
    assert report(switched) == {"turns_dropped": 1}
    assert said(switched) == [user(text("hi"), text("go on"))]


def test_results_follow_their_renamed_calls() -> None:
    ids = ["x" * 70 + "a", "x" * 70 + "b"]
    switched = switch(history(USER, assistant(*map(call, ids)), user(*map(result, reversed(ids)))), OPENAI)
    calls, results = said(switched)[1]["content"], said(switched)[2]["content"]
    assert [one["id"] for one in calls] == [one["tool_use_id"] for one in reversed(results)]


def test_messages_are_the_targets_afterwards() -> None:
    switched = switch(history(USER), OPENAI)
    assert {one.origin for one in switched.messages} == {Origin("openai-main", Api.OPENAI_COMPLETIONS, "m")}
    assert isinstance(switched.messages[0].message, Message)


def test_the_steps_say_where() -> None:
    steps = switch(history(USER, assistant(SIGNED, text("a")), user(IMAGE)), OPENAI).steps
    assert [(step.message, step.block, step.kind) for step in steps] == [(1, 0, "thinking")]


def test_an_empty_conversation() -> None:
    assert switch([], OPENAI) == Switched((), (), ())
