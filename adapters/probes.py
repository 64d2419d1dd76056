"""Trying out what a model claims: for each capability one small request, whose answer shows it or does not.

A probe may cost money, so a caller plans first, shows the plan with its cost, and asks. Nothing is tried twice and no
tool is ever executed. Evidence is in our own words; of an answer's text it holds nothing.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import field, replace
from datetime import date
from enum import StrEnum

from adapters.contract import ProviderAdapter
from adapters.conversion.completion import Completion, Usage
from adapters.conversion.convert import convert
from adapters.conversion.events import TextDelta
from adapters.conversion.target import Converted, Target
from adapters.errors import FailureKind, ProviderError
from adapters.probe_requests import SHOWN_BY, request_for
from adapters.tokens import estimate_request
from adapters.trial import Clock, Meter
from model.capability_set import CapabilitySet
from model.config.rows import Flags
from model.conversion import Omission
from model.quick_dataclass import dataclass
from model.resolve import Observed
from model.vocabulary import Capability, TokenizerFamily

PROBES: tuple[Capability, ...] = tuple(SHOWN_BY)
"""What can be probed, cheapest first; long_context sends most of a window and is the dear one."""


class Outcome(StrEnum):
    """`inconclusive`: the answer shows neither that it can nor that it cannot."""

    PASSED = "passed"
    FAILED = "failed"
    INCONCLUSIVE = "inconclusive"


@dataclass(frozen=True, slots=True)
class Probe:
    """One planned request: its most tokens in (estimated) and out are what a price is put on."""

    capability: Capability
    converted: Converted
    target: Target
    input_tokens: int
    output_tokens: int


@dataclass(frozen=True, slots=True)
class ProbeResult:
    """What a probe showed, on which day, with evidence in words that hold no secret and no text of the answer; of one
    that streamed also the seconds from sending to the first token."""

    capability: Capability
    outcome: Outcome
    evidence: str
    seen: date
    usage: Usage = field(default_factory=Usage)
    first_token_seconds: float | None = None


def plan(
    adapter: ProviderAdapter,
    model_id: str,
    capabilities: Iterable[Capability],
    *,
    window_tokens: int | None = None,
    family: TokenizerFamily = TokenizerFamily.UNKNOWN,
) -> tuple[Probe, ...]:
    """The requests for these capabilities, in the order of PROBES; those without a probe are left out.

    `window_tokens` is the claimed window, which the probe of long_context fills to nine tenths.
    """
    wanted = set(capabilities)
    return tuple(_planned(adapter, model_id, one, window_tokens, family) for one in PROBES if one in wanted)


def _planned(
    adapter: ProviderAdapter, model_id: str, capability: Capability, window: int | None, family: TokenizerFamily
) -> Probe:
    request = request_for(capability, model_id, window)
    target = replace(adapter.target(model_id), allow_lossy=True)
    converted = convert(request, target)
    return Probe(capability, converted, target, estimate_request(request, family).most, request.max_output_tokens or 0)


async def run(adapter: ProviderAdapter, probe: Probe, today: date, *, clock: Clock = time.perf_counter) -> ProbeResult:
    """Sends one probe. Never raises ProviderError: a failure is a result."""
    if adapter.is_offline:
        return ProbeResult(probe.capability, Outcome.INCONCLUSIVE, "offline mode: nobody was asked", today)
    if missing := _not_carried(probe):
        return ProbeResult(probe.capability, Outcome.FAILED, missing, today)
    try:
        answer = await _answer(adapter, probe, Meter(clock))
    except ProviderError as error:
        return _refused(probe.capability, error, today)
    except ValueError:
        return ProbeResult(probe.capability, Outcome.FAILED, "the answer cannot be put together", today)
    shown = SHOWN_BY[probe.capability](answer.completion, answer.pieces)
    outcome, usage = _OUTCOMES[shown.holds], answer.completion.usage
    return ProbeResult(probe.capability, outcome, shown.evidence, today, usage, answer.first_token_seconds)


def observed(results: Iterable[ProbeResult], endpoint: str, today: date) -> Observed:
    """The observed layer's value: passed = yes, failed = no, inconclusive says nothing (DOMAIN.md §2.3)."""
    found = tuple(results)
    yes = CapabilitySet.of(result.capability for result in found if result.outcome is Outcome.PASSED)
    no = CapabilitySet.of(result.capability for result in found if result.outcome is Outcome.FAILED)
    return Observed(Flags(yes, no), None, None, endpoint, today)


_OUTCOMES = {True: Outcome.PASSED, False: Outcome.FAILED, None: Outcome.INCONCLUSIVE}
_SAYS_NO = {FailureKind.NOT_OFFERED, FailureKind.REFUSED_PARAMETER, FailureKind.BAD_REQUEST, FailureKind.BLOCKED}
_NOT_A_LOSS = {Omission.THINKING_STRIPPED, Omission.SCHEMA_IN_WORDS, Omission.JSON_IN_WORDS}


def _not_carried(probe: Probe) -> str:
    """What the conversion to this Api loses would make the answer prove nothing."""
    if probe.converted.blocked:
        return f"its Api does not carry it: {'; '.join(probe.converted.blocked)}"
    lost = [word for word in probe.converted.report.omissions if word not in _NOT_A_LOSS]
    return f"its Api does not carry it: {', '.join(lost)}" if lost else ""


def _refused(capability: Capability, error: ProviderError, today: date) -> ProbeResult:
    """A refusal of the request says no; a key, a quota or the network say nothing about the model."""
    failed = error.failure
    long_input = capability is Capability.LONG_CONTEXT and failed.kind is FailureKind.CONTEXT_LENGTH
    outcome = Outcome.FAILED if failed.kind in _SAYS_NO or long_input else Outcome.INCONCLUSIVE
    status = f"HTTP {failed.status}: " if failed.status else ""
    return ProbeResult(capability, outcome, f"{status}{failed.text}", today)


@dataclass(frozen=True, slots=True)
class _Answer:
    """A whole answer, and in how many pieces of text it came (0 = not streamed)."""

    completion: Completion
    pieces: int = 0
    first_token_seconds: float | None = None


async def _answer(adapter: ProviderAdapter, probe: Probe, meter: Meter) -> _Answer:
    if not probe.converted.request.stream:
        return _Answer(await adapter.answer(probe.converted, probe.target))
    pieces = 0
    meter.start()
    async for event in adapter.send(probe.converted, probe.target):
        meter.take(event)
        pieces += isinstance(event, TextDelta)
    return _Answer(meter.completion(), pieces, meter.first_token_seconds)
