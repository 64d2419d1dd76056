"""What must hold of every ladder and every walk, over random configurations (issue E, result 1)."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from model.bitmap import bits, index
from model.config.merge import Model
from model.config.rows import ChainRow
from model.fallback import Explorer, Failure, Ladder, Outage, board_of, explained, simulate
from model.model_ref import ModelRef
from model.requirements import requirements
from model.resolve import Matrix, resolve_model
from model.snapshot import Snapshot
from model.verdicts import ReasonCode
from model.vocabulary import TaskType
from tests.examples import examples
from tests.model.cases import EMPTY_CATALOG, Bits, requirement_of, snapshot_of

SOME = examples()
NUMBERS = st.lists(st.integers(0, 2**200), min_size=2, max_size=14)
TASK = TaskType.EXECUTE.value


def moved(model: Model, bits_: Bits) -> Model:
    """To one of five hosts, so that some endpoints are shared, and some ids are the same."""
    host = f"https://h{bits_.below(5)}.example.com"
    provider = replace(model.provider, base_url=host, provider_id=f"{model.provider.provider_id}-{host[8:10]}")
    return replace(model, provider=provider, ref=ModelRef(provider.provider_id, model.ref.model_id))


def world(numbers: list[int], asked: int, circumstances: int) -> Snapshot:
    """Random models, one random requirement for execute, a random policy and chains."""
    plain = snapshot_of(numbers, circumstances)
    source = Bits(circumstances // 7 + asked % 1013)
    policy = replace(
        plain.matrix.policy,
        allow_higher_tier=not source.often(4),
        allow_lower_tier_for=(TASK,) if source.often(2) else (),
        code_changing=(TASK,) if source.often(2) else (),
    )
    models = [moved(row.model, source) for row in plain.matrix.rows]
    rows = tuple(resolve_model(model, EMPTY_CATALOG, policy) for model in models)
    matrix = Matrix(rows, policy, {row.ref: number for number, row in enumerate(rows)})
    chain = tuple(str(rows[source.below(len(rows))].ref) for _ in range(source.below(4)))
    config = replace(
        plain.config,
        groups=tuple((model.provider, (model,)) for model in models),
        policy=policy,
        fallbacks=(ChainRow((), task=TASK, chain=chain),) if chain else (),
    )
    requirement = replace(requirement_of(asked), task=TASK)
    tasks = {**requirements({}), TASK: requirement}
    providers = {model.ref.provider_id for model in models}
    given_ = replace(
        plain.given,
        no_auth=frozenset(name for name in sorted(providers) if source.often(4)),
        untrusted=frozenset(name for name in sorted(providers) if source.often(5)),
    )
    return Snapshot((), config, matrix, index(matrix), tasks, given_, EMPTY_CATALOG)


WORLDS = st.builds(world, NUMBERS, st.integers(0, 2**220), st.integers(0, 2**60))
FAILURES = st.sampled_from(Failure)


def outages(snapshot: Snapshot) -> st.SearchStrategy[Outage]:
    refs = [row.ref for row in snapshot.matrix.rows]
    names = sorted({ref.provider_id for ref in refs})
    return st.builds(
        Outage,
        st.frozensets(st.sampled_from(names), max_size=3),
        st.frozensets(st.sampled_from(refs), max_size=3),
        st.frozensets(st.sampled_from(["h0.example.com", "https://h1.example.com/v1"]), max_size=1),
    )


def asked(data: st.DataObject, snapshot: Snapshot, failure: Failure) -> tuple[Explorer, Ladder]:
    explorer = Explorer(snapshot)
    original = data.draw(st.sampled_from([row.ref for row in snapshot.matrix.rows]))
    outage = data.draw(outages(snapshot))
    return explorer, explained(explorer, explorer.question(TASK, original, failure, outage))


@SOME
@given(WORLDS, FAILURES, st.data())
def test_who_takes_over_breaks_no_rule(snapshot: Snapshot, failure: Failure, data: st.DataObject) -> None:
    explorer, found = asked(data, snapshot, failure)
    if found.selected is None:
        return
    row, original = (explorer.row(explorer.number(ref)) for ref in (found.selected, found.original))
    requirement = snapshot.requirements[TASK]
    verdict = snapshot.verdict(row, requirement)
    assert {reason.code for reason in verdict.reasons} <= {ReasonCode.QUALITY_FLOOR}
    assert found.required_confirmation or not verdict.reasons
    assert row.enabled
    assert row.ref not in requirement.excluded
    assert row.ref.provider_id not in snapshot.given.untrusted
    assert not (snapshot.given.usable and row.ref.provider_id in snapshot.given.no_auth)
    assert not requirement.needed & row.no
    assert not explorer.down(found.outage) >> explorer.number(row.ref) & 1
    assert not explorer.twins[explorer.number(original.ref)] >> explorer.number(row.ref) & 1
    if failure.loses_provider:
        assert row.ref.provider_id != original.ref.provider_id
    if failure is Failure.CONTEXT_OVERFLOW:
        before, after = original.context_window_tokens.value, row.context_window_tokens.value
        assert before is not None
        assert after is not None
        assert after > before
    lower = row.quality_tier.value.rank < original.quality_tier.value.rank
    policy = snapshot.config.policy
    assert not lower or TASK not in policy.code_changing or TASK in policy.allow_lower_tier_for


@SOME
@given(WORLDS, FAILURES, st.data())
def test_the_drawn_ladder_and_the_masks_agree(snapshot: Snapshot, failure: Failure, data: st.DataObject) -> None:
    """Who has no reason against it is exactly who is left of the line, and the taken one is the first of it."""
    explorer, found = asked(data, snapshot, failure)
    question = explorer.question(TASK, found.original, failure, found.outage)
    heirs = explorer.succession(TASK, question.original)
    left = {explorer.ref(number) for number in bits((heirs.safe | heirs.ask) & ~question.barred)}
    drawn = {each.ref for each in found.candidates() if all(str(why) == "outranked" for why in each.reasons)}
    assert drawn == left
    assert [each.ref for each in found.candidates() if each.taken] == ([found.selected] if found.selected else [])
    asking = {each.ref for each in found.candidates() if each.questions} & left
    assert asking == {explorer.ref(number) for number in bits(heirs.ask & ~question.barred)}
    assert sum(len(view.candidates) for view in found.rungs[1:]) == len(snapshot.matrix.rows)


@SOME
@given(WORLDS, FAILURES, st.data())
def test_the_same_question_has_the_same_answer(snapshot: Snapshot, failure: Failure, data: st.DataObject) -> None:
    _, found = asked(data, snapshot, failure)
    again = Explorer(snapshot)
    warm = again.walk(TASK, found.original, Failure.MODEL_MISSING)
    assert warm == Explorer(snapshot).walk(TASK, found.original, Failure.MODEL_MISSING)
    assert explained(again, again.question(TASK, found.original, failure, found.outage)) == found


@SOME
@given(WORLDS, FAILURES, st.data())
def test_more_that_is_down_never_adds_a_candidate(snapshot: Snapshot, failure: Failure, data: st.DataObject) -> None:
    explorer, found = asked(data, snapshot, failure)
    more = found.outage | data.draw(outages(snapshot))
    worse = explained(explorer, explorer.question(TASK, found.original, failure, more))
    standing = {each.ref for each in found.candidates() if each.standing != "passed_over"}
    assert {each.ref for each in worse.candidates() if each.standing != "passed_over"} <= standing
    if found.selected is None:
        assert worse.selected is None


@SOME
@given(WORLDS, FAILURES, st.data())
def test_a_chain_tries_nobody_twice_and_ends_in_a_block(
    snapshot: Snapshot, failure: Failure, data: st.DataObject
) -> None:
    explorer, found = asked(data, snapshot, failure)
    chain = explorer.walk(TASK, found.original, failure, found.outage)
    assert len(set(chain.members)) == len(chain.members) <= len(snapshot.matrix.rows)
    twins = [explorer.twins[explorer.number(ref)] for ref in chain.members]
    assert len(set(twins)) == len(twins)
    assert (chain.steps[0].ref if chain.steps else None) == found.selected


@SOME
@given(WORLDS, st.data())
def test_the_board_and_the_simulation_agree(snapshot: Snapshot, data: st.DataObject) -> None:
    explorer, found = Explorer(snapshot), simulate(snapshot)
    for task in snapshot.requirements:
        fatal = set(found.fatal[task])
        for down in [(name,) for name in found.providers[:3]] + [found.providers[:2]]:
            if len(down) in {1, 2} and down:
                row = board_of(explorer, Outage(providers=frozenset(down))).row(task)
                assert row.safe is (down not in fatal)
