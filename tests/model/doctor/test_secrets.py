"""No key of a file or of its surroundings in anything that the doctor says."""

from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path

import pytest

from adapters.secrets import CredentialResolver
from model.doctor import Report, examine
from model.doctor.formats import github, junit, places_of, sarif
from model.doctor.secrets import keys_in, names_a_key, secrets_in
from model.files import FileSpec
from model.snapshot import Surroundings
from model.vocabulary import Layer
from model.workbench import Workbench
from tests.model.doctor.cases import TODAY, bench, codes, report

CANARY = "sk-ant-api03-CANARYcanary0123456789abcdef"
WORD = "hunter2CANARYword"

LEAKY = f"""\
# export OLD={CANARY}1
{CANARY}2: {{}}
providers:
  - provider_id: literal
    provider_kind: anthropic
    auth_ref: {CANARY}3
    api_key: {WORD}4
    auth: {{token: "{WORD}5", note: fine}}
    models: [{{model_id: claude-opus-4-7, quality_tier: {CANARY}6, notes: "{CANARY}7"}}]
  - provider_id: url
    provider_kind: openai_compatible
    base_url: https://user{WORD}8:pass{WORD}9@gateway.example.com/v1?key={WORD}a
    auth_ref: env:{CANARY}b
    models: [{{model_id: {CANARY}c, context_window_tokens: {CANARY}d}}]
  - provider_id: "{CANARY}e/x"
    provider_kind: {CANARY}f
  - provider_id: path
    provider_kind: openai_compatible
    base_url: https://gateway.example.com/{CANARY}g/
    auth_ref: opensesame{WORD}h
    models: [{{model_id: m, supports: {{tool_use: "{CANARY}i"}}}}]
requirements:
  {CANARY}j: {{exclude_models: ["{CANARY}k"], tools: ["{CANARY}l"]}}
tools: [{{name: "{CANARY}m"}}, {{name: t}}]
fallbacks: [{{task: "{CANARY}n", chain: ["{CANARY}o", "literal/{CANARY}p"]}}]
policy: {{code_changing: ["{CANARY}q"], ignore: [{{code: "{CANARY}r"}}]}}
"""


def everything(found: Report, workbench: Workbench, root: Path) -> str:
    """All that a person or a program could get to see."""
    places = places_of(workbench.snapshot)
    told = [getattr(each, field.name) for each in found.findings for field in fields(each) if field.name != "spot"]
    return "\n".join(
        [
            repr(told),
            repr(found.not_checked),
            github(found, places, root),
            junit(found, places, root),
            sarif(found, places, root, "1"),
        ]
    )


def test_a_file_full_of_keys_is_reported_without_one_of_them(tmp_path: Path) -> None:
    workbench = bench(tmp_path / "models.yaml", LEAKY)
    found = report(workbench)
    text = everything(found, workbench, tmp_path)
    assert CANARY not in text
    assert WORD not in text
    assert {"auth-literal-secret", "auth-secret-in-file", "endpoint-userinfo"} <= set(codes(found))


def test_every_key_of_the_file_is_known_to_what_hides_diffs(tmp_path: Path) -> None:
    workbench = bench(tmp_path / "models.yaml", LEAKY)
    hidden = workbench.files[0].doc.text if workbench.files[0].doc else ""
    for secret in sorted(secrets_in(workbench.files[0]), key=len, reverse=True):
        hidden = hidden.replace(secret, "")
    assert CANARY not in hidden
    assert WORD not in hidden


def test_keys_of_the_surroundings_are_looked_for_and_not_told(tmp_path: Path) -> None:
    key_file = tmp_path / "key"
    key_file.write_text(CANARY, encoding="utf-8")
    path = tmp_path / "models.yaml"
    path.write_text(
        "providers:\n"
        "  - {provider_id: a, provider_kind: anthropic, auth_ref: env:A, models: [{model_id: claude-opus-4-7}]}\n"
        "  - provider_id: b\n    provider_kind: openai\n    models: [{model_id: gpt-5.5}]\n"
        f"    auth_ref: 'file:{key_file}'\n",
        encoding="utf-8",
    )
    credentials = CredentialResolver({"A": CANARY}, home=tmp_path)
    workbench = Workbench([FileSpec(path, Layer.GLOBAL)], Surroundings(credentials))
    found = examine(workbench.snapshot, today=TODAY)
    assert not {"auth-env-unset", "auth-absent", "auth-empty"} & set(codes(found))
    assert CANARY not in everything(found, workbench, tmp_path) + json.dumps(repr(found))


@pytest.mark.parametrize(
    "text",
    [
        f"x {CANARY} y",
        f"key={CANARY}",
        "AKIAIOSFODNN7EXAMPLE",
        "ghp_0123456789abcdefghijABCDEFGHIJ012345",
        "AIzaSyA-0123456789abcdefghijklmnopqrstu",
        "Bearer eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.e30.x",
    ],
)
def test_keys_are_known_by_their_look(text: str) -> None:
    assert len(keys_in(text)) == 1


@pytest.mark.parametrize(
    "text",
    [
        "task-risk-desk-ask-this-over-again",
        "xai-grok-4-fast-reasoning",
        "sk-short",
        "hf_tiny",
        "env:SK_LIVE",
        "claude-opus-4-7-20260416",
        "desk-0123456789abcdef0123456789",
    ],
)
def test_what_only_resembles_a_key_is_none(text: str) -> None:
    assert keys_in(text) == ()


@pytest.mark.parametrize(
    ("name", "is_one"),
    [
        ("api_key", True),
        ("OPENAI_API_KEY", True),
        ("auth-token", True),
        ("password", True),
        ("max_tokens", False),
        ("tokenizer_family", False),
        ("region", False),
        ("monkey", False),
    ],
)
def test_names_that_call_something_a_key(name: str, is_one: bool) -> None:
    assert names_a_key(name) is is_one


def test_a_reference_under_another_tools_name_is_no_key(tmp_path: Path) -> None:
    text = "providers: [{provider_id: a, provider_kind: anthropic, api_key: $ANTHROPIC_API_KEY, models: []}]\n"
    assert "auth-secret-in-file" not in codes(report(bench(tmp_path / "models.yaml", text)))
