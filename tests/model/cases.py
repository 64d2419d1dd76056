"""Random models and requirements for the property tests, each decoded from one number (0 is the plainest)."""

from __future__ import annotations

import random
from collections.abc import Iterable
from enum import Enum
from typing import TypeVar

from hypothesis import strategies as st

from model.bitmap import index
from model.capability_set import CapabilitySet
from model.catalog import Catalog
from model.config.fields import CapabilityTier
from model.config.merge import Config, Model, ModelLayer, Policy, Provider
from model.config.rows import Alternative, ConversionRow, Flags, ModelRow, ToolRow
from model.model_ref import ModelRef
from model.requirements import Requirement
from model.resolve import Matrix, resolve_model
from model.snapshot import Snapshot
from model.tools import toolbox_of
from model.verdicts import Circumstances
from model.vocabulary import (
    Api,
    CacheConversion,
    Canonical,
    CostTier,
    ImageConversion,
    Layer,
    ProviderKind,
    QualityTier,
    Role,
    ScoreDimension,
    TaskType,
    ThinkingConversion,
    ToolSchema,
)

Word = TypeVar("Word", bound=Enum)
WINDOWS = (None, 8_000, 127_999, 128_000, 200_000, 1_000_000)
TOOLS = ("bash", "screenshot", "mcp__a__b", "heavy", "light", "pick", "unheard_of")
TOOL_ROWS = (
    ToolRow((), "heavy", min_capability_tier=CapabilityTier.HEAVY),
    ToolRow((), "light", schema_features=("patternProperties",), min_capability_tier=CapabilityTier.LIGHT),
    ToolRow((), "pick", schema_features=("const",)),
)
EMPTY_CATALOG = Catalog(())


class Bits:
    """Takes small choices off a big number."""

    def __init__(self, number: int) -> None:
        self._number = number

    def below(self, limit: int) -> int:
        self._number, choice = divmod(self._number, limit)
        return choice

    def often(self, one_in: int) -> bool:
        """False for 0, and rarely true."""
        return self.below(one_in) == 1

    def word(self, words: type[Word]) -> Word:
        return tuple(words)[self.below(len(words))]

    def maybe(self, words: type[Word]) -> Word | None:
        choice = self.below(len(words) + 1)
        return tuple(words)[choice - 1] if choice else None

    def flags(self) -> Flags:
        stated, yes = self._most(), self._most()
        return Flags(CapabilitySet(stated & yes), CapabilitySet(stated & ~yes))

    def _most(self) -> int:
        return self.below(1 << 18) | self.below(1 << 18)

    def few(self) -> CapabilitySet:
        """Up to a handful of capabilities."""
        once, again = self.below(1 << 18) & self.below(1 << 18), self.below(1 << 18) & self.below(1 << 18)
        return CapabilitySet(once & again)


def model_of(number: int, position: int, floor: QualityTier = QualityTier.UNKNOWN) -> Model:
    bits = Bits(number)
    kind = bits.word(ProviderKind)
    api = bits.word(Api) if bits.often(3) else kind.default_api
    host = "https://api.groq.com" if bits.often(4) else "https://example.com"
    provider_id = f"p{bits.below(4)}-{kind.value}-{api.value}-{host[-8:-4]}"
    provider = Provider(provider_id, kind, None, host, None, local=False, enabled=not bits.often(9), api=api, layers=())
    row = ModelRow(
        ("providers", 0, "models", position),
        f"m{position}",
        enabled=False if bits.often(9) else None,
        quality_tier=bits.maybe(QualityTier),
        cost_tier=bits.maybe(CostTier),
        context_window_tokens=WINDOWS[bits.below(len(WINDOWS))],
        supports=bits.flags(),
        conversion=_conversion(bits),
        default_use={role: True for role in Role if bits.often(4)},
        scores={dimension: 10 * bits.below(11) for dimension in ScoreDimension if bits.often(2)},
    )
    ref = ModelRef(provider_id, f"m{position}")
    return Model(ref, provider, (ModelLayer(Layer.FILE, "models.yaml", row),))


def _conversion(bits: Bits) -> ConversionRow:
    if not bits.below(3):
        return ConversionRow()
    return ConversionRow(
        Canonical.UNSUPPORTED if bits.often(5) else None,
        bits.maybe(ToolSchema),
        bits.maybe(ImageConversion),
        bits.maybe(ThinkingConversion),
        bits.maybe(CacheConversion),
    )


def requirement_of(number: int) -> Requirement:
    bits = Bits(number)
    required, preferred = bits.few(), bits.few()
    return Requirement(
        bits.word(TaskType).value,
        required,
        forbidden=bits.few() - required if bits.often(4) else CapabilitySet(),
        preferred=preferred,
        avoided=bits.few() - preferred if bits.often(3) else CapabilitySet(),
        min_quality_tier=_floor(bits.maybe(QualityTier)) if bits.often(2) else None,
        preferred_tier=_floor(bits.maybe(QualityTier)),
        max_cost_tier=bits.maybe(CostTier) if bits.often(3) else None,
        min_context_window_tokens=WINDOWS[bits.below(len(WINDOWS))] if bits.often(2) else None,
        allow_lossy_conversion=bits.often(2),
        any_of=tuple(_alternative(bits) for _ in range(bits.below(3))),
        exclude_models=("no ref", "p0-anthropic-anthropic-messages-mple/m0") if bits.often(4) else (),
        tools=tuple(name for name in TOOLS if bits.often(5)),
    )


def _floor(tier: QualityTier | None) -> QualityTier | None:
    return None if tier is QualityTier.UNKNOWN else tier


def _alternative(bits: Bits) -> Alternative:
    return Alternative(bits.few(), CapabilitySet(), WINDOWS[bits.below(len(WINDOWS))])


def snapshot_of(numbers: Iterable[int], circumstances: int = 0) -> Snapshot:
    """A snapshot without files: its models, and how the verdicts are given."""
    bits = Bits(circumstances)
    policy = Policy(rank_by_score=bits.often(2))
    models = [model_of(number, position) for position, number in enumerate(numbers)]
    rows = tuple(resolve_model(model, EMPTY_CATALOG, policy) for model in models)
    matrix = Matrix(rows, policy, {row.ref: position for position, row in enumerate(rows)})
    groups = tuple((model.provider, (model,)) for model in models)
    config = Config(groups, tools=TOOL_ROWS, policy=policy)
    providers = sorted({row.ref.provider_id for row in rows})
    given = Circumstances(
        permissive=bits.often(3),
        toolbox=toolbox_of(config),
        no_auth=frozenset(name for name in providers if bits.often(4)),
        untrusted=frozenset(name for name in providers if bits.often(4)),
        usable=bits.often(2),
    )
    return Snapshot((), config, matrix, index(matrix), {}, given, EMPTY_CATALOG)


def _spread(seed: int) -> int:
    """As many bits as any case takes, all of them as likely; 0 stays 0."""
    return seed and random.Random(seed).getrandbits(512)


NUMBERS = st.integers(0, 2**32).map(_spread)
"""Hypothesis draws the seeds: of big numbers themselves it prefers such as leave most choices at 0."""
MODEL = NUMBERS
MODELS = st.lists(MODEL, min_size=1, max_size=24)
REQUIREMENTS = NUMBERS.map(requirement_of)
CIRCUMSTANCES = NUMBERS
