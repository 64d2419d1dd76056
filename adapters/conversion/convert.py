"""A canonical request on its way to a provider: the stages in order, then the report (seed 000 §8)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from adapters.conversion.answers import ask_in_words, asked_level
from adapters.conversion.canonical import CanonicalRequest
from adapters.conversion.fit import Fitter
from adapters.conversion.limits import over_limits
from adapters.conversion.pairing import pair, rename
from adapters.conversion.placement import mark_errors, place_result_images, place_system
from adapters.conversion.prepared import Prepared
from adapters.conversion.steps import Action, Ledger
from adapters.conversion.target import Converted, Target
from adapters.conversion.to_anthropic import anthropic_body
from adapters.conversion.to_ollama import ollama_body
from adapters.conversion.to_openai import openai_body
from adapters.conversion.tools import fit_tools
from adapters.conversion.turns import Turn, merge, place
from model.contract import ProviderConversionReport
from model.conversion import Caution, judge, predict, refusals
from model.vocabulary import Api, Canonical, JsonLevel

Writer = Callable[[Prepared, Ledger], dict[str, Any]]

WRITERS: dict[Api, Writer] = {
    Api.ANTHROPIC_MESSAGES: anthropic_body,
    Api.OPENAI_COMPLETIONS: openai_body,
    Api.OLLAMA_CHAT: ollama_body,
}
"""The Apis that capdeck itself speaks."""


def convert(request: CanonicalRequest, target: Target) -> Converted:
    """The request for this target, with what happened to it. Never raises for what a target lacks: see `blocked`."""
    ledger = Ledger()
    fitter = Fitter(target, ledger)
    prepared = _prepare(request, target, fitter, ledger)
    writer = WRITERS.get(target.api)
    draft = writer(prepared, ledger) if writer else {}
    reasons = [] if writer else [f"capdeck has no adapter for {target.api}"]
    reasons += [] if prepared.turns else ["nothing is left to send: every message is empty"]
    reasons += [*_required_lost(target), *_no_json(request, target), *fitter.refused, *over_limits(prepared, draft)]
    reasons += refusals(ledger.words, target.required, allow_lossy=target.allow_lossy)
    return _judged(request, target, ledger, prepared, draft, tuple(dict.fromkeys(reasons)))


def _prepare(request: CanonicalRequest, target: Target, fitter: Fitter, ledger: Ledger) -> Prepared:
    turns = tuple(_fitted(index, turn, fitter, ledger) for index, turn in enumerate(place(request.messages)))
    system = (*fitter.system(request.system), *ask_in_words(request, target, ledger))
    system, turns = place_system(system, tuple(turn for turn in turns if turn.items), target, ledger)
    turns = pair(merge(turns, ledger), ledger)
    turns, ids = rename(merge(turns, ledger), target.api, ledger)
    turns = mark_errors(place_result_images(turns, target, ledger), target, ledger)
    tools = fit_tools(request, target, ledger)
    return Prepared(request, target, system, turns, tools.tools, tools.choice, ids)


def _fitted(index: int, turn: Turn, fitter: Fitter, ledger: Ledger) -> Turn:
    if not turn.items:
        ledger.note((index, None), "message", Action.DROPPED, Caution.EMPTY_LEFT_OUT)
    return fitter.turn(turn)


def _required_lost(target: Target) -> tuple[str, ...]:
    """What the row alone already refuses, whatever the messages hold (seed 000 §8.3-4)."""
    predicted = predict(target.conversion, target.required, allow_lossy=True)
    return predicted.blocked + tuple(
        f"{capability} is required and does not reach the model"
        for capability in target.required
        if capability not in target.supports
    )


def _no_json(request: CanonicalRequest, target: Target) -> tuple[str, ...]:
    if request.answer is None or asked_level(request.answer, target) is not JsonLevel.UNSUPPORTED:
        return ()
    return (f"{target.model_id} is asked for JSON and its endpoint carries none of this form",)


def _judged(
    request: CanonicalRequest,
    target: Target,
    ledger: Ledger,
    prepared: Prepared,
    draft: dict[str, Any],
    reasons: tuple[str, ...],
) -> Converted:
    judged = judge(ledger.words, reasons, allow_lossy=target.allow_lossy, code_changing=target.code_changing)
    report = ProviderConversionReport(
        status=Canonical(judged.status),
        omissions=judged.omissions,
        warnings=judged.warnings,
        required_confirmation=judged.required_confirmation,
    )
    return Converted(request, draft, report, ledger.steps, prepared.tool_ids, judged.blocked)
