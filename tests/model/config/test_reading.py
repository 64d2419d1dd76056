"""Keys that are unknown at their place, rows without what they need: reported once, with what was meant."""

from __future__ import annotations

from typing import Any

import pytest

from model.config.read import read_config
from model.document import Delete, Put, Rename
from model.findings import Finding, breadcrumb


def findings(data: Any) -> list[Finding]:
    return read_config(data, "models.yaml").all_findings()


def of_model(**keys: Any) -> list[Finding]:
    model = {"model_id": "m", **keys}
    return findings({"providers": [{"provider_id": "p", "provider_kind": "openai", "models": [model]}]})


@pytest.mark.parametrize(
    ("key", "meant"),
    [("max_tokens", "max_output_tokens"), ("context_length", "context_window_tokens"), ("qualty_tier", "quality_tier")],
)
def test_a_key_that_was_meant_to_be_another(key: str, meant: str) -> None:
    (finding,) = of_model(**{key: "x"})
    assert (finding.code, finding.help) == ("config-unknown-key", f"did you mean {meant!r}?")
    assert finding.fix is not None
    assert finding.fix.edits == (Rename(("providers", 0, "models", 0, key), meant),)
    assert not finding.fix.safe


def test_no_renaming_onto_a_key_that_is_there() -> None:
    (finding,) = of_model(qualty_tier="strong", quality_tier="strong")
    assert finding.fix is None


def test_a_flag_at_the_wrong_level_is_moved_to_its_section() -> None:
    (finding,) = of_model(tool_use=True, supports={"streaming": True})
    place = ("providers", 0, "models", 0)
    assert finding.code == "config-wrong-level"
    assert finding.fix is not None
    delete, put = finding.fix.edits
    assert delete == Delete((*place, "tool_use"))
    assert isinstance(put, Put)
    assert (put.path, put.value) == ((*place, "supports", "tool_use"), True)


def test_nothing_is_moved_onto_another_word_or_into_what_is_no_section() -> None:
    (finding,) = of_model(tool_use=True, supports={"tool_use": False})
    assert finding.fix is None
    assert [finding.fix for finding in of_model(tool_use=True, supports="all") if "level" in finding.code] == [None]


def test_a_misspelt_id_is_told_once() -> None:
    found = findings({"providers": [{"id": "p", "provider_kind": "openai"}]})
    assert [finding.code for finding in found] == ["config-unknown-key"]


def test_an_id_that_is_null_is_missing() -> None:
    found = findings({"providers": [{"provider_id": None, "models": [{"model_id": None}]}]})
    assert [(finding.code, breadcrumb(finding.spot.path)) for finding in found] == [
        ("config-missing-id", "providers[0]"),
        ("config-missing-id", "providers[0].models[0]"),
    ]


def test_rows_that_cannot_do_without_a_key() -> None:
    data = {"tools": [{}], "fallbacks": [{"task": "execute"}], "policy": {"ignore": [{"at": "p"}]}}
    assert [(finding.code, breadcrumb(finding.spot.path)) for finding in findings(data)] == [
        ("config-missing-key", "tools[0]"),
        ("config-missing-key", "fallbacks[0]"),
        ("config-missing-key", "policy.ignore[0]"),
    ]


def test_a_key_that_is_a_key_is_not_repeated() -> None:
    (finding,) = findings({"sk-ant-api03-CANARYcanary0123456789": 1})
    assert "CANARY" not in finding.message
