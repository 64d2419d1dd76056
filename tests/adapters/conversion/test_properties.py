"""What holds for every request: nothing lost in silence, ids matched, and the way back where nothing is lost."""

from __future__ import annotations

import json
import re
from collections import Counter
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.conversion import Converted, Target, convert, decode_request, parse_request
from adapters.conversion.blocks import block_json
from model.conversion import Caution, Omission
from model.vocabulary import Api, Canonical, Capability
from tests.adapters.conversion.build import target
from tests.adapters.conversion.histories import tame, wild
from tests.adapters.conversion.sdk_types import check_request
from tests.examples import examples

APIS = (Api.ANTHROPIC_MESSAGES, Api.OPENAI_COMPLETIONS, Api.OLLAMA_CHAT)
TARGETS = tuple(
    target(api, without=without, allow_lossy=True)
    for api in APIS
    for without in ((), (Capability.IMAGE_INPUT,), (Capability.TOOL_USE,), (Capability.SYSTEM_PROMPT,))
)
EXACT = {str(Caution.TOOL_IDS_REMAPPED), str(Caution.ERRORS_MARKED), str(Caution.SCHEMA_NOT_STRICT)}
"""Warnings that the way back undoes."""

quick = examples()
anywhere = st.sampled_from(TARGETS)


def words_of(value: Any) -> Counter[str]:
    return Counter(re.findall(r"word-\d+-", json.dumps(value)))


def worded(converted: Converted) -> set[tuple[int | None, int | None]]:
    """The places of which the report names a loss."""
    return {(step.message, step.block) for step in converted.steps if isinstance(step.word, Omission)}


@quick
@given(on=anywhere, body=wild())
def test_nothing_is_lost_that_the_report_does_not_name(on: Target, body: dict[str, Any]) -> None:
    request = parse_request(body)
    converted = convert(request, on)
    arrived, named = words_of(converted.draft), worded(converted)
    for index, message in enumerate(request.messages):
        for number, block in enumerate(message.content):
            lost = words_of(block_json(block)) - arrived
            assert not lost or (index, number) in named


@quick
@given(on=anywhere, body=wild())
def test_nothing_arrives_twice(on: Target, body: dict[str, Any]) -> None:
    assert max(words_of(convert(parse_request(body), on).draft).values(), default=1) == 1


@quick
@given(on=anywhere, body=wild())
def test_every_block_has_a_step(on: Target, body: dict[str, Any]) -> None:
    request = parse_request(body)
    told = {(step.message, step.block) for step in convert(request, on).steps}
    for index, message in enumerate(request.messages):
        assert all((index, number) in told for number in range(len(message.content)))
        assert message.content or (index, None) in told


@quick
@given(on=anywhere, body=wild())
def test_omissions_and_status_agree(on: Target, body: dict[str, Any]) -> None:
    converted = convert(parse_request(body), on)
    lossy = any(isinstance(step.word, Omission) for step in converted.steps)
    assert bool(converted.report.omissions) == lossy
    if not converted.blocked:
        assert converted.report.status is (Canonical.LOSSY if lossy else Canonical.LOSSLESS)


@quick
@given(on=anywhere, body=wild())
def test_calls_and_results_are_matched_and_unique(on: Target, body: dict[str, Any]) -> None:
    waiting: list[str] = []
    seen: set[str] = set()
    for calls, results in rounds(on.api, convert(parse_request(body), on).draft):
        assert sorted(results) == sorted(waiting)
        assert len(set(calls)) == len(calls)
        assert not seen & set(calls)
        waiting, seen = calls, seen | set(calls)
    assert waiting == []


def rounds(api: Api, draft: dict[str, Any]) -> list[tuple[list[str], list[str]]]:
    """For each turn of the assistant, and for the end: its calls, and the results that stand before it."""
    found: list[tuple[list[str], list[str]]] = []
    results: list[str] = []
    for message in draft["messages"]:
        blocks = message["content"] if api is Api.ANTHROPIC_MESSAGES else []
        results += [block["tool_use_id"] for block in blocks if block["type"] == "tool_result"]
        results += [message["tool_call_id"]] if message["role"] == "tool" else []
        if message["role"] == "assistant":
            calls = [block["id"] for block in blocks if block["type"] == "tool_use"]
            found.append((calls + [call["id"] for call in message.get("tool_calls", [])], results))
            results = []
    return [*found, ([], results)]


@quick
@given(on=anywhere, body=wild())
def test_speakers_take_turns(on: Target, body: dict[str, Any]) -> None:
    """The user's tool messages aside, nobody speaks twice in a row, and no message is empty."""
    messages = convert(parse_request(body), on).draft["messages"]
    pairs = {(one["role"], other["role"]) for one, other in pairwise(messages)}
    assert not pairs & {("user", "user"), ("assistant", "assistant"), ("user", "tool")}
    assert all(
        message["content"] or message.get("tool_calls") or message.get("images") or _may_be_empty(message)
        for message in messages
    )


def _may_be_empty(message: dict[str, Any]) -> bool:
    """A result may be empty, and an assistant may have thought without saying anything."""
    return message["role"] == "tool" or "thinking" in message


@quick
@given(on=anywhere, body=wild())
def test_the_vendors_types_take_it(on: Target, body: dict[str, Any]) -> None:
    clean = json.loads(json.dumps(body).replace('"hologram"', '"text", "text": "x"'))
    draft = convert(parse_request(clean), on).draft
    if draft["messages"]:
        check_request(on.api, draft)


@pytest.mark.parametrize("api", APIS)
@examples()
@given(body=tame())
def test_there_and_back_is_the_same_where_nothing_is_lost(api: Api, body: dict[str, Any]) -> None:
    request = parse_request(body)
    converted = convert(request, target(api))
    assert converted.report.status is Canonical.LOSSLESS
    assert set(converted.report.warnings) <= EXACT
    assert decode_request(api, converted.body, converted.tool_ids) == request


@examples()
@given(on=anywhere, body=wild())
def test_there_and_back_wherever_the_report_is_clean(on: Target, body: dict[str, Any]) -> None:
    request = parse_request(body)
    converted = convert(request, on)
    if converted.blocked or converted.report.status is not Canonical.LOSSLESS:
        return
    back = decode_request(on.api, converted.body, converted.tool_ids)
    if set(converted.report.warnings) <= EXACT:
        assert back == request
    else:
        content = [block_json(block) for message in request.messages for block in message.content]
        returned = [block_json(block) for message in back.messages for block in message.content]
        assert words_of(returned) | words_of([block_json(text) for text in back.system]) == words_of(content)


@quick
@given(on=anywhere, body=wild())
def test_hidden_reasoning_is_never_visible(on: Target, body: dict[str, Any]) -> None:
    request = parse_request(body)
    kinds = {"thinking", "redacted_thinking"}
    hidden = [block_json(b) for m in request.messages for b in m.content if block_json(b)["type"] in kinds]
    draft = convert(request, on).draft
    for message in draft["messages"]:
        content = message["content"] if isinstance(message["content"], list) else [message["content"]]
        visible = [part for part in content if not (isinstance(part, dict) and part.get("type") in kinds)]
        assert not set(words_of(visible)) & set(words_of(hidden))


@pytest.mark.parametrize("api", APIS)
@examples(0.5)
@given(body=wild(), flag=st.booleans())
def test_converting_twice_gives_the_same(api: Api, body: dict[str, Any], flag: bool) -> None:
    on = target(api, allow_lossy=flag)
    assert convert(parse_request(body), on) == convert(parse_request(body), on)
