"""Estimates are marked as such, and count what a model would read."""

from __future__ import annotations

from typing import Any

import pytest

from adapters.contract import TokenCount
from adapters.conversion.requests import from_completion_input
from adapters.tokens import TOKENS_AN_IMAGE, estimate_request, estimate_text
from model.contract import ProviderCompletionInput
from model.vocabulary import TokenizerFamily


@pytest.mark.parametrize(
    ("family", "tokens", "margin"),
    [
        (TokenizerFamily.O200K_BASE, 100, 0.02),
        (TokenizerFamily.CL100K_BASE, 100, 0.02),
        (TokenizerFamily.CLAUDE, 115, 0.05),
        (TokenizerFamily.UNKNOWN, 100, 0.10),
        (TokenizerFamily.LLAMA3, 100, 0.10),
    ],
)
def test_each_family_has_its_policy(family: TokenizerFamily, tokens: int, margin: float) -> None:
    assert estimate_text("word " * 80, family) == TokenCount(tokens, True, margin)


def test_the_most_is_the_count_with_its_margin() -> None:
    assert TokenCount(100, True, 0.02).most == 102
    assert TokenCount(1, True, 0.02).most == 2
    assert TokenCount(100).most == 100


def test_wide_characters_count_one_each() -> None:
    assert estimate_text("漢字漢字", TokenizerFamily.UNKNOWN).tokens == 4


def tokens_of(**given: Any) -> int:
    request = ProviderCompletionInput(model_id="m", **{"messages": ({"role": "user", "content": ""},), **given})
    return estimate_request(from_completion_input(request), TokenizerFamily.UNKNOWN).tokens


def test_everything_that_is_read_counts_and_the_rest_does_not() -> None:
    bare = tokens_of()
    assert tokens_of(system="x" * 400) == bare + 100
    assert tokens_of(messages=({"role": "user", "content": "x" * 400},)) == bare + 100
    assert tokens_of(tools=({"name": "t", "description": "x" * 400, "input_schema": {"type": "object"}},)) > bare + 100
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "A" * 4000}}
    assert tokens_of(messages=({"role": "user", "content": [image]},)) == bare + TOKENS_AN_IMAGE
