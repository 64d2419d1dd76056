"""One value against its field: what is wrong, what was meant, and whether that is sure."""

from __future__ import annotations

import pytest

from model.config.fields import MODEL_FIELDS, PROVIDER_FIELDS
from model.config.values import Fault, read_value, shown

FIELDS = {**PROVIDER_FIELDS, **MODEL_FIELDS}


@pytest.mark.parametrize(
    ("name", "raw", "code", "mended", "sure"),
    [
        ("supports.tool_use", "true", "config-quoted-boolean", True, True),
        ("supports.tool_use", "False", "config-quoted-boolean", False, True),
        ("supports.tool_use", "no", "config-wrong-value", False, True),
        ("supports.tool_use", "maybe", "config-wrong-type", None, True),
        ("context_window_tokens", "8192", "config-wrong-type", 8192, True),
        ("context_window_tokens", "200_000", "config-wrong-type", 200_000, True),
        ("context_window_tokens", "1,048,576", "config-wrong-type", 1_048_576, True),
        ("context_window_tokens", 8192.0, "config-wrong-type", 8192, True),
        ("context_window_tokens", "128k", "config-wrong-type", 128_000, False),
        ("context_window_tokens", "1M", "config-wrong-type", 1_000_000, False),
        ("context_window_tokens", "1,2", "config-wrong-type", None, True),
        ("context_window_tokens", True, "config-wrong-type", None, True),
        ("context_window_tokens", 0, "config-out-of-range", None, True),
        ("quality_tier", "Frontier", "config-wrong-value", "frontier", True),
        ("quality_tier", "stronk", "config-wrong-value", "strong", False),
        ("quality_tier", "excellent", "config-wrong-value", None, False),
        ("provider_kind", "openai-compatible", "config-wrong-value", "openai_compatible", True),
        ("notes", "one", "config-wrong-type", ["one"], True),
        ("notes", ["one", None], "config-wrong-type", None, True),
        ("model_id", " m ", "config-bad-id", "m", True),
        ("provider_id", "a/b", "config-bad-id", None, True),
        ("scores.coding", 101, "config-out-of-range", None, True),
    ],
)
def test_a_bad_value(name: str, raw: object, code: str, mended: object, sure: bool) -> None:
    fault = read_value(FIELDS[name], raw)
    assert isinstance(fault, Fault)
    assert (fault.code, fault.mended) == (code, mended)
    if mended is not None:
        assert type(fault.mended) is type(mended)
        assert fault.sure is sure
    assert fault.help


@pytest.mark.parametrize(
    ("name", "raw", "unquoted"),
    [
        ("model_id", 405, ((),)),
        ("display_name", 1e3, ((),)),
        ("auth_ref", True, ((),)),
        ("aliases", ["a", 7, 0.5], ((1,), (2,))),
        ("aliases", ["a", 7, None], ()),
        ("model_id", {}, ()),
    ],
)
def test_what_yaml_reads_as_no_text_is_to_be_quoted_as_it_stands(
    name: str, raw: object, unquoted: tuple[tuple[int, ...], ...]
) -> None:
    fault = read_value(FIELDS[name], raw)
    assert isinstance(fault, Fault)
    assert (fault.code, fault.mended, fault.unquoted) == ("config-wrong-type", None, unquoted)


def test_a_mended_value_is_a_good_one() -> None:
    for name, raw in (("supports.tool_use", "on"), ("context_window_tokens", "128k"), ("quality_tier", "stronk")):
        fault = read_value(FIELDS[name], raw)
        assert isinstance(fault, Fault)
        assert not isinstance(read_value(FIELDS[name], fault.mended), Fault)


def test_a_message_repeats_no_key_and_nothing_endless() -> None:
    key = "sk-ant-api03-CANARYcanary0123456789"
    assert "CANARY" not in shown(key)
    assert len(shown("x" * 5000)) == 60
    fault = read_value(FIELDS["quality_tier"], key)
    assert isinstance(fault, Fault)
    assert "CANARY" not in f"{fault.message} {fault.help}"
