"""A trial's attempts: one, and a second, stricter one only where the user chose that and the first answer was not the
JSON that was asked for (seed 000 §4). Nothing that was refused, failed or was cancelled is ever asked again."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable
from dataclasses import replace
from datetime import date
from decimal import Decimal
from functools import reduce
from typing import Protocol

from adapters.contract import ProviderAdapter
from adapters.conversion.answers import asked_level, in_words
from adapters.conversion.canonical import CanonicalRequest, JsonAnswer, Text
from adapters.conversion.completion import StopReason, Usage
from adapters.conversion.convert import convert
from adapters.conversion.target import Converted, Target
from adapters.json_answers import JsonError, JsonOutcome, JsonVerdict
from adapters.json_answers.apart import judge_apart
from adapters.redaction import Redactor
from adapters.trial import Clock, Ending, Meter, Piece, Reading, attempt, cost_at, first_token_of
from model.config.merge import Provider
from model.latency import FirstToken
from model.model_ref import ModelRef
from model.quick_dataclass import dataclass
from model.vocabulary import JsonLevel

_ERROR_CHARACTERS = 300
"""How much of one error goes into the second request."""

CUT_SHORT = JsonError("it was cut at the longest answer allowed")


@dataclass(frozen=True, slots=True)
class Attempt:
    """One request and what came of it. `verdict` is None where no JSON was asked for, or no whole answer came."""

    converted: Converted
    reading: Reading
    verdict: JsonVerdict | None = None

    @property
    def is_worth_another(self) -> bool:
        """Whether a whole answer came that is not what was asked for. A model that declines is not pressed."""
        completion = self.reading.completion
        declined = completion is not None and completion.stop_reason is StopReason.REFUSAL
        outcome = self.verdict.outcome if self.verdict else None
        return outcome in {JsonOutcome.NOT_JSON, JsonOutcome.BREAKS_SCHEMA} and not declined


@dataclass(frozen=True, slots=True)
class Conducted:
    """A trial when it is over: its one or two attempts. `ending` is that of the last, or CANCELLED after it."""

    attempts: tuple[Attempt, ...]
    ending: Ending

    @property
    def last(self) -> Attempt:
        return self.attempts[-1]

    @property
    def verdict(self) -> JsonVerdict | None:
        """Of the last answer that came whole."""
        return next((each.verdict for each in reversed(self.attempts) if each.verdict), None)

    @property
    def usage(self) -> Usage:
        """Of all attempts."""
        return reduce(Usage.plus, (each.reading.usage for each in self.attempts))

    @property
    def seconds(self) -> float:
        return sum(each.reading.seconds for each in self.attempts)


class Watcher(Protocol):
    """Who is told while a trial goes on; must be quick, and is called in the trial's own task."""

    def show(self, piece: Piece) -> None:
        """Some more of the answer; secrets are hidden already."""

    def begin_check(self) -> None:
        """A whole answer has come; whether it is the JSON asked for is about to be found out."""

    def begin_second(self, first: Attempt, converted: Converted) -> None:
        """The first attempt is over and judged; `converted` is about to be sent."""


async def conduct(
    adapter: ProviderAdapter,
    converted: Converted,
    target: Target,
    redactor: Redactor,
    watcher: Watcher,
    *,
    second_attempt: bool = False,
    clock: Clock = time.perf_counter,
) -> Conducted:
    """Carries a trial out and closes the adapter. Never raises ProviderError; a task that is cancelled here, even
    between two attempts, ends with what came by then."""
    attempts: list[Attempt] = []

    async def send(request: Converted) -> Attempt:
        reading = await attempt(adapter, request, target, Meter(clock), redactor, watcher.show)
        attempts.append(Attempt(request, reading))
        if request.request.answer is not None and reading.ending is Ending.DONE:
            watcher.begin_check()
            verdict = await _judged(reading, request.request.answer, redactor)
            attempts[-1] = replace(attempts[-1], verdict=verdict)
        return attempts[-1]

    ending = Ending.CANCELLED
    try:
        first = await send(converted)
        if second_attempt and first.is_worth_another:
            again = convert(stricter(first, target), target)
            watcher.begin_second(first, again)
            await send(again)
        ending = attempts[-1].reading.ending
    except asyncio.CancelledError:
        if not attempts:
            raise
    finally:
        await adapter.aclose()
    return Conducted(tuple(attempts), ending)


async def _judged(reading: Reading, asked: JsonAnswer, redactor: Redactor) -> JsonVerdict:
    verdict = await judge_apart(redactor(reading.text), asked)
    cut = reading.completion is not None and reading.completion.stop_reason is StopReason.MAX_TOKENS
    if cut and verdict.outcome is JsonOutcome.NOT_JSON:
        verdict = replace(verdict, errors=(*verdict.errors, CUT_SHORT))
    return redactor.clean(verdict)


def stricter(first: Attempt, target: Target) -> CanonicalRequest:
    """The first request with what was wrong with its answer. The answer itself is not sent again."""
    request, verdict = first.converted.request, first.verdict
    answer = request.answer or JsonAnswer()
    words = [
        "A program reads your answer. An earlier answer to this request could not be used:",
        *(f"- {_short(str(error))}" for error in (verdict.errors if verdict else ())),
        "Answer once more with exactly one JSON value, from its first bracket to its last, and keep to every rule of "
        "its form. No explanation, no code fence, no comments, no second value.",
    ]
    if asked_level(answer, target) is JsonLevel.NATIVE:  # else the conversion adds them
        words.append(in_words(answer))
    return replace(request, system=(*request.system, Text("\n".join(words))))


def _short(error: str) -> str:
    """One line that JSON can carry: a key of the answer may hold half a character."""
    line = " ".join(error.encode(errors="replace").decode().split())
    return line if len(line) <= _ERROR_CHARACTERS else line[: _ERROR_CHARACTERS - 1] + "…"


def first_tokens_of(
    adapter: ProviderAdapter, ref: ModelRef, conducted: Conducted, today: date
) -> tuple[FirstToken, ...]:
    """What the attempts observed of the model, to be kept."""
    found = (first_token_of(adapter, each.converted, ref, each.reading, today) for each in conducted.attempts)
    return tuple(each for each in found if each is not None)


def cost_of_all(provider: Provider, model_id: str, usages: Iterable[Usage]) -> Decimal | None:
    """USD; None where one of them is not known. As slow as `cost_at`."""
    total = Decimal(0)
    for usage in usages:
        cost = cost_at(provider, model_id, usage)
        if cost is None:
            return None
        total += cost
    return total
