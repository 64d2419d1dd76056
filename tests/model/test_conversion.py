"""What a row predicts, in the words in which a measured report speaks (seed 000 §8, DOMAIN.md §7)."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from model.capability_set import CapabilitySet
from model.config.rows import ConversionRow
from model.contract import Conversion
from model.conversion import Caution, Omission, contradictions, predict
from model.transports import TRANSPORTS, transport_for
from model.vocabulary import (
    Api,
    CacheConversion,
    Canonical,
    Capability,
    ImageConversion,
    ThinkingConversion,
    ToolSchema,
)

NATIVE = ConversionRow(
    Canonical.LOSSLESS,
    ToolSchema.NATIVE,
    ImageConversion.NATIVE,
    ThinkingConversion.NATIVE,
    CacheConversion.NATIVE,
)
ALL = CapabilitySet.of(Capability)
NOTHING = CapabilitySet()


def row(**fields: Any) -> ConversionRow:
    return ConversionRow(**{name: fields.get(name, getattr(NATIVE, name)) for name in _FIELDS})


_FIELDS = ("from_anthropic_canonical", "tool_schema", "image_input", "thinking", "cache_control")


def of(*capabilities: Capability) -> CapabilitySet:
    return CapabilitySet.of(capabilities)


USED: list[tuple[dict[str, Any], Capability, Canonical, tuple[str, ...], tuple[str, ...]]] = [
    ({}, Capability.TOOL_USE, Canonical.LOSSLESS, (), ()),
    (
        {"tool_schema": ToolSchema.EMULATED},
        Capability.TOOL_USE,
        Canonical.LOSSY,
        (Omission.TOOLS_EMULATED,),
        (),
    ),
    ({"tool_schema": ToolSchema.CONVERTED}, Capability.TOOL_USE, Canonical.LOSSLESS, (), ()),
    (
        {"tool_schema": ToolSchema.UNSUPPORTED},
        Capability.PARALLEL_TOOL_USE,
        Canonical.LOSSY,
        (Omission.TOOLS_DROPPED,),
        (),
    ),
    (
        {"image_input": ImageConversion.ARTIFACT_LINK},
        Capability.IMAGE_INPUT,
        Canonical.LOSSY,
        (Omission.IMAGES_LINKED,),
        (),
    ),
    (
        {"image_input": ImageConversion.UNSUPPORTED},
        Capability.IMAGE_INPUT,
        Canonical.LOSSY,
        (Omission.IMAGES_DROPPED,),
        (),
    ),
    (
        {"thinking": ThinkingConversion.STRIPPED},
        Capability.THINKING,
        Canonical.LOSSY,
        (Omission.THINKING_STRIPPED,),
        (),
    ),
    (
        {"cache_control": CacheConversion.IGNORED},
        Capability.PROMPT_CACHE,
        Canonical.LOSSLESS,
        (),
        (Caution.CACHE_MARKS_IGNORED,),
    ),
]


@pytest.mark.parametrize(("fields", "used", "status", "omissions", "warnings"), USED)
def test_a_request_that_uses_a_capability(
    fields: dict[str, Any], used: Capability, status: Canonical, omissions: tuple[str, ...], warnings: tuple[str, ...]
) -> None:
    predicted = predict(row(**fields), NOTHING, uses=of(used))
    assert (predicted.status, predicted.omissions, predicted.warnings) == (status, omissions, warnings)


@pytest.mark.parametrize(("fields", "used", "status", "omissions", "warnings"), USED)
def test_what_is_not_used_is_not_lost(
    fields: dict[str, Any], used: Capability, status: Canonical, omissions: tuple[str, ...], warnings: tuple[str, ...]
) -> None:
    assert predict(row(**fields), NOTHING).status is Canonical.LOSSLESS


REQUIRED: list[tuple[dict[str, Any], Capability, bool, Canonical]] = [
    ({"thinking": ThinkingConversion.STRIPPED}, Capability.THINKING, True, Canonical.UNSUPPORTED),
    ({"thinking": ThinkingConversion.UNSUPPORTED}, Capability.THINKING, True, Canonical.UNSUPPORTED),
    ({"cache_control": CacheConversion.IGNORED}, Capability.PROMPT_CACHE, True, Canonical.UNSUPPORTED),
    ({"tool_schema": ToolSchema.UNSUPPORTED}, Capability.TOOL_USE, True, Canonical.UNSUPPORTED),
    ({"tool_schema": ToolSchema.UNSUPPORTED}, Capability.PARALLEL_TOOL_USE, True, Canonical.UNSUPPORTED),
    ({"tool_schema": ToolSchema.EMULATED}, Capability.TOOL_USE, False, Canonical.UNSUPPORTED),
    ({"tool_schema": ToolSchema.EMULATED}, Capability.TOOL_USE, True, Canonical.LOSSY),
    ({"image_input": ImageConversion.ARTIFACT_LINK}, Capability.IMAGE_INPUT, False, Canonical.UNSUPPORTED),
    ({"image_input": ImageConversion.ARTIFACT_LINK}, Capability.IMAGE_INPUT, True, Canonical.LOSSY),
    ({"from_anthropic_canonical": Canonical.UNSUPPORTED}, Capability.TEXT_INPUT, True, Canonical.UNSUPPORTED),
    ({}, Capability.THINKING, False, Canonical.LOSSLESS),
]


@pytest.mark.parametrize(("fields", "required", "allow_lossy", "status"), REQUIRED)
def test_a_required_capability(
    fields: dict[str, Any], required: Capability, allow_lossy: bool, status: Canonical
) -> None:
    predicted = predict(row(**fields), of(required), allow_lossy=allow_lossy)
    assert predicted.status is status
    assert bool(predicted.blocked) == (status is Canonical.UNSUPPORTED)


def test_a_loss_that_is_not_required_blocks_unless_it_is_allowed() -> None:
    stripped = row(thinking=ThinkingConversion.STRIPPED)
    refused = predict(stripped, NOTHING, uses=of(Capability.THINKING))
    assert refused.status is Canonical.LOSSY
    assert refused.blocked == ("lossy (thinking stripped) and allow_lossy_conversion is not set",)
    assert predict(stripped, NOTHING, uses=of(Capability.THINKING), allow_lossy=True).blocked == ()


def test_lossy_and_code_changing_needs_a_confirmation() -> None:
    linked = row(image_input=ImageConversion.ARTIFACT_LINK)
    uses = of(Capability.IMAGE_INPUT)
    assert predict(linked, NOTHING, uses=uses, allow_lossy=True, code_changing=True).required_confirmation
    assert not predict(linked, NOTHING, uses=uses, allow_lossy=True).required_confirmation
    assert not predict(NATIVE, NOTHING, uses=uses, code_changing=True).required_confirmation


def test_the_contracts_record_predicts_the_same() -> None:
    record = Conversion(
        from_anthropic_canonical=Canonical.LOSSY,
        tool_schema=ToolSchema.CONVERTED,
        image_input=ImageConversion.NATIVE,
        thinking=ThinkingConversion.STRIPPED,
        cache_control=CacheConversion.IGNORED,
    )
    assert predict(record, ALL) == predict(transport_for(Api.OPENAI_COMPLETIONS), ALL)


def test_a_field_that_is_not_stated_is_not_native() -> None:
    assert predict(ConversionRow(), of(Capability.THINKING)).status is Canonical.UNSUPPORTED


def test_a_row_that_calls_itself_lossless_and_is_not() -> None:
    assert contradictions(row(thinking=ThinkingConversion.STRIPPED)) == (Omission.THINKING_STRIPPED,)
    assert contradictions(row(cache_control=CacheConversion.IGNORED)) == ()
    assert contradictions(row(from_anthropic_canonical=Canonical.LOSSY, tool_schema=ToolSchema.UNSUPPORTED)) == ()
    assert not any(contradictions(transport) for transport in TRANSPORTS.values())


@pytest.mark.parametrize("allow_lossy", [False, True])
def test_the_status_follows_from_the_words(allow_lossy: bool) -> None:
    for tools, image, thinking, cache in product(ToolSchema, ImageConversion, ThinkingConversion, CacheConversion):
        one = row(tool_schema=tools, image_input=image, thinking=thinking, cache_control=cache)
        predicted = predict(one, NOTHING, uses=ALL, allow_lossy=allow_lossy)
        assert (predicted.status is Canonical.LOSSY) == bool(predicted.omissions)
        assert bool(predicted.blocked) == (bool(predicted.omissions) and not allow_lossy)


def test_every_word_says_something_of_its_own() -> None:
    words = [str(word) for word in (*Omission, *Caution)]
    assert len(set(words)) == len(words)
