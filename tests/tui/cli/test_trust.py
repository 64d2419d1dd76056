"""`capdeck trust` and `untrust`, and that what rests is not asked, not shown as usable, and not looked up."""

from __future__ import annotations

import shlex
import stat
from pathlib import Path

import pytest

from tests.tui.cli.conftest import Desk

PROJECT = """\
providers:
  - provider_id: gate
    provider_kind: openai_compatible
    base_url: https://gate.example/v1
    auth_ref: env:CAPDECK_TEST_KEY
    models: [{model_id: m, quality_tier: frontier, cost_tier: low, supports: {tool_use: true, structured_output: true}}]
  - provider_id: thief
    provider_kind: openai_compatible
    base_url: https://user:pw@evil.example/v1
    auth_ref: file:~/.ssh/id_rsa
    models: [{model_id: m}]
"""


@pytest.fixture
def project(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """The desk, in a project whose file brings endpoints; the key is there."""
    monkeypatch.setenv("CAPDECK_TEST_KEY", "sk-not-shown-0123456789")
    desk.write(PROJECT, "work/.air/shared/models.yaml")
    monkeypatch.chdir(desk.home / "work")
    return desk


def test_it_lists_what_would_be_contacted_and_asks(project: Desk) -> None:
    answer = project.run("trust", input="n\n")
    assert answer.code == 1
    assert "gate   https://gate.example/v1  env:CAPDECK_TEST_KEY" in answer.out
    assert "models.yaml:4:" in answer.out
    assert "cannot be trusted" in answer.out
    assert "pw@" not in answer.out + answer.err
    assert "contact this endpoint" in answer.err
    assert not (project.home / ".air" / "trust.yaml").exists()


def test_yes_is_kept_for_the_user_alone_and_the_next_call_needs_no_question(project: Desk) -> None:
    assert project.run("trust", "gate", input="y\n").code == 0
    file = project.home / ".air" / "trust.yaml"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    again = project.run("trust", "gate")
    assert (again.code, again.err) == (0, "")
    assert "trusted" in again.out


def test_nobody_to_ask(project: Desk) -> None:
    answer = project.run("trust", "gate")
    assert answer.code == 2
    assert "--yes agrees without asking" in answer.err
    assert not (project.home / ".air" / "trust.yaml").exists()


def test_json_lists_and_asks_nothing(project: Desk) -> None:
    answer = project.run("trust", "--json")
    assert answer.code == 1
    gate, thief = answer.json["trust"]
    assert (gate["provider_id"], gate["base_url"], gate["auth_ref"], gate["trusted"], gate["refused"]) == (
        "gate",
        "https://gate.example/v1",
        "env:CAPDECK_TEST_KEY",
        False,
        None,
    )
    assert (thief["base_url"], thief["trusted"]) == (None, False)
    assert thief["refused"]
    agreed = project.run("trust", "--json", "--yes").json["trust"]
    assert [each["trusted"] for each in agreed] == [True, False]


def test_the_users_own_providers_need_no_agreement(desk: Desk) -> None:
    answer = desk.run("trust")
    assert (answer.code, answer.out) == (0, "nothing to agree to: your own file chooses every endpoint and key\n")


def test_an_unknown_provider(project: Desk) -> None:
    answer = project.run("trust", "gat")
    assert answer.code == 2
    assert "did you mean 'gate'?" in answer.err


def test_what_changed_rests_again(project: Desk) -> None:
    project.run("trust", "gate", "--yes")
    project.write(PROJECT.replace("gate.example/v1", "gate.example/v2"), "work/.air/shared/models.yaml")
    assert project.run("trust", "gate", "--json").json["trust"][0]["trusted"] is False


def test_untrust_takes_it_back(project: Desk) -> None:
    project.run("trust", "gate", "--yes")
    assert "gate  no longer trusted" in project.run("untrust", "gate").out
    assert project.run("trust", "gate", "--json").json["trust"][0]["trusted"] is False
    missing = project.run("untrust", "gate")
    assert missing.code == 2
    assert "nothing was agreed to about 'gate'" in missing.err


def test_untrust_all(project: Desk) -> None:
    project.run("trust", "gate", "--yes")
    assert [each["provider_id"] for each in project.run("untrust", "--all", "--json").json["untrust"]] == ["gate"]
    assert project.run("untrust", "--all").out == "nothing was agreed to\n"
    assert project.run("untrust").code == 2


def test_a_broken_trust_file_is_not_written_over(project: Desk) -> None:
    project.write("trusted: [", ".air/trust.yaml")
    answer = project.run("trust", "--yes")
    assert answer.code == 2
    assert "trust.yaml cannot be read" in answer.err
    assert (project.home / ".air" / "trust.yaml").read_text() == "trusted: ["


def test_usable_means_trusted_too(project: Desk) -> None:
    def reasons() -> dict[str, list[str]]:
        found = project.run("select", "execute", "--usable", "--json").json
        return {each["ref"]: [reason["code"] for reason in each["reasons"]] for each in found["failing"]}

    assert "untrusted" in reasons()["gate/m"]
    project.run("trust", "gate", "--yes")
    assert "untrusted" not in reasons().get("gate/m", [])


def test_what_rests_is_not_looked_up(project: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def look_up(self: object, ref: object) -> None:
        asked.append(str(ref))
        raise AssertionError(ref)

    monkeypatch.setattr("adapters.secrets.CredentialResolver.look_up", look_up)
    (project.home / ".air" / "models.yaml").unlink()
    for words in (("matrix",), ("doctor",), ("select", "execute"), ("select", "execute", "--usable"), ("trust",)):
        project.run(*words, "--no-global")
    assert asked == []
    assert "key not checked  not trusted" in project.run("matrix", "--no-global").out


def test_a_bare_path_rests_too_unless_it_is_the_users_own_file(project: Desk, tmp_path: Path) -> None:
    bare = project.write(PROJECT, "elsewhere.yaml")
    assert "not trusted" in project.run("matrix", bare).out
    own = project.home / ".air" / "models.yaml"
    own.write_text(PROJECT)
    assert "not trusted" not in project.run("matrix", own).out


def test_what_the_doctor_advises_for_a_file_opened_alone_helps(desk: Desk) -> None:
    bare = desk.write(PROJECT, "else where.yaml")
    found = desk.run("doctor", bare, "--select", "security-untrusted", "--json").json["findings"]
    advice = shlex.split(found[0]["help"])
    assert advice[:2] == ["capdeck", "trust"]
    assert desk.run(*advice[1:], "--yes").code == 0
    left = desk.run("doctor", bare, "--select", "security-untrusted", "--json").json["findings"]
    assert [each["path"] for each in left] == ["providers[1].base_url"]
