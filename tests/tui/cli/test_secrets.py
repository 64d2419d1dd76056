"""A canary in every place where a key can be: no command, format or error prints it, not even a piece."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.tui.cli.conftest import Answer, Desk

ENV, FILE, LITERAL, STRAY, URL = (
    f"sk-canary-{name}-7f3a9c51e2b84d06" for name in ("env", "file", "ref", "stray", "url")
)
CANARIES = (ENV, FILE, LITERAL, STRAY, URL)


def _config(home: Path) -> str:
    return f"""\
providers:
  - provider_id: by-env
    provider_kind: anthropic
    auth_ref: env:CAPDECK_TEST_KEY
    models: [{{model_id: claude-opus-4-7, quality_tier: frontier, notes: ["{ENV}"]}}]
  - provider_id: by-file
    provider_kind: openai
    auth_ref: file:{home}/key
    models: [{{model_id: gpt-5.1, display_name: "{FILE}"}}]
  - provider_id: literal
    provider_kind: openai
    auth_ref: {LITERAL}
    models: [{{model_id: gpt-5.2}}]
  - provider_id: stray
    provider_kind: openai_compatible
    base_url: https://user:{URL}@gateway.example/v1?key={URL}
    api_key: {STRAY}
    models:
      - model_id: house   # {STRAY}
        quality_tier: "{STRAY}"
        context_window_tokens: {LITERAL}
"""


@pytest.fixture
def canary_desk(bare_desk: Desk, monkeypatch: pytest.MonkeyPatch) -> Desk:
    monkeypatch.setenv("CAPDECK_TEST_KEY", ENV)
    (bare_desk.home / "key").write_text(FILE)
    bare_desk.write(_config(bare_desk.home))
    return bare_desk


FORMATS = ("text", "json", "csv", "md", "html")
DIFF = ("set", "stray/house", "cost_tier", "low", "--diff")
COMMANDS = [
    *(("matrix", "--provenance", "--task", "execute", "--format", each) for each in FORMATS),
    ("doctor",), ("doctor", "--json"), ("doctor", "--fix", "--yes"),
    ("select", "execute"), ("select", "execute", "--json"), ("select", "execute", "--usable"),
    ("explain", "by-env/claude-opus-4-7"), ("explain", "stray/house", "quality_tier"),
    ("explain", "by-file/gpt-5.1", "display_name", "--json"),
    DIFF, (*DIFF, "--json"),
    ("set", "stray", "auth_ref", "env:X", "--diff"), ("set", "literal", "auth_ref", "env:X"),
    ("set", "literal", "auth_ref", "env:X", "--json"), ("set", "literal", "provider_kind", LITERAL),
    ("set", "stray/house", "quality_tier", STRAY), ("unset", "literal", "auth_ref"),
    ("unset", "by-env/claude-opus-4-7", "notes"), ("remove", "literal"), ("remove", "stray", "--json"),
    ("set", "by-env", "base_url", f"https://user:{URL}@h.example"),
    ("set", "by-env", "base_url", f"https://user:{URL}@h.example", "--diff", "--json"),
    ("set", "by-env", "auth_ref", ENV, STRAY), ("select", LITERAL), ("explain", f"{STRAY}/x"), ("matrix", STRAY),
    ("rename", "literal", "other", "--diff"), ("add", "literal/gpt-5.2-pro", "--diff"), ("tools",), ("tools", "--json"),
]  # fmt: skip


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_no_output_holds_a_canary(canary_desk: Desk, words: tuple[str, ...]) -> None:
    answer = canary_desk.run(*words)
    assert answer.out + answer.err
    _holds_no_canary(answer)
    if "json" in " ".join(words):
        json.loads(answer.out)


def _holds_no_canary(answer: Answer) -> None:
    shown = answer.out + answer.err
    for canary in CANARIES:
        assert canary not in shown
        assert canary[-12:] not in shown


def test_the_canaries_would_be_shown_without_the_redactor(canary_desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("adapters.redaction.Redactor.add", lambda self, secret: None)
    shown = (
        canary_desk.run("matrix", "--json").out + canary_desk.run("set", "literal", "auth_ref", "env:X", "--diff").out
    )
    assert ENV in shown
    assert LITERAL in shown


def test_a_mistake_of_ours_shows_no_traceback_and_no_secret(canary_desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError(f"about {ENV}")

    monkeypatch.setattr("tui.cli.matrix_text.print_matrix", fail)
    answer = canary_desk.run("matrix")
    assert answer.code == 2
    assert answer.err.startswith("error[internal] RuntimeError: about «secret»")
    _holds_no_canary(answer)
