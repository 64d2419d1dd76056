"""The time to the first token: what is kept of it, what it is told as, and that it is of one endpoint only."""

from __future__ import annotations

import sqlite3
from datetime import UTC, date, datetime, timedelta
from math import inf
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.latency import KEPT, LONGEST_MS, FirstToken, Latency, change_words, in_words, latencies, latency_of
from model.model_ref import ModelRef
from model.resolve import ResolvedModel
from model.session_file import _MIGRATIONS
from model.sessions import Bounds, SecretRefused, SessionStore
from model.snapshot import Surroundings
from model.vocabulary import Capability
from tests.examples import examples
from tests.model.samples import open_text
from tests.model.test_sessions import CANARY, Clock, observed

REF, HERE = ModelRef("p", "m"), "https://x.example"
DAY = date(2026, 3, 1)


def timed(milliseconds: int, ref: ModelRef = REF, *, url: str = f"{HERE}/v1", day: date = DAY) -> FirstToken:
    found = FirstToken.after(milliseconds / 1000, ref, url, day)
    assert found
    return found


@pytest.fixture
def store(tmp_path: Path) -> SessionStore:
    return SessionStore(tmp_path / "s.db", now=Clock())


def keep(store: SessionStore, *times: FirstToken) -> None:
    for one in times:
        store.observe_first_token(one)


def times_in(store: SessionStore, ref: ModelRef = REF) -> tuple[Latency, ...]:
    seen = store.of(ref)
    return seen.latencies if seen else ()


def resolved(store: SessionStore, base_url: str) -> ResolvedModel:
    text = f"providers: [{{provider_id: p, provider_kind: openai_compatible, base_url: {base_url},"
    text += " models: [{model_id: m}]}]"
    return open_text(text, Surroundings(observations=store.observations())).matrix.rows[0]


# -- what is kept -----------------------------------------------------------------------------------------------------
def test_a_measurement_comes_back_with_its_day_and_endpoint(store: SessionStore) -> None:
    keep(store, timed(420))
    assert times_in(store) == (Latency(420, 1, DAY, HERE),)
    assert times_in(store)[0].basis == "measured once, 2026-03-01"


def test_of_several_the_median_their_number_and_the_latest_day_are_told(store: SessionStore) -> None:
    keep(store, timed(900), timed(100, day=date(2026, 3, 5)), timed(30_000))
    (found,) = times_in(store)
    assert (found.milliseconds, found.count, found.seen) == (900, 3, date(2026, 3, 5))
    assert found.basis == "median of 3, latest 2026-03-05"
    keep(store, timed(1000))
    assert times_in(store)[0].milliseconds == 950


def test_only_the_latest_are_kept(store: SessionStore) -> None:
    keep(store, *(timed(number) for number in range(1, KEPT + 4)), timed(7, ModelRef("p", "other")))
    assert times_in(store)[0].count == KEPT
    assert times_in(store)[0].milliseconds == 3 + (KEPT + 1) // 2
    assert rows_in(store) == KEPT + 1


def rows_in(store: SessionStore) -> int:
    with sqlite3.connect(store.path) as connection:
        count: int = connection.execute("SELECT count(*) FROM first_tokens").fetchone()[0]
    connection.close()
    return count


def test_number_and_age_are_bounded(tmp_path: Path) -> None:
    clock = Clock()
    store = SessionStore(tmp_path / "s.db", bounds=Bounds(first_tokens=4, age=timedelta(days=10)), now=clock)
    keep(store, *(timed(number, ModelRef("p", f"m{number}")) for number in range(1, 8)))
    assert sorted(map(str, store.observations().by_ref)) == ["p/m4", "p/m5", "p/m6", "p/m7"]
    clock.time = datetime(2026, 4, 1, tzinfo=UTC)
    keep(store, timed(5, day=date(2026, 4, 1)))
    assert list(store.observations().by_ref) == [REF]


def test_it_stands_beside_what_a_probe_saw(store: SessionStore) -> None:
    seen = observed(1, yes=Capability.BATCH)
    store.observe([seen])
    keep(store, timed(420, seen.ref, day=date(2026, 3, 9)))
    found = store.of(seen.ref)
    assert found
    assert (list(found.flags.yes), found.seen) == ([Capability.BATCH], date(2026, 3, 1))
    assert found.latencies[0].milliseconds == 420


def test_a_store_of_the_first_schema_takes_it_up(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "s.db") as connection:
        connection.executescript(_MIGRATIONS[0])
        connection.execute("PRAGMA user_version = 1")
        connection.execute("INSERT INTO observations VALUES ('p', 'm', 'batch', 1, 'https://x.example', '2026-01-01')")
    connection.close()
    store = SessionStore(tmp_path / "s.db", now=Clock())
    assert times_in(store) == ()
    keep(store, timed(420))
    found = store.of(REF)
    assert found
    assert Capability.BATCH in found.flags.yes
    assert found.latencies[0].milliseconds == 420


@pytest.mark.parametrize("ref", [ModelRef("p", CANARY), REF])
def test_no_secret_is_kept(tmp_path: Path, ref: ModelRef) -> None:
    """Neither in an id, which is refused, nor in the address, of which the parts that may hold one are left out."""
    store = SessionStore(tmp_path / "s.db", holds_secret=lambda text: CANARY in text, now=Clock())
    one = timed(420, ref, url=f"https://user:{CANARY}@x.example/v1?key={CANARY}#{CANARY}")
    if ref is REF:
        keep(store, one)
        assert times_in(store)[0].endpoint == HERE
    else:
        with pytest.raises(SecretRefused):
            keep(store, one)
    assert not any(CANARY.encode() in file.read_bytes() for file in tmp_path.iterdir())


@pytest.mark.parametrize(("seconds", "url"), [(LONGEST_MS, HERE), (1, ""), (1, "https://[broken")])
def test_what_can_be_no_measurement_is_none(seconds: float, url: str) -> None:
    assert FirstToken.after(seconds, REF, url, DAY) is None


def test_a_very_quick_one_is_a_millisecond() -> None:
    assert timed(0).milliseconds == 1


def test_rows_that_make_no_sense_are_passed_over() -> None:
    good = ("p", "m", HERE, "2026-03-01", 5)
    bad = [
        ("p/q", "m", HERE, "2026-03-01", 5),
        (*good[:3], "yesterday", 5),
        (*good[:4], "x"),
        (*good[:4], -1),
        (*good[:4], inf),
    ]
    assert latencies([*bad, good]) == {REF: (Latency(5, 1, DAY, HERE),)}


@examples()
@given(st.lists(st.integers(1, LONGEST_MS), min_size=1, max_size=KEPT))
def test_the_median_lies_in_the_middle(times: list[int]) -> None:
    found = latencies([("p", "m", HERE, "2026-03-01", each) for each in times])[REF][0].milliseconds
    assert sum(each <= found for each in times) * 2 >= len(times)
    assert sum(each >= found for each in times) * 2 >= len(times)


# -- of which endpoint it is ------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("base_url", "is_there"),
    [
        ("https://x.example/v1", True),
        ("https://x.example/", True),
        ("https://X.example:443/v1", True),
        ("https://y.example/v1", False),
        ("http://x.example/v1", False),
        ("https://x.example:8443/v1", False),
        ("https://x.example/other/v1", False),
    ],
)
def test_it_is_of_the_endpoint_that_the_provider_has_now(store: SessionStore, base_url: str, is_there: bool) -> None:
    keep(store, timed(420))
    found = latency_of(resolved(store, base_url))
    assert (found is not None) is is_there


def test_each_endpoint_has_its_own(store: SessionStore) -> None:
    keep(store, timed(420), timed(9, url="http://127.0.0.1:8000"), timed(430))
    for base_url, milliseconds in ((HERE, 425), ("http://localhost:8000/v1", 9)):
        found = latency_of(resolved(store, base_url))
        assert found
        assert found.milliseconds == milliseconds


def test_a_model_that_was_never_timed_has_none() -> None:
    assert latency_of(open_text("providers: [{provider_id: p, models: [{model_id: m}]}]").matrix.rows[0]) is None


# -- in words ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("milliseconds", "words"),
    [(1, "1 ms"), (420, "420 ms"), (999, "999 ms"), (1000, "1.0 s"), (1900, "1.9 s"), (9949, "9.9 s"), (9950, "10 s"),
     (12_300, "12 s")],
)  # fmt: skip
def test_as_exact_as_people_read_it(milliseconds: int, words: str) -> None:
    assert in_words(milliseconds) == words


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        (420, 1900, "slower: first token 420 ms → 1.9 s"),
        (1900, 420, "faster: first token 1.9 s → 420 ms"),
        (1900, 1901, ""),
        (420, None, "first token 420 ms → not observed"),
        (None, 420, "first token not observed → 420 ms"),
        (None, None, ""),
    ],
)
def test_a_change_is_a_loss_or_a_gain(before: int | None, after: int | None, words: str) -> None:
    one, other = (None if each is None else Latency(each, 1, DAY, HERE) for each in (before, after))
    assert change_words(one, other) == words
