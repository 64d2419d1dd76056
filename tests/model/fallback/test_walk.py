"""Chains to their end, what they support, and what would unblock them."""

from __future__ import annotations

from pathlib import Path

import pytest

from model.conversion import Caution, Omission
from model.fallback import Explorer, Failure, Ladder, Price, chain_capability, ladder, walk, ways_in, ways_out
from model.fallback.walking import capability_of, ladder_at, records_of
from model.files import FileSpec
from model.vocabulary import Capability, Layer
from model.workbench import Workbench
from tests.model.fallback.house import HOUSE, down, house, ref, up

C = Capability


def steps(
    task: str, failure: Failure, original: str = "home/first", more: str = "", *out: str
) -> list[tuple[str, int]]:
    chain = walk(house(more), task, ref(original), failure, down(*out))
    return [(str(step.ref), step.rung.value) for step in chain.steps]


def test_each_provider_that_takes_over_goes_down_too() -> None:
    assert steps("execute", Failure.PROVIDER_DOWN) == [("away/peer", 3)]
    assert steps("execute", Failure.AUTH) == [("away/peer", 3)]


def test_model_after_model() -> None:
    assert steps("execute", Failure.MODEL_MISSING) == [
        ("home/second", 1), ("home/grand", 2), ("away/peer", 3), ("away/big", 3),
    ]  # fmt: skip


def test_tiers_are_measured_against_the_first_original() -> None:
    """After the frontier model the strong ones of another provider are still no step down."""
    assert steps("review", Failure.MODEL_MISSING) == [
        ("home/second", 1), ("home/grand", 2), ("away/deaf", 3), ("away/peer", 3), ("away/big", 3),
        ("home/small", 4), ("away/mini", 4), ("cellar/house:30b", 4), ("cellar/riddle", 4),
    ]  # fmt: skip


def test_an_overflow_climbs_from_window_to_window() -> None:
    assert steps("execute", Failure.CONTEXT_OVERFLOW) == [("home/grand", 2)]
    assert steps("execute", Failure.CONTEXT_OVERFLOW, "away/peer") == [("away/big", 2), ("home/grand", 3)]


def test_the_failing_model_s_own_chain_is_asked_first() -> None:
    more = "fallbacks: [{model: home/first, chain: [away/peer]}, {model: away/peer, chain: [home/grand]}]\n"
    assert steps("execute", Failure.MODEL_MISSING, "home/first", more)[:3] == [
        ("away/peer", 0), ("home/grand", 0), ("home/second", 1),
    ]  # fmt: skip


def test_chains_that_lead_round_end_all_the_same() -> None:
    more = "fallbacks: [{model: home/first, chain: [away/peer]}, {model: away/peer, chain: [home/first, away/peer]}]\n"
    found = steps("execute", Failure.MODEL_MISSING, "home/first", more)
    assert len(found) == len(set(found)) == 4


def test_the_end_of_a_chain_is_a_blocked_ladder_that_names_who_was_tried() -> None:
    explorer = Explorer(house())
    chain = explorer.walk("execute", ref("home/first"), Failure.MODEL_MISSING)
    end = ladder_at(explorer, chain, len(chain.steps))
    assert end.blocked
    assert end.tried == chain.members
    tried = next(each for each in end.candidates() if each.name == "away/peer")
    assert [str(why) for why in tried.reasons] == ["tried"]
    assert ladder_at(explorer, chain, 0).selected == chain.steps[0].ref


# -- what is recorded -------------------------------------------------------------------------------------------------
def test_the_record_names_all_that_changes() -> None:
    found = up(house(), failure=Failure.PROVIDER_DOWN).record
    assert found is not None
    change = found.differences
    assert (str(found.original), str(found.selected)) == ("home/first", "away/peer")
    assert found.reason == "home/first: provider_down; rung 3, other provider, same tier or higher"
    assert set(change.gained) == {C.JSON_MODE}
    assert set(change.lost) == {C.LONG_CONTEXT}
    assert set(change.became_emulated) == {C.THINKING}
    assert set(change.unsure) == {C.PROMPT_CACHE}
    assert (change.context_window_tokens.before, change.context_window_tokens.after) == (200_000, 128_000)
    assert change.window_shrinks
    assert str(change.max_output_tokens) == "64,000 → ?"
    assert found.conversion.omissions == (Omission.THINKING_STRIPPED.value,)
    assert found.switch == (Omission.SIGNATURES_DROPPED, Omission.THINKING_STRIPPED, Caution.IMAGES_MOVED)
    assert found.price is None


def test_nothing_is_lost_between_equals_but_another_model_s_thinking() -> None:
    found = up(house(), failure=Failure.MODEL_MISSING, outage=down("home/second")).record
    assert found is not None
    assert str(found.selected) == "home/grand"
    assert found.conversion.omissions == ()
    assert found.switch == (Omission.SIGNATURES_DROPPED, Omission.THINKING_STRIPPED)


def test_a_price_is_told_only_where_both_are_known() -> None:
    prices = {ref("home/first"): Price(3, 15), ref("away/peer"): Price(1.25, 10)}
    found = ladder(house(), "execute", ref("home/first"), Failure.PROVIDER_DOWN, prices=prices).record
    assert found is not None
    assert str(found.price) == "$3 in, $15 out → $1.25 in, $10 out"
    half = {ref("home/first"): Price(3, 15)}
    unpriced = ladder(house(), "execute", ref("home/first"), Failure.PROVIDER_DOWN, prices=half).record
    assert unpriced is not None
    assert unpriced.price is None


def test_tools_that_the_new_wire_does_not_take_are_named() -> None:
    found = up(house("tools: [{name: camera, produces_images: true}]\n"), failure=Failure.PROVIDER_DOWN).record
    assert found is not None
    assert found.tools_lost == ("camera",)


def test_each_step_has_its_record_against_the_original() -> None:
    explorer = Explorer(house())
    chain = explorer.walk("execute", ref("home/first"), Failure.MODEL_MISSING)
    found = list(records_of(explorer, chain))
    assert [each.selected for each in found] == [step.ref for step in chain.steps]
    assert {each.original for each in found} == {ref("home/first")}


# -- what a chain supports --------------------------------------------------------------------------------------------
def test_any_member_is_not_every_member() -> None:
    explorer = Explorer(house())
    found = capability_of(explorer, explorer.walk("execute", ref("home/first"), Failure.PROVIDER_DOWN))
    assert C.PROMPT_CACHE in found.any_member
    assert C.PROMPT_CACHE in found.some_only
    assert C.THINKING in found.every_emulated
    assert {C.TOOL_USE, C.STRUCTURED_OUTPUT} <= set(found.every_member)
    assert (found.least_window, found.largest_window) == (128_000, 200_000)


def test_an_unknown_window_makes_the_least_one_unknown() -> None:
    rows = house().matrix.rows
    assert chain_capability([rows[0], rows[-1]]).least_window is None
    assert chain_capability([]).largest_window is None


# -- ways out ---------------------------------------------------------------------------------------------------------
def titles(task: str = "execute", failure: Failure = Failure.PROVIDER_DOWN, *out: str) -> list[str]:
    snapshot = house()
    return [way.title for way in ways_out(snapshot, up(snapshot, task, failure, outage=down(*out)))]


def test_what_would_unblock_names_the_smallest_edit_with_its_change() -> None:
    snapshot = house()
    found = ways_out(snapshot, up(snapshot, failure=Failure.PROVIDER_DOWN, outage=down("away/peer", "away/big")))
    edit = next(way for way in found if str(way.ref) == "away/deaf")
    assert edit.change is not None
    assert "tool_use" in edit.title


def test_what_would_unblock_names_the_policy_that_stands_in_the_way() -> None:
    assert "allow a lower tier: policy.allow_lower_tier_for: [execute]" in titles(
        "execute", Failure.PROVIDER_DOWN, "away/peer", "away/big"
    )


def test_a_blocked_picture_names_the_seed_s_way_out() -> None:
    assert titles("image_generation")[0] == "fall back to SVG, assets or prompts"
    assert ways_in(house(), "image_generation")[0].title == "fall back to SVG, assets or prompts"


def test_the_last_way_is_always_a_new_model() -> None:
    assert titles("execute", Failure.PROVIDER_DOWN, "away")[-1].startswith("add a model that passes execute at another")


def test_who_is_not_blocked_needs_no_way_out() -> None:
    assert titles() == []


@pytest.mark.parametrize(
    ("more", "out", "title"),
    [
        ("", ("away/peer", "away/big"), "allow a lower tier: policy.allow_lower_tier_for: [execute]"),
        (
            "policy: {allow_lower_tier_for: [review]}\n",
            ("away/peer", "away/big"),
            "allow a lower tier: policy.allow_lower_tier_for: [review, execute]",
        ),
        (
            "policy: {allow_higher_tier: false}\n",
            ("away/peer",),
            "allow a higher tier: policy.allow_higher_tier: true",
        ),
    ],
)
def test_the_edit_of_a_policy_unblocks(more: str, out: tuple[str, ...], title: str, tmp_path: Path) -> None:
    after = _carried_out(HOUSE + more, out, title, tmp_path)
    assert not after.blocked


def test_the_smallest_edit_unblocks(tmp_path: Path) -> None:
    after = _carried_out(HOUSE, ("away/peer", "away/big", "away/mini"), "away/deaf: ", tmp_path)
    assert str(after.selected) == "away/deaf"


def _carried_out(text: str, out: tuple[str, ...], title: str, tmp_path: Path) -> Ladder:
    """The ladder after the way that begins so."""
    path = tmp_path / "models.yaml"
    path.write_text(text)
    bench = Workbench([FileSpec(path, Layer.GLOBAL)])
    blocked = up(bench.snapshot, failure=Failure.PROVIDER_DOWN, outage=down(*out))
    assert blocked.blocked
    way = next(way for way in ways_out(bench.snapshot, blocked) if way.title.startswith(title))
    assert way.change is not None
    return up(bench.preview(way.change), failure=Failure.PROVIDER_DOWN, outage=down(*out))
