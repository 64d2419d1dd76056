"""Which JSON an answer holds: the whole of it, one code fence, or one value among words; everything else is refused."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.json_answers import Found, NotJson, read_json
from adapters.json_answers.search import find_json
from adapters.json_answers.strict import MOST_DIGITS

SECRET = "sk-canary-0123456789"


@pytest.mark.parametrize(
    ("text", "value", "found"),
    [
        ('{"n": 1}', {"n": 1}, Found.WHOLE),
        (' \r\n{"n": 1}\n', {"n": 1}, Found.WHOLE),
        ('\ufeff{"n": 1}', {"n": 1}, Found.WHOLE),
        ("[1, 2]", [1, 2], Found.WHOLE),
        ("42", 42, Found.WHOLE),
        ('{"a": "```\\n"}', {"a": "```\n"}, Found.WHOLE),
        ("9" * MOST_DIGITS, int("9" * MOST_DIGITS), Found.WHOLE),
        ('```json\n{"n": 1}\n```', {"n": 1}, Found.FENCED),
        ('```\r\n{"n": 1}\r\n```\r\n', {"n": 1}, Found.FENCED),
        ('~~~~\n{"n": "~~~"}\n~~~~', {"n": "~~~"}, Found.FENCED),
        ('Here you are:\n  ```JSON\n  {"n": 1}\n  ```\nAnything [else]?', {"n": 1}, Found.FENCED),
        ('Not {"n": 2} but\n```json\n{"n": 1}\n```', {"n": 1}, Found.FENCED),
        ('Run\n```sh\nls *\n```\nand get\n```json\n{"n": 1}\n```', {"n": 1}, Found.FENCED),
        ('```json\n{"n": 1}', {"n": 1}, Found.FENCED),
        ('Here you are: {"n": 1} Bye.', {"n": 1}, Found.AMONG_WORDS),
        ('It is 5" long: {"s": "a } b", "l": [1, {}]}', {"s": "a } b", "l": [1, {}]}, Found.AMONG_WORDS),
        ('Put it in {place}: {"n": 1}', {"n": 1}, Found.AMONG_WORDS),
        ('Use ```{"n": 1}``` here', {"n": 1}, Found.AMONG_WORDS),
    ],
    ids=lambda value: repr(value)[:30],
)
def test_what_is_read(text: str, value: Any, found: Found) -> None:
    read = find_json(text)
    assert (read.value, read.found) == (value, found)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "there is no text"),
        (" \n", "there is no text"),
        ("I cannot do that.", "no JSON stands in it"),
        (f'{{"a": {SECRET}}}', "line 1, column 7: expecting value"),
        ('{"a": 1', "line 1, column 8: it breaks off"),
        ('Sure:\n{"a": "b', "line 2, column 7: it breaks off"),
        ('Sure: {"a": [1, 2], "b": ', "it breaks off"),
        ('{"a": 1} and {"b": [1', "it breaks off"),
        ('```json\n{"a": [1, 2],\n', "line 3, column 1: it breaks off"),
        ('```json\n{"a": 1,}\n```', "line 2, column 9"),
        ("{'a': [1, 2]}", "line 1, column 2"),
        ('{"a": 1}\n{"b": 2}', "2 JSON values stand in it"),
        ('By [1] it is {"a": 1}', "2 JSON values stand in it"),
        ('```\n{"a": 1}\n```\n```\n{"a": 1}\n```', "2 JSON values stand in it"),
        ("[a] " * 101, "more than 100 parts"),
        ('{"n": NaN}', "NaN is no JSON number"),
        ('{"n": -Infinity}', "-Infinity is no JSON number"),
        ('{"n": 1e999}', "larger than any float"),
        ("9" * (MOST_DIGITS + 1), "no JSON stands in it"),
        (f'{{"n": {"9" * 5000}}}', "more than 300 digits"),
        ('{"n": 1, "m": 2, "n": 3}', 'the key "n" stands twice in one object'),
        ('{"n": {"a": 1, "\\u0061": 2}}', 'the key "a" stands twice'),
        ("[" * 100_000, "deeper than 100 levels"),
        ("[" * 101 + "]" * 101, "deeper than 100 levels"),
        ('{"a":' * 100_000, "deeper than 100 levels"),
    ],
    ids=lambda value: repr(value)[:30],
)
def test_what_is_refused(text: str, why: str) -> None:
    with pytest.raises(NotJson) as caught:
        find_json(text)
    assert why in caught.value.told(text)
    assert SECRET not in caught.value.told(text)


@pytest.mark.parametrize(
    "text",
    ["[" * 500_000, '"' + '\\"' * 500_000, "```\n" * 200_000, "{]" * 300_000, '[x "' + '\\"' * 500_000, "\n".join(
        "`" * length for length in range(3, 1500)
    )],
    ids=lambda value: value[:8],
)  # fmt: skip
def test_hostile_text_is_refused_at_once(text: str) -> None:
    with pytest.raises(NotJson):
        find_json(text)


@given(st.text(alphabet='{}[]"\\:, \n`~a1', max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    with suppress(NotJson):
        find_json(text)


_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.text(), _VALUES, max_size=3), st.booleans())
def test_every_object_is_found_among_words(value: dict[str, Any], ascii_only: bool) -> None:
    import json

    text = json.dumps(value, ensure_ascii=ascii_only)
    assert read_json(text) == value
    assert find_json(f'He said: "so. {text} (end)').value == value
    assert find_json(f"So:\n```json\n{text}\n```\n").value == value
