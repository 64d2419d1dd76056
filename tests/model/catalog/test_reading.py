"""What a catalog file may hold, and how an error names row, field, rule and line."""

from __future__ import annotations

import datetime

import pytest

from model.catalog import InvalidRow
from model.catalog.reading import read_rows
from model.vocabulary import Capability, ScoreDimension, Support
from tests.model.catalog.rows import GOOD, text

SCORES = "{coding: 1, debugging: 2, research: 3, reasoning: 4, speed: 5, long_context: 6, instruction: 7}"


def refused(catalog: str) -> InvalidRow:
    with pytest.raises(InvalidRow) as caught:
        read_rows(catalog, "catalog.yaml")
    return caught.value


def test_reads_every_field() -> None:
    assert read_rows(text(), "catalog.yaml") == (GOOD,)


def test_reads_the_optional_fields() -> None:
    retirement = "{date: 2027-01-14, replacement: null, source: 'https://vendor.example/gone'}"
    (row,) = read_rows(text({"scores": SCORES, "retirement": retirement, "note": "why"}), "catalog.yaml")
    assert row.scores[ScoreDimension.INSTRUCTION] == 7
    assert row.retirement is not None
    assert row.retirement.replacement is None
    assert row.retirement.days_left(datetime.date(2027, 1, 13)) == 1
    assert row.note == "why"


def test_null_limits_are_not_known() -> None:
    (row,) = read_rows(text({"context_window_tokens": "null", "max_output_tokens": "null"}), "catalog.yaml")
    assert (row.context_window_tokens, row.max_output_tokens) == (None, None)


def test_a_flag_in_neither_list_is_unknown() -> None:
    (row,) = read_rows(text(), "catalog.yaml")
    assert row.support(Capability.TOOL_USE) is Support.YES
    assert row.support(Capability.IMAGE_OUTPUT) is Support.NO
    assert row.support(Capability.BATCH) is Support.UNKNOWN


def test_an_error_names_place_row_field_and_rule() -> None:
    error = refused(text({}, {"model_id": "other", "aliases": None, "max_output_tokens": "200001"}))
    assert str(error) == (
        "catalog.yaml:12:3: catalog row 'other', max_output_tokens: 200001 must not exceed the window of 200000 tokens"
    )


@pytest.mark.parametrize(
    ("changes", "field", "rule"),
    [
        ({"model_id": None}, "model_id", "must be stated"),
        ({"checked": None}, "checked", "must be stated"),
        ({"context_window_tokens": None}, "context_window_tokens", "must be stated"),
        ({"yes": None}, "yes", "must be stated"),
        ({"model_id": "' good-1'"}, "model_id", "must not begin or end with a blank"),
        ({"model_id": "''"}, "model_id", "not empty"),
        ({"model_id": "[good-1]"}, "model_id", "single value"),
        ({"colour": "red"}, "colour", "is none of"),
        ({"tokeniser_family": "claude"}, "tokeniser_family", "did you mean 'tokenizer_family'?"),
        ({"context_window_tokens": "128k"}, "context_window_tokens", "whole number"),
        ({"context_window_tokens": "1.5"}, "context_window_tokens", "whole number"),
        ({"context_window_tokens": "0"}, "context_window_tokens", "above 0"),
        ({"max_output_tokens": "-1"}, "max_output_tokens", "above 0"),
        ({"context_window_tokens": "9" * 30}, "context_window_tokens", "whole number"),
        ({"yes": "text_input tool_uze"}, "yes", "did you mean 'tool_use'?"),
        ({"yes": "text_input text_input"}, "yes", "stands twice"),
        ({"yes": "[text_input]"}, "yes", "single value"),
        ({"no": "tool_use"}, "no", "stands under yes as well"),
        ({"tokenizer_family": "unknown"}, "tokenizer_family", "only for models outside"),
        ({"tokenizer_family": "cl100k"}, "tokenizer_family", "did you mean 'cl100k_base'?"),
        ({"scores": "{coding: 50}"}, "scores", "all seven dimensions or none; missing: debugging"),
        ({"scores": SCORES.replace("coding: 1", "coding: 101")}, "scores.coding", "from 0 to 100"),
        ({"scores": SCORES.replace("coding: 1", "coding: x")}, "scores.coding", "whole number"),
        ({"scores": SCORES.replace("coding", "codings")}, "scores", "did you mean 'coding'?"),
        ({"scores": "7"}, "scores", "must be a mapping"),
        ({"retirement": "{date: 2027-01-14, source: 'https://x.example'}"}, "retirement.replacement", "be stated"),
        ({"retirement": "{date: soon, replacement: null, source: 'https://x.example'}"}, "retirement.date", "a date"),
        ({"source": "a blog"}, "source", "must be the vendor's document"),
        ({"source": "http://vendor.example"}, "source", "must be the vendor's document"),
        ({"checked": "30.11.2026"}, "checked", "must be a date"),
        ({"checked": "2026-02-30"}, "checked", "must be a date"),
    ],
)
def test_refuses(changes: dict[str, str | None], field: str, rule: str) -> None:
    error = refused(text(changes))
    assert error.field == field
    assert rule in error.rule
    assert error.place.startswith("catalog.yaml:")


@pytest.mark.parametrize(
    ("catalog", "rule"),
    [
        ("", "must be a mapping"),
        ("- openai", "must be a mapping"),
        ("openai: 7", "must be a list"),
        ("openai:\n- just text", "must be a mapping"),
        ("openai: [", "must be YAML"),
        ("a: &a [*a]", "is none of"),
        ("[" * 2000, "must be YAML"),
        (text(vendor="opnai"), "did you mean 'openai'?"),
        (text() + text(), "'openai' stands twice"),
        (text().replace("  yes:", "  yes: text_input\n  yes:"), "'yes' stands twice"),
    ],
)
def test_refuses_a_file_of_another_shape(catalog: str, rule: str) -> None:
    assert rule in refused(catalog).rule
