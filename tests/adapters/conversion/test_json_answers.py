"""JSON answers that were asked for in words: parsed, a code fence forgiven, checked against the schema."""

from __future__ import annotations

from typing import Any

import pytest

from adapters.conversion import BadJsonAnswer, parse_json_answer

SCHEMA = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
SECRET = "sk-canary-0123456789"


@pytest.mark.parametrize(
    ("text", "schema", "value"),
    [
        ('{"n": 1}', SCHEMA, {"n": 1}),
        ('  {"n": 1}\n', SCHEMA, {"n": 1}),
        ('```json\n{"n": 1}\n```', SCHEMA, {"n": 1}),
        ('```\n{"n": 1}\n```\n', None, {"n": 1}),
        ("[1, 2]", {"type": "array"}, [1, 2]),
        ('{"a": "```"}', None, {"a": "```"}),
    ],
)
def test_good_answers(text: str, schema: Any, value: Any) -> None:
    assert parse_json_answer(text, schema) == value


@pytest.mark.parametrize(
    ("text", "schema", "words"),
    [
        ("", None, "no JSON at line 1, column 1"),
        (f'{{"a": {SECRET}}}', None, "no JSON at line 1, column 7"),
        ('Here you are: {"n": 1}', SCHEMA, "no JSON at line 1"),
        ("[1]", None, "not an object"),
        ('{"n": NaN}', None, "NaN is no JSON"),
        ("[" * 100_000, None, "nested too deep"),
        ('{"n": "one"}', SCHEMA, "$.n: does not hold 'type'"),
        ("{}", SCHEMA, "does not hold 'required'"),
        ("{}", {"type": "nonsense"}, "the schema itself is not valid"),
        ("{}", {"$ref": "http://127.0.0.1:9/never-fetched.json"}, "the schema itself is not valid"),
        ("{}", {"$ref": "#"}, "the schema itself is not valid"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_bad_answers(text: str, schema: Any, words: str) -> None:
    with pytest.raises(BadJsonAnswer) as caught:
        parse_json_answer(text, schema)
    assert words in str(caught.value)
    assert SECRET not in str(caught.value)
