"""One model of a vendor as the catalog knows it (IBEX ADR-0041; DOMAIN.md §9)."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum
from types import MappingProxyType

from model.capability_set import CapabilitySet
from model.quick_dataclass import dataclass
from model.vocabulary import Capability, ScoreDimension, Support, TokenizerFamily


class Vendor(StrEnum):
    """Who made the model, whoever serves it."""

    ANTHROPIC = "anthropic"
    OPENAI = "openai"
    GOOGLE = "google"
    DEEPSEEK = "deepseek"
    MISTRAL = "mistral"
    XAI = "xai"
    QWEN = "qwen"
    META = "meta"
    MOONSHOT = "moonshot"
    ZHIPU = "zhipu"
    COHERE = "cohere"
    MICROSOFT = "microsoft"


@dataclass(frozen=True, slots=True)
class Retirement:
    """The day from which the vendor no longer answers for a model, what it names instead, and who says so."""

    date: datetime.date
    replacement: str | None
    source: str

    def days_left(self, today: datetime.date) -> int:
        """Whole days from today to the date; 0 on the day itself, negative once it is past."""
        return (self.date - today).days


NO_SCORES: Mapping[ScoreDimension, int] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class CatalogRow:
    """What the vendor's model does, not what an adapter carries. A flag in neither set is not stated.

    `context_window_tokens` is the total window (input and output together where they share one),
    `max_output_tokens` the most that one answer may hold; None where no source is certain.
    `scores` are ADR-004's, 0 to 100. `source` is the vendor's document, or `snapshot: …` where only
    a public list of models says it; `checked` is the day somebody compared the row with it.
    """

    model_id: str
    vendor: Vendor
    display_name: str
    aliases: tuple[str, ...]
    context_window_tokens: int | None
    max_output_tokens: int | None
    yes: CapabilitySet
    no: CapabilitySet
    tokenizer_family: TokenizerFamily
    source: str
    checked: datetime.date
    scores: Mapping[ScoreDimension, int] = field(default_factory=lambda: NO_SCORES, hash=False)
    retirement: Retirement | None = None
    note: str = ""

    def support(self, capability: Capability) -> Support:
        """Yes, no, or unknown where the row does not state it."""
        if capability in self.yes:
            return Support.YES
        return Support.NO if capability in self.no else Support.UNKNOWN
