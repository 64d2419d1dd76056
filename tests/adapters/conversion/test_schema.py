"""Schema features that an Api lacks: rewritten where that is exact, else dropped and told."""

from __future__ import annotations

from typing import Any

import pytest

from adapters.conversion import convert
from adapters.conversion.schema import fit_schema, is_strict
from model.conversion import Caution, Omission
from model.transports import TRANSPORTS, transport_for
from model.vocabulary import Api
from tests.adapters.conversion.build import request, target

GAPS = transport_for(Api.GOOGLE_GENERATIVE_AI).missing_schema_features
CASES: list[tuple[str, dict[str, Any], dict[str, Any], tuple[str, ...], tuple[str, ...]]] = [
    ("nothing to do", {"type": "object"}, {"type": "object"}, (), ()),
    ("a text const", {"const": "a"}, {"enum": ["a"]}, ("const",), ()),
    ("a const that is no text", {"const": 7}, {}, (), ("const",)),
    ("a const beside an enum", {"const": "a", "enum": ["a", "b"]}, {"enum": ["a", "b"]}, (), ("const",)),
    ("patternProperties", {"patternProperties": {"^x": {}}}, {}, (), ("patternProperties",)),
    (
        "deep down",
        {"properties": {"p": {"items": {"anyOf": [{"const": "a"}, {"const": "b"}]}}}},
        {"properties": {"p": {"items": {"anyOf": [{"enum": ["a"]}, {"enum": ["b"]}]}}}},
        ("properties.p.items.anyOf[0].const", "properties.p.items.anyOf[1].const"),
        (),
    ),
    (
        "a property that is called const",
        {"properties": {"const": {"type": "string"}}},
        {"properties": {"const": {"type": "string"}}},
        (),
        (),
    ),
    ("an example that holds const", {"default": {"const": 1}}, {"default": {"const": 1}}, (), ()),
    ("true as a schema", {"additionalProperties": True}, {"additionalProperties": True}, (), ()),
]


@pytest.mark.parametrize(("name", "given", "fitted", "rewritten", "dropped"), CASES, ids=[case[0] for case in CASES])
def test_fitting(
    name: str, given: dict[str, Any], fitted: dict[str, Any], rewritten: tuple[str, ...], dropped: tuple[str, ...]
) -> None:
    result = fit_schema(given, GAPS)
    assert (result.schema, result.rewritten, result.dropped) == (fitted, rewritten, dropped)


def test_a_schema_is_untouched_where_the_api_lacks_nothing() -> None:
    schema = {"patternProperties": {"^x": {"const": 1}}}
    assert fit_schema(schema, frozenset()).schema == schema


@pytest.mark.parametrize("api", [api for api, row in TRANSPORTS.items() if row.missing_schema_features])
def test_the_report_tells_both(api: Api) -> None:
    tool = {"name": "f", "input_schema": {"properties": {"a": {"const": "x"}}, "patternProperties": {}}}
    report = convert(request(tools=[tool]), target(api)).report
    assert report.warnings == (Caution.SCHEMA_REWRITTEN,)
    assert report.omissions == (Omission.SCHEMA_FEATURES_DROPPED,)


CLOSED = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"], "additionalProperties": False}
STRICT: list[tuple[dict[str, Any], bool]] = [
    (CLOSED, True),
    ({"type": "object", "properties": {}, "additionalProperties": False}, True),
    ({"type": "object"}, False),
    ({"type": "array", "items": CLOSED}, False),
    ({**CLOSED, "required": []}, False),
    ({**CLOSED, "additionalProperties": True}, False),
    ({**CLOSED, "properties": {"n": {"type": "array", "items": {"type": "object"}}}}, False),
    ({**CLOSED, "properties": {"n": {"anyOf": [CLOSED, {"type": "null"}]}}}, True),
    ({**CLOSED, "properties": {"n": {"oneOf": [CLOSED]}}}, False),
    ({**CLOSED, "properties": {"n": {"$ref": "#/$defs/n"}}, "$defs": {"n": CLOSED}}, True),
    ({**CLOSED, "properties": {"n": True}}, False),
    ({**CLOSED, "properties": []}, False),
    ({**CLOSED, "required": 7}, False),
    ({**CLOSED, "required": [["n"]]}, False),
    ({**CLOSED, "$defs": [], "anyOf": {}}, True),
]


@pytest.mark.parametrize(("schema", "strict"), STRICT)
def test_which_schemas_openai_can_enforce(schema: dict[str, Any], strict: bool) -> None:
    assert is_strict(schema) is strict
