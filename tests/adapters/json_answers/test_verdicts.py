"""What an answer is worth: valid, no JSON, or JSON that breaks the schema, with the place and the reason."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import Any

import pytest

from adapters.conversion import JsonAnswer
from adapters.json_answers import BadSchema, BadSchemaFile, JsonOutcome, judge_answer, read_schema_file
from adapters.json_answers.schema import MOST_ERRORS, checker_of

SCHEMA = {
    "type": "object",
    "properties": {"n": {"type": "integer"}, "tags": {"type": "array", "items": {"enum": ["a", "b"]}}},
    "required": ["n"],
    "additionalProperties": False,
}
SECRET = "sk-canary-0123456789"


@pytest.fixture(autouse=True)
def _no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> None:
        raise AssertionError("a schema must not be fetched")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)


def told(text: str, schema: Any) -> tuple[JsonOutcome, list[str]]:
    verdict = judge_answer(text, JsonAnswer(schema))
    assert verdict.is_valid == (not verdict.errors)
    return verdict.outcome, [str(error) for error in verdict.errors]


@pytest.mark.parametrize(
    ("text", "schema"),
    [
        ('{"n": 1}', SCHEMA),
        ('{"n": 1.0, "tags": []}', SCHEMA),
        ("{}", None),
        ("[1, 2]", {"type": "array"}),
        ("true", {}),
        ("[1, true, [0], [false]]", {"uniqueItems": True}),
        ('{"n": 1}', {"$ref": "#/$defs/a", "$defs": {"a": {"required": ["n"]}}}),
        ('{"n": 1}', {"$id": "https://x.test/a", "$ref": "b", "$defs": {"b": {"$id": "b", "type": "object"}}}),
        ("{}", {"$ref": "https://json-schema.org/draft/2020-12/schema"}),
        ("[1]", {"$schema": "http://json-schema.org/draft-07/schema#", "items": [{"type": "integer"}]}),
        ('{"d": "no date"}', {"properties": {"d": {"format": "date"}}}),
    ],
    ids=lambda value: str(value)[:30],
)
def test_valid(text: str, schema: Any) -> None:
    assert told(text, schema) == (JsonOutcome.VALID, [])


@pytest.mark.parametrize(
    ("text", "schema", "errors"),
    [
        ("[1]", None, ["at $: is an array, not object"]),
        ("{}", SCHEMA, ["at $: 'n' is a required property"]),
        (f'{{"n": "{SECRET}"}}', SCHEMA, ["at $.n: is a string, not integer"]),
        ('{"n": true}', SCHEMA, ["at $.n: is a boolean, not integer"]),
        (f'{{"n": 1, "tags": ["a", "{SECRET}"]}}', SCHEMA, ['at $.tags[1]: is none of ["a", "b"]']),
        ('{"n": 1, "x": 1, "y": 2}', SCHEMA, ['at $: has keys that are not allowed: "x", "y"']),
        ("3", {"maximum": 2}, ["at $: does not hold maximum 2"]),
        (f'"{SECRET}"', {"pattern": "^a"}, ['at $: does not hold pattern "^a"']),
        ("1", {"anyOf": [{"type": "string"}, {"type": "null"}]}, ["at $: fits none of the alternatives"]),
        ('[{"a": 1, "b": []}, {"b": [], "a": 1.0}]', {"uniqueItems": True}, ["at $: holds the same item twice"]),
        ("1", {"const": 2}, ["at $: is not 2"]),
        ("1", {"allOf": [False]}, ["at $: nothing is allowed here"]),
        ("9" * 300, {"multipleOf": 0.5, "maximum": 1e299}, ["at $: does not hold maximum 1e+299"]),
    ],
    ids=lambda value: str(value)[:30],
)
def test_breaks_the_schema(text: str, schema: Any, errors: list[str]) -> None:
    assert told(text, schema) == (JsonOutcome.BREAKS_SCHEMA, errors)


def test_only_the_first_breaches_are_told() -> None:
    _, errors = told(str(["x"] * 1000).replace("'", '"'), {"items": {"type": "integer"}})
    assert len(errors) == MOST_ERRORS


def test_a_long_list_of_objects_is_compared_at_once() -> None:
    items = ", ".join(f'{{"n": {number}}}' for number in range(50_000))
    assert told(f"[{items}]", {"$ref": "#/$defs/a", "$defs": {"a": {"uniqueItems": True}}})[0] is JsonOutcome.VALID


def test_no_json() -> None:
    assert told("It is 5.", SCHEMA) == (JsonOutcome.NOT_JSON, ["no JSON stands in it"])


@pytest.mark.parametrize(
    ("schema", "why"),
    [
        ({"type": "nonsense"}, "'nonsense' is not valid"),
        ({"properties": {"a": {"pattern": "("}}}, "'(' is not a 'regex'"),
        ({"pattern": "(" * 5000 + ")" * 5000}, "no regular expression of Python's"),
        ({"patternProperties": {"a{%s}" % ("9" * 30): {}}}, "no regular expression of Python's"),
        ({"$ref": "http://127.0.0.1:9/never-fetched.json"}, "leads to no place in it, and nothing is fetched"),
        ({"properties": {"a": {"$ref": "file:///etc/passwd"}}}, "leads to no place in it"),
        ({"$defs": {"a": {"$dynamicRef": "other.json#x"}}}, "leads to no place in it"),
        ({"$ref": "#/$defs/missing"}, "leads to no place in it"),
        ({"$ref": "#"}, "refers to itself without end"),
        ({"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}}, "refers to itself without end"),
        ({"allOf": [{"type": "object"}, {"allOf": [{"$ref": "#"}]}]}, "refers to itself without end"),
        ({"$id": "http://a.test/", "$defs": {"b": {"$id": "b", "$ref": "b"}}}, "refers to itself without end"),
        ({"$defs": {f"d{n}": {"$ref": f"#/$defs/d{n + 1}"} for n in range(1500)} | {"d1500": {}}}, "without measure"),
        ({"$schema": "https://x.test/my-draft"}, "names no draft that is known here"),
        ({"$schema": ["a"]}, "names no draft"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_schemas_that_cannot_be_used(schema: Any, why: str) -> None:
    with pytest.raises(BadSchema) as caught:
        checker_of(schema)
    assert why in str(caught.value)
    assert told("{}", schema)[0] is JsonOutcome.UNCHECKED


def test_a_schema_without_end_is_told_when_it_is_used() -> None:
    endless = {"anyOf": [{"type": "string"}, {"$ref": "#"}]}
    assert told('"x"', endless) == (JsonOutcome.VALID, [])
    assert told("{}", endless) == (JsonOutcome.UNCHECKED, ["the schema: it refers to itself without end"])


def test_references_that_branch_are_followed_once() -> None:
    twice = {f"d{n}": {"allOf": [{"$ref": f"#/$defs/d{n + 1}"}] * 2} for n in range(60)}
    checker_of({"$defs": twice | {"d60": {}}})


def test_a_schema_may_refer_to_itself_for_what_is_deeper() -> None:
    tree = {
        "$defs": {"node": {"allOf": [{"$ref": "#/$defs/named"}], "properties": {"child": {"$ref": "#/$defs/node"}}}}
        | {"named": {"required": ["name"]}},
        "allOf": [{"$ref": "#/$defs/named"}, {"$ref": "#/$defs/node"}],
    }
    assert told('{"name": "a", "child": {"name": "b"}}', tree) == (JsonOutcome.VALID, [])
    assert told('{"name": "a", "child": {}}', tree)[0] is JsonOutcome.BREAKS_SCHEMA


@pytest.mark.parametrize(
    ("text", "where", "why"),
    [
        (b'{"type": "object",\n "a" 1}', "s.json:2:6:", "not JSON: expecting ':' delimiter"),
        (b"", "s.json:1:1:", "there is no text"),
        (b"[]", "s.json:1:1:", "an object is expected"),
        (b'{"a": 1, "a": 2}', "s.json:", 'the key "a" stands twice'),
        (b"\xff", "s.json:1:", "not UTF-8"),
        (b'{"x": [1, {"y": "]"}],\n\t"properties": {"a": {}, "b": {"type": "nonsense"}}}', "s.json:2:40:", "nonsense"),
        (b'{"allOf": [{}, {"required": [1]}]}', "s.json:1:30:", "is not of type 'string'"),
        (b'\xef\xbb\xbf{"type": 1}', "s.json:1:11:", "is not valid under any"),
        (b'{"$ref": "other.json"}', "s.json:", '$ref "other.json" leads to no place in it'),
        (b"[" * 100_000, "s.json:", "deeper than 100 levels"),
        (b" " * (1024 * 1024 + 1), "s.json:", "more than 1,048,576 bytes"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_schema_files_that_give_none(tmp_path: Path, text: bytes, where: str, why: str) -> None:
    (tmp_path / "s.json").write_bytes(text)
    with pytest.raises(BadSchemaFile) as caught:
        read_schema_file(tmp_path / "s.json")
    assert caught.value.told("s.json").startswith(where)
    assert why in caught.value.told("s.json")


def test_a_schema_file(tmp_path: Path) -> None:
    (tmp_path / "s.json").write_text('\ufeff{"type": "object"}')
    assert read_schema_file(tmp_path / "s.json") == JsonAnswer({"type": "object"})


def test_a_long_list_in_an_old_draft_s_schema_is_read_in_time() -> None:
    """Comparing each with each would take hours."""
    checker_of({"$schema": "http://json-schema.org/draft-04/schema#", "enum": [{"a": n} for n in range(30_000)]})
