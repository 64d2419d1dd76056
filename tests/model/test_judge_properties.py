"""What must hold of every verdict, over random models and requirements (issue D, results 1 and 2)."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from model.bitmap import bits
from model.capability_set import CapabilitySet
from model.config.merge import Config
from model.ranking import keys, ranked
from model.requirements import Requirement
from model.tools import NO_TOOLS, toolbox_of
from model.verdicts import Outcome
from model.vocabulary import CAPABILITIES, Capability, QualityTier
from tests.examples import examples
from tests.model.cases import CIRCUMSTANCES, MODEL, MODELS, REQUIREMENTS, snapshot_of

MANY = examples(1.5)
"""Of 12 models each: more than 1,000 cases in one property, and more than 10,000 in the slow profile."""
SOME = examples()
CAPABILITY = st.sampled_from(CAPABILITIES)


@MANY
@given(st.lists(MODEL, min_size=12, max_size=12), REQUIREMENTS, CIRCUMSTANCES)
def test_the_index_and_the_slow_evaluator_agree(
    numbers: list[int], requirement: Requirement, circumstances: int
) -> None:
    snapshot = snapshot_of(numbers, circumstances)
    fast, nearly = snapshot.passes(requirement), snapshot.near_misses(requirement)
    for number, row in enumerate(snapshot.matrix.rows):
        verdict = snapshot.verdict(row, requirement)
        by_mask = (bool(fast.strict >> number & 1), bool(fast.lossy >> number & 1), bool(nearly >> number & 1))
        by_word = (verdict.outcome is Outcome.PASS, verdict.outcome is Outcome.PASS_LOSSY, verdict.near_miss)
        assert by_mask == by_word, (row.ref, [str(reason) for reason in verdict.reasons])
        assert bool(verdict.reasons) == (verdict.outcome is Outcome.FAIL)


@SOME
@given(MODELS, REQUIREMENTS, CIRCUMSTANCES, CAPABILITY)
def test_requiring_more_never_makes_a_model_pass_and_requiring_less_never_makes_one_fail(
    numbers: list[int], requirement: Requirement, circumstances: int, capability: Capability
) -> None:
    snapshot = snapshot_of(numbers, circumstances)
    more = replace(requirement, required=requirement.required | CapabilitySet.of((capability,)))
    less = replace(requirement, required=requirement.required - CapabilitySet.of((capability,)))
    now = snapshot.passes(requirement).any
    assert snapshot.passes(more).any & ~now == 0
    assert now & ~snapshot.passes(less).any == 0


@SOME
@given(MODELS, REQUIREMENTS, CIRCUMSTANCES, st.sampled_from(list(QualityTier)[:-1]))
def test_raising_the_floor_never_adds(
    numbers: list[int], requirement: Requirement, circumstances: int, floor: QualityTier
) -> None:
    snapshot = snapshot_of(numbers, circumstances)
    old = requirement.min_quality_tier
    raised = replace(requirement, min_quality_tier=floor if old is None or floor.rank >= old.rank else old)
    assert snapshot.passes(raised).any & ~snapshot.passes(requirement).any == 0


@SOME
@given(MODELS, REQUIREMENTS, CIRCUMSTANCES)
def test_without_tool_metadata_every_verdict_is_what_it_was_before(
    numbers: list[int], requirement: Requirement, circumstances: int
) -> None:
    snapshot = snapshot_of(numbers, circumstances)
    plain = replace(requirement, tools=(), required=requirement.needed)
    named = replace(
        plain, tools=("bash", "unheard_of"), required=plain.required | CapabilitySet.of((Capability.TOOL_USE,))
    )
    without = replace(named, tools=())
    bare = replace(snapshot, given=replace(snapshot.given, toolbox=toolbox_of(Config())))
    for row in snapshot.matrix.rows:
        assert snapshot.verdict(row, plain) == bare.verdict(row, plain)
        assert snapshot.verdict(row, named) == snapshot.verdict(row, without)
        kept = NO_TOOLS.filter_for(row, ("bash", "unheard_of")).names
        assert kept or Capability.TOOL_USE in row.no


@SOME
@given(MODELS, REQUIREMENTS, CIRCUMSTANCES, st.booleans())
def test_ranking_is_the_total_order_of_the_keys_whatever_the_input_order(
    numbers: list[int], requirement: Requirement, circumstances: int, cheaper_first: bool
) -> None:
    snapshot = snapshot_of(numbers, circumstances)
    requirement = _only_ranking(requirement)
    lossy = snapshot.passes(requirement).lossy

    def order(row_number: int) -> tuple[object, ...]:
        row = snapshot.matrix.rows[row_number]
        found = keys(row, requirement, lossy=bool(lossy >> row_number & 1))
        return found.order(row.ref, by_score=snapshot.matrix.policy.rank_by_score, cheaper_first=cheaper_first)

    passes = snapshot.passes(requirement)
    slow = sorted(bits(passes.any), key=order)
    fast = list(ranked(snapshot.matrix, snapshot.bitmap, requirement, passes, cheaper_first=cheaper_first))
    assert fast == slow
    assert len({order(number) for number in fast}) == len(fast)


def _only_ranking(requirement: Requirement) -> Requirement:
    """Nearly everybody passes, and many are alike."""
    ranks = ("preferred", "avoided", "min_quality_tier", "preferred_tier", "allow_lossy_conversion")
    return Requirement(requirement.task, **{name: getattr(requirement, name) for name in ranks})


@SOME
@given(st.lists(MODEL, min_size=2, max_size=12), REQUIREMENTS, st.data())
def test_an_edit_updates_the_index_to_what_a_new_one_would_be(
    numbers: list[int], requirement: Requirement, data: st.DataObject
) -> None:
    snapshot = snapshot_of(numbers)
    position = data.draw(st.integers(0, len(numbers) - 1))
    fresh = snapshot_of([*numbers[:position], data.draw(MODEL), *numbers[position + 1 :]])
    rows = tuple(
        new if place == position else old
        for place, (old, new) in enumerate(zip(snapshot.matrix.rows, fresh.matrix.rows, strict=True))
    )
    matrix = replace(snapshot.matrix, rows=rows, by_ref=fresh.matrix.by_ref)
    updated = snapshot.bitmap.updated(matrix, replace(snapshot.matrix, by_ref=fresh.matrix.by_ref))
    assert {name: mask for name, mask in updated.columns.items() if mask} == dict(fresh.bitmap.columns)
