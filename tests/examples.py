"""How many random examples a property is tried on.

`pytest` tries few, the same in every run; `pytest --hypothesis-profile=slow` tries ten times as many, others each time.
"""

from __future__ import annotations

from typing import Any

from hypothesis import settings

FEW, MANY = 60, 600


def register_profiles() -> None:
    settings.register_profile("few", max_examples=FEW, deadline=None, derandomize=True, database=None)
    settings.register_profile("slow", max_examples=MANY, deadline=None)
    settings.load_profile("few")


def examples(share: float = 1.0, **more: Any) -> settings:
    """`share` of the profile's number: less for what is dear, more for what is cheap and matters."""
    return settings(max_examples=max(1, round(settings().max_examples * share)), **more)
