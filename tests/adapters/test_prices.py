"""Prices come from genai-prices, by vendor or address, dated; not knowing one is no error."""

from __future__ import annotations

import subprocess
import sys
from datetime import UTC, datetime
from decimal import Decimal

import pytest

from adapters.conversion.completion import Usage
from adapters.prices import cost_of, price_of
from model.vocabulary import ProviderKind

AT = datetime(2026, 1, 15, tzinfo=UTC)


def test_a_vendors_model_has_a_price_with_date_and_source() -> None:
    price = price_of(ProviderKind.ANTHROPIC, "claude-sonnet-4-5", at=AT)
    assert price is not None
    assert (price.input, price.output, price.as_of) == (Decimal(3), Decimal(15), AT)
    assert price.is_tiered
    assert price.source.startswith("genai-prices ")


@pytest.mark.parametrize(
    ("kind", "model_id", "base_url"),
    [
        (ProviderKind.ANTHROPIC, "no-such-model", None),
        (ProviderKind.OPENAI_COMPATIBLE, "gpt-4o", None),
        (ProviderKind.OPENAI_COMPATIBLE, "gpt-4o", "http://127.0.0.1:8080"),
        (ProviderKind.OLLAMA, "gpt-4o", None),
        (ProviderKind.OPENAI, "", None),
    ],
)
def test_what_is_not_known_is_none(kind: ProviderKind, model_id: str, base_url: str | None) -> None:
    assert price_of(kind, model_id, base_url, AT) is None
    assert cost_of(kind, model_id, Usage(1, 1), base_url, AT) is None


def test_an_address_names_its_provider() -> None:
    assert price_of(ProviderKind.OPENAI_COMPATIBLE, "deepseek-chat", "https://api.deepseek.com", AT) is not None


def test_what_an_answer_cost() -> None:
    kind, model = ProviderKind.ANTHROPIC, "claude-sonnet-4-5"
    assert cost_of(kind, model, Usage(1000, 100), at=AT) == Decimal("0.0045")
    cached = cost_of(kind, model, Usage(1000, 100, cache_read_tokens=10_000), at=AT)
    assert cached == Decimal("0.0075")
    assert cost_of(kind, model, Usage(1000, None), at=AT) is None


def test_the_table_loads_only_when_asked() -> None:
    code = "import sys, adapters.prices; assert 'genai_prices' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)
