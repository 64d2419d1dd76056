"""Suggestions that help, and none that mislead."""

from __future__ import annotations

import pytest

from model.catalog import builtin
from model.doctor.near import nearest_name, nearest_row_name


@pytest.mark.parametrize(
    ("slip", "meant"),
    [
        ("claude-falbe-5-1", "claude-fable-5-1"),
        ("claude-opsu-4-7", "claude-opus-4-7"),
        ("Claude-Opus-4-7", "claude-opus-4-7"),
        ("claude-opus-47", "claude-opus-4-7"),
        ("claude-sonet-4-6", "claude-sonnet-4-6"),
    ],
)
def test_a_slip_is_known(slip: str, meant: str) -> None:
    assert nearest_row_name(builtin(), slip) == meant


@pytest.mark.parametrize(
    "name", ["claude-opus-4-9", "gpt-5.9", "claude-opus-4-7-20990101", "my-own-model", "house-1", ""]
)
def test_another_version_or_a_name_of_ones_own_is_no_slip(name: str) -> None:
    assert nearest_row_name(builtin(), name) is None


def test_a_name_is_never_its_own_suggestion() -> None:
    assert nearest_name("a/model", ["a/model", "b/other-thing"]) is None
    for row in builtin().rows:
        assert nearest_row_name(builtin(), row.model_id) != row.model_id
