"""What docs/ci.md and .pre-commit-hooks.yaml tell people to run does run."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.tui.cli.conftest import SAMPLE, Desk, bare_desk

__all__ = ["bare_desk"]

ROOT = Path(__file__).parents[2]
DOCS = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
HOOKS: list[dict[str, Any]] = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
BLOCKS = re.findall(r"```yaml\n(.*?)```", DOCS, re.DOTALL)
COMMANDS = sorted(set(re.findall(r"^(?:\s*(?:- )?run: )?(capdeck [a-z].*)$", DOCS, re.MULTILINE)))


@pytest.fixture
def project(bare_desk: Desk, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """A checkout with a project's file, without a global one; its endpoint is one that nobody listens on."""
    text = SAMPLE.replace("provider_kind: anthropic\n", "provider_kind: anthropic\n    base_url: http://127.0.0.1:9\n")
    bare_desk.write(text, "work/.air/shared/models.yaml")
    bare_desk.write(text, "work/config/models.yaml")
    monkeypatch.chdir(bare_desk.home / "work")
    return bare_desk


def words_of(command: str) -> list[str]:
    """Without what the shell does with the answer."""
    return shlex.split(re.split(r" [>|]", command)[0])[1:]


def test_there_are_commands() -> None:
    assert {words_of(command)[0] for command in COMMANDS} == {"doctor", "select", "trust"}


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_of_the_docs_runs(project: Desk, command: str) -> None:
    answer = project.run(*words_of(command))
    assert answer.code in {0, 1}, answer.err


def test_the_docs_yaml_can_be_read_and_names_hooks_that_exist() -> None:
    blocks = [yaml.safe_load(block) for block in BLOCKS]
    named = {hook["id"] for block in blocks for repo in block.get("repos", ()) for hook in repo["hooks"]}
    assert named == {hook["id"] for hook in HOOKS}


@pytest.mark.parametrize("hook", HOOKS, ids=lambda hook: hook["id"])
def test_a_hook_has_what_pre_commit_wants_and_its_entry_runs(project: Desk, hook: dict[str, Any]) -> None:
    assert {"id", "name", "entry", "language"} <= set(hook)
    assert hook["pass_filenames"] is False
    path = "config/models.yaml" if hook["id"].endswith("-file") else ".air/shared/models.yaml"
    assert re.search(hook["files"], path)
    more = [path] if hook["id"].endswith("-file") else []
    answer = project.run(*shlex.split(hook["entry"])[1:], *more)
    assert answer.code in {0, 1}, answer.err
    assert "auth-env-unset" not in answer.out


def test_a_hook_fails_on_a_broken_file(project: Desk) -> None:
    project.write("providers: [{provider_id: a, provider_kind: martian}]\n", "work/.air/shared/models.yaml")
    assert project.run(*shlex.split(HOOKS[0]["entry"])[1:]).code == 1
