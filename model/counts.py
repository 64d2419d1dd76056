"""How many cells the sources contradict each other on, how many nobody states, and how many the policy decides."""

from __future__ import annotations

from model.capability_set import CapabilitySet
from model.quick_dataclass import dataclass
from model.snapshot import Snapshot
from model.vocabulary import CAPABILITIES


@dataclass(frozen=True, slots=True)
class Counts:
    """Cells of the matrix. `by_policy`: nobody states them, a task requires them, and the model is switched on, so
    that `policy.unknown_capabilities` alone says whether they pass."""

    models: int
    contradicted: int
    not_stated: int
    by_policy: int


def counts(snapshot: Snapshot) -> Counts:
    rows, bitmap = snapshot.matrix.rows, snapshot.bitmap
    unknown = {capability: bitmap.unknown(capability) for capability in CAPABILITIES}
    asked = required_somewhere(snapshot)
    return Counts(
        len(rows),
        sum(row.contradicted.mask.bit_count() for row in rows),
        sum(mask.bit_count() for mask in unknown.values()),
        sum((unknown[capability] & bitmap.enabled()).bit_count() for capability in asked),
    )


def required_somewhere(snapshot: Snapshot) -> CapabilitySet:
    """What any task requires, alternatives included."""
    asked = CapabilitySet()
    for requirement in snapshot.requirements.values():
        asked |= requirement.required
        for alternative in requirement.any_of:
            asked |= alternative.required
    return asked


def policy_words(snapshot: Snapshot, found: Counts) -> str:
    """Which policy is in force and how many cells it decides: `policy closed decides 12 cells`."""
    return f"policy {snapshot.config.policy.unknown_capabilities.value} decides {found.by_policy:,} cells"
