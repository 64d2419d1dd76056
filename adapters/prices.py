"""Dated prices per model out of genai-prices, which takes a third of a second to load and so loads when first asked."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from adapters.conversion.completion import Usage
from model.quick_dataclass import dataclass
from model.vocabulary import ProviderKind

MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Price:
    """USD per million tokens in and out, as of a moment, and who says so.

    `is_tiered`: long prompts cost more than this; `cost_of` knows by how much.
    """

    input: Decimal
    output: Decimal
    as_of: datetime
    source: str
    is_tiered: bool = False


def price_of(
    kind: ProviderKind, model_id: str, base_url: str | None = None, at: datetime | None = None
) -> Price | None:
    """None where the table has no such model, or has it under another provider only."""
    moment = at or datetime.now(UTC)
    found = _calculated(kind, model_id, base_url, {"input_tokens": 1, "output_tokens": 1}, moment)
    if found is None:
        return None
    base, tiered = zip(
        *(_plain(getattr(found.model_price, name)) for name in ("input_mtok", "output_mtok")), strict=True
    )
    return Price(base[0], base[1], moment, _source(), any(tiered))


def cost_of(
    kind: ProviderKind, model_id: str, usage: Usage, base_url: str | None = None, at: datetime | None = None
) -> Decimal | None:
    """What an answer cost in USD, cached tokens and tiers counted; None where price or usage is not known."""
    if usage.input_tokens is None or usage.output_tokens is None:
        return None
    read, written = usage.cache_read_tokens or 0, usage.cache_written_tokens or 0
    counts = {
        "input_tokens": usage.input_tokens + read + written,
        "output_tokens": usage.output_tokens,
        **({"cache_read_tokens": read} if read else {}),
        **({"cache_write_tokens": written} if written else {}),
    }
    found = _calculated(kind, model_id, base_url, counts, at or datetime.now(UTC))
    return None if found is None else Decimal(found.total_price)


_PROVIDERS = {
    ProviderKind.ANTHROPIC: "anthropic",
    ProviderKind.OPENAI: "openai",
    ProviderKind.OPENROUTER: "openrouter",
}


def _calculated(
    kind: ProviderKind, model_id: str, base_url: str | None, counts: dict[str, int], at: datetime
) -> Any | None:
    """By the vendor, or for another provider by its address; never by the model's name alone: resellers set prices."""
    from genai_prices import Usage as Counts
    from genai_prices import calc_price

    usage, vendor = Counts(**counts), _PROVIDERS.get(kind)
    if not vendor and not base_url:
        return None
    try:
        if vendor:
            return calc_price(usage, model_id, provider_id=vendor, genai_request_timestamp=at)
        return calc_price(usage, model_id, provider_api_url=base_url, genai_request_timestamp=at)
    except (LookupError, ValueError, TypeError):
        return None


def _plain(price: Any) -> tuple[Decimal, bool]:
    base = getattr(price, "base", None)
    if base is not None:
        return Decimal(base), True
    return Decimal(price or 0), False


def _source() -> str:
    from importlib.metadata import version

    return f"genai-prices {version('genai-prices')}"
