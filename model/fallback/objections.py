"""Why a model that may well pass its task is still passed over: the rules that a verdict does not know."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import TYPE_CHECKING

from model.fallback.able import conversion_to
from model.fallback.failure import Failure
from model.fallback.identity import is_at
from model.fallback.succession import may_go_lower
from model.quick_dataclass import dataclass
from model.verdicts import Reason, ReasonCode, Verdict

if TYPE_CHECKING:
    from model.fallback.explorer import Explorer, Question
    from model.resolve import ResolvedModel


class Obstacle(StrEnum):
    """What stands in a candidate's way."""

    UNKNOWN_TARGET = "unknown_target"
    SAME_MODEL = "same_model"
    TRIED = "tried"
    DOWN = "down"
    PROVIDER_GONE = "provider_gone"
    SMALLER_WINDOW = "smaller_window"
    UNKNOWN_WINDOW = "unknown_window"
    HIGHER_TIER = "higher_tier"
    LOWER_TIER = "lower_tier"
    CONVERSION = "conversion"
    OUTRANKED = "outranked"


@dataclass(frozen=True, slots=True)
class Objection:
    """One rule that passes a candidate over. In text it reads `lower_tier`."""

    code: Obstacle
    text: str

    def __str__(self) -> str:
        return self.code.value


Why = Reason | Objection


def objections(explorer: Explorer, question: Question, number: int) -> Iterator[Why]:
    """All of them, beside those of the verdict."""
    row, original = explorer.row(number), explorer.row(question.original)
    yield from _names(explorer, question, number)
    yield from _outage(question, explorer, number)
    yield from _losses(explorer, question, row)
    yield from _tiers(explorer, question, number, original)
    if blocked := conversion_to(explorer.snapshot, explorer.requirement(question.task), row).blocked:
        yield Objection(Obstacle.CONVERSION, "; ".join(blocked))


def _names(explorer: Explorer, question: Question, number: int) -> Iterator[Objection]:
    """A model never falls back to itself, nor to what was tried, under whatever name."""
    for tried in question.tried:
        if not explorer.twins[tried] >> number & 1:
            continue
        first = tried == question.original
        said = "fails" if first else "was tried already"
        text = f"it is the one that {said}" if tried == number else ""
        text = text or f"it is {explorer.ref(tried)}, which {said}, under another name of the same endpoint"
        yield Objection(Obstacle.SAME_MODEL if first else Obstacle.TRIED, text)
        return


def _outage(question: Question, explorer: Explorer, number: int) -> Iterator[Objection]:
    row, outage = explorer.row(number), question.outage
    provider = row.model.provider
    if provider.provider_id in outage.providers:
        yield Objection(Obstacle.DOWN, f"{provider.provider_id} is marked as down")
    elif place := next((place for place in sorted(outage.endpoints) if is_at(provider, place)), None):
        yield Objection(Obstacle.DOWN, f"the endpoint {place} is marked as down")
    else:
        known = explorer.snapshot.matrix.by_ref
        down = (ref for ref in sorted(outage.models) if ref in known and explorer.twins[known[ref]] >> number & 1)
        for ref in down:
            name = "it" if ref == row.ref else f"{ref}, the same model under another name,"
            yield Objection(Obstacle.DOWN, f"{name} is marked as down")
            return


def _losses(explorer: Explorer, question: Question, row: ResolvedModel) -> Iterator[Objection]:
    """What goes with a failure of this kind."""
    if question.failure.loses_provider:
        gone = {explorer.ref(number).provider_id for number in question.tried}
        if row.ref.provider_id in gone:
            text = f"{row.ref.provider_id} is gone ({question.failure.value})"
            yield Objection(Obstacle.PROVIDER_GONE, text)
    if question.failure is Failure.CONTEXT_OVERFLOW:
        yield from _too_small(explorer, question, row)


def _too_small(explorer: Explorer, question: Question, row: ResolvedModel) -> Iterator[Objection]:
    tried = [explorer.row(number) for number in question.tried]
    unknown = next((each for each in tried if each.context_window_tokens.value is None), None)
    window, largest = row.context_window_tokens.value, max(each.context_window_tokens.value or 0 for each in tried)
    if unknown:
        text = f"nobody states the window of {unknown.ref}, so that no window is known to be larger"
        yield Objection(Obstacle.UNKNOWN_WINDOW, text)
    elif window is None:
        yield Objection(Obstacle.UNKNOWN_WINDOW, f"nobody states its window, and {largest:,} tokens were too few")
    elif window <= largest:
        yield Objection(Obstacle.SMALLER_WINDOW, f"its window is {window:,} tokens, and {largest:,} were too few")


def _tiers(explorer: Explorer, question: Question, number: int, original: ResolvedModel) -> Iterator[Objection]:
    stands, quality = explorer.relation(question.original), explorer.row(number).quality_tier.value.value
    tiers = f"{quality}, and {original.ref} is {original.quality_tier.value.value}"
    if stands.higher >> number & 1 and not explorer.snapshot.config.policy.allow_higher_tier:
        yield Objection(Obstacle.HIGHER_TIER, f"its tier is {tiers}: policy.allow_higher_tier is false")
    if stands.lower >> number & 1 and not may_go_lower(explorer.snapshot, question.task):
        text = f"its tier is {tiers}: {question.task} changes code, and policy.allow_lower_tier_for does not name it"
        yield Objection(Obstacle.LOWER_TIER, text)


# -- the verdict's part -----------------------------------------------------------------------------------------------
def verdict_reasons(explorer: Explorer, question: Question, number: int, verdict: Verdict) -> Iterator[Reason]:
    """What fails for good: a floor that is missed from the lower rung can be confirmed. An endpoint that is not
    trusted is never contacted, so that it cannot take over, whatever the verdict was asked."""
    lower = explorer.relation(question.original).lower >> number & 1
    for reason in verdict.reasons:
        if not (lower and reason.code is ReasonCode.QUALITY_FLOOR):
            yield reason
    yield from (warning for warning in verdict.warnings if warning.code is ReasonCode.UNTRUSTED)


def questions(explorer: Explorer, question: Question, number: int, verdict: Verdict) -> Iterator[str]:
    """What somebody has to confirm before this candidate takes over."""
    if explorer.relation(question.original).lower >> number & 1:
        yield from (reason.text for reason in verdict.reasons if reason.code is ReasonCode.QUALITY_FLOOR)
    prediction = conversion_to(explorer.snapshot, explorer.requirement(question.task), explorer.row(number))
    if prediction.required_confirmation:
        lost = ", ".join(prediction.omissions)
        yield f"its conversion is {prediction.status.value} ({lost}), and {question.task} changes code"
