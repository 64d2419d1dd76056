"""No common form of a secret passes the redactor."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from threading import Event, Thread
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters import redaction
from adapters.redaction import Redactor, StreamRedactor
from adapters.secrets import SHOWN, Secret
from model.auth import AuthScheme

KEY = 'sk-canary/7f+Q2=z\\x"tail'
FORMS = {
    "plain": KEY,
    "url": quote(KEY, safe=""),
    "url path": quote(KEY),
    "url form": quote_plus(KEY),
    "json": json.dumps(KEY)[1:-1],
    "json with escaped slashes": json.dumps(KEY)[1:-1].replace("/", "\\/"),
    "python": repr(KEY)[1:-1],
    "hex": KEY.encode().hex(),
}


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS.keys())
def test_forms(form: str) -> None:
    assert Redactor([Secret(KEY)])(f"before {form} after") == f"before {SHOWN} after"


@pytest.mark.parametrize("encode", [base64.b64encode, base64.urlsafe_b64encode])
@pytest.mark.parametrize("before", ["", "u", "us", "user:"])
@pytest.mark.parametrize("after", ["", "x", "xy", "xyz"])
def test_base64_at_any_offset(encode: object, before: str, after: str) -> None:
    encoded = encode(f"{before}{KEY}{after}".encode()).decode()  # type: ignore[operator]
    core = base64.b64encode(KEY.encode()).decode()[6:18]
    shown = Redactor([Secret(KEY)])(encoded)
    assert SHOWN in shown
    assert core not in shown
    assert len(shown.replace(SHOWN, "")) <= 16  # only what stands before or after the key is left


@pytest.mark.parametrize("masked", ["sk-can****tail", "sk-canary***", "****tail", "sk-c...tail", "sk-can…", "sk-c••••"])
def test_a_servers_masked_echo_is_hidden(masked: str) -> None:
    assert Redactor([Secret(KEY)])(f"Incorrect API key provided: {masked}.") == f"Incorrect API key provided: {SHOWN}."


def test_other_masks_and_dots_are_left_alone() -> None:
    text = "Thinking... pa****rd, 5 * 3 ** 2, wait…"
    assert Redactor([Secret(KEY)])(text) == text


def test_a_long_text_takes_linear_time() -> None:
    text = "a" * 100_000 + "*" * 100_000 + "." * 100_000 + "ab**" * 10_000
    assert Redactor([Secret(KEY)])(text) == text


@dataclass(frozen=True)
class Thing:
    name: str
    inside: tuple[Mapping[str, object], ...]
    kind: AuthScheme = AuthScheme.ENV


def test_values_are_cleaned_all_through() -> None:
    thing = Thing(f"x {KEY}", ({"a": [KEY, 5, None], KEY: (KEY,)},))
    assert Redactor([Secret(KEY)]).clean(thing) == Thing(f"x {SHOWN}", ({"a": [SHOWN, 5, None], SHOWN: (SHOWN,)},))
    clean = Thing("x", ())
    assert Redactor([Secret(KEY)]).clean(clean) is clean


def test_offline_and_tiny_values_are_left_alone() -> None:
    redact = Redactor([Secret(""), Secret("mock_abc"), Secret("abc")])
    assert redact("abc mock_abc") == "abc mock_abc"


def test_the_longer_of_two_nested_secrets_goes_whole() -> None:
    assert Redactor([Secret("abcd"), Secret("abcdefgh")])("abcdefgh") == SHOWN


def test_cut_never_leaves_the_start_of_a_secret() -> None:
    redact = Redactor([Secret(KEY)])
    for length in range(4, len(KEY) + 1):
        assert "sk-c" not in redact.cut("body " + KEY[:length], 100, partial=True)
    assert redact.cut("a" * 50, 10) == "a" * 9 + "…"
    assert "sk-c" not in redact.cut("12345 " + KEY, 12)


@given(st.lists(st.integers(1, 7)), st.text("skcan-ry/7", max_size=30))
def test_a_stream_cut_anywhere_shows_the_same_as_the_whole(steps: list[int], noise: str) -> None:
    text = f"{noise} {KEY} {noise}sk-can"
    redact = Redactor([Secret(KEY)])
    stream, shown, rest = StreamRedactor(redact), "", text
    for step in steps or [1]:
        shown += stream.feed(rest[:step])
        rest = rest[step:]
    shown += stream.feed(rest) + stream.end()
    assert shown == redact(text)


def test_exceptions() -> None:
    redact = Redactor([Secret(KEY)])
    error = ValueError(f"bad header {KEY}")
    assert redact.describe(error) == f"ValueError: bad header {SHOWN}"


def test_a_redactor_does_not_show_what_it_hides() -> None:
    assert repr(Redactor([Secret(KEY)])) == "Redactor()"


def test_holds_secret() -> None:
    redact = Redactor([Secret(KEY)])
    assert redact.holds_secret(json.dumps({"text": KEY}))
    assert not redact.holds_secret("no key here")


def test_two_threads_that_add_lose_no_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first is held up in the middle until the second is done, or has to wait for it."""
    first_is_inside, second_is_done = Event(), Event()
    real = redaction.re.compile

    def slow(pattern: str) -> re.Pattern[str]:
        if not first_is_inside.is_set():
            first_is_inside.set()
            second_is_done.wait(0.2)
        return real(pattern)

    redactor = Redactor()
    monkeypatch.setattr(redaction.re, "compile", slow)
    first = Thread(target=redactor.add, args=(Secret("first-0123456789"),))
    first.start()
    first_is_inside.wait()
    second = Thread(target=lambda: (redactor.add(Secret("second-0123456789")), second_is_done.set()))
    second.start()
    first.join()
    second.join()
    monkeypatch.undo()
    assert redactor("first-0123456789 second-0123456789") == f"{SHOWN} {SHOWN}"
