"""auth_ref as text: what each form means, and that nothing that may be a key is kept."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.auth import AuthRef, AuthScheme, AuthState, is_offline_secret, parse_auth_ref


@pytest.mark.parametrize(
    ("text", "scheme", "target"),
    [
        ("env:ANTHROPIC_API_KEY", AuthScheme.ENV, "ANTHROPIC_API_KEY"),
        ("  env: KEY_2 ", AuthScheme.ENV, "KEY_2"),
        ("file:/run/secrets/key", AuthScheme.FILE, "/run/secrets/key"),
        ("file:~/.keys/anthropic", AuthScheme.FILE, "~/.keys/anthropic"),
        ("keyring:capdeck/anthropic", AuthScheme.KEYRING, "capdeck/anthropic"),
        ("none", AuthScheme.NONE, ""),
        ("", AuthScheme.BLANK, ""),
        ("  \t", AuthScheme.BLANK, ""),
        ("mock_anything", AuthScheme.MOCK, ""),
    ],
)
def test_valid_forms(text: str, scheme: AuthScheme, target: str) -> None:
    ref = parse_auth_ref(text)
    assert (ref.scheme, ref.target, ref.is_valid) == (scheme, target, True)


LITERALS = [
    "sk-ant-api03-abcdefghijklmnop",
    "env:sk-ant-api03-abcdefghijklmnop",
    "env:sk_live_abcdefghijklmnop",
    "file:sk-ant-api03-abcdefghijklmnop",
    "keyring:sk-ant/api03-abcdefghijklmnop",
    "env:NOT A NAME",
    "env:",
    "hunter2:correct-horse",
    "https://user:hunter2@host/",
]


@pytest.mark.parametrize("text", LITERALS)
def test_what_may_be_a_key_is_refused_and_not_kept(text: str) -> None:
    ref = parse_auth_ref(text)
    assert not ref.is_valid or ref.scheme is AuthScheme.KEYRING
    if ref.scheme is AuthScheme.LITERAL:
        assert ref.target == ""
        assert not any(part in repr(ref) for part in ("abcdefgh", "NOT A", "hunter2"))


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("$OPENAI_API_KEY", "write env:OPENAI_API_KEY"),
        ("${OPENAI_API_KEY}", "write env:OPENAI_API_KEY"),
        ("OPENAI_API_KEY", "write env:OPENAI_API_KEY"),
        ("ENV:OPENAI_API_KEY", "write env: instead"),
        ("environment:KEY", "write env: instead"),
        ("keychain:a/b", "write keyring: instead"),
        ("file:keys/anthropic", "file: must be followed by an absolute path, or one from ~/"),
        ("keyring:anthropic", "keyring: must be followed by SERVICE/USER"),
    ],
)
def test_unknown_forms_say_how_to_mend(text: str, hint: str) -> None:
    ref = parse_auth_ref(text)
    assert (ref.scheme, ref.hint) == (AuthScheme.UNKNOWN, hint)


@given(st.text(min_size=8, max_size=60).filter(lambda text: ":" not in text))
def test_no_text_without_a_scheme_is_ever_shown(text: str) -> None:
    ref = parse_auth_ref(text)
    if ref.scheme is AuthScheme.LITERAL:
        assert text.strip() not in repr(ref)


def test_words_are_those_that_the_screen_shows() -> None:
    assert [state.value for state in AuthState] == [
        "absent", "empty", "present", "accepted", "rejected", "not checked",
    ]  # fmt: skip


def test_none_blank_and_mock_need_no_secret() -> None:
    assert not any(parse_auth_ref(text).needs_secret for text in ("none", "", "mock_x"))
    assert AuthRef(AuthScheme.ENV, "X").needs_secret


@pytest.mark.parametrize(
    ("value", "offline"), [("", True), ("  ", True), (" mock_1", True), ("sk-1", False), ("MOCK_", False)]
)
def test_offline_secret(value: str, offline: bool) -> None:
    assert is_offline_secret(value) is offline


@pytest.mark.parametrize(
    ("text", "suggestion"),
    [
        ("$OPENAI_API_KEY", "env:OPENAI_API_KEY"),
        ("environment:KEY", "env:KEY"),
        ("ENV: KEY", "env:KEY"),
        ("path:/run/secrets/key", "file:/run/secrets/key"),
        ("var:hunter2", ""),
        ("secret:abcd/efgh", ""),
        ("env:KEY", ""),
    ],
)
def test_a_suggestion_is_made_only_where_the_text_is_surely_a_place(text: str, suggestion: str) -> None:
    assert parse_auth_ref(text).suggestion == suggestion
