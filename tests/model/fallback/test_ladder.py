"""Each rung, each kind of failure and each closing rule, by hand (DOMAIN.md §6; issue E, result 1)."""

from __future__ import annotations

import pytest

from model.fallback import Failure, Outage, Rung, Standing
from model.snapshot import Surroundings
from model.vocabulary import Capability
from tests.model.fallback.house import HOUSE, codes, down, edited, house, ref, taken, up
from tests.model.samples import Distrust, open_text

F = Failure


@pytest.mark.parametrize(
    ("task", "failure", "outage", "expected"),
    [
        # rung 1: same provider, same tier
        ("execute", F.MODEL_MISSING, (), ("home/second", 1)),
        ("execute", F.CAPABILITY_REJECTED, (), ("home/second", 1)),
        ("execute", F.RATE_LIMITED, (), ("home/second", 1)),
        ("review", F.MODEL_MISSING, (), ("home/second", 1)),
        # rung 2: same provider, higher tier
        ("execute", F.MODEL_MISSING, ("home/second",), ("home/grand", 2)),
        ("execute", F.RATE_LIMITED, ("home/second",), ("home/grand", 2)),
        ("execute", F.CONTEXT_OVERFLOW, (), ("home/grand", 2)),
        # rung 3: another provider, same tier, then higher
        ("execute", F.PROVIDER_DOWN, (), ("away/peer", 3)),
        ("execute", F.AUTH, (), ("away/peer", 3)),
        ("execute", F.MODEL_MISSING, ("home/second", "home/grand"), ("away/peer", 3)),
        ("execute", F.PROVIDER_DOWN, ("away/peer",), ("away/big", 3)),
        ("execute", F.CONTEXT_OVERFLOW, ("home/grand",), ("away/big", 3)),
        ("review", F.PROVIDER_DOWN, (), ("away/deaf", 3)),
        # rung 4: a lower tier, same provider first
        ("compact", F.MODEL_MISSING, ("home/second", "home/grand", "away"), ("home/small", 4)),
        ("compact", F.PROVIDER_DOWN, ("away/peer", "away/big", "away/deaf"), ("away/mini", 4)),
        ("compact", F.RATE_LIMITED, ("home/grand", "home/second", "away"), ("home/small", 4)),
        # rung 5: block and ask
        ("execute", F.PROVIDER_DOWN, ("away",), (None, None)),
        ("execute", F.MODEL_MISSING, ("home", "away"), (None, None)),
        ("execute", F.CONTEXT_OVERFLOW, ("home/grand", "away"), (None, None)),
        ("image_generation", F.MODEL_MISSING, (), (None, None)),
        ("architecture", F.PROVIDER_DOWN, ("away/big",), (None, None)),
    ],
)
def test_who_takes_over(
    task: str, failure: Failure, outage: tuple[str, ...], expected: tuple[str | None, int | None]
) -> None:
    found = up(house(), task, failure, outage=down(*outage))
    assert taken(found) == expected
    assert not found.required_confirmation
    assert found.rungs[Rung.ASK].open is found.blocked


# -- which rungs a failure closes -------------------------------------------------------------------------------------
@pytest.mark.parametrize("failure", [F.PROVIDER_DOWN, F.AUTH])
def test_a_provider_that_is_gone_closes_its_two_rungs(failure: Failure) -> None:
    found = up(house(), failure=failure)
    assert [view.open for view in found.rungs[1:4]] == [False, False, True]
    assert found.rungs[1].why == f"home is gone ({failure.value})"
    assert codes(found, "home/second") == ["provider_gone"]
    assert codes(found, "home/grand") == ["provider_gone"]


@pytest.mark.parametrize("failure", [F.MODEL_MISSING, F.CAPABILITY_REJECTED, F.RATE_LIMITED, F.CONTEXT_OVERFLOW])
def test_other_failures_keep_them(failure: Failure) -> None:
    assert all(view.open for view in up(house(), failure=failure).rungs[1:4])


def test_a_rate_limit_keeps_them_but_says_so() -> None:
    found = up(house(), failure=F.RATE_LIMITED)
    assert all("account" in found.rungs[rung].why for rung in (1, 2))
    assert "account" not in found.rungs[3].why


def test_a_lower_rung_is_closed_where_code_changes() -> None:
    found = up(house(), failure=F.PROVIDER_DOWN)
    assert not found.rungs[4].open
    assert "execute changes code" in found.rungs[4].why
    assert codes(found, "away/mini") == ["lower_tier"]


def test_the_policy_opens_the_lower_rung_for_a_task() -> None:
    snapshot = house(
        "requirements: {execute: {min_quality_tier: standard}}\npolicy: {allow_lower_tier_for: [execute]}\n"
    )
    found = up(snapshot, failure=F.PROVIDER_DOWN, outage=down("away/peer", "away/big"))
    assert taken(found) == ("away/mini", 4)
    assert found.rungs[4].open
    closed = up(
        house("requirements: {execute: {min_quality_tier: standard}}\n"),
        outage=down("away", "home/second", "home/grand"),
    )
    assert taken(closed) == (None, None)


def test_the_policy_says_which_tasks_change_code() -> None:
    snapshot = house("policy: {code_changing: [compact]}\n")
    found = up(snapshot, "compact", outage=down("home/second", "home/grand", "away"))
    assert taken(found) == (None, None)
    assert codes(found, "home/small") == ["lower_tier"]


def test_the_policy_may_forbid_a_higher_tier_at_home_and_away() -> None:
    found = up(house("policy: {allow_higher_tier: false}\n"), outage=down("home/second", "away/peer"))
    assert taken(found) == (None, None)
    assert not found.rungs[2].open
    assert "same tier" in found.rungs[3].why
    assert codes(found, "home/grand") == ["higher_tier"]
    assert codes(found, "away/big") == ["higher_tier"]


def test_the_price_cap_holds_on_the_higher_rung() -> None:
    found = up(house("requirements: {execute: {max_cost_tier: medium}}\n"), outage=down("home/second"))
    assert taken(found) == ("away/peer", 3)
    assert codes(found, "home/grand") == ["cost_cap"]


# -- the floor --------------------------------------------------------------------------------------------------------
def test_below_the_floor_only_with_a_confirmation() -> None:
    found = up(house(), "review", F.PROVIDER_DOWN, outage=down("away/peer", "away/big", "away/deaf"))
    assert taken(found) == ("away/mini", 4)
    assert found.required_confirmation
    assert found.record is not None
    assert found.record.required_confirmation
    assert "confirmation" in found.rungs[5].why
    mini = next(each for each in found.candidates() if each.name == "away/mini")
    assert mini.questions == ("quality_tier is standard, the floor is strong",)


def test_nobody_is_asked_while_somebody_safe_is_left() -> None:
    """The nearest rung's candidate that needs a question comes after a further one that does not."""
    found = up(house(), "review", outage=down("home/second", "home/grand"))
    assert taken(found) == ("away/deaf", 3)
    small = next(each for each in found.candidates() if each.name == "home/small")
    assert (small.standing, [str(why) for why in small.reasons]) == (Standing.READY, ["outranked"])
    assert "needs no confirmation" in small.reasons[0].text


def test_below_the_floor_the_nearest_to_it_comes_first() -> None:
    found = up(house(), "review", F.PROVIDER_DOWN, outage=down("away"))
    assert taken(found) == ("cellar/house:30b", 4)
    assert up(house(), "review", outage=down("away", "home/second", "home/grand")).selected == ref("home/small")


def test_a_code_changing_task_never_goes_below_the_floor_even_when_asked() -> None:
    found = up(house(), outage=down("home/second", "home/grand", "away"))
    assert taken(found) == (None, None)
    allowed = up(house("policy: {allow_lower_tier_for: [execute]}\n"), outage=down("home/second", "home/grand", "away"))
    assert (taken(allowed), allowed.required_confirmation) == (("home/small", 4), True)


def test_an_original_below_the_floor_is_not_joined_there_by_its_peers() -> None:
    """The confirmation belongs to the lower rung: the same tier that misses the floor is passed over."""
    found = up(house(), "review", original="home/small", outage=down("away/peer", "away/big", "away/deaf"))
    assert codes(found, "away/mini") == ["quality_floor"]
    assert taken(found) == ("home/first", 2)


# -- unknown tiers ----------------------------------------------------------------------------------------------------
UNRATED = """
providers:
  - {provider_id: a, provider_kind: openai, models: [{model_id: x}, {model_id: y}, {model_id: z, quality_tier: cheap}]}
  - {provider_id: b, provider_kind: anthropic, models: [{model_id: u}]}
requirements: {mine: {}, strict: {min_quality_tier: local}}
"""


def test_unknown_equals_only_unknown() -> None:
    found = up(open_text(UNRATED), "mine", original="a/x")
    assert taken(found) == ("a/y", 1)
    assert [each.name for each in found.rungs[2].candidates] == ["a/z"]
    assert [each.name for each in found.rungs[3].candidates] == ["b/u"]


def test_unknown_still_has_to_meet_the_floor() -> None:
    found = up(open_text(UNRATED), "strict", original="a/x")
    assert taken(found) == ("a/z", 2)
    assert codes(found, "a/y") == ["quality_floor"]


def test_unknown_is_below_every_known_tier() -> None:
    found = up(open_text(UNRATED), "mine", original="a/z")
    assert taken(found) == ("a/x", 4)


# -- windows ----------------------------------------------------------------------------------------------------------
def test_an_overflow_needs_a_larger_window() -> None:
    found = up(house(), failure=F.CONTEXT_OVERFLOW)
    assert codes(found, "home/second") == ["smaller_window"]
    assert codes(found, "away/peer") == ["smaller_window"]
    assert codes(found, "cellar/riddle")[0] == "unknown_window"


def test_where_the_original_window_is_not_stated_none_is_known_to_be_larger() -> None:
    found = up(
        edited("context_window_tokens: 200000,\n         max_output_tokens: 64000,", ""), failure=F.CONTEXT_OVERFLOW
    )
    assert taken(found) == (None, None)
    assert codes(found, "home/grand") == ["unknown_window"]
    grand = next(each for each in found.candidates() if each.name == "home/grand")
    assert "nobody states the window of home/first" in grand.reasons[0].text


# -- the same model ---------------------------------------------------------------------------------------------------
def test_never_back_to_itself() -> None:
    found = up(house())
    assert codes(found, "home/first") == ["same_model"]


def test_nor_under_an_alias_of_the_same_endpoint() -> None:
    snapshot = edited("{model_id: second,", "{model_id: second, aliases: [first],")
    found = up(snapshot)
    assert codes(found, "home/second") == ["same_model"]
    assert taken(found) == ("home/grand", 2)


@pytest.mark.parametrize(
    ("url", "same"),
    [
        ("https://api.anthropic.com", True),
        ("https://API.anthropic.com:443/v1/", True),
        ("https://proxy.example.com", False),
    ],
)
def test_nor_under_another_provider_id_of_the_same_endpoint(url: str, same: bool) -> None:
    """The vendor's own base_url counts where none is stated, in whatever spelling."""
    twin = f"""
  - provider_id: again
    provider_kind: anthropic
    base_url: {url}
    models: [{{model_id: first, quality_tier: strong, supports: {{{"tool_use: true, structured_output: true"}}}}}]
"""
    found = up(house(twin), outage=down("home/second", "home/grand", "away"))
    assert taken(found) == ((None, None) if same else ("again/first", 3))
    assert ("same_model" in codes(found, "again/first")) is same


def test_the_same_id_on_another_host_tells_what_differs() -> None:
    other = """
  - provider_id: gateway
    provider_kind: openai
    models: [{model_id: first, quality_tier: strong, cost_tier: low, context_window_tokens: 64000,
              supports: {tool_use: true, structured_output: true, thinking: true, streaming: true}}]
"""
    found = up(house(other), failure=F.PROVIDER_DOWN)
    note = next(each for each in found.candidates() if each.name == "gateway/first").notes[0]
    assert note.startswith("the same id on another host differs in ")
    for difference in ("emulated: thinking", "not stated: prompt_cache, image_input", "window 200,000 → 64,000"):
        assert difference in note


def test_another_entry_of_the_same_endpoint_is_marked() -> None:
    other = """
  - provider_id: second-account
    provider_kind: anthropic
    models: [{model_id: other, quality_tier: strong, supports: {tool_use: true, structured_output: true}}]
"""
    found = up(house(other), failure=F.PROVIDER_DOWN)
    assert next(each for each in found.candidates() if each.name == "second-account/other").notes == (
        "same endpoint as home: what fails there may fail here too",
    )


# -- outages ----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "outage",
    [
        Outage(providers=frozenset({"away"})),
        Outage(endpoints=frozenset({"api.openai.com"})),
        Outage(endpoints=frozenset({"https://api.openai.com/v1"})),
        Outage(endpoints=frozenset({"https://API.openai.com/"})),
    ],
    ids=str,
)
def test_a_provider_or_its_endpoint_can_be_down(outage: Outage) -> None:
    found = up(house(), failure=F.PROVIDER_DOWN, outage=outage)
    assert codes(found, "away/peer") == ["down"]
    assert taken(found) == (None, None)


def test_a_model_that_is_down_is_down_under_all_its_names() -> None:
    snapshot = edited("{model_id: big,", "{model_id: big, aliases: [peer],")
    found = up(snapshot, failure=F.PROVIDER_DOWN, outage=down("away/peer"))
    assert codes(found, "away/big") == ["down"]


# -- verdicts ---------------------------------------------------------------------------------------------------------
def test_a_missing_capability_is_a_hard_block() -> None:
    """freellmapi PR 190: a chain fell to a model without tools, and everything looked well for four hours."""
    found = up(house(), failure=F.PROVIDER_DOWN, outage=down("away/peer", "away/big"))
    assert "missing:tool_use" in codes(found, "away/deaf")
    assert taken(found) == (None, None)


def test_disabled_and_excluded_models_stay_out() -> None:
    snapshot = edited(
        "{model_id: second,",
        "{model_id: second, enabled: false,",
        "requirements: {execute: {exclude_models: [home/grand]}}\n",
    )
    found = up(snapshot)
    assert codes(found, "home/second") == ["disabled"]
    assert codes(found, "home/grand") == ["excluded"]
    assert taken(found) == ("away/peer", 3)


def test_an_untrusted_endpoint_never_takes_over() -> None:
    found = up(house("", Surroundings(trust=Distrust(frozenset({"away"})))), failure=F.PROVIDER_DOWN)
    assert codes(found, "away/peer") == ["untrusted"]
    assert taken(found) == (None, None)


class NoKeys:
    def state(self, ref: object) -> object:
        from model.auth import AuthState

        return AuthState.ABSENT


def test_a_missing_key_bars_only_when_asked() -> None:
    credentials = NoKeys()
    warned = up(house("", Surroundings(credentials)))  # type: ignore[arg-type]  # only `state` is asked
    assert taken(warned) == ("home/second", 1)
    barred = up(house("", Surroundings(credentials, usable=True)))  # type: ignore[arg-type]  # only `state` is asked
    assert taken(barred) == (None, None)
    assert codes(barred, "home/second") == ["no_auth"]


# -- conversion -------------------------------------------------------------------------------------------------------
def test_a_lossy_row_will_do_where_nothing_required_is_lost() -> None:
    found = up(house(), failure=F.PROVIDER_DOWN)
    assert found.record is not None
    assert str(found.selected) == "away/peer"
    assert found.record.conversion.omissions == ("thinking stripped",)
    assert found.record.differences.became_emulated == type(found.record.differences.lost).of((Capability.THINKING,))


def test_required_thinking_that_is_stripped_will_not() -> None:
    snapshot = house("requirements: {execute: {required: {thinking: true}}}\n")
    found = up(snapshot, failure=F.PROVIDER_DOWN)
    assert "transport:thinking" in codes(found, "away/peer")
    assert "conversion" in codes(found, "away/peer")
    assert taken(found) == (None, None)


def test_a_model_that_takes_no_canonical_messages_never_takes_over() -> None:
    """Its verdict passes a task that requires nothing; it could not be called all the same."""
    text = """
providers:
  - {provider_id: a, provider_kind: openai, models: [{model_id: x, quality_tier: cheap}]}
  - {provider_id: b, provider_kind: openai, base_url: https://b.example.com, models: [{model_id: y, quality_tier: cheap,
     conversion: {from_anthropic_canonical: unsupported}}]}
requirements: {mine: {}}
"""
    found = up(open_text(text), "mine", original="a/x")
    assert codes(found, "b/y") == ["conversion"]
    assert taken(found) == (None, None)


EMULATING = HOUSE.replace("{model_id: peer,", "{model_id: peer, conversion: {tool_schema: emulated},").replace(
    "{model_id: big,", "{model_id: big, conversion: {tool_schema: emulated},"
)


def test_emulated_tools_only_where_lossy_conversion_is_allowed_and_after_a_question_where_code_changes() -> None:
    assert codes(up(open_text(EMULATING), failure=F.PROVIDER_DOWN), "away/peer") == ["conversion", "emulated:tool_use"]
    allowed = up(
        open_text(EMULATING + "requirements: {execute: {allow_lossy_conversion: true}}\n"), failure=F.PROVIDER_DOWN
    )
    assert (taken(allowed), allowed.required_confirmation) == (("away/peer", 3), True)


def test_emulated_tools_need_no_question_where_no_code_changes() -> None:
    found = up(open_text(EMULATING + "requirements: {main: {allow_lossy_conversion: true}}\n"), "main", F.PROVIDER_DOWN)
    assert (taken(found), found.required_confirmation) == (("away/peer", 3), False)


# -- configured chains ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("rows", "failure", "expected"),
    [
        ("{task: execute, chain: [away/big]}", F.MODEL_MISSING, ("away/big", 0)),
        ("{model: home/first, chain: [away/big]}", F.MODEL_MISSING, ("away/big", 0)),
        ("{task: review, chain: [away/big]}", F.MODEL_MISSING, ("home/second", 1)),
        ("{model: home/second, chain: [away/big]}", F.MODEL_MISSING, ("home/second", 1)),
        ("{task: execute, model: home/first, chain: [away/big]}", F.MODEL_MISSING, ("away/big", 0)),
        ("{task: review, model: home/first, chain: [away/big]}", F.MODEL_MISSING, ("home/second", 1)),
        # the model's own chain before the task's, the one for this very task first
        (
            "{task: execute, chain: [away/big]}, {model: home/first, chain: [home/grand]}",
            F.MODEL_MISSING,
            ("home/grand", 0),
        ),
        (
            "{model: home/first, chain: [home/grand]}, {task: execute, model: home/first, chain: [away/big]}",
            F.MODEL_MISSING,
            ("away/big", 0),
        ),
        # under the same rules
        ("{task: execute, chain: [home/grand, away/big]}", F.PROVIDER_DOWN, ("away/big", 0)),
        ("{task: execute, chain: [away/mini, away/deaf, home/first, away/big]}", F.MODEL_MISSING, ("away/big", 0)),
        ("{task: execute, chain: [away/mini]}", F.MODEL_MISSING, ("home/second", 1)),
        ("{task: execute, chain: [nobody/knows, no ref, away/big]}", F.MODEL_MISSING, ("away/big", 0)),
        ("{model: nobody/knows, chain: [away/big]}", F.MODEL_MISSING, ("home/second", 1)),
        ("{chain: [away/big]}", F.MODEL_MISSING, ("home/second", 1)),
    ],
)  # fmt: skip
def test_a_configured_chain_comes_first_under_the_same_rules(
    rows: str, failure: Failure, expected: tuple[str, int]
) -> None:
    assert taken(up(house(f"fallbacks: [{rows}]\n"), failure=failure)) == expected


def test_a_chain_may_name_an_alias() -> None:
    snapshot = edited(
        "{model_id: big,",
        "{model_id: big, aliases: [big-latest],",
        "fallbacks: [{task: execute, chain: [away/big-latest]}]\n",
    )
    assert taken(up(snapshot)) == ("away/big", 0)


def test_the_chain_is_shown_with_what_is_wrong_on_it() -> None:
    found = up(house("fallbacks: [{task: execute, chain: [nobody/knows, away/mini, away/big]}]\n"))
    view = found.rungs[Rung.CONFIGURED]
    assert [candidate.name for candidate in view.candidates] == ["nobody/knows", "away/mini", "away/big"]
    assert [str(candidate.reasons[0].code) for candidate in view.candidates[:2]] == ["unknown_target", "lower_tier"]
    assert view.candidates[2].taken


# -- the whole ladder -------------------------------------------------------------------------------------------------
def test_every_model_stands_on_exactly_one_rung_with_a_word_for_it() -> None:
    snapshot = house()
    found = up(snapshot)
    names = [candidate.name for candidate in found.candidates()]
    assert sorted(names) == sorted(str(row.ref) for row in snapshot.matrix.rows)
    assert [candidate.name for candidate in found.candidates() if not candidate.reasons] == ["home/second"]


def test_an_unknown_model_or_task_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        up(house(), original="home/none")
    with pytest.raises(KeyError):
        up(house(), "no_such_task")
