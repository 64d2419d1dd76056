"""The ladder drawn out: every rung with every candidate, and why each was taken or passed over (DOMAIN.md §6)."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from itertools import chain
from typing import TYPE_CHECKING

from model.fallback.explorer import Choice, Explorer, Question
from model.fallback.failure import NO_OUTAGE, Failure, Outage
from model.fallback.identity import endpoint_of, same_id
from model.fallback.losses import NEVER_TIMED, Pair, differences, first_tokens
from model.fallback.objections import Objection, Obstacle, Why, objections, questions, verdict_reasons
from model.fallback.record import FallbackRecord, Prices, record
from model.fallback.succession import Rung, may_go_lower
from model.latency import candidate_words
from model.quick_dataclass import dataclass

if TYPE_CHECKING:
    from model.latency import Latency
    from model.model_ref import ModelRef
    from model.snapshot import Snapshot
    from model.verdicts import Reason


class Standing(StrEnum):
    """What became of a candidate."""

    TAKEN = "taken"
    READY = "ready"
    PASSED_OVER = "passed_over"


@dataclass(frozen=True, slots=True)
class Candidate:
    """One model on a rung. `reasons` say why it was not taken, `questions` what somebody would have to confirm,
    `notes` and the verdict's `warnings` what else is worth knowing. `first_token` is the original's and its own; it has
    no part in where it stands. `ref` is None for a name on a chain that is no model's."""

    name: str
    ref: ModelRef | None
    standing: Standing
    reasons: tuple[Why, ...] = ()
    questions: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    warnings: tuple[Reason, ...] = ()
    first_token: Pair[Latency | None] = NEVER_TIMED

    @property
    def taken(self) -> bool:
        return self.standing is Standing.TAKEN

    @property
    def first_token_words(self) -> str:
        """Empty where it was not observed."""
        return candidate_words(self.first_token.before, self.first_token.after)


@dataclass(frozen=True, slots=True)
class RungView:
    """A rung, whether the rules leave it open, and why."""

    rung: Rung
    open: bool
    why: str
    candidates: tuple[Candidate, ...] = ()


@dataclass(frozen=True, slots=True)
class Ladder:
    """Who takes over from `original`, and everybody who does not. `rungs` begin with the configured chains and end
    with block and ask; the record is there once somebody is selected."""

    task: str
    original: ModelRef
    failure: Failure
    outage: Outage
    tried: tuple[ModelRef, ...]
    rungs: tuple[RungView, ...]
    selected: ModelRef | None
    required_confirmation: bool
    record: FallbackRecord | None

    @property
    def blocked(self) -> bool:
        return self.selected is None

    def candidates(self) -> Iterator[Candidate]:
        """Each model once, on its own rung."""
        return (candidate for view in self.rungs if view.rung is not Rung.CONFIGURED for candidate in view.candidates)


def ladder(
    snapshot: Snapshot,
    task: str,
    original: ModelRef,
    failure: Failure,
    outage: Outage = NO_OUTAGE,
    *,
    prices: Prices | None = None,
) -> Ladder:
    """Raises KeyError for a model or task that there is not."""
    explorer = Explorer(snapshot)
    return explained(explorer, explorer.question(task, original, failure, outage), prices)


def explained(explorer: Explorer, question: Question, prices: Prices | None = None) -> Ladder:
    """The ladder of a question, which may be any step of a walk."""
    choice = explorer.choose(question)
    return Ladder(
        question.task,
        explorer.ref(question.original),
        question.failure,
        question.outage,
        tuple(map(explorer.ref, question.tried)),
        _Drawing(explorer, question, choice).rungs(),
        explorer.ref(choice.number) if choice else None,
        bool(choice and choice.required_confirmation),
        record_of(explorer, question, choice, prices) if choice else None,
    )


def record_of(explorer: Explorer, question: Question, choice: Choice, prices: Prices | None = None) -> FallbackRecord:
    """What changes from the original to the one that takes over."""
    return record(
        explorer.snapshot,
        explorer.requirement(question.task),
        explorer.row(question.original),
        explorer.row(choice.number),
        failure=question.failure,
        rung=choice.rung,
        required_confirmation=choice.required_confirmation,
        prices=prices,
    )


class _Drawing:
    """One ladder while it is drawn."""

    def __init__(self, explorer: Explorer, question: Question, choice: Choice | None) -> None:
        self._explorer, self._question, self._choice = explorer, question, choice
        self._original = explorer.row(question.original)
        rows = range(len(explorer.snapshot.matrix.rows))
        self._candidates = {number: self._candidate(number) for number in rows}

    def rungs(self) -> tuple[RungView, ...]:
        lines = self._explorer.succession(self._question.task, self._question.original).lines
        order = dict.fromkeys([*chain.from_iterable(lines), *self._candidates])
        stands = self._explorer.relation(self._question.original)
        views = [self._configured()]
        for rung in (Rung.SAME_TIER, Rung.HIGHER_TIER, Rung.OTHER_PROVIDER, Rung.LOWER_TIER):
            own = [self._candidates[number] for number in order if stands.rung(number) is rung]
            own.sort(key=lambda candidate: candidate.standing is Standing.PASSED_OVER)
            views.append(RungView(rung, *self._door(rung), tuple(own)))
        return (*views, self._last())

    # -- candidates -----------------------------------------------------------------------------------------------
    def _candidate(self, number: int) -> Candidate:
        explorer, question = self._explorer, self._question
        row = explorer.row(number)
        verdict = explorer.snapshot.verdict(row, explorer.requirement(question.task))
        reasons: list[Why] = [
            *objections(explorer, question, number),
            *verdict_reasons(explorer, question, number, verdict),
        ]
        standing = Standing.PASSED_OVER if reasons else Standing.READY
        asked = tuple(questions(explorer, question, number, verdict))
        if not reasons and self._choice:
            if self._choice.number == number:
                standing = Standing.TAKEN
            else:
                reasons.append(self._outranked(bool(asked)))
        return Candidate(
            str(row.ref),
            row.ref,
            standing,
            tuple(reasons),
            asked,
            tuple(self._notes(number)),
            verdict.warnings,
            first_tokens(self._original, row),
        )

    def _outranked(self, asked: bool) -> Objection:
        assert self._choice
        first = self._explorer.ref(self._choice.number)
        why = "needs no confirmation" if asked and not self._choice.required_confirmation else "comes first"
        return Objection(Obstacle.OUTRANKED, f"it would do, but {first} {why}")

    def _notes(self, number: int) -> Iterator[str]:
        row, original = self._explorer.row(number), self._original
        if number == self._question.original:
            return
        if same_id(row, original):
            words = "; ".join(differences(original, row).stated_words()) or "nothing that the files state"
            yield f"the same id on another host differs in {words}"
        elif row.ref.provider_id != original.ref.provider_id and self._shares_endpoint(number):
            yield f"same endpoint as {original.ref.provider_id}: what fails there may fail here too"

    def _shares_endpoint(self, number: int) -> bool:
        return endpoint_of(self._explorer.row(number).model.provider) == endpoint_of(self._original.model.provider)

    # -- rungs ----------------------------------------------------------------------------------------------------
    def _configured(self) -> RungView:
        question = self._question
        links = self._explorer.chains.of(question.task, question.failing, question.original)
        found = [_no_such(link.name) if link.number is None else self._candidates[link.number] for link in links]
        why = "tried first, in its order, under the same rules" if links else "no chain is configured for this"
        return RungView(Rung.CONFIGURED, bool(links), why, tuple(found))

    def _door(self, rung: Rung) -> tuple[bool, str]:
        question, policy = self._question, self._explorer.snapshot.config.policy
        if rung in {Rung.SAME_TIER, Rung.HIGHER_TIER} and question.failure.loses_provider:
            return False, f"{self._original.ref.provider_id} is gone ({question.failure.value})"
        if rung is Rung.HIGHER_TIER and not policy.allow_higher_tier:
            return False, "policy.allow_higher_tier is false"
        if rung is Rung.LOWER_TIER and not may_go_lower(self._explorer.snapshot, question.task):
            return False, f"{question.task} changes code, and policy.allow_lower_tier_for does not name it"
        return True, "; ".join([self._title(rung), *self._remarks(rung)])

    def _title(self, rung: Rung) -> str:
        tier = self._original.quality_tier.value.value
        if rung is Rung.SAME_TIER:
            return f"same provider, same tier ({tier})"
        if rung is Rung.OTHER_PROVIDER and not self._explorer.snapshot.config.policy.allow_higher_tier:
            return "other provider, same tier; policy.allow_higher_tier is false"
        if rung is Rung.LOWER_TIER:
            return "lower tier, never below the floor without a confirmation"
        return rung.title

    def _remarks(self, rung: Rung) -> Iterator[str]:
        failure = self._question.failure
        if failure is Failure.RATE_LIMITED and rung in {Rung.SAME_TIER, Rung.HIGHER_TIER}:
            yield "rate_limited: the limit may be the whole account's"
        if failure is Failure.CONTEXT_OVERFLOW:
            yield "context_overflow: only a larger window will do"

    def _last(self) -> RungView:
        if self._choice is None:
            return RungView(Rung.ASK, True, "nobody can take over: ask Main Agent or the user")
        if self._choice.required_confirmation:
            return RungView(Rung.ASK, True, "nobody can take over unasked: this one needs a confirmation")
        return RungView(Rung.ASK, False, "somebody takes over")


def _no_such(name: str) -> Candidate:
    objection = Objection(Obstacle.UNKNOWN_TARGET, "no open file has such a model")
    return Candidate(name, None, Standing.PASSED_OVER, (objection,))
