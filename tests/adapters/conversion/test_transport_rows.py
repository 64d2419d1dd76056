"""The rows of model/transports.py against what the conversion really does (DOMAIN.md §2; issue C)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from adapters.conversion import convert
from adapters.conversion.convert import WRITERS
from adapters.conversion.tool_ids import id_rule
from model.conversion import Omission
from model.transports import TRANSPORTS, transport_for
from model.vocabulary import Api, CacheConversion, ImageConversion, JsonLevel, ThinkingConversion, ToolSchema
from tests.adapters.conversion.build import (
    IMAGE,
    MARK,
    PNG,
    USER,
    WEATHER,
    assistant,
    call,
    request,
    result,
    target,
    text,
    user,
)

CARRIED = tuple(WRITERS)
every_api = pytest.mark.parametrize("api", CARRIED)
SCHEMA = {"format": {"type": "json_schema", "schema": {"type": "object", "title": "told"}}}


def sent(api: Api, **given: Any) -> str:
    return json.dumps(convert(request(**given), target(api)).draft)


def test_every_api_of_ours_has_a_row_that_is_not_on_paper() -> None:
    assert set(CARRIED) == {api for api, row in TRANSPORTS.items() if not row.on_paper}


@every_api
def test_tools(api: Api) -> None:
    assert transport_for(api).tool_schema in {ToolSchema.NATIVE, ToolSchema.CONVERTED}
    native = convert(request(tools=[WEATHER]), target(api)).draft["tools"] == [WEATHER]
    assert native == (transport_for(api).tool_schema is ToolSchema.NATIVE)


@every_api
def test_images(api: Api) -> None:
    assert (PNG in sent(api, messages=[user(IMAGE)])) == (transport_for(api).image_input is ImageConversion.NATIVE)


@every_api
def test_thinking(api: Api) -> None:
    thought = {"type": "thinking", "thinking": "hmm", "signature": "c2ln"}
    carries = '"hmm"' in sent(api, messages=[USER, assistant(thought, text("a")), USER])
    assert carries == (transport_for(api).thinking is ThinkingConversion.NATIVE)


@every_api
def test_cache_marks(api: Api) -> None:
    carries = "ephemeral" in sent(api, messages=[user(text("a", cache_control=MARK))])
    assert carries == (transport_for(api).cache_control is CacheConversion.NATIVE)


@every_api
def test_a_json_schema(api: Api) -> None:
    report = convert(request(output_config=SCHEMA), target(api)).report
    assert (Omission.SCHEMA_IN_WORDS not in report.omissions) == (transport_for(api).json_schema is JsonLevel.NATIVE)
    assert "told" in sent(api, output_config=SCHEMA)


@every_api
def test_json_mode(api: Api) -> None:
    report = convert(request(output_config={"format": {"type": "json_object"}}), target(api)).report
    assert (Omission.JSON_IN_WORDS not in report.omissions) == (transport_for(api).json_mode is JsonLevel.NATIVE)


@every_api
def test_images_in_tool_results(api: Api) -> None:
    draft = convert(request(messages=[USER, assistant(call()), user(result(content=[IMAGE]))]), target(api)).draft
    inside = any(PNG in json.dumps(part) for message in draft["messages"] for part in results_of(message))
    assert inside == transport_for(api).images_in_tool_results


def results_of(message: dict[str, Any]) -> list[Any]:
    if message["role"] == "tool":
        return [message["content"]]
    return [part for part in message["content"] or () if isinstance(part, dict) and part.get("type") == "tool_result"]


@pytest.mark.parametrize("api", TRANSPORTS)
def test_tool_call_ids(api: Api) -> None:
    assert id_rule(api).ids is transport_for(api).tool_call_ids
