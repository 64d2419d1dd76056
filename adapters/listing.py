"""What endpoints list about their models, read into one shape. "Listed" is not "usable" (issue of the live doctor)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import date, datetime
from typing import Any

from adapters.errors import FailureKind, ProviderError, failure
from model.capability_set import CapabilitySet
from model.config.rows import Flags
from model.quick_dataclass import dataclass
from model.resolve import Observed
from model.vocabulary import Capability

_NOT_STATED = Flags()
MOST_MODELS = 20_000
"""How many models of one endpoint are read at most; what follows is left out."""


@dataclass(frozen=True, slots=True)
class ListedModel:
    """One model as an endpoint lists it. What it does not say is None, or in neither of `flags`' sets.

    Windows and outputs in tokens; prices in USD per million tokens; `lifecycle` in the endpoint's own word.
    """

    model_id: str
    display_name: str | None = None
    context_window_tokens: int | None = None
    max_output_tokens: int | None = None
    flags: Flags = _NOT_STATED
    lifecycle: str | None = None
    retires_at: date | None = None
    input_price: float | None = None
    output_price: float | None = None

    def observed(self, endpoint: str, seen: date) -> Observed:
        """The observed layer's value (DOMAIN.md §2.3)."""
        return Observed(self.flags, self.context_window_tokens, self.max_output_tokens, endpoint, seen)


def read_rows(value: Any, key: str) -> list[Mapping[str, Any]]:
    """The objects of a list answer; one that is no object is left out. Raises ProviderError (MALFORMED)."""
    rows = value.get(key) if isinstance(value, Mapping) else None
    if not isinstance(rows, list):
        raise ProviderError(failure(FailureKind.MALFORMED, f"a list of models has no {key!r}"))
    return [row for row in rows[:MOST_MODELS] if isinstance(row, Mapping)]


def anthropic_model(row: Mapping[str, Any]) -> ListedModel | None:
    """A row of GET /v1/models; capabilities and lifecycle since API version 2026-10-21."""
    told = _object(row, "capabilities")
    supported = {name: _object(told, name).get("supported") for name in _ANTHROPIC_WORDS}
    return _named(
        row,
        "id",
        ListedModel(
            model_id="",
            display_name=_text(row, "display_name"),
            context_window_tokens=_count(row, "max_input_tokens"),
            max_output_tokens=_count(row, "max_tokens"),
            flags=_flags({capability: supported[word] for word, capability in _ANTHROPIC_WORDS.items()}),
            lifecycle=_text(row, "lifecycle"),
            retires_at=_date(row, "retires_at"),
        ),
    )


_ANTHROPIC_WORDS = {
    "batch": Capability.BATCH,
    "image_input": Capability.IMAGE_INPUT,
    "pdf_input": Capability.FILE_INPUT,
    "structured_outputs": Capability.STRUCTURED_OUTPUT,
    "thinking": Capability.THINKING,
}


def openai_model(row: Mapping[str, Any]) -> ListedModel | None:
    """A row of GET /models of OpenAI and of servers that speak like it, with the extra fields that some add."""
    meta, told = _object(row, "meta"), _object(row, "capabilities")
    flags = {capability: told.get(word) for word, capability in _MISTRAL_WORDS.items()}
    return _named(
        row,
        "id",
        ListedModel(
            model_id="",
            display_name=_text(row, "display_name") or _text(row, "name"),
            context_window_tokens=_first_count(row, _WINDOW_NAMES) or _first_count(meta, ("n_ctx", "n_ctx_train")),
            max_output_tokens=_first_count(row, ("max_completion_tokens", "max_output_tokens")),
            flags=_flags(flags),
            retires_at=_date(row, "shutdown_date") or _date(row, "deprecation"),
        ),
    )


_WINDOW_NAMES = ("max_model_len", "context_window", "context_length", "max_context_length", "max_input_tokens")
_MISTRAL_WORDS = {
    "function_calling": Capability.TOOL_USE,
    "vision": Capability.IMAGE_INPUT,
    "batch": Capability.BATCH,
    "reasoning": Capability.THINKING,
}


def openrouter_model(row: Mapping[str, Any]) -> ListedModel | None:
    """A row of OpenRouter's GET /models: window, modalities, supported parameters, prices per token as text."""
    shape, top, pricing = _object(row, "architecture"), _object(row, "top_provider"), _object(row, "pricing")
    return _named(
        row,
        "id",
        ListedModel(
            model_id="",
            display_name=_text(row, "name"),
            context_window_tokens=_count(row, "context_length") or _count(top, "context_length"),
            max_output_tokens=_count(top, "max_completion_tokens"),
            flags=_flags(_openrouter_flags(row, shape)),
            retires_at=_date(row, "expiration_date"),
            input_price=_per_million(pricing, "prompt"),
            output_price=_per_million(pricing, "completion"),
        ),
    )


def _openrouter_flags(row: Mapping[str, Any], shape: Mapping[str, Any]) -> dict[Capability, object]:
    """A list that is there is complete, so what it lacks is a no."""
    flags: dict[Capability, object] = {}
    for words, table in (
        (row.get("supported_parameters"), _PARAMETERS),
        (shape.get("input_modalities"), _INPUTS),
        (shape.get("output_modalities"), _OUTPUTS),
    ):
        if isinstance(words, list):
            flags |= {capability: word in words for word, capability in table.items()}
    return flags


_PARAMETERS = {
    "tools": Capability.TOOL_USE,
    "structured_outputs": Capability.STRUCTURED_OUTPUT,
    "response_format": Capability.JSON_MODE,
    "reasoning": Capability.THINKING,
}
_INPUTS = {
    "text": Capability.TEXT_INPUT,
    "image": Capability.IMAGE_INPUT,
    "audio": Capability.AUDIO_INPUT,
    "file": Capability.FILE_INPUT,
}
_OUTPUTS = {
    "text": Capability.TEXT_OUTPUT,
    "image": Capability.IMAGE_OUTPUT,
    "audio": Capability.AUDIO_OUTPUT,
}


def llama_props(model: ListedModel, props: Mapping[str, Any]) -> ListedModel:
    """llama.cpp's GET /props: the window of one slot, and what template and projector allow."""
    running, caps = _object(props, "default_generation_settings"), _object(props, "chat_template_caps")
    senses = _object(props, "modalities")
    told = {capability: caps.get(word) for word, capability in _TEMPLATE_WORDS.items()}
    told |= {Capability.IMAGE_INPUT: senses.get("vision"), Capability.AUDIO_INPUT: senses.get("audio")}
    return replace(
        model, context_window_tokens=_count(running, "n_ctx") or model.context_window_tokens, flags=_flags(told)
    )


_TEMPLATE_WORDS = {
    "supports_tools": Capability.TOOL_USE,
    "supports_parallel_tool_calls": Capability.PARALLEL_TOOL_USE,
    "supports_system_role": Capability.SYSTEM_PROMPT,
}


def lm_studio_models(value: Any) -> list[ListedModel]:
    """LM Studio's GET /api/v0/models; the window of a loaded model counts before what it could take."""
    rows = value.get("data") if isinstance(value, Mapping) else None
    return [model for row in rows[:MOST_MODELS] if (model := _lm_studio(row))] if isinstance(rows, list) else []


def _lm_studio(row: Any) -> ListedModel | None:
    if not isinstance(row, Mapping):
        return None
    words, kind = row.get("capabilities"), _text(row, "type")
    told: dict[Capability, object] = {Capability.IMAGE_INPUT: kind == "vlm"} if kind else {}
    if isinstance(words, list):
        told[Capability.TOOL_USE] = "tool_use" in words
    window = _first_count(row, ("loaded_context_length", "max_context_length"))
    return _named(row, "id", ListedModel("", context_window_tokens=window, flags=_flags(told)))


def ollama_tag(row: Mapping[str, Any]) -> ListedModel | None:
    """A row of GET /api/tags: names only; /api/show tells the rest."""
    return _named(row, "model" if _text(row, "model") else "name", ListedModel(""))


def ollama_show(model_id: str, value: Any) -> ListedModel:
    """POST /api/show. A `num_ctx` among its parameters is the window in force, smaller than what the model can take."""
    shown = value if isinstance(value, Mapping) else {}
    info, words = _object(shown, "model_info"), shown.get("capabilities")
    window = next((_count(info, name) for name in info if str(name).endswith(".context_length")), None)
    flags = {c: word in words for word, c in _OLLAMA_WORDS.items()} if isinstance(words, list) else {}
    return ListedModel(model_id, context_window_tokens=_num_ctx(shown.get("parameters")) or window, flags=_flags(flags))


_OLLAMA_WORDS = {
    "completion": Capability.TEXT_OUTPUT,
    "tools": Capability.TOOL_USE,
    "vision": Capability.IMAGE_INPUT,
    "thinking": Capability.THINKING,
}


def _num_ctx(parameters: Any) -> int | None:
    match = re.search(r"^num_ctx\s+(\d{1,9})\s*$", parameters, re.MULTILINE) if isinstance(parameters, str) else None
    return int(match[1]) if match else None


def _named(row: Mapping[str, Any], key: str, model: ListedModel) -> ListedModel | None:
    """None for a row without a usable id: one bad row never takes the rest down."""
    name = _text(row, key)
    return replace(model, model_id=name) if name else None


def _text(row: Mapping[str, Any], key: str) -> str | None:
    value = row.get(key)
    return value if isinstance(value, str) and value.strip() and len(value) <= 1000 else None


def _count(row: Mapping[str, Any], key: str) -> int | None:
    value = row.get(key)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 < value < 10**12 else None


def _first_count(row: Mapping[str, Any], keys: tuple[str, ...]) -> int | None:
    return next((count for key in keys if (count := _count(row, key))), None)


def _object(row: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = row.get(key)
    return value if isinstance(value, Mapping) else {}


def _date(row: Mapping[str, Any], key: str) -> date | None:
    try:
        return datetime.fromisoformat(_text(row, key) or "").date()
    except ValueError:
        return None


def _per_million(row: Mapping[str, Any], key: str) -> float | None:
    """USD per token, as text or number → USD per million tokens. A negative price means "varies"."""
    try:
        price = float(row[key]) * 1_000_000
    except (KeyError, TypeError, ValueError):
        return None
    return round(price, 6) if 0 <= price < 1e9 else None


def _flags(told: Mapping[Capability, object]) -> Flags:
    """True and false count; anything else is not stated."""
    yes = CapabilitySet.of(capability for capability, value in told.items() if value is True)
    return Flags(yes, CapabilitySet.of(capability for capability, value in told.items() if value is False))
