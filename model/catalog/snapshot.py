"""Public lists of models as typed rows: LiteLLM's price file and models.dev's api.json (USER-PAINS.md §C.2).

Nothing of a list is trusted: a row of another shape is left out, a bad number is kept as what it is, and a file that
cannot be the list it is said to be gives a SnapshotError.
"""

from __future__ import annotations

import datetime
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeAlias

from model.capability_set import CapabilitySet
from model.catalog.rows import CatalogRow, Vendor
from model.quick_dataclass import dataclass
from model.vocabulary import Capability

MAX_BYTES = 32 * 1024 * 1024
"""A larger file is refused unread: the real ones have 4 MB."""


class SnapshotError(Exception):
    """A file that cannot be read as the list it is said to be; the text says why and where."""


@dataclass(frozen=True, slots=True)
class BadNumber:
    """A limit that is no whole number of tokens, as the list has it."""

    text: str


Limit: TypeAlias = int | BadNumber | None
"""Tokens; None where the list has no value or 0."""


@dataclass(frozen=True, slots=True)
class Upstream:
    """What a list says of one model. `window` counts as the list does (see `Snapshot.counts_input`)."""

    name: str
    window: Limit
    output: Limit
    yes: CapabilitySet
    no: CapabilitySet
    retires: datetime.date | None = None
    deprecated: bool = False


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A list by provider and model name. `counts_input`: its windows may leave out the output (LiteLLM)."""

    title: str
    counts_input: bool
    rows: Mapping[tuple[str, str], Upstream]
    providers: Mapping[Vendor, tuple[str, ...]]

    def find(self, row: CatalogRow) -> Upstream | None:
        """The vendor's own listing of a model, under its id or else an alias; no other host's."""
        for provider in self.providers.get(row.vendor, ()):
            for name in (row.model_id, *row.aliases):
                if (provider, name) in self.rows:
                    return self.rows[provider, name]
        return None


_LITELLM_PROVIDERS = {
    Vendor.ANTHROPIC: ("anthropic",),
    Vendor.OPENAI: ("openai", "ollama"),
    Vendor.GOOGLE: ("gemini", "ollama"),
    Vendor.DEEPSEEK: ("deepseek", "ollama"),
    Vendor.MISTRAL: ("mistral", "ollama"),
    Vendor.XAI: ("xai",),
    Vendor.QWEN: ("dashscope", "ollama"),
    Vendor.META: ("meta", "meta_llama", "ollama"),
    Vendor.MOONSHOT: ("moonshot",),
    Vendor.ZHIPU: ("zai",),
    Vendor.COHERE: ("cohere_chat", "cohere"),
    Vendor.MICROSOFT: ("ollama",),
}
_LITELLM_FLAGS = {
    "supports_native_streaming": Capability.STREAMING,
    "supports_function_calling": Capability.TOOL_USE,
    "supports_parallel_function_calling": Capability.PARALLEL_TOOL_USE,
    "supports_response_schema": Capability.STRUCTURED_OUTPUT,
    "supports_reasoning": Capability.THINKING,
    "supports_prompt_caching": Capability.PROMPT_CACHE,
    "supports_system_messages": Capability.SYSTEM_PROMPT,
    "supports_vision": Capability.IMAGE_INPUT,
    "supports_audio_input": Capability.AUDIO_INPUT,
    "supports_audio_output": Capability.AUDIO_OUTPUT,
    "supports_pdf_input": Capability.FILE_INPUT,
    "supports_computer_use": Capability.COMPUTER_USE,
}
_MODELS_DEV_PROVIDERS = {
    Vendor.ANTHROPIC: ("anthropic",),
    Vendor.OPENAI: ("openai", "ollama-cloud"),
    Vendor.GOOGLE: ("google", "ollama-cloud"),
    Vendor.DEEPSEEK: ("deepseek",),
    Vendor.MISTRAL: ("mistral", "ollama-cloud"),
    Vendor.XAI: ("xai",),
    Vendor.QWEN: ("alibaba", "ollama-cloud"),
    Vendor.META: ("meta", "llama"),
    Vendor.MOONSHOT: ("moonshotai",),
    Vendor.ZHIPU: ("zai", "zhipuai"),
    Vendor.COHERE: ("cohere",),
}
_MODELS_DEV_FLAGS = {
    "tool_call": Capability.TOOL_USE,
    "structured_output": Capability.STRUCTURED_OUTPUT,
    "reasoning": Capability.THINKING,
}
_MODELS_DEV_MODALITIES = {
    ("input", "text"): Capability.TEXT_INPUT,
    ("input", "image"): Capability.IMAGE_INPUT,
    ("input", "audio"): Capability.AUDIO_INPUT,
    ("input", "pdf"): Capability.FILE_INPUT,
    ("output", "text"): Capability.TEXT_OUTPUT,
    ("output", "image"): Capability.IMAGE_OUTPUT,
    ("output", "audio"): Capability.AUDIO_OUTPUT,
}


def read_litellm(data: bytes) -> Snapshot:
    """LiteLLM's `model_prices_and_context_window.json`. Raises SnapshotError."""
    rows = {
        (str(entry["litellm_provider"]), key.split("/", 1)[-1]): _litellm_row(key, entry)
        for key, entry in _mapping(data).items()
        if isinstance(entry, dict) and isinstance(entry.get("litellm_provider"), str)
    }
    return _snapshot("LiteLLM", True, rows, _LITELLM_PROVIDERS, "no entry has a litellm_provider")


def read_models_dev(data: bytes) -> Snapshot:
    """models.dev's `api.json`. Raises SnapshotError."""
    rows = {
        (provider, name): _models_dev_row(f"{provider}/{name}", model)
        for provider, entry in _mapping(data).items()
        for name, model in _models(entry)
    }
    return _snapshot("models.dev", False, rows, _MODELS_DEV_PROVIDERS, "no provider has models")


def _snapshot(
    title: str,
    counts_input: bool,
    rows: Mapping[tuple[str, str], Upstream],
    providers: Mapping[Vendor, tuple[str, ...]],
    lack: str,
) -> Snapshot:
    if not rows:
        raise SnapshotError(f"is not a {title} list: {lack}")
    return Snapshot(title, counts_input, rows, providers)


def _mapping(data: bytes) -> dict[str, Any]:
    if len(data) > MAX_BYTES:
        raise SnapshotError(f"has {len(data):,} bytes, more than the {MAX_BYTES:,} that are read")
    try:
        parsed = json.loads(data)
    except json.JSONDecodeError as error:
        hint = ": is the file cut short?" if _is_cut(error) else ""
        raise SnapshotError(f"is not JSON: {error.msg} (line {error.lineno}, column {error.colno}){hint}") from error
    except RecursionError:
        raise SnapshotError("is nested too deeply") from None
    except ValueError as error:  # not UTF-8, or a number of thousands of digits
        raise SnapshotError(f"is not JSON: {error}") from error
    if not isinstance(parsed, dict):
        raise SnapshotError("must be a JSON object at the top")
    return parsed


def _is_cut(error: json.JSONDecodeError) -> bool:
    return error.msg.startswith("Unterminated string") or error.pos >= len(error.doc.rstrip()) - 1


def _models(entry: object) -> Iterator[tuple[str, dict[str, Any]]]:
    models = entry.get("models") if isinstance(entry, dict) else None
    for name, model in models.items() if isinstance(models, dict) else ():
        if isinstance(model, dict):
            yield name, model


def _litellm_row(key: str, entry: dict[str, Any]) -> Upstream:
    yes, no = _flags(entry, _LITELLM_FLAGS)
    return Upstream(
        name=key,
        window=_limit(entry.get("max_input_tokens")),
        output=_limit(entry.get("max_output_tokens")),
        yes=yes,
        no=no,
        retires=_date(entry.get("deprecation_date")),
    )


def _models_dev_row(name: str, model: dict[str, Any]) -> Upstream:
    limit = model.get("limit")
    limits = limit if isinstance(limit, dict) else {}
    yes, no = _flags(model, _MODELS_DEV_FLAGS)
    has, lacks = _modalities(model.get("modalities"))
    return Upstream(
        name=name,
        window=_limit(limits.get("context")),
        output=_limit(limits.get("output")),
        yes=yes | has,
        no=no | lacks,
        deprecated=model.get("status") == "deprecated",
    )


def _flags(entry: dict[str, Any], names: Mapping[str, Capability]) -> tuple[CapabilitySet, CapabilitySet]:
    def stated(flag: bool) -> Iterable[Capability]:
        return (capability for name, capability in names.items() if entry.get(name) is flag)

    return CapabilitySet.of(stated(True)), CapabilitySet.of(stated(False))


def _modalities(modalities: object) -> tuple[CapabilitySet, CapabilitySet]:
    """A modality that a stated list leaves out is a no."""
    if not isinstance(modalities, dict):
        return CapabilitySet(), CapabilitySet()
    listed = {side: words for side, words in modalities.items() if isinstance(words, list)}
    known = {place: capability for place, capability in _MODELS_DEV_MODALITIES.items() if place[0] in listed}
    has = CapabilitySet.of(capability for (side, word), capability in known.items() if word in listed[side])
    return has, CapabilitySet.of(known.values()) - has


def _limit(value: object) -> Limit:
    if value is None or (value == 0 and not isinstance(value, bool)):
        return None
    if isinstance(value, int) and not isinstance(value, bool) and 0 < value < 2**63:
        return value
    return BadNumber(repr(value)[:40])


def _date(value: object) -> datetime.date | None:
    try:
        return datetime.date.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        return None
