"""Who does which job across two files, and chains that go in circles under other names."""

from __future__ import annotations

from pathlib import Path

import pytest

from model.doctor import examine
from model.files import FileSpec
from model.findings import Finding, Severity
from model.vocabulary import Layer
from model.workbench import Change, Workbench
from tests.model.doctor.cases import SEED, TODAY, bench, codes, report, surroundings


def opened(folder: Path, project: str, own: str = SEED) -> Workbench:
    (folder / "project.yaml").write_text(project, encoding="utf-8")
    (folder / "global.yaml").write_text(own, encoding="utf-8")
    specs = [FileSpec(folder / "project.yaml", Layer.PROJECT), FileSpec(folder / "global.yaml", Layer.GLOBAL)]
    return Workbench(specs, surroundings())


def found_in(workbench: Workbench) -> list[Finding]:
    """Findings beside the role that the seed's example leaves to ranking."""
    found = examine(workbench.snapshot, today=TODAY)
    return [finding for finding in found.findings if finding.code != "role-no-default"]


def two_files(folder: Path, project: str, own: str = SEED) -> list[Finding]:
    return found_in(opened(folder, project, own))


def test_the_rival_that_the_project_names_is_meant_and_the_other_gives_way(
    tmp_path: Path,
) -> None:
    project = (
        "providers:\n  - provider_id: anthropic-main\n    models:\n"
        "      - {model_id: claude-opus-4-7, default_use: {main: true}}\n"
    )
    workbench = opened(tmp_path, project)
    (finding,) = found_in(workbench)
    assert finding.code == "role-several-defaults"
    assert finding.spot.file.endswith("project.yaml")
    assert "claude-sonnet-4-6 comes first now" in finding.help
    assert finding.fix is not None
    workbench.apply(Change(finding.fix.title, {finding.fix.file: finding.fix.edits}))
    assert [file.layer for file in workbench.changed_files] == [Layer.PROJECT]
    assert found_in(workbench) == []


def test_no_mend_where_the_rivals_that_have_to_go_stand_in_two_files(tmp_path: Path) -> None:
    project = (
        "providers:\n  - provider_id: anthropic-main\n    models:\n"
        "      - {model_id: claude-sonnet-4-6, default_use: {execute: true}}\n"
        "      - {model_id: claude-haiku-4-5, quality_tier: strong, default_use: {execute: true}}\n"
    )
    own = SEED.replace("debug: true", "execute: true")
    finding = next(each for each in two_files(tmp_path, project, own) if each.code == "role-several-defaults")
    assert finding.fix is None


def test_a_default_that_the_project_takes_back_is_none(tmp_path: Path) -> None:
    project = (
        "providers:\n  - provider_id: anthropic-main\n    models:\n"
        "      - {model_id: claude-opus-4-7, default_use: {main: true}}\n"
        "      - {model_id: claude-sonnet-4-6, default_use: {main: false}}\n"
    )
    assert two_files(tmp_path, project) == []


def test_a_tier_that_nobody_states_is_a_warning_a_low_one_an_error(tmp_path: Path) -> None:
    for tier, severity in (("", Severity.WARNING), ("        quality_tier: cheap\n", Severity.ERROR)):
        text = SEED.replace("        quality_tier: strong\n", tier)
        (finding,) = [e for e in report(bench(tmp_path / "m.yaml", text)).findings if e.code == "role-default-fails"]
        assert finding.severity is severity
        assert finding.message.startswith("anthropic-main/claude-sonnet-4-6 is the default for main, debug, compact")


def test_reasons_that_are_the_same_for_several_roles_are_told_once(tmp_path: Path) -> None:
    text = SEED.replace("quality_tier: strong", "quality_tier: cheap")
    (finding,) = [e for e in report(bench(tmp_path / "m.yaml", text)).findings if e.code == "role-default-fails"]
    assert finding.evidence == (
        "main, debug: quality_tier is cheap, the floor is strong; compact: quality_tier is cheap, the floor is standard"
    )


def test_a_role_that_nobody_can_do_is_told_once_by_its_default(tmp_path: Path) -> None:
    text = SEED.replace("frontier", "cheap").replace("strong", "cheap")
    found = codes(report(bench(tmp_path / "m.yaml", text)))
    assert found.count("role-default-fails") == 2
    assert found.count("role-nobody-passes") == 1  # mine_experience, which has no default


def test_roles_that_nobody_can_do_are_told_together(tmp_path: Path) -> None:
    text = "providers:\n  - {provider_id: p, provider_kind: anthropic, auth_ref: env:K, models: ["
    text += "{model_id: claude-haiku-4-5, quality_tier: standard}]}\n"
    text += "requirements:\n  debug: {min_context_window_tokens: 1000}\n"
    found = report(bench(tmp_path / "m.yaml", text)).findings
    blocked = [finding.message for finding in found if finding.code == "role-nobody-passes"]
    assert blocked == ["no model passes main, architecture, execute, review", "no model passes debug"]


def test_no_default_at_all_is_one_finding(tmp_path: Path) -> None:
    text = (
        "providers: [{provider_id: p, provider_kind: anthropic, auth_ref: env:K, models: [{model_id: claude-opus-4-7, "
    )
    text += "quality_tier: frontier}]}]\n"
    (finding,) = report(bench(tmp_path / "m.yaml", text)).findings
    assert (finding.code, finding.message) == ("role-no-default", "no model is the default for any role")


SAME = """\
providers:
  - provider_id: one
    provider_kind: anthropic
    auth_ref: env:K
    models: [{model_id: claude-opus-4-7, quality_tier: frontier, default_use: {main: true}}]
  - provider_id: two
    provider_kind: anthropic
    base_url: URL
    auth_ref: env:K
    models: [{model_id: claude-opus-4-7@default, quality_tier: frontier}]
fallbacks:
  - {model: one/claude-opus-4-7, chain: [two/claude-opus-4-7@default]}
"""


@pytest.mark.parametrize(
    ("url", "is_itself"), [("https://api.anthropic.com", True), ("https://proxy.example.com", False)]
)
def test_another_name_of_the_same_endpoint_is_no_fallback(url: str, is_itself: bool, tmp_path: Path) -> None:
    found = codes(report(bench(tmp_path / "m.yaml", SAME.replace("URL", url))))
    assert ("fallback-self" in found) is is_itself


def test_a_server_of_ones_own_is_quiet_in_the_global_file_only(tmp_path: Path) -> None:
    text = (
        "providers:\n  - provider_id: lan\n    provider_kind: openai_compatible\n    local: true\n"
        "    base_url: http://192.168.1.5:8080/v1\n"
        "    models: [{model_id: m, supports: {tool_use: true, image_input: false, streaming: true}}]\n"
    )
    own = {finding.family for finding in report(bench(tmp_path / "m.yaml", text)).findings}
    alone = codes(report(bench(tmp_path / "m.yaml", text, Layer.FILE)))
    assert own <= {"role"}
    assert "security-local-ignored" in alone
    assert not {"auth-missing", "endpoint-plain-http"} & set(alone)


CHAINED = """\
providers:
  - provider_id: one
    provider_kind: anthropic
    auth_ref: env:K
    models: [{model_id: claude-opus-4-7, quality_tier: frontier, aliases: [opus]}, {model_id: claude-opus-4-6, quality_tier: frontier}]
  - provider_id: two
    provider_kind: openai
    auth_ref: env:UNSET_HERE
    models: [{model_id: gpt-5.5, quality_tier: frontier}, {model_id: gpt-5.4, quality_tier: frontier}]
fallbacks:
  - {task: execute, chain: [CHAIN]}
"""  # noqa: E501  one line of YAML a provider


def chain_codes(folder: Path, chain: str, untrusted: frozenset[str] = frozenset()) -> list[str]:
    path = folder / "models.yaml"
    path.write_text(CHAINED.replace("CHAIN", chain), encoding="utf-8")
    found = report(Workbench([FileSpec(path, Layer.GLOBAL)], surroundings(untrusted=untrusted)))
    return [code for code in codes(found) if code.startswith("fallback-")]


def test_a_missing_key_is_told_once_a_chain(tmp_path: Path) -> None:
    assert chain_codes(tmp_path, "two/gpt-5.5, two/gpt-5.4") == ["fallback-no-key"]


def test_an_endpoint_that_is_not_trusted_is_told_once_a_chain(tmp_path: Path) -> None:
    assert chain_codes(tmp_path, "two/gpt-5.5, two/gpt-5.4", frozenset({"two"})) == ["fallback-untrusted"]


def test_a_name_on_a_chain_may_be_an_alias(tmp_path: Path) -> None:
    assert chain_codes(tmp_path, "one/opus") == []
    assert chain_codes(tmp_path, "one/claude-opus-4-7, one/opus") == ["fallback-duplicate"]


def test_a_model_s_chain_is_useless_only_if_it_is_so_for_all_of_its_roles(tmp_path: Path) -> None:
    """A review may fall to a lower tier; what changes code may not."""
    several = SEED + "fallbacks: [{model: anthropic-main/claude-opus-4-7, chain: [anthropic-main/claude-sonnet-4-6]}]\n"
    alone = several.replace("          architecture: true\n", "").replace("          review: true\n", "")
    allowed = alone + "policy: {allow_lower_tier_for: [execute]}\n"
    assert "fallback-dead-end" in codes(report(bench(tmp_path / "m.yaml", alone)))
    for text in (several, allowed):
        assert not [code for code in codes(report(bench(tmp_path / "m.yaml", text))) if code.startswith("fallback-")]
