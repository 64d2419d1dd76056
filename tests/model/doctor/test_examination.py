"""The whole doctor: quiet on good files, quick after an edit."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from model.capability_set import CapabilitySet
from model.config.rows import Flags
from model.document import Set
from model.files import FileSpec
from model.findings import Severity
from model.model_ref import ModelRef
from model.resolve import Observed
from model.snapshot import Surroundings
from model.vocabulary import Capability, Layer
from model.workbench import Change, Workbench
from tests.model.doctor.cases import SEED, TODAY, bench, codes, examine, places, report, surroundings


def test_the_seeds_example_has_only_a_role_that_ranking_fills(tmp_path: Path) -> None:
    workbench = bench(tmp_path / "models.yaml", SEED)
    found = report(workbench)
    assert places(workbench, found) == ["1:1 role-no-default"]
    assert found.findings[0].severity is Severity.INFO
    assert (found.errors, found.warnings, found.infos) == (0, 0, 1)


def test_an_unset_variable_is_a_warning_with_the_roles_that_need_it(tmp_path: Path) -> None:
    workbench = bench(tmp_path / "models.yaml", SEED, environment={})
    found = report(workbench)
    assert places(workbench, found) == ["1:1 role-no-default", "5:15 auth-env-unset"]
    assert "main, architecture, execute, review, debug, compact" in found.findings[1].evidence


def test_after_an_edit_only_what_changed_is_looked_at_again(tmp_path: Path) -> None:
    workbench = bench(tmp_path / "models.yaml", SEED)
    before = report(workbench)
    path = ("providers", 0, "models", 0, "quality_tier")
    workbench.apply(Change("tier", {workbench.files[0].name: (Set(path, "cheap"),)}))
    after = examine(workbench.snapshot, before, today=TODAY)
    assert after == report(workbench)
    assert codes(after) == ["role-no-default", "role-default-fails"]
    sonnet = id(workbench.snapshot.matrix.rows[1])
    assert after.kept.by_object[sonnet] is before.kept.by_object[sonnet]


TWELVE = """\
providers:
  - provider_id: main
    provider_kind: anthropic
    base_url: https://api.anthropic.com/
    auth_ref: env:UNSET_HERE
    models:
      - model_id: claude-opus-4-7
        quality_tier: stronk
        supports: {tool_use: "true", thinknig: true}
        default_use: {main: true, architecture: true, execute: true, review: true, debug: true}
      - model_id: claude-opus-4-7
        quality_tier: strong
  - provider_id: gateway
    provider_kind: openai_compatible
    base_url: https://gateway.example.com/v1/v1
    auth_ref: sk-ant-api03-CANARYcanary0123456789
    models:
      - model_id: house
        quality_tier: strong
        context_window_tokens: 8192
        max_output_tokens: 64000
        supports: {tool_use: true, streaming: true}
        limits: {requests_per_minute: -5}
        default_use: {main: true, compact: true, mine_experience: true}
requirements:
  execute: {min_quality_tier: cheap}
"""


def test_a_file_with_many_faults_names_each_at_its_place(tmp_path: Path) -> None:
    workbench = bench(tmp_path / "models.yaml", TWELVE)
    assert places(workbench, report(workbench)) == [
        "4:15 endpoint-trailing-slash",
        "5:15 auth-env-unset",
        "8:23 config-wrong-value",
        "9:30 config-quoted-boolean",
        "9:38 config-unknown-key",
        "10:29 role-several-defaults",
        "11:19 model-duplicate",
        "15:15 endpoint-doubled-version",
        "16:15 auth-literal-secret",
        "21:28 limit-output-over-window",
        "22:19 capability-not-stated",
        "23:39 config-out-of-range",
        "24:44 role-default-fails",
        "26:31 role-floor-lowered",
    ]


def test_what_was_checked_and_what_was_not(tmp_path: Path) -> None:
    found = report(bench(tmp_path / "models.yaml", SEED))
    assert found.checked == 1 + 1 + 2 + 9
    assert found.not_checked == ("anthropic-main: whether the endpoint answers, takes the key and lists the models",)
    blind = examine(Workbench([FileSpec(tmp_path / "models.yaml", Layer.GLOBAL)]).snapshot, today=TODAY)
    assert blind.not_checked[0] == "keys: nobody looked whether they are there"


def test_new_surroundings_are_looked_at_anew(tmp_path: Path) -> None:
    workbench = bench(tmp_path / "models.yaml", SEED)
    before = report(workbench)
    workbench.surround(surroundings({}))
    assert "auth-env-unset" in codes(examine(workbench.snapshot, before, today=TODAY))


def test_another_day_is_looked_at_anew(tmp_path: Path) -> None:
    workbench = bench(tmp_path / "models.yaml", SEED)
    later = examine(workbench.snapshot, report(workbench), today=date(2099, 1, 1))
    assert "catalog-stale" in codes(later)
    assert "checked" in later.findings[0].message + later.findings[1].message


def test_usable_now_does_not_change_what_models_can_do(tmp_path: Path) -> None:
    path = tmp_path / "models.yaml"
    path.write_text(SEED, encoding="utf-8")
    credentials = surroundings({}).credentials
    usable = Workbench([FileSpec(path, Layer.GLOBAL)], Surroundings(credentials, usable=True))
    assert codes(examine(usable.snapshot, today=TODAY)) == ["role-no-default", "auth-env-unset"]


class Seen:
    """An endpoint that runs sonnet with a small window and without tools."""

    def of(self, ref: ModelRef) -> Observed | None:
        if ref.model_id != "claude-sonnet-4-6":
            return None
        flags = Flags(no=CapabilitySet.of((Capability.TOOL_USE,)))
        return Observed(flags, 4096, None, "http://127.0.0.1:11434", date(2026, 11, 1))


def test_what_an_endpoint_was_seen_to_do_is_held_against_the_file(tmp_path: Path) -> None:
    path = tmp_path / "models.yaml"
    text = SEED.replace("cost_tier: medium", "context_window_tokens: 200000\n        supports: {tool_use: true}")
    path.write_text(text, encoding="utf-8")
    around = Surroundings(surroundings().credentials, observations=Seen())
    workbench = Workbench([FileSpec(path, Layer.GLOBAL)], around)
    found = examine(workbench.snapshot, today=TODAY)
    assert places(workbench, found)[1:] == [
        "17:32 limit-window-over-observed",
        "18:30 capability-observed-otherwise",
    ]
    assert found.findings[2].evidence == "http://127.0.0.1:11434, 2026-11-01"


def test_an_untrusted_key_is_not_looked_for(tmp_path: Path) -> None:
    path = tmp_path / "models.yaml"
    path.write_text(SEED, encoding="utf-8")
    workbench = Workbench([FileSpec(path, Layer.FILE)], surroundings({}, frozenset({"anthropic-main"})))
    found = examine(workbench.snapshot, today=TODAY)
    assert codes(found) == ["role-no-default", "security-untrusted"]
    assert "not trusted" in found.not_checked[0]


@pytest.mark.parametrize("kind", ["anthropic", "openai", "openrouter"])
def test_a_missing_auth_ref_names_the_usual_variable(kind: str, tmp_path: Path) -> None:
    text = f"providers:\n  - provider_id: p\n    provider_kind: {kind}\n    models: [{{model_id: m}}]\n"
    found = report(bench(tmp_path / "models.yaml", text))
    (missing,) = [finding for finding in found.findings if finding.code == "auth-missing"]
    assert f"env:{kind.upper()}_API_KEY" in missing.help
    assert missing.severity is Severity.ERROR
