"""The rules as they meet rows that a plugin built in Python, types included."""

from __future__ import annotations

import datetime
from typing import Any

import pytest

from model.capability_set import CapabilitySet
from model.catalog import InvalidRow, Retirement
from model.catalog.rules import check
from model.vocabulary import Capability, ScoreDimension, TokenizerFamily
from tests.model.catalog.rows import GOOD, row

DAY = datetime.date(2027, 1, 14)
URL = "https://vendor.example/gone"


def test_accepts_a_good_row() -> None:
    check(GOOD)


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"model_id": ""}, "model_id"),
        ({"model_id": "good-1 "}, "model_id"),
        ({"model_id": "good\x1b[31m"}, "model_id"),
        ({"model_id": 7}, "model_id"),
        ({"display_name": ""}, "display_name"),
        ({"aliases": ["good-1-20260101"]}, "aliases"),
        ({"aliases": ("",)}, "aliases"),
        ({"note": "two\nlines"}, "note"),
        ({"vendor": "openai"}, "vendor"),
        ({"vendor": "acme"}, "vendor"),
        ({"tokenizer_family": "claude"}, "tokenizer_family"),
        ({"tokenizer_family": TokenizerFamily.UNKNOWN}, "tokenizer_family"),
        ({"context_window_tokens": "128k"}, "context_window_tokens"),
        ({"context_window_tokens": True}, "context_window_tokens"),
        ({"context_window_tokens": 1.5}, "context_window_tokens"),
        ({"context_window_tokens": 0}, "context_window_tokens"),
        ({"max_output_tokens": 200_001}, "max_output_tokens"),
        ({"yes": frozenset()}, "yes"),
        ({"yes": CapabilitySet(), "no": CapabilitySet()}, "yes"),
        ({"no": CapabilitySet.of([Capability.TOOL_USE])}, "no"),
        ({"yes": CapabilitySet.of([Capability.PARALLEL_TOOL_USE])}, "yes"),
        ({"scores": [1, 2]}, "scores"),
        ({"scores": {"coding": 50}}, "scores"),
        ({"scores": dict.fromkeys(ScoreDimension, 101)}, "scores.coding"),
        ({"scores": dict.fromkeys(ScoreDimension, True)}, "scores.coding"),
        ({"scores": {ScoreDimension.CODING: 50}}, "scores"),
        ({"retirement": DAY}, "retirement"),
        ({"retirement": Retirement("2027-01-14", None, URL)}, "retirement.date"),  # type: ignore[arg-type]  # a plugin's slip
        ({"retirement": Retirement(DAY, "", URL)}, "retirement.replacement"),
        ({"retirement": Retirement(DAY, "good-1", URL)}, "retirement.replacement"),
        ({"retirement": Retirement(DAY, None, "hearsay")}, "retirement.source"),
        ({"source": "hearsay"}, "source"),
        ({"source": ""}, "source"),
        ({"checked": "2026-11-30"}, "checked"),
        ({"checked": datetime.datetime(2026, 11, 30)}, "checked"),
    ],
)
def test_refuses(changes: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidRow) as caught:
        check(row(**changes))
    assert caught.value.field == field


def test_a_row_may_be_known_from_a_snapshot_only() -> None:
    check(row(source="snapshot: somebody's list of 2026-08-18"))
