"""What is wrong with a configured chain, told before it is needed."""

from __future__ import annotations

import pytest

from model.auth import AuthRef, AuthState
from model.fallback import Explorer
from model.fallback.chain_problems import chain_problems
from model.fallback.identity import same_model
from model.snapshot import Surroundings
from tests.model.fallback.house import HOUSE
from tests.model.samples import Distrust, open_text


def faults(chains: str, text: str = HOUSE, surroundings: Surroundings | None = None) -> list[tuple[int, str]]:
    """Of the first chain: position and fault."""
    snapshot = open_text(f"{text}fallbacks: [{chains}]\n", surroundings)
    problems = chain_problems(Explorer(snapshot), snapshot.config.fallbacks[0])
    return [(problem.position, problem.fault.value) for problem in problems]


ALIASED = HOUSE.replace("{model_id: second,", "{model_id: second, aliases: [first],").replace(
    "{model_id: big,", "{model_id: big, aliases: [peer],"
)


@pytest.mark.parametrize(
    ("chains", "expected"),
    [
        ("{task: execute, chain: [away/peer, away/big]}", []),
        ("{task: execute, chain: [away/pear, no ref, away/peer]}", [(0, "unknown_target"), (1, "unknown_target")]),
        ("{task: execute, chain: [away/big, home/grand, away/big]}", [(2, "duplicate")]),
        ("{model: home/first, chain: [home/first]}", [(0, "self")]),
        ("{task: execute, chain: [away/deaf]}", [(0, "fails_task")]),
        ("{task: execute, chain: [away/mini]}", [(0, "fails_task"), (0, "lower_tier")]),
        ("{model: home/first, chain: [away/peer]}", [(0, "smaller_window")]),
        (
            "{model: home/first, chain: [home/grand]}, {model: home/grand, chain: [home/first]}",
            [(0, "cycle")],
        ),
        (
            "{model: home/first, chain: [home/grand]}, {model: home/grand, chain: [away/big]},"
            " {model: away/big, chain: [home/first]}",
            [(0, "cycle")],
        ),
        ("{model: home/first, chain: [home/grand]}, {model: home/grand, chain: [home/grand, away/big]}", []),
    ],
)
def test_faults_by_name(chains: str, expected: list[tuple[int, str]]) -> None:
    assert faults(chains) == expected


def test_aliases_of_one_endpoint_hide_nothing() -> None:
    assert faults("{model: home/first, chain: [home/second]}", ALIASED) == [(0, "self")]
    assert faults("{task: execute, chain: [away/peer, away/big]}", ALIASED) == [(1, "duplicate")]
    round_trip = "{model: home/first, chain: [home/grand]}, {model: home/grand, chain: [home/second]}"
    assert faults(round_trip, ALIASED) == [(0, "cycle")]


def test_switched_off_without_a_key_or_not_trusted() -> None:
    off = HOUSE.replace("provider_kind: openai", "provider_kind: openai\n    enabled: false")
    assert faults("{task: execute, chain: [away/big]}", off) == [(0, "disabled")]

    class NoKeys:
        def state(self, ref: AuthRef | None) -> AuthState:
            return AuthState.ABSENT

    keyless = Surroundings(NoKeys(), trust=Distrust(frozenset({"away"})))  # type: ignore[arg-type]  # only `state` is asked
    assert faults("{task: execute, chain: [away/big]}", surroundings=keyless) == [(0, "no_auth"), (0, "untrusted")]


def test_a_long_ring_of_chains_is_walked_without_recursion() -> None:
    models = ", ".join(f"{{model_id: m{n}}}" for n in range(1500))
    chains = ", ".join(f"{{model: a/m{n}, chain: [a/m{(n + 1) % 1500}]}}" for n in range(1500))
    snapshot = open_text(
        f"providers: [{{provider_id: a, provider_kind: ollama, models: [{models}]}}]\nfallbacks: [{chains}]\n"
    )
    [problem] = chain_problems(Explorer(snapshot), snapshot.config.fallbacks[0])
    assert problem.fault == "cycle"


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("http://127.0.0.1:11434/v1", "http://localhost:11434", True),
        ("https://a.example.com:443/v1/", "https://A.example.com", True),
        ("http://a.example.com:443", "https://a.example.com", False),
        ("https://a.example.com/v1", "https://b.example.com/v1", False),
        ("https://a.example.com/eu/v1", "https://a.example.com/us/v1", False),
        ("http://[::1]:8080/v1", "http://[::1]:8080", True),
        ("http://[::1", "http://[::1", True),
        ("http://[::1", "http://[::2", False),
    ],
)
def test_the_same_endpoint_in_another_spelling(one: str, other: str, same: bool) -> None:
    models = "models: [{model_id: m}]"
    providers = ", ".join(
        f"{{provider_id: {name}, provider_kind: openai_compatible, base_url: '{url}', {models}}}"
        for name, url in (("p", one), ("q", other))
    )
    first, second = open_text(f"providers: [{providers}]").matrix.rows
    assert same_model(first, second) is same
