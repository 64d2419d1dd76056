"""The prediction from a row and the report measured on messages use the same words and agree (DOMAIN.md §7)."""

from __future__ import annotations

from typing import Any

import pytest

from adapters.conversion import convert
from model.capability_set import CapabilitySet
from model.conversion import predict
from model.vocabulary import Api, Capability, ImageConversion, ThinkingConversion, ToolSchema
from tests.adapters.conversion.build import IMAGE, MARK, USER, WEATHER, assistant, request, target, text, user

THOUGHT = {"type": "thinking", "thinking": "hmm", "signature": "c2ln"}
USES: list[tuple[Capability, dict[str, Any]]] = [
    (Capability.TOOL_USE, {"tools": [WEATHER]}),
    (Capability.IMAGE_INPUT, {"messages": [user(IMAGE)]}),
    (Capability.THINKING, {"messages": [USER, assistant(THOUGHT, text("a")), USER]}),
    (Capability.PROMPT_CACHE, {"messages": [user(text("hi", cache_control=MARK))]}),
]
ROWS: list[dict[str, Any]] = [
    {},
    {"tool_schema": ToolSchema.EMULATED},
    {"tool_schema": ToolSchema.UNSUPPORTED},
    {"image_input": ImageConversion.ARTIFACT_LINK},
    {"image_input": ImageConversion.UNSUPPORTED},
    {"thinking": ThinkingConversion.STRIPPED},
    {"thinking": ThinkingConversion.UNSUPPORTED},
]


@pytest.mark.parametrize(("used", "given"), USES, ids=[str(used) for used, _ in USES])
@pytest.mark.parametrize("row", ROWS, ids=str)
@pytest.mark.parametrize("api", [Api.ANTHROPIC_MESSAGES, Api.OPENAI_COMPLETIONS])
def test_measured_as_predicted(api: Api, row: dict[str, Any], used: Capability, given: dict[str, Any]) -> None:
    on = target(api, row=row)
    predicted = predict(on.conversion, CapabilitySet(), uses=CapabilitySet.of((used,)))
    measured = convert(request(**given), on)
    assert measured.report.status is predicted.status
    assert measured.report.omissions == predicted.omissions
    assert measured.report.warnings == predicted.warnings
    assert measured.blocked == predicted.blocked


@pytest.mark.parametrize(("used", "given"), USES, ids=[str(used) for used, _ in USES])
@pytest.mark.parametrize("row", ROWS, ids=str)
def test_what_is_required_is_judged_the_same(row: dict[str, Any], used: Capability, given: dict[str, Any]) -> None:
    required = CapabilitySet.of((used,))
    for allow_lossy in (False, True):
        on = target(Api.OPENAI_COMPLETIONS, row=row, required=required, allow_lossy=allow_lossy)
        predicted = predict(on.conversion, required, allow_lossy=allow_lossy)
        assert bool(convert(request(**given), on).blocked) == bool(predicted.blocked)
