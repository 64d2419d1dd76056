"""Today's price of a model, looked up once; the table behind it loads when the first price is asked for."""

from __future__ import annotations

from datetime import UTC, date, datetime
from functools import lru_cache
from typing import TYPE_CHECKING

from model.prices import suggested_cost_tier
from model.vocabulary import CostTier, Layer, ProviderKind

if TYPE_CHECKING:
    from decimal import Decimal

    from adapters.prices import Price
    from model.resolve import ResolvedModel


def price_of_row(row: ResolvedModel, day: date | None = None) -> Price | None:
    """None where the table has no price for this model at this provider, and for what runs at home."""
    provider = row.model.provider
    if provider.kind is None or provider.local:
        return None
    today = day or datetime.now(UTC).date()
    return _price(provider.kind, row.ref.model_id, provider.effective_base_url, today)


@lru_cache(maxsize=16_384)
def _price(kind: ProviderKind, model_id: str, base_url: str | None, day: date) -> Price | None:
    from adapters.prices import price_of

    return price_of(kind, model_id, base_url, datetime(day.year, day.month, day.day, tzinfo=UTC))


def usd(amount: Decimal) -> str:
    """USD per million tokens in few characters: 5, 0.25, 12.5."""
    return f"{amount.normalize():f}" if amount == amount.to_integral() else f"{amount:.4f}".rstrip("0")


def price_words(price: Price) -> str:
    """`5 in, 25 out USD per million tokens (genai-prices 0.2.3, 2026-11-30)`"""
    tiers = ", more for long prompts" if price.is_tiered else ""
    dated = f"{price.source}, {price.as_of.date().isoformat()}"
    return f"{usd(price.input)} in, {usd(price.output)} out USD per million tokens{tiers} ({dated})"


def price_words_of(row: ResolvedModel) -> str:
    """The price of a row, and the cost tier that it suggests where none is set."""
    price, suggestion = price_of_row(row), suggested_tier(row)
    told = price_words(price) if price else "no price is known for this model at this provider"
    return f"{told}  suggests cost_tier {suggestion[0].value}" if suggestion else told


def suggested_tier(row: ResolvedModel) -> tuple[CostTier, str] | None:
    """A cost tier and why, where nobody states one and something is known; never written unasked."""
    if row.cost_tier.layer is not Layer.NOBODY:
        return None
    if row.model.provider.local:
        return CostTier.FREE, "it runs on your own machine"
    price = price_of_row(row)
    return (suggested_cost_tier(price.input, price.output), price_words(price)) if price else None
