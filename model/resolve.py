"""Three truths → one matrix: what each model can do, who said so, and which layer decided (DOMAIN.md §2).

A model's 18 cells are kept as a few ints (a bit a capability); the layers of one cell are spelled out when asked for.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from model.capability_set import CapabilitySet
from model.carriage import Carriage, carriage_of
from model.config.merge import Model, Policy
from model.config.rows import Flags
from model.model_ref import ModelRef
from model.quick_dataclass import dataclass
from model.transports import DECLARED_ONLY
from model.vocabulary import (
    CAPABILITIES,
    Capability,
    CostTier,
    Layer,
    ProviderKind,
    QualityTier,
    Role,
    ScoreDimension,
    Support,
    TokenizerFamily,
)

if TYPE_CHECKING:
    from datetime import date

    from model.catalog import Catalog, Match
    from model.config.merge import Config
    from model.latency import Latency

T = TypeVar("T")

KIND_DEFAULT = CapabilitySet.of((Capability.TEXT_INPUT, Capability.TEXT_OUTPUT, Capability.SYSTEM_PROMPT))
"""What a chat kind is taken to do when nobody says anything."""

_CHAT_KINDS = frozenset(set(ProviderKind) - {ProviderKind.CUSTOM})
_ALL = CapabilitySet.of(CAPABILITIES).mask


class Observations(Protocol):
    """What endpoints listed or probes saw; kept beside the truths, never mixed in."""

    def of(self, ref: ModelRef) -> Observed | None: ...


@dataclass(frozen=True, slots=True)
class Observed:
    """One model as an endpoint or a probe saw it; `latencies` are those at each endpoint where it was timed."""

    flags: Flags
    context_window_tokens: int | None
    max_output_tokens: int | None
    endpoint: str
    seen: date
    latencies: tuple[Latency, ...] = ()


@dataclass(frozen=True, slots=True)
class Stated(Generic[T]):
    """A scalar value and the layer that decided it."""

    value: T
    layer: Layer


@dataclass(frozen=True, slots=True)
class ResolvedModel:
    """One row of the matrix. `decided` tells for each layer the cells that it decided."""

    model: Model
    catalog: Match | None
    carriage: Carriage
    observed: Observed | None
    yes: CapabilitySet
    emulated: CapabilitySet
    no: CapabilitySet
    contradicted: CapabilitySet
    decided: Mapping[Layer, CapabilitySet]
    quality_tier: Stated[QualityTier]
    cost_tier: Stated[CostTier]
    context_window_tokens: Stated[int | None]
    max_output_tokens: Stated[int | None]
    tokenizer_family: TokenizerFamily
    scores: Mapping[ScoreDimension, int] = field(default_factory=dict)
    default_use: Mapping[Role, bool] = field(default_factory=dict)

    @property
    def ref(self) -> ModelRef:
        return self.model.ref

    @property
    def enabled(self) -> bool:
        return self.model.enabled

    @property
    def unknown(self) -> CapabilitySet:
        return CapabilitySet(_ALL & ~(self.yes.mask | self.emulated.mask | self.no.mask))

    def support(self, capability: Capability) -> Support:
        bit = capability.bit
        if self.yes.mask & bit:
            return Support.YES
        if self.emulated.mask & bit:
            return Support.EMULATED
        return Support.NO if self.no.mask & bit else Support.UNKNOWN

    def decided_by(self, capability: Capability) -> Layer:
        bit = capability.bit
        return next((layer for layer, cells in self.decided.items() if cells.mask & bit), Layer.NOBODY)

    def is_default_for(self, role: Role | None) -> bool:
        return role is not None and self.default_use.get(role, False)


@dataclass(frozen=True, slots=True)
class Matrix:
    """All models, in file order."""

    rows: tuple[ResolvedModel, ...]
    policy: Policy
    by_ref: Mapping[ModelRef, int]

    def get(self, ref: ModelRef) -> ResolvedModel | None:
        index = self.by_ref.get(ref)
        return None if index is None else self.rows[index]


def _said(model: Model, catalog: Match | None) -> list[tuple[Layer, int, int]]:
    """What each layer of model truth says, nearest first: (layer, yes bits, no bits)."""
    said = [(each.layer, each.row.supports.yes.mask, each.row.supports.no.mask) for each in model.layers]
    if catalog:
        adopted = ~DECLARED_ONLY.mask if model.provider.kind and model.provider.kind.declares_transport else _ALL
        said.append((Layer.CATALOG, catalog.row.yes.mask & adopted, catalog.row.no.mask & adopted))
    if model.provider.kind in _CHAT_KINDS:
        said.append((Layer.KIND_DEFAULT, KIND_DEFAULT.mask, 0))
    return said


def _contradicted(model: Model, catalog: Match | None, observed: Observed | None) -> int:
    """Cells on which two of file, catalog and observation disagree; what is not stated contradicts nothing."""
    yes = no = 0
    words = [each.row.supports for each in model.layers]
    if catalog:
        words.append(Flags(catalog.row.yes, catalog.row.no))
    if observed:
        words.append(observed.flags)
    for flags in words:
        yes |= flags.yes.mask
        no |= flags.no.mask
    return yes & no


def _scalar(model: Model, name: str, catalog_value: T | None, unknown: T) -> Stated[T]:
    for each in model.layers:
        value: T | None = getattr(each.row, name)
        if value is not None:
            return Stated(value, each.layer)
    return Stated(unknown, Layer.NOBODY) if catalog_value is None else Stated(catalog_value, Layer.CATALOG)


def resolve_model(model: Model, catalog: Catalog, policy: Policy, observed: Observed | None = None) -> ResolvedModel:
    """All cells of one model."""
    match = catalog.find(model.ref.model_id)
    carriage = carriage_of(model)
    window: Stated[int | None] = _scalar(
        model, "context_window_tokens", match.row.context_window_tokens if match else None, None
    )
    derived = None if window.value is None else window.value >= policy.long_context_tokens
    cells = _cells(tuple(_said(model, match)), derived, carriage.blocked.mask, carriage.emulated.mask)
    return ResolvedModel(
        model,
        match,
        carriage,
        observed,
        yes=cells.yes,
        emulated=cells.emulated,
        no=cells.no,
        contradicted=CapabilitySet(_contradicted(model, match, observed)),
        decided=cells.decided,
        quality_tier=_scalar(model, "quality_tier", None, QualityTier.UNKNOWN),
        cost_tier=_scalar(model, "cost_tier", None, CostTier.UNKNOWN),
        context_window_tokens=window,
        max_output_tokens=_scalar(model, "max_output_tokens", match.row.max_output_tokens if match else None, None),
        tokenizer_family=_scalar(
            model, "tokenizer_family", match.row.tokenizer_family if match else None, TokenizerFamily.UNKNOWN
        ).value,
        scores={**(match.row.scores if match else {}), **model.scores},
        default_use=model.default_use,
    )


@dataclass(frozen=True, slots=True)
class _Cells:
    """The 18 cells of a model, and who decided each."""

    yes: CapabilitySet
    emulated: CapabilitySet
    no: CapabilitySet
    decided: Mapping[Layer, CapabilitySet]


@lru_cache(maxsize=4096)
def _cells(said: tuple[tuple[Layer, int, int], ...], derived: bool | None, blocked: int, emulated: int) -> _Cells:
    """Model truth narrowed by the wire. Few distinct ones serve thousands of models. `derived` is long_context by the
    window, where that is known; `blocked` and `emulated` are the carriage's bits."""
    decided, yes, no = _decide(said, derived)
    blocked &= ~no
    emulated &= yes & ~blocked
    narrowed = blocked | emulated
    if narrowed:
        decided = {layer: cells & ~narrowed for layer, cells in decided.items()} | {Layer.TRANSPORT: narrowed}
    sets = MappingProxyType({layer: CapabilitySet(cells) for layer, cells in decided.items()})
    return _Cells(CapabilitySet(yes & ~narrowed), CapabilitySet(emulated), CapabilitySet(no | blocked), sets)


def _decide(said: tuple[tuple[Layer, int, int], ...], derived: bool | None) -> tuple[dict[Layer, int], int, int]:
    """The nearest layer that states a cell decides it. Returns who decided what, and the yes and no bits."""
    decided: dict[Layer, int] = {}
    taken = yes = no = 0
    for layer, layer_yes, layer_no in said:
        new = (layer_yes | layer_no) & ~taken
        yes |= layer_yes & new
        no |= layer_no & new
        taken |= new
        decided[layer] = new
    long_context = Capability.LONG_CONTEXT.bit
    if not taken & long_context and derived is not None:
        decided[Layer.DERIVED] = long_context
        yes |= long_context if derived else 0
        no |= 0 if derived else long_context
    return decided, yes, no


def resolve(
    config: Config, catalog: Catalog, observations: Observations | None = None, previous: Matrix | None = None
) -> Matrix:
    """The whole matrix. Models that are the same objects as in `previous` are not resolved again."""
    policy = config.policy
    usable = previous and previous.policy.long_context_tokens == policy.long_context_tokens
    known = {id(row.model): row for row in previous.rows} if previous and usable else {}
    rows = []
    for model in config.models:
        row = known.get(id(model))
        observed = observations.of(model.ref) if observations else None
        if row is None or row.observed != observed:
            row = resolve_model(model, catalog, policy, observed)
        rows.append(row)
    return Matrix(tuple(rows), policy, {row.model.ref: index for index, row in enumerate(rows)})
