"""`policy.ignore`: by code, and by what the finding is about."""

from __future__ import annotations

from pathlib import Path

import pytest

from model.doctor import examine
from model.files import FileSpec
from model.vocabulary import Layer
from model.workbench import Workbench
from tests.model.doctor.cases import SEED, TODAY, bench, codes, report, surroundings

FAULTY = SEED.replace("env:ANTHROPIC_API_KEY", "env:UNSET").replace("quality_tier: strong", "quality_tier: cheap")
"""auth-env-unset of the provider, role-default-fails of sonnet, role-no-default of mine_experience."""


def ignoring(*entries: str) -> str:
    return FAULTY + "policy:\n  ignore:\n" + "".join(f"    - {{{entry}}}\n" for entry in entries)


def test_what_is_ignored_is_counted_and_not_shown(tmp_path: Path) -> None:
    found = report(bench(tmp_path / "models.yaml", ignoring("code: auth-env-unset, reason: set in CI only")))
    assert codes(found) == ["role-no-default", "role-default-fails"]
    assert [finding.code for finding in found.ignored] == ["auth-env-unset"]
    assert (found.errors, found.warnings, found.infos) == (1, 0, 1)


@pytest.mark.parametrize(
    ("code", "at"),
    [
        ("auth-env-unset", "anthropic-main"),
        ("role-default-fails", "anthropic-main"),
        ("role-default-fails", "anthropic-main/claude-sonnet-4-6"),
        ("role-default-fails", "providers[0].models[1].default_use"),
        ("role-no-default", "mine_experience"),
    ],
)
def test_at_names_provider_model_role_or_place(code: str, at: str, tmp_path: Path) -> None:
    found = report(bench(tmp_path / "models.yaml", ignoring(f"code: {code}, at: '{at}'")))
    assert [finding.code for finding in found.ignored] == [code]


@pytest.mark.parametrize("at", ["openai", "anthropic-main/claude-opus-4-7", "main"])
def test_an_entry_for_something_else_accepts_nothing_and_says_so(at: str, tmp_path: Path) -> None:
    found = report(bench(tmp_path / "models.yaml", ignoring(f"code: role-default-fails, at: {at}")))
    assert found.ignored == ()
    assert codes(found)[-1] == "config-ignore-unused"
    assert at in found.findings[-1].message


def test_a_task_is_named_by_its_requirement(tmp_path: Path) -> None:
    text = SEED.replace("compact: true", "compact: true\n          mine_experience: true")
    text += "requirements:\n  execute: {min_quality_tier: cheap}\n"
    text += "policy:\n  ignore: [{code: role-floor-lowered, at: execute}]\n"
    found = report(bench(tmp_path / "models.yaml", text))
    assert (codes(found), len(found.ignored)) == ([], 1)


def opened(folder: Path, project: str, own: str = SEED) -> Workbench:
    (folder / "project.yaml").write_text(project, encoding="utf-8")
    (folder / "global.yaml").write_text(own, encoding="utf-8")
    specs = [FileSpec(folder / "project.yaml", Layer.PROJECT), FileSpec(folder / "global.yaml", Layer.GLOBAL)]
    return Workbench(specs, surroundings())


def test_entries_of_both_files_count(tmp_path: Path) -> None:
    own = ignoring("code: auth-env-unset")
    workbench = opened(tmp_path, "policy: {ignore: [{code: role-no-default}, {code: role-default-fails}]}\n", own)
    found = examine(workbench.snapshot, today=TODAY)
    assert (codes(found), len(found.ignored)) == ([], 3)


def test_a_project_file_does_not_hide_what_it_does_to_its_reader(tmp_path: Path) -> None:
    project = "policy: {allow_proxy: true, ignore: [{code: security-policy-ignored}, {code: role-no-default}]}\n"
    found = examine(opened(tmp_path, project).snapshot, today=TODAY)
    assert codes(found) == ["security-policy-ignored", "config-ignore-unused"]
    assert [finding.code for finding in found.ignored] == ["role-no-default"]
