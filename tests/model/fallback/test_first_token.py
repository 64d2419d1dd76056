"""What is observed of the first token: told at each step, and nothing hangs on it."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from model.bitmap import index
from model.config.merge import Policy
from model.config.rows import Flags
from model.fallback import Explorer, Failure, Ladder, board_of, coverage_of, explained, simulate
from model.fallback.identity import endpoint_of
from model.fallback.losses import NEVER_TIMED
from model.fallback.walking import records_of
from model.latency import Latency
from model.resolve import Matrix, Observed, ResolvedModel, resolve_model
from model.session_observations import WrittenDown
from model.session_records import FallbackTaken
from model.snapshot import Snapshot, Surroundings
from tests.examples import examples
from tests.model.cases import EMPTY_CATALOG
from tests.model.fallback.house import house, ref, up
from tests.model.fallback.test_properties import FAILURES, TASK, WORLDS, asked

DAY = date(2026, 3, 1)
ENDPOINTS = {"home": "https://api.anthropic.com", "away": "https://api.openai.com", "cellar": "http://127.0.0.1:11434"}


def timed(endpoint: str, milliseconds: int) -> Observed:
    return Observed(Flags(), None, None, endpoint, DAY, (Latency(milliseconds, 3, DAY, endpoint),))


def timed_house(more: str = "", **times: int) -> Snapshot:
    """`home__first=420`: home/first took 420 ms where it is."""
    named = {ref(name.replace("__", "/")): milliseconds for name, milliseconds in times.items()}
    seen = {each: timed(ENDPOINTS[each.provider_id], milliseconds) for each, milliseconds in named.items()}
    return house(more, Surroundings(observations=WrittenDown(seen)))


def first_token(found: Ladder, name: str) -> tuple[int | None, int | None]:
    candidate = next(each for each in found.candidates() if each.name == name)
    before, after = candidate.first_token.before, candidate.first_token.after
    return before and before.milliseconds, after and after.milliseconds


def test_each_candidate_has_the_original_s_and_its_own() -> None:
    found = up(timed_house(home__first=420, away__peer=1900))
    assert first_token(found, "away/peer") == (420, 1900)
    assert first_token(found, "home/first") == (420, 420)
    assert first_token(found, "away/big") == (420, None)
    assert first_token(up(house()), "away/peer") == (None, None)


def test_a_step_tells_it_as_a_loss_or_a_gain() -> None:
    explorer = Explorer(timed_house(home__first=420, away__peer=1900, home__grand=180))
    chain = explorer.walk("execute", ref("home/first"), Failure.MODEL_MISSING)
    told = {str(each.selected): list(each.differences.words())[-1] for each in records_of(explorer, chain)}
    assert told["away/peer"] == "slower: first token 420 ms → 1.9 s"
    assert told["home/grand"] == "faster: first token 420 ms → 180 ms"
    assert told["home/second"] == "first token 420 ms → not observed"


def test_it_is_kept_with_the_other_differences() -> None:
    record = up(timed_house(home__first=420, away__peer=1900), failure=Failure.PROVIDER_DOWN).record
    assert record
    assert "slower: first token 420 ms → 1.9 s" in FallbackTaken(record).entry().details["differences"]  # type: ignore[operator]  # a list


def test_what_was_seen_at_another_endpoint_is_not_of_this_chain() -> None:
    elsewhere = WrittenDown({ref("away/peer"): timed("https://proxy.example", 5)})
    found = up(house("", Surroundings(observations=elsewhere)))
    assert first_token(found, "away/peer") == (None, None)


# -- nothing hangs on it ----------------------------------------------------------------------------------------------
TIMES = st.lists(st.none() | st.integers(1, 60_000), min_size=14, max_size=14)


def with_times(snapshot: Snapshot, times: list[int | None]) -> Snapshot:
    """The same models, resolved with these observations."""
    policy = snapshot.matrix.policy
    rows = tuple(_with_time(row, time, policy) for row, time in zip(snapshot.matrix.rows, times, strict=False))
    matrix = Matrix(rows, policy, snapshot.matrix.by_ref)
    return replace(snapshot, matrix=matrix, bitmap=index(matrix))


def _with_time(row: ResolvedModel, time: int | None, policy: Policy) -> ResolvedModel:
    observed = None if time is None else timed(endpoint_of(row.model.provider), time)
    return resolve_model(row.model, EMPTY_CATALOG, policy, observed)


def untimed(found: Ladder) -> Ladder:
    rungs = tuple(
        replace(view, candidates=tuple(replace(each, first_token=NEVER_TIMED) for each in view.candidates))
        for view in found.rungs
    )
    record = found.record
    if record:
        record = replace(record, differences=replace(record.differences, first_token=NEVER_TIMED))
    return replace(found, rungs=rungs, record=record)


@examples()
@given(WORLDS, FAILURES, TIMES, st.data())
def test_no_ladder_board_or_verdict_depends_on_it(
    snapshot: Snapshot, failure: Failure, times: list[int | None], data: st.DataObject
) -> None:
    explorer, found = asked(data, snapshot, failure)
    other = Explorer(with_times(snapshot, times))
    again = explained(other, other.question(TASK, found.original, failure, found.outage))
    assert untimed(again) == found
    assert other.walk(TASK, found.original, failure, found.outage) == explorer.walk(
        TASK, found.original, failure, found.outage
    )
    assert board_of(other, found.outage) == board_of(explorer, found.outage)
    assert coverage_of(other) == coverage_of(explorer)
    assert simulate(other.snapshot) == simulate(snapshot)
    for row, same in zip(snapshot.matrix.rows, other.snapshot.matrix.rows, strict=True):
        assert snapshot.verdict(row, snapshot.requirements[TASK]) == other.snapshot.verdict(
            same, snapshot.requirements[TASK]
        )
