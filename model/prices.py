"""From a price to a cost tier: a suggestion to the user, never written unasked. The thresholds stand here alone."""

from __future__ import annotations

from decimal import Decimal

from model.vocabulary import CostTier

INPUT_SHARE = Decimal("0.75")
"""Three tokens are read for each one written, the usual mix by which models' prices are compared; an agent, which
sends its whole conversation with each call, reads more and not less."""

MOST_LOW = Decimal(2)
MOST_MEDIUM = Decimal(6)
"""USD per million tokens of that mix. Vendors come in three sizes, and these bounds lie at the top of the first two:
the small ones (1 in, 5 out) reach 2, the middle ones (3 in, 15 out) reach 6, and the large ones (5 in, 25 out) 10."""


def blended(input: Decimal, output: Decimal) -> Decimal:
    """USD per million tokens of the usual mix, from USD per million tokens in and out."""
    return input * INPUT_SHARE + output * (1 - INPUT_SHARE)


def suggested_cost_tier(input: Decimal, output: Decimal) -> CostTier:
    """`input` and `output` in USD per million tokens."""
    price = blended(input, output)
    if price == 0:
        return CostTier.FREE
    if price <= MOST_LOW:
        return CostTier.LOW
    return CostTier.MEDIUM if price <= MOST_MEDIUM else CostTier.HIGH
