"""The whole doctor: quiet on good files, quick after an edit."""

from __future__ import annotations

from pathlib import Path

from model.document import Set
from model.findings import Severity
from model.workbench import Change
from tests.model.doctor.cases import SEED, TODAY, bench, codes, examine, places, report


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
