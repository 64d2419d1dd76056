"""The thresholds between cost tiers, at their edges."""

from __future__ import annotations

from decimal import Decimal

import pytest

from model.prices import suggested_cost_tier
from model.vocabulary import CostTier


@pytest.mark.parametrize(
    ("input", "output", "tier"),
    [
        ("0", "0", CostTier.FREE),
        ("0", "0.01", CostTier.LOW),
        ("1", "5", CostTier.LOW),
        ("1", "5.01", CostTier.MEDIUM),
        ("3", "15", CostTier.MEDIUM),
        ("3.01", "15", CostTier.HIGH),
        ("5", "25", CostTier.HIGH),
    ],
)
def test_the_tier_of_a_price(input: str, output: str, tier: CostTier) -> None:
    assert suggested_cost_tier(Decimal(input), Decimal(output)) is tier
