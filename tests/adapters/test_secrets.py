"""Secrets are found where the auth_ref says, and cannot be shown."""

from __future__ import annotations

import copy
import json
import logging
import os
import pickle
import sys
import traceback
import types
from dataclasses import asdict, dataclass
from pathlib import Path

import pytest

from adapters.secrets import SHOWN, CredentialResolver, Secret
from model.auth import AuthState, CredentialCheck, parse_auth_ref

KEY = 'sk-canary/7f+Q2=z\\x"é'


def test_no_way_of_printing_shows_it(caplog: pytest.LogCaptureFixture) -> None:
    secret = Secret(KEY)
    logging.getLogger("test").warning("%s %r", secret, secret)
    shown = [str(secret), repr(secret), f"{secret}", f"{secret:>40}", f"{secret!r}", repr([secret]), "%s" % secret]  # noqa: UP031
    assert all(text.strip("[]") == SHOWN for text in shown)
    assert "canary" not in caplog.text


def test_it_is_not_stored() -> None:
    with pytest.raises(TypeError):
        pickle.dumps(Secret(KEY))
    with pytest.raises(TypeError):
        json.dumps({"key": Secret(KEY)})
    with pytest.raises(TypeError):
        vars(Secret(KEY))


def test_copies_keep_it_hidden() -> None:
    @dataclass(frozen=True)
    class Holder:
        key: Secret

    held = Holder(Secret(KEY))
    assert asdict(held)["key"] == copy.deepcopy(held).key == Secret(KEY)
    assert "canary" not in repr(asdict(held))


def test_a_traceback_with_locals_does_not_show_it() -> None:
    def fails(secret: Secret) -> None:
        raise ValueError(f"bad key {secret}")

    try:
        fails(Secret(KEY))
    except ValueError as error:
        text = "".join(traceback.TracebackException.from_exception(error, capture_locals=True).format())
    assert SHOWN in text
    assert "canary" not in text


def resolver(tmp_path: Path, **environ: str) -> CredentialResolver:
    return CredentialResolver(environ, home=tmp_path)


def test_resolver_is_the_models_credential_check(tmp_path: Path) -> None:
    check: CredentialCheck = resolver(tmp_path)
    assert check.state(None) is AuthState.ABSENT


@pytest.mark.parametrize(
    ("value", "state", "offline"),
    [
        ("sk-1", AuthState.PRESENT, False),
        (" sk-1\n", AuthState.PRESENT, False),
        ("", AuthState.EMPTY, True),
        ("  ", AuthState.EMPTY, True),
        ("mock_1", AuthState.PRESENT, True),
        ("two words", AuthState.ABSENT, False),
        ("a\r\nX-Evil: 1", AuthState.ABSENT, False),
        ("clé", AuthState.ABSENT, False),
        ("x" * 8193, AuthState.ABSENT, False),
    ],
)
def test_env(tmp_path: Path, value: str, state: AuthState, offline: bool) -> None:
    found = resolver(tmp_path, KEY=value)
    ref = parse_auth_ref("env:KEY")
    assert (found.state(ref), found.is_offline(ref)) == (state, offline)
    if value.strip():
        assert value.strip() not in found.cause(ref)


def test_env_value_is_trimmed(tmp_path: Path) -> None:
    secret = resolver(tmp_path, KEY=" sk-1\n").resolve(parse_auth_ref("env:KEY"))
    assert secret is not None
    assert secret.reveal() == "sk-1"


def test_unset_variable_is_named(tmp_path: Path) -> None:
    assert resolver(tmp_path).cause(parse_auth_ref("env:NOPE")) == "the environment variable NOPE is not set"


def test_file_below_home(tmp_path: Path) -> None:
    (tmp_path / "key").write_text("sk-from-file\r\n")
    found = resolver(tmp_path).look_up(parse_auth_ref("file:~/key"))
    assert found.secret == Secret("sk-from-file")
    assert found.state is AuthState.PRESENT


def test_files_that_hold_no_key(tmp_path: Path) -> None:
    (tmp_path / "pem").write_text("-----BEGIN KEY-----\nabc\n-----END KEY-----\n")
    (tmp_path / "big").write_bytes(b"x" * 100_000)
    (tmp_path / "binary").write_bytes(b"\xff\xfe")
    os.mkfifo(tmp_path / "pipe")
    found = resolver(tmp_path)
    for name in ("pem", "big", "binary", "pipe", "absent", ""):
        credential = found.look_up(parse_auth_ref(f"file:{tmp_path}/{name}"))
        assert (credential.secret, credential.state) == (None, AuthState.ABSENT), name
        assert "file" in credential.cause
        assert "BEGIN" not in credential.cause


def test_an_empty_file_is_offline(tmp_path: Path) -> None:
    (tmp_path / "key").write_text("\n")
    assert resolver(tmp_path).state(parse_auth_ref("file:~/key")) is AuthState.EMPTY


def keyring_with(passwords: dict[tuple[str, str], str]) -> types.ModuleType:
    module = types.ModuleType("keyring")
    module.get_password = lambda service, user: passwords.get((service, user))  # type: ignore[attr-defined]
    return module


def test_keyring(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "keyring", keyring_with({("team/capdeck", "me"): "sk-ring"}))
    found = resolver(tmp_path)
    assert found.resolve(parse_auth_ref("keyring:team/capdeck/me")) == Secret("sk-ring")
    assert found.state(parse_auth_ref("keyring:team/capdeck/you")) is AuthState.ABSENT


def test_keyring_not_installed_says_how_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "keyring", None)
    assert "pip install" in resolver(tmp_path).cause(parse_auth_ref("keyring:a/b"))


def test_a_keyring_error_does_not_show_its_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def locked(service: str, user: str) -> str:
        raise RuntimeError("canary")

    module = types.ModuleType("keyring")
    module.get_password = locked  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "keyring", module)
    assert "canary" not in resolver(tmp_path).cause(parse_auth_ref("keyring:a/b"))


@pytest.mark.parametrize(
    ("text", "state", "offline"),
    [
        ("none", AuthState.NOT_CHECKED, False),
        ("", AuthState.EMPTY, True),
        ("mock_x", AuthState.PRESENT, True),
        ("sk-literal-in-file", AuthState.ABSENT, False),
    ],
)
def test_refs_without_a_place(tmp_path: Path, text: str, state: AuthState, offline: bool) -> None:
    ref = parse_auth_ref(text)
    assert (resolver(tmp_path).state(ref), resolver(tmp_path).is_offline(ref)) == (state, offline)
