"""What a conversion will lose, predicted from a `conversion` block (seed 000 §8, DOMAIN.md §7).

The words stand here, so that the prediction and the report measured on real messages
(`adapters.conversion`) say the same thing in the same way and can be compared.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import Protocol

from model.capability_set import CapabilitySet
from model.quick_dataclass import dataclass
from model.vocabulary import CacheConversion, Canonical, Capability, ImageConversion, ThinkingConversion, ToolSchema


class Omission(StrEnum):
    """Something of the request that does not reach the model: one is enough to make a conversion lossy."""

    THINKING_STRIPPED = "thinking stripped"
    SIGNATURES_DROPPED = "thinking signatures dropped"
    IMAGES_DROPPED = "images dropped"
    IMAGES_LINKED = "images written as links"
    FILES_DROPPED = "documents dropped"
    FILES_AS_TEXT = "documents written as text"
    FILE_DETAILS_DROPPED = "document settings dropped"
    TOOLS_DROPPED = "tools dropped"
    TOOLS_EMULATED = "tools emulated"
    TOOL_CALLS_AS_TEXT = "tool calls written as text"
    TOOL_CHOICE_DROPPED = "tool choice dropped"
    PARALLEL_SETTING_DROPPED = "parallel tool setting dropped"
    TOOL_DETAILS_DROPPED = "tool settings dropped"
    SERVER_TOOLS_DROPPED = "server tools dropped"
    SERVER_BLOCKS_DROPPED = "server tool blocks dropped"
    UNKNOWN_BLOCKS_DROPPED = "unknown blocks dropped"
    UNKNOWN_SETTINGS_DROPPED = "unknown settings dropped"
    CITATIONS_DROPPED = "citations dropped"
    SCHEMA_FEATURES_DROPPED = "schema features dropped"
    SAMPLING_DROPPED = "sampling settings dropped"
    STOP_SEQUENCES_DROPPED = "stop sequences dropped"
    ORPHANED_RESULTS_DROPPED = "tool results without a call dropped"
    SCHEMA_IN_WORDS = "JSON schema asked for in words"
    JSON_IN_WORDS = "JSON asked for in words"

    @property
    def capability(self) -> Capability | None:
        """The capability that is lost with it; required, the loss blocks (seed 000 §8.3)."""
        return _LOST_WITH.get(self)

    @property
    def asked_for(self) -> bool:
        """Whether it is a setting of the user's own, whose absence needs a confirmation (DOMAIN.md §7)."""
        return self in _SETTINGS


class Caution(StrEnum):
    """Something that reaches the model in another shape, or was no content: a warning, still lossless."""

    CACHE_MARKS_IGNORED = "cache marks ignored"
    CACHE_MARKS_OVER_LIMIT = "cache marks over the limit ignored"
    TOOL_IDS_REMAPPED = "tool ids remapped"
    IMAGES_MOVED = "images of tool results moved to a user turn"
    TEXT_JOINED = "text blocks joined"
    ORDER_CHANGED = "order inside a message changed"
    TURNS_MERGED = "turns of one speaker merged"
    EMPTY_LEFT_OUT = "empty content left out"
    SYSTEM_MOVED = "system text moved"
    RESULTS_INSERTED = "error results inserted for calls without a result"
    ERRORS_MARKED = "tool errors marked in the text"
    MARK_IN_TEXT = "a tool result already begins with the error mark"
    SCHEMA_REWRITTEN = "schema features rewritten"
    UNKNOWN_PASSED_ON = "unknown blocks passed on"
    METADATA_LEFT_OUT = "metadata left out"
    DEFAULTS_LEFT_OUT = "settings at their default left out"
    MAX_TOKENS_FILLED_IN = "max_tokens filled in"
    THINKING_SETTING_IGNORED = "thinking setting ignored"
    SCHEMA_NOT_STRICT = "the provider may not enforce this JSON schema"
    WORDS_ADDED = "words about JSON added to the system prompt"

    @property
    def capability(self) -> Capability | None:
        """The capability that is lost with it; required, it blocks all the same (seed 000 §8.4)."""
        return _LOST_WITH.get(self)

    @property
    def asked_for(self) -> bool:
        """As in `Omission`."""
        return self is Caution.THINKING_SETTING_IGNORED


Word = Omission | Caution

_LOST_WITH: dict[Word, Capability] = {
    Omission.THINKING_STRIPPED: Capability.THINKING,
    Omission.IMAGES_DROPPED: Capability.IMAGE_INPUT,
    Omission.IMAGES_LINKED: Capability.IMAGE_INPUT,
    Omission.FILES_DROPPED: Capability.FILE_INPUT,
    Omission.FILES_AS_TEXT: Capability.FILE_INPUT,
    Omission.TOOLS_DROPPED: Capability.TOOL_USE,
    Omission.TOOLS_EMULATED: Capability.TOOL_USE,
    Omission.TOOL_CALLS_AS_TEXT: Capability.TOOL_USE,
    Omission.SCHEMA_FEATURES_DROPPED: Capability.TOOL_USE,
    Omission.SCHEMA_IN_WORDS: Capability.STRUCTURED_OUTPUT,
    Omission.JSON_IN_WORDS: Capability.JSON_MODE,
    Caution.CACHE_MARKS_IGNORED: Capability.PROMPT_CACHE,
    Caution.THINKING_SETTING_IGNORED: Capability.THINKING,
}
_SETTINGS = frozenset(
    {
        Omission.TOOL_CHOICE_DROPPED,
        Omission.PARALLEL_SETTING_DROPPED,
        Omission.TOOL_DETAILS_DROPPED,
        Omission.FILE_DETAILS_DROPPED,
        Omission.SERVER_TOOLS_DROPPED,
        Omission.UNKNOWN_SETTINGS_DROPPED,
        Omission.SAMPLING_DROPPED,
        Omission.STOP_SEQUENCES_DROPPED,
        Omission.SCHEMA_IN_WORDS,
        Omission.JSON_IN_WORDS,
    }
)
_EMULATED = frozenset(
    {Omission.TOOLS_EMULATED, Omission.IMAGES_LINKED, Omission.SCHEMA_IN_WORDS, Omission.JSON_IN_WORDS}
)
"""Losses that leave something in place of what was asked for: acceptable where lossy conversion is allowed."""


class ConversionFields(Protocol):
    """The five fields of a `conversion` block, in whatever record they come. None = not stated, so not native."""

    @property
    def from_anthropic_canonical(self) -> Canonical | None: ...
    @property
    def tool_schema(self) -> ToolSchema | None: ...
    @property
    def image_input(self) -> ImageConversion | None: ...
    @property
    def thinking(self) -> ThinkingConversion | None: ...
    @property
    def cache_control(self) -> CacheConversion | None: ...


@dataclass(frozen=True, slots=True)
class Prediction:
    """The fields of `ProviderConversionReport`, and why no call could be made (`blocked`, empty if one could)."""

    status: Canonical
    omissions: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    required_confirmation: bool = False
    blocked: tuple[str, ...] = ()


def predict(
    row: ConversionFields,
    required: CapabilitySet,
    *,
    uses: CapabilitySet | None = None,
    allow_lossy: bool = False,
    code_changing: bool = False,
) -> Prediction:
    """What a request loses that uses `uses` (by default: what is required) of a model with this row."""
    words = tuple(row_words(row, required if uses is None else uses | required))
    blocked = refusals(words, required, allow_lossy=allow_lossy)
    if row.from_anthropic_canonical is Canonical.UNSUPPORTED:
        blocked = ("the model takes no canonical messages", *blocked)
    return judge(words, blocked, allow_lossy=allow_lossy, code_changing=code_changing)


def judge(words: tuple[Word, ...], blocked: tuple[str, ...], *, allow_lossy: bool, code_changing: bool) -> Prediction:
    """A report from the words that apply and the hard reasons against a call (seed 000 §8.1-3)."""
    omissions = tuple(dict.fromkeys(str(word) for word in words if isinstance(word, Omission)))
    warnings = tuple(dict.fromkeys(str(word) for word in words if isinstance(word, Caution)))
    status = Canonical.UNSUPPORTED if blocked else Canonical.LOSSY if omissions else Canonical.LOSSLESS
    if status is Canonical.LOSSY and not allow_lossy:
        blocked = (f"lossy ({', '.join(omissions)}) and allow_lossy_conversion is not set",)
    confirm = (status is Canonical.LOSSY and code_changing) or any(word.asked_for for word in words)
    return Prediction(status, omissions, warnings, confirm, blocked)


def row_words(row: ConversionFields, uses: CapabilitySet) -> Iterator[Word]:
    """The words that a row makes true for a request that uses these capabilities."""
    if Capability.TOOL_USE in uses or Capability.PARALLEL_TOOL_USE in uses:
        if row.tool_schema is ToolSchema.UNSUPPORTED:
            yield Omission.TOOLS_DROPPED
        elif row.tool_schema is ToolSchema.EMULATED:
            yield Omission.TOOLS_EMULATED
    if Capability.IMAGE_INPUT in uses:
        if row.image_input is ImageConversion.UNSUPPORTED:
            yield Omission.IMAGES_DROPPED
        elif row.image_input is ImageConversion.ARTIFACT_LINK:
            yield Omission.IMAGES_LINKED
    if Capability.THINKING in uses and row.thinking is not ThinkingConversion.NATIVE:
        yield Omission.THINKING_STRIPPED
    if Capability.PROMPT_CACHE in uses and row.cache_control is not CacheConversion.NATIVE:
        yield Caution.CACHE_MARKS_IGNORED


def refusals(words: tuple[Word, ...], required: CapabilitySet, *, allow_lossy: bool) -> tuple[str, ...]:
    """Why these words forbid a call: a required capability is lost, or replaced where that is not allowed."""
    return tuple(
        dict.fromkeys(
            f"{word.capability} is required: {word}"
            for word in words
            if word.capability is not None
            and _wanted(word.capability, required)
            and not (allow_lossy and word in _EMULATED)
        )
    )


def _wanted(capability: Capability, required: CapabilitySet) -> bool:
    """Parallel tool use needs tools as much as tool use does."""
    return capability in required or (capability is Capability.TOOL_USE and Capability.PARALLEL_TOOL_USE in required)


def contradictions(row: ConversionFields) -> tuple[Omission, ...]:
    """What a row that calls itself lossless loses by its own other fields (for the doctor)."""
    if row.from_anthropic_canonical is not Canonical.LOSSLESS:
        return ()
    everything = CapabilitySet.of(Capability)
    return tuple(word for word in row_words(row, everything) if isinstance(word, Omission))
