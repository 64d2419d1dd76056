"""Rows of model lists, in the shapes that servers write them, and hostile ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.errors import FailureKind, ProviderError
from adapters.listing import (
    ListedModel,
    anthropic_model,
    ollama_show,
    ollama_tag,
    openai_model,
    openrouter_model,
    read_rows,
)
from model.capability_set import CapabilitySet
from model.config.rows import Flags
from model.vocabulary import Capability
from tests.examples import examples


def flags(yes: list[Capability], no: list[Capability]) -> Flags:
    return Flags(CapabilitySet.of(yes), CapabilitySet.of(no))


def test_anthropic_tells_capabilities_lifecycle_and_limits() -> None:
    row = {
        "type": "model",
        "id": "claude-opus-4-7",
        "display_name": "Claude Opus 4.7",
        "created_at": "2026-01-15T00:00:00Z",
        "lifecycle": "deprecated",
        "retires_at": "2027-02-01T00:00:00Z",
        "max_input_tokens": 1_000_000,
        "max_tokens": 64_000,
        "capabilities": {
            "batch": {"supported": True},
            "image_input": {"supported": True},
            "pdf_input": {"supported": False},
            "structured_outputs": {"supported": True},
            "thinking": {"supported": True, "types": {}},
            "citations": {"supported": True},
        },
    }
    assert anthropic_model(row) == ListedModel(
        "claude-opus-4-7",
        "Claude Opus 4.7",
        1_000_000,
        64_000,
        flags(
            [Capability.BATCH, Capability.IMAGE_INPUT, Capability.STRUCTURED_OUTPUT, Capability.THINKING],
            [Capability.FILE_INPUT],
        ),
        "deprecated",
        date(2027, 2, 1),
    )


def test_an_older_anthropic_row_says_less() -> None:
    assert anthropic_model({"id": "claude-3", "display_name": "Claude 3"}) == ListedModel("claude-3", "Claude 3")


@pytest.mark.parametrize(
    ("row", "window", "output"),
    [
        ({"id": "m", "max_model_len": 32768}, 32768, None),
        ({"id": "m", "context_window": 131072, "max_completion_tokens": 8192}, 131072, 8192),
        ({"id": "m", "meta": {"n_ctx_train": 2048}}, 2048, None),
        ({"id": "m", "meta": {"n_ctx": 4096, "n_ctx_train": 8192}}, 4096, None),
        ({"id": "m", "context_length": 4096.0}, 4096, None),
        ({"id": "m", "object": "model", "owned_by": "x"}, None, None),
        ({"id": "m", "context_length": True, "max_model_len": -5}, None, None),
        ({"id": "m", "context_length": "4096"}, None, None),
    ],
)
def test_servers_that_speak_like_openai(row: dict[str, Any], window: int | None, output: int | None) -> None:
    model = openai_model(row)
    assert model is not None
    assert (model.context_window_tokens, model.max_output_tokens) == (window, output)


def test_mistral_tells_capabilities() -> None:
    model = openai_model({"id": "m", "capabilities": {"function_calling": True, "vision": False, "fine_tuning": True}})
    assert model is not None
    assert model.flags == flags([Capability.TOOL_USE], [Capability.IMAGE_INPUT])


def test_openrouter_tells_modalities_parameters_and_prices() -> None:
    row = {
        "id": "anthropic/claude-sonnet-4.6",
        "name": "Claude Sonnet 4.6",
        "context_length": 200_000,
        "architecture": {"input_modalities": ["text", "image", "file"], "output_modalities": ["text"]},
        "pricing": {"prompt": "0.000003", "completion": "0.000015"},
        "top_provider": {"max_completion_tokens": 64_000},
        "supported_parameters": ["tools", "tool_choice", "reasoning", "response_format"],
    }
    model = openrouter_model(row)
    assert model is not None
    assert (model.input_price, model.output_price, model.max_output_tokens) == (3.0, 15.0, 64_000)
    assert model.flags == flags(
        [
            Capability.TEXT_INPUT, Capability.TEXT_OUTPUT, Capability.TOOL_USE, Capability.JSON_MODE,
            Capability.THINKING, Capability.IMAGE_INPUT, Capability.FILE_INPUT,
        ],
        [Capability.STRUCTURED_OUTPUT, Capability.IMAGE_OUTPUT, Capability.AUDIO_INPUT, Capability.AUDIO_OUTPUT],
    )  # fmt: skip


def test_a_price_that_varies_is_not_stated() -> None:
    model = openrouter_model({"id": "openrouter/auto", "pricing": {"prompt": "-1", "completion": "x"}})
    assert model is not None
    assert (model.input_price, model.output_price) == (None, None)


def test_ollama() -> None:
    assert ollama_tag({"name": "a:1b", "model": "a:1b"}) == ListedModel("a:1b")
    assert ollama_tag({"name": "b"}) == ListedModel("b")
    shown = ollama_show(
        "a:1b",
        {
            "model_info": {"llama.context_length": 131072},
            "capabilities": ["completion", "tools"],
            "parameters": 'stop "x"',
        },
    )
    assert shown == ListedModel(
        "a:1b",
        context_window_tokens=131072,
        flags=flags([Capability.TEXT_OUTPUT, Capability.TOOL_USE], [Capability.IMAGE_INPUT, Capability.THINKING]),
    )


def test_ollamas_num_ctx_is_the_window_in_force() -> None:
    shown = ollama_show(
        "a", {"model_info": {"x.context_length": 131072}, "parameters": "temperature 1\nnum_ctx   8192"}
    )
    assert shown.context_window_tokens == 8192


Reader = Callable[[Mapping[str, Any]], ListedModel | None]
READERS: list[Reader] = [
    anthropic_model, openai_model, openrouter_model, ollama_tag, lambda row: ollama_show("m", row),
]  # fmt: skip
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
KEYS = st.sampled_from(
    ["id", "name", "model", "capabilities", "max_tokens", "max_input_tokens", "context_length", "architecture",
     "pricing", "top_provider", "supported_parameters", "retires_at", "meta", "model_info", "parameters"]
)  # fmt: skip


@pytest.mark.parametrize("read", READERS)
@examples(0.5)
@given(row=st.dictionaries(KEYS, JSON, max_size=8))
def test_no_row_brings_a_reader_down(read: Reader, row: dict[str, Any]) -> None:
    model = read(row)
    assert model is None or model.model_id


def test_a_list_of_another_shape_is_malformed() -> None:
    for value in (None, [], {"data": {}}, {"models": []}):
        with pytest.raises(ProviderError) as caught:
            read_rows(value, "data")
        assert caught.value.kind is FailureKind.MALFORMED
    assert read_rows({"data": [{"id": "a"}, 5, None]}, "data") == [{"id": "a"}]


def test_a_listed_model_is_an_observation() -> None:
    seen = date(2026, 11, 30)
    observed = ListedModel("m", context_window_tokens=5).observed("https://h", seen)
    assert (observed.context_window_tokens, observed.endpoint, observed.seen) == (5, "https://h", seen)
