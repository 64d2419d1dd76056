"""`policy.ignore`: by code, and by what the finding is about."""

from __future__ import annotations

from pathlib import Path

import pytest

from model.doctor import acceptance, examine, joined
from model.files import FileSpec
from model.findings import Family, Finding, Severity, Spot
from model.vocabulary import Layer
from model.workbench import Change, Workbench
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


def accept(workbench: Workbench, code: str) -> None:
    (finding,) = [each for each in report(workbench).findings if each.code == code]
    fix = acceptance(workbench.snapshot, finding, "seen")
    assert fix is not None
    workbench.apply(Change(fix.title, {fix.file: fix.edits}))


def test_accepting_a_finding_writes_an_entry_for_its_narrowest_subject(tmp_path: Path) -> None:
    workbench = bench(tmp_path / "models.yaml", FAULTY)
    for code in ("auth-env-unset", "role-default-fails", "role-no-default"):
        accept(workbench, code)
    found = report(workbench)
    assert (codes(found), len(found.ignored)) == ([], 3)
    assert workbench.files[0].doc is not None
    assert workbench.files[0].doc.text.startswith(FAULTY)
    assert [(row.code, row.at, row.reason) for row in workbench.files[0].config.policy.ignore or ()] == [
        ("auth-env-unset", "anthropic-main", "seen"),
        ("role-default-fails", "anthropic-main/claude-sonnet-4-6", "seen"),
        ("role-no-default", "mine_experience", "seen"),
    ]


def test_what_stands_in_the_place_of_the_list_is_not_replaced(tmp_path: Path) -> None:
    workbench = bench(tmp_path / "models.yaml", FAULTY + "policy:\n  ignore: {code: role-no-default}\n")
    (finding,) = [each for each in report(workbench).findings if each.code == "role-default-fails"]
    assert acceptance(workbench.snapshot, finding, "seen") is None


def test_what_a_project_does_is_accepted_in_the_global_file_only(tmp_path: Path) -> None:
    workbench = opened(tmp_path, "policy: {allow_proxy: true}\n")
    accept(workbench, "security-policy-ignored")
    assert [file.layer for file in workbench.changed_files] == [Layer.GLOBAL]
    assert codes(report(workbench)) == ["role-no-default"]


def test_findings_from_elsewhere_join_under_the_same_entries_and_order(tmp_path: Path) -> None:
    text = ignoring(
        "code: auth-env-unset", "code: role-default-fails, at: nobody", "code: plugin-own, at: anthropic-main"
    )
    workbench = bench(tmp_path / "models.yaml", text)
    before = report(workbench)
    assert codes(before).count("config-unknown-code") == 1
    name = workbench.files[0].name
    more = [
        Finding("plugin-own", Severity.ERROR, Spot(name, ("providers", 0)), "own"),
        Finding("plugin-other", Severity.ERROR, Spot(name, ("providers", 0, "auth_ref")), "other"),
        Finding("plugin-astray", Severity.ERROR, Spot(name, ("providers", 7, "models", 9)), "astray"),
        Finding("plugin-elsewhere", Severity.ERROR, Spot("other.yaml"), "elsewhere"),
    ]
    found = joined(workbench.snapshot, before, more)
    assert codes(found) == [
        "role-no-default",
        "plugin-other",
        "role-default-fails",
        "plugin-astray",
        "config-ignore-unused",
    ]
    assert {finding.code for finding in found.ignored} == {"auth-env-unset", "plugin-own"}
    assert joined(workbench.snapshot, before, []) == before
    assert {finding.family for finding in more} == {Family.PLUGIN}
