"""A planted drift of each code, and what is none."""

from __future__ import annotations

import datetime
import json
from typing import Any

import pytest

from model.capability_set import CapabilitySet
from model.catalog import Catalog, Retirement, builtin
from model.catalog.drift import Drift, DriftCode, diff, read_litellm, read_models_dev
from model.vocabulary import Capability
from tests.model.catalog.rows import GOOD, row
from tests.shared_data import shared_path

CATALOG = Catalog([GOOD])
AGREES = {"litellm_provider": "openai", "max_input_tokens": 200000, "max_output_tokens": 8000}


def litellm(catalog: Catalog = CATALOG, key: str = "good-1", **changes: Any) -> tuple[Drift, ...]:
    return diff(catalog, read_litellm(json.dumps({key: AGREES | changes}).encode()))


def models_dev(**changes: Any) -> tuple[Drift, ...]:
    model = {"limit": {"context": 200000, "output": 8000}, "tool_call": True} | changes
    return diff(CATALOG, read_models_dev(json.dumps({"openai": {"models": {"good-1": model}}}).encode()))


def test_agreement_is_silent() -> None:
    assert litellm() == ()
    assert models_dev() == ()


@pytest.mark.parametrize(
    ("changes", "code", "field", "theirs"),
    [
        ({"max_input_tokens": 0, "max_output_tokens": None}, DriftCode.NO_LIMITS_UPSTREAM, "limits", ""),
        ({"max_input_tokens": 1.5}, DriftCode.INVALID_UPSTREAM_CONTEXT, "context_window_tokens", "1.5"),
        ({"max_input_tokens": -1}, DriftCode.INVALID_UPSTREAM_CONTEXT, "context_window_tokens", "-1"),
        ({"max_input_tokens": "200k"}, DriftCode.INVALID_UPSTREAM_CONTEXT, "context_window_tokens", "'200k'"),
        ({"max_input_tokens": 2**63}, DriftCode.INVALID_UPSTREAM_CONTEXT, "context_window_tokens", str(2**63)),
        ({"max_output_tokens": True}, DriftCode.INVALID_UPSTREAM_MAX_OUT, "max_output_tokens", "True"),
        ({"max_input_tokens": 128000}, DriftCode.CONTEXT_MISMATCH, "context_window_tokens", "128,000"),
        ({"max_output_tokens": 4000}, DriftCode.MAX_OUT_MISMATCH, "max_output_tokens", "4,000"),
        ({"supports_function_calling": False}, DriftCode.FLAG_MISMATCH, "tool_use", "no"),
        ({"deprecation_date": "2027-01-14"}, DriftCode.RETIREMENT_MISMATCH, "retirement", "2027-01-14"),
    ],
)
def test_a_planted_drift(changes: dict[str, Any], code: DriftCode, field: str, theirs: str) -> None:
    (drift,) = litellm(**changes)
    assert (drift.code, drift.model_id, drift.field, drift.theirs) == (code, "good-1", field, theirs)


def test_missing_upstream() -> None:
    assert [drift.code for drift in litellm(key="good-2")] == [DriftCode.MISSING_UPSTREAM]


def test_another_host_is_not_the_vendor() -> None:
    assert [drift.code for drift in litellm(litellm_provider="azure")] == [DriftCode.MISSING_UPSTREAM]


def test_flags_and_retirement_of_models_dev() -> None:
    drawn = {"modalities": {"input": ["text"], "output": ["text", "image"]}}
    assert [(drift.code, drift.field) for drift in models_dev(**drawn)] == [(DriftCode.FLAG_MISMATCH, "image_output")]
    (drift,) = models_dev(status="deprecated")
    assert (drift.code, drift.theirs) == (DriftCode.RETIREMENT_MISMATCH, "deprecated")


def test_an_input_limit_agrees_with_a_total_window() -> None:
    assert litellm(max_input_tokens=192000) == ()
    assert [drift.code for drift in models_dev(limit={"context": 192000, "output": 8000})] == [
        DriftCode.CONTEXT_MISMATCH
    ]


def test_what_one_side_does_not_state_is_no_difference() -> None:
    silent = Catalog([row(context_window_tokens=None, max_output_tokens=None, yes=CapabilitySet(1))])
    assert litellm(silent, supports_vision=True) == ()
    retires = Retirement(datetime.date(2027, 1, 14), None, "https://vendor.example/gone")
    assert litellm(Catalog([row(retirement=retires)])) == ()
    assert litellm(deprecation_date="some day", supports_function_calling="yes") == ()


def test_found_under_an_alias_with_the_providers_prefix() -> None:
    (drift,) = litellm(key="openai/good-1-20260101", max_output_tokens=1)
    assert drift.upstream == "openai/good-1-20260101"


def test_only_the_models_asked_for() -> None:
    catalog = Catalog([GOOD, row(model_id="other-2", aliases=("vendor/other-2",))])
    empty = read_litellm(json.dumps({"x": AGREES}).encode())
    assert [drift.model_id for drift in diff(catalog, empty)] == ["good-1", "other-2"]
    assert [drift.model_id for drift in diff(catalog, empty, only={"vendor/other-2", "nobody/knows"})] == ["other-2"]


def test_our_catalog_against_the_real_lists() -> None:
    folder = shared_path("data/catalogs")
    (litellm_file,) = folder.glob("litellm*.json")
    (models_dev_file,) = folder.glob("modelsdev*.json")
    litellm_list = read_litellm(litellm_file.read_bytes())
    models_dev_list = read_models_dev(models_dev_file.read_bytes())
    found = {drift.model_id: drift for drift in diff(builtin(), models_dev_list) if "CONTEXT" in drift.code}
    assert found["claude-sonnet-4-5"].theirs == "1,000,000"
    assert "gpt-5" not in {drift.model_id for drift in diff(builtin(), litellm_list)}  # 272,000 + 128,000
    upstream = litellm_list.find(builtin().require("claude-opus-4-7").row)
    assert upstream is not None
    assert Capability.COMPUTER_USE in upstream.yes
