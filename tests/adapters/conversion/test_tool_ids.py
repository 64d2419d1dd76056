"""Ids that every Api takes, without collisions (SEED-FACTS.md §2.2, §2.4, gap 7)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.conversion.tool_ids import IdAssigner, id_rule
from model.vocabulary import Api
from tests.examples import examples

APIS = tuple(Api)


def assigned(api: Api, ids: list[str]) -> list[str]:
    assigner = IdAssigner(api, ids)
    return [assigner.assign(one) for one in ids]


def test_an_id_that_fits_stays() -> None:
    assert assigned(Api.ANTHROPIC_MESSAGES, ["toolu_01AbC-9"]) == ["toolu_01AbC-9"]


def test_mistral_keeps_nine_letters_and_digits_and_nothing_else() -> None:
    kept, short, long = assigned(Api.MISTRAL_CONVERSATIONS, ["AbCdEf123", "abc", "toolu_0123456789"])
    assert kept == "AbCdEf123"
    assert len(short) == len(long) == 9
    assert (short + long).isalnum()
    assert (short + long).isascii()


def test_the_responses_family_takes_piped_ids_as_they_are() -> None:
    piped = "call_1|fc_" + "x" * 400
    assert assigned(Api.OPENAI_RESPONSES, [piped]) == [piped]


def test_a_piped_id_keeps_its_call_part_in_front() -> None:
    (name,) = assigned(Api.OPENAI_COMPLETIONS, ["call_1|fc_" + "x" * 400])
    assert name.startswith("call_1_")
    assert len(name) <= 64


def test_cutting_never_makes_two_ids_one() -> None:
    one, other = assigned(Api.ANTHROPIC_MESSAGES, ["x" * 70 + "a", "x" * 70 + "b"])
    assert one != other
    assert len(one) == len(other) == 64


def test_replacing_letters_never_makes_two_ids_one() -> None:
    assert len(set(assigned(Api.ANTHROPIC_MESSAGES, ["a.b", "a:b", "a_b"]))) == 3


def test_a_second_call_with_the_same_id_gets_its_own() -> None:
    first, second = assigned(Api.OLLAMA_CHAT, ["call_0", "call_0"])
    assert first == "call_0"
    assert second != "call_0"


def test_the_same_id_is_renamed_the_same_way_in_the_next_request() -> None:
    assert assigned(Api.OPENAI_COMPLETIONS, ["a.b"])[0] == assigned(Api.OPENAI_COMPLETIONS, ["a.b", "c.d"])[0]


def test_the_way_back() -> None:
    assigner = IdAssigner(Api.MISTRAL_CONVERSATIONS, ["toolu_1"])
    name = assigner.assign("toolu_1")
    assert assigner.ids.from_wire(name) == "toolu_1"
    assert assigner.ids.from_wire("abcdefghi") == "abcdefghi"


@examples()
@given(st.sampled_from(APIS), st.lists(st.text(min_size=1, max_size=80), min_size=1, max_size=12))
def test_ids_are_unique_and_fit(api: Api, ids: list[str]) -> None:
    names = assigned(api, ids)
    assert len(set(names)) == len(names)
    assert all(id_rule(api).fits(name) for name in names)


@pytest.mark.parametrize("api", APIS)
def test_a_name_never_takes_an_id_that_comes_later_and_fits(api: Api) -> None:
    """The new name of the first is the very id of the second."""
    (taken,) = assigned(api, ["é" * 600])
    first, second = assigned(api, ["é" * 600, taken])
    assert second == taken
    assert first != taken
