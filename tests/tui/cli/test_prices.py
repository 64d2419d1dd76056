"""Prices are told where they are asked for, with source and day; a cost tier is suggested and never written."""

from __future__ import annotations

import pytest

from tests.tui.cli.conftest import SAMPLE, Desk
from tests.tui.cli.test_startup import loaded

TEXT = """\
providers:
  - provider_id: a
    provider_kind: anthropic
    auth_ref: env:CAPDECK_TEST_KEY
    models:
      - model_id: claude-opus-4-5
      - model_id: claude-haiku-4-5
        cost_tier: high
      - model_id: no-such-model
  - {provider_id: home, provider_kind: ollama, models: [{model_id: m}]}
"""


@pytest.fixture
def priced(desk: Desk) -> Desk:
    desk.write(TEXT)
    return desk


def test_the_matrix_with_prices(priced: Desk) -> None:
    text = priced.run("matrix", "--prices").out
    opus = next(line for line in text.splitlines() if "claude-opus-4-5" in line)
    assert opus.split()[:5] == ["claude-opus-4-5", "unknown", "unknown", "5", "25"]
    assert "prices: USD per million tokens in and out, genai-prices" in text
    assert "$in" not in priced.run("matrix").out


def test_prices_as_json_and_csv(priced: Desk) -> None:
    models = priced.run("matrix", "--prices", "--json").json["models"]
    assert (models[0]["price"]["input"], models[0]["price"]["output"]) == (5.0, 25.0)
    assert models[0]["price"]["source"].startswith("genai-prices ")
    assert models[2]["price"] is None
    assert "price" not in priced.run("matrix", "--json").json["models"][0]
    head, first, *_ = priced.run("matrix", "--prices", "--format", "csv").out.splitlines()
    assert head.endswith("input_usd_per_million,output_usd_per_million,prices_from")
    assert ",5,25,genai-prices" in first


@pytest.mark.parametrize(("model", "tier"), [("a/claude-opus-4-5", "high"), ("home/m", "free")])
def test_a_tier_is_suggested_where_none_is_set(priced: Desk, model: str, tier: str) -> None:
    assert f"suggested: capdeck set {model} cost_tier {tier}" in priced.run("explain", model).out
    (found,) = priced.run("explain", model, "--json").json["suggestions"]
    assert (found["field"], found["value"]) == ("cost_tier", tier)
    assert priced.file.read_text() == TEXT


@pytest.mark.parametrize("model", ["a/claude-haiku-4-5", "a/no-such-model"])
def test_nothing_is_suggested_over_the_users_word_or_without_a_price(priced: Desk, model: str) -> None:
    assert "suggested" not in priced.run("explain", model).out


def test_prices_load_only_when_asked(desk: Desk) -> None:
    assert desk.file.read_text() == SAMPLE
    assert "genai_prices" not in loaded(desk, "matrix")[1]
    assert "genai_prices" not in loaded(desk, "explain", "local/house:30b")[1]
