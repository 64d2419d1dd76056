"""The doctor's codes: stable, kebab-case, the family first. Loaded only when one is explained."""

from __future__ import annotations

from collections.abc import Mapping

from model.doctor.codes import auth, capability, config, endpoint, limit, online, role
from model.doctor.codes.explanation import Explanation

__all__ = ["CODES", "Explanation", "explain"]

CODES: Mapping[str, Explanation] = {
    each.code: each
    for family in (config, auth, endpoint, role, capability, limit, online)
    for each in family.EXPLANATIONS
}


def explain(code: str) -> Explanation | None:
    """What a code means; None if the doctor has no such code."""
    return CODES.get(code)
