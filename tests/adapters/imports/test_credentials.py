"""Where a key lies, in every tool's spelling; a key itself is dropped unseen."""

from __future__ import annotations

import pytest

from adapters.imports.credentials import LITERAL, read_credential


@pytest.mark.parametrize(
    "text",
    [
        "os.environ/MY_KEY", "$MY_KEY", "${MY_KEY}", "{env:MY_KEY}", "${{ secrets.MY_KEY }}", "${{secrets.MY_KEY}}",
        "${{ env.MY_KEY }}", "${env:MY_KEY}", "$env:MY_KEY", "env:MY_KEY", 'os.environ["MY_KEY"]', "  $MY_KEY ",
    ],
)  # fmt: skip
def test_each_spelling_is_kept_as_a_reference(text: str) -> None:
    assert read_credential(text).auth_ref == "env:MY_KEY"


def test_a_default_behind_a_variable_is_left_out() -> None:
    found = read_credential("${MY_KEY:-sk-abcdefghijklmnopqrstuvwx}")
    assert found.auth_ref == "env:MY_KEY"
    assert found.why == "the default behind the variable is not carried"


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        ("sk-abcdefghijklmnopqrstuvwx", LITERAL),
        ("HPqPsUp9p1qxzTrrWM8M6YI2jKYN", LITERAL),
        ("$sk-abcdefghijklmnopqrstuvwx", "a reference inside other text"),
        ("Bearer $TOKEN", "a reference inside other text"),
        ("${A}${B}", "a reference inside other text"),
        ("$(pass show key)", "a command gives the key"),
        ("{{VAULT_KEY}}", "a template of the tool's own"),
        ("{file:./key}", "auth_ref takes an absolute path"),
        (12345, "a key must be text"),
        (["$A"], "a key must be text"),
    ],
)
def test_what_is_no_reference_is_not_carried(raw: object, why: str) -> None:
    found = read_credential(raw)
    assert found.auth_ref is None
    assert found.why.startswith(why)
    assert str(raw) not in found.why


@pytest.mark.parametrize("raw", [None, "", "  "])
def test_nothing_is_nothing(raw: object) -> None:
    assert read_credential(raw).auth_ref is None
    assert not read_credential(raw).why


def test_words_for_no_key_and_files() -> None:
    assert read_credential("NONE").auth_ref == "none"
    assert read_credential("lm-studio").auth_ref == "none"
    assert read_credential("{file:~/.keys/one}").auth_ref == "file:~/.keys/one"
