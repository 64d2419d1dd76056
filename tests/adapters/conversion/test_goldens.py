"""Requests as the vendors' documents write them, what the report says of each, and the vendors' types as a judge."""

from __future__ import annotations

from dataclasses import replace

import pytest

from adapters.conversion import convert
from model.conversion import Caution, Omission
from model.vocabulary import Canonical
from tests.adapters.conversion import (
    goldens_anthropic,
    goldens_ollama,
    goldens_openai,
    goldens_openai_settings,
    goldens_openai_tools,
)
from tests.adapters.conversion.build import request
from tests.adapters.conversion.golden import Golden
from tests.adapters.conversion.goldens_anthropic import ANTHROPIC, OLD
from tests.adapters.conversion.sdk_types import check_request

GOLDENS = [
    *goldens_openai.GOLDENS,
    *goldens_openai_tools.GOLDENS,
    *goldens_openai_settings.GOLDENS,
    *goldens_ollama.GOLDENS,
    *goldens_anthropic.GOLDENS,
]
every_golden = pytest.mark.parametrize("golden", GOLDENS, ids=lambda golden: golden.name)


@every_golden
def test_what_is_sent(golden: Golden) -> None:
    draft = convert(request(**golden.given), golden.on).draft
    assert {key: draft.get(key) for key in golden.sent} == golden.sent


@every_golden
def test_what_the_report_says(golden: Golden) -> None:
    report = convert(request(**golden.given), golden.on).report
    assert set(report.omissions) == set(golden.lost)
    assert set(report.warnings) == set(golden.warned)
    assert report.status is (Canonical.LOSSY if golden.lost else Canonical.LOSSLESS)


@every_golden
def test_the_vendor_takes_it(golden: Golden) -> None:
    old_sampling = golden.on is OLD and "temperature" in golden.given
    given = {key: value for key, value in golden.given.items() if not (old_sampling and key in _GONE)}
    check_request(golden.on.api, convert(request(**given), golden.on).draft)


_GONE = {"temperature", "top_p", "top_k"}
"""The newest SDK knows only the newest version, in which these are gone."""


@every_golden
def test_a_loss_blocks_unless_it_is_allowed(golden: Golden) -> None:
    given = request(**golden.given)
    refusing = convert(given, replace(golden.on, allow_lossy=False))
    allowing = convert(given, replace(golden.on, allow_lossy=True))
    assert bool(refusing.blocked) == bool(golden.lost)
    assert allowing.blocked == ()
    assert allowing.report.omissions == refusing.report.omissions


@every_golden
def test_a_loss_in_code_changing_work_needs_a_confirmation(golden: Golden) -> None:
    report = convert(request(**golden.given), replace(golden.on, code_changing=True)).report
    assert report.required_confirmation or not golden.lost


def test_a_block_that_nobody_knows_is_anthropics_to_judge() -> None:
    """No golden, since the SDK of today does not know it either."""
    unknown = {"type": "hologram", "data": "x"}
    converted = convert(request(messages=[{"role": "user", "content": [unknown]}]), ANTHROPIC)
    assert converted.body["messages"] == [{"role": "user", "content": [unknown]}]
    assert converted.report.warnings == (Caution.UNKNOWN_PASSED_ON,)


def test_there_are_goldens_enough() -> None:
    assert len(GOLDENS) >= 60
    assert {word for golden in GOLDENS for word in golden.lost} >= set(Omission) - {
        Omission.SCHEMA_FEATURES_DROPPED  # no Api with an adapter of ours lacks a schema feature: see test_schema.py
    }
