"""Single edits that may bring a model nearer to a requirement: claims about the model, or less asked of it.

A step is tried on values in memory (`Case.after`); `proposals` turns the steps that suffice into edits of files.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field as dataclass_field
from dataclasses import replace
from enum import IntEnum
from typing import TYPE_CHECKING, Any

from model.capability_set import CapabilitySet
from model.config.merge import Model, ModelLayer, ProviderLayer
from model.config.rows import Flags, ModelRow
from model.quick_dataclass import dataclass
from model.requirements import Requirement
from model.resolve import ResolvedModel, resolve_model
from model.verdicts import Verdict
from model.vocabulary import Capability, Layer

if TYPE_CHECKING:
    from model.snapshot import Snapshot


class Price(IntEnum):
    """How much a step asks the user to take on trust or give up; proposals are shown cheapest first."""

    CONFIRMED = 1
    STATE = 2
    RELAX = 3
    DROP = 4
    CONTRADICT = 8


@dataclass(frozen=True, slots=True)
class Denial:
    """A layer that says otherwise than a claim."""

    layer: Layer
    value: str
    detail: str = ""

    def __str__(self) -> str:
        return f"{self.layer.value} says {self.value}" + (f" ({self.detail})" if self.detail else "")


@dataclass(frozen=True, slots=True)
class Claim:
    """States one field of the model, or that its provider is on. `field` is dotted as in the field table."""

    field: str
    value: Any
    title: str
    price: int
    denied_by: tuple[Denial, ...] = ()
    of_provider: bool = False


@dataclass(frozen=True, slots=True)
class Relaxation:
    """Asks less in one field of the requirement. `value` gives the field's new value from a requirement, so that
    several relaxations of one field add up."""

    field: str
    value: Callable[[Requirement], Any] = dataclass_field(compare=False, repr=False)
    title: str
    price: int
    denied_by: tuple[Denial, ...] = ()


Step = Claim | Relaxation


@dataclass(frozen=True, slots=True)
class Case:
    """A model and a requirement while steps are tried on them. `fixed` fields are not the task's own, so that no edit
    of a file changes them."""

    snapshot: Snapshot
    row: ResolvedModel
    requirement: Requirement
    fixed: frozenset[str] = frozenset()

    def verdict(self) -> Verdict:
        return self.snapshot.verdict(self.row, self.requirement)

    def after(self, *steps: Step) -> Case:
        """What would be, with these steps made."""
        case = self
        for step in steps:
            case = case._claimed(step) if isinstance(step, Claim) else case._relaxed(step)
        return case

    def _claimed(self, claim: Claim) -> Case:
        model = self.row.model
        if claim.of_provider:
            model = replace(model, provider=replace(model.provider, enabled=True))
        else:
            home = home_of(model, claim.field)
            layers = tuple(_stating(layer, claim) if layer is home else layer for layer in model.layers)
            model = replace(model, layers=layers)
        row = resolve_model(model, self.snapshot.catalog, self.snapshot.matrix.policy, self.row.observed)
        return replace(self, row=row)

    def _relaxed(self, step: Relaxation) -> Case:
        return replace(self, requirement=replace(self.requirement, **{step.field: step.value(self.requirement)}))


def _stating(layer: ModelLayer, claim: Claim) -> ModelLayer:
    head, _, tail = claim.field.partition(".")
    value = claim.value
    if head == "supports":
        one, old = CapabilitySet.of((Capability(tail),)), layer.row.supports
        value = Flags(old.yes | one, old.no - one) if claim.value else Flags(old.yes - one, old.no | one)
    elif tail:
        value = replace(getattr(layer.row, head), **{tail: claim.value})
    return replace(layer, row=replace(layer.row, **{head: value}))


def home_of(model: Model, field: str) -> ModelLayer:
    """Where an edit of this field takes effect: the nearest file that states it, else the nearest with the model."""
    return next((layer for layer in model.layers if _states(layer.row, field)), model.layers[0])


def provider_home_of(model: Model) -> ProviderLayer | None:
    """The file that switches the provider off."""
    return model.provider.decided_by("enabled")


def _states(row: ModelRow, field: str) -> bool:
    head, _, tail = field.partition(".")
    section = getattr(row, head)
    if head == "supports":
        return Capability(tail) in section.stated
    return (getattr(section, tail) if tail else section) is not None
