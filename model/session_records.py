"""What the session store keeps: ids, reasons, differences, reports. No record has a field for a secret, a prompt or
hidden reasoning (DOMAIN.md §5)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

from model.model_ref import ModelRef
from model.quick_dataclass import dataclass
from model.vocabulary import Api, Capability

if TYPE_CHECKING:
    from model.assignment import Assignment
    from model.fallback.failure import Failure
    from model.fallback.record import FallbackRecord

Detail = str | int | bool | None | list[str]
"""What a detail of an entry may be."""
MOST_NAMED = 50
"""Refs of one list that are kept, such as the allowed models of an assignment."""


class RecordKind(StrEnum):
    ASSIGNMENT = "assignment"
    FALLBACK = "fallback"
    SWITCH = "switch"
    PROBE = "probe"


@dataclass(frozen=True, slots=True)
class Entry:
    """One record as it is stored: `model` was chosen, `original` is what it replaces. `outcome` is one word."""

    kind: RecordKind
    outcome: str
    model: ModelRef | None = None
    original: ModelRef | None = None
    task: str = ""
    reason: str = ""
    details: Mapping[str, Detail] = field(default_factory=dict)
    at: datetime | None = None
    id: int | None = None


class Recordable(Protocol):
    """Anything that can be kept in the store."""

    def entry(self) -> Entry: ...


@dataclass(frozen=True, slots=True)
class AssignmentMade:
    """Seed 000 §6 and §9: who was assigned, and why."""

    assignment: Assignment

    def entry(self) -> Entry:
        made = self.assignment
        outcome = "blocked" if made.blocked else made.mode.value
        details: dict[str, Detail] = {
            "allowed": _names(made.allowed),
            "allowed_count": len(made.allowed),
            "warnings": list(made.warnings)[:MOST_NAMED],
            "tools_removed": _names(f"{tool.ref}: {tool.name} ({tool.code})" for tool in made.tools_removed),
        }
        if made.blocked:
            details["near_misses"] = _names(f"{near.ref}: {near.reason}" for near in made.blocked.near_misses)
        return Entry(RecordKind.ASSIGNMENT, outcome, made.chosen, None, made.task, made.reason, _stated(details))


@dataclass(frozen=True, slots=True)
class FallbackTaken:
    """Seed 000 §11: original and selected model, the reason, what differs, what the conversion loses."""

    record: FallbackRecord

    def entry(self) -> Entry:
        made = self.record
        details: dict[str, Detail] = {
            "failure": made.failure.value,
            "rung": int(made.rung),
            "differences": _names(made.differences.words()),
            "conversion": made.conversion.status.value,
            "omissions": _names(made.conversion.omissions),
            "warnings": _names(made.conversion.warnings),
            "switch": _names(word.value for word in made.switch),
            "tools_lost": _names(made.tools_lost),
            "price": str(made.price) if made.price else None,
            "required_confirmation": made.required_confirmation,
        }
        return Entry(
            RecordKind.FALLBACK, "selected", made.selected, made.original, made.task, made.reason, _stated(details)
        )


@dataclass(frozen=True, slots=True)
class FallbackBlocked:
    """The ladder's last rung: nobody took over."""

    task: str
    original: ModelRef
    failure: Failure
    reason: str

    def entry(self) -> Entry:
        details: dict[str, Detail] = {"failure": self.failure.value}
        return Entry(RecordKind.FALLBACK, "blocked", None, self.original, self.task, self.reason, details)


@dataclass(frozen=True, slots=True)
class ModelSwitched:
    """Seed 001, ADR-005: what moving a conversation to another model changed. `counts` are the report's counters."""

    to_model: ModelRef
    from_api: Api
    to_api: Api
    from_model: ModelRef | None = None
    counts: Mapping[str, int] = field(default_factory=dict)

    def entry(self) -> Entry:
        details: dict[str, Detail] = {"from_api": self.from_api.value, "to_api": self.to_api.value}
        details |= {name: int(count) for name, count in self.counts.items() if count}
        outcome = "changed" if any(self.counts.values()) else "unchanged"
        return Entry(RecordKind.SWITCH, outcome, self.to_model, self.from_model, details=details)


@dataclass(frozen=True, slots=True)
class CapabilityProbed:
    """What a probe of one claimed capability saw. `seen` None = it could not be told; `failure` is then a code."""

    model: ModelRef
    capability: Capability
    seen: bool | None
    endpoint: str
    failure: str = ""

    def entry(self) -> Entry:
        outcome = {True: "yes", False: "no", None: "unknown"}[self.seen]
        details: dict[str, Detail] = {"capability": self.capability.value, "endpoint": self.endpoint}
        if self.failure:
            details["failure"] = self.failure
        return Entry(RecordKind.PROBE, outcome, self.model, details=details)


def _names(words: Iterable[object]) -> list[str]:
    return [str(word) for word in words][:MOST_NAMED]


def _stated(details: dict[str, Detail]) -> dict[str, Detail]:
    return {name: value for name, value in details.items() if value not in (None, [], False)}
