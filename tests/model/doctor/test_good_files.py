"""Well-formed files of different shapes: the doctor has nothing to say."""

from __future__ import annotations

from pathlib import Path

import pytest

from model.auth import AuthRef, AuthState
from model.doctor import Report, examine
from model.files import FileSpec
from model.snapshot import Surroundings
from model.vocabulary import Layer
from model.workbench import Workbench
from tests.model.doctor.cases import TODAY

FOLDER = Path(__file__).parent / "good"
FILES = sorted(FOLDER.glob("*.yaml"))


class Present:
    """Every key is there but the one of the file that says so."""

    def state(self, ref: AuthRef | None) -> AuthState:
        absent = ref is None or ref.target == "SET_IN_CI_ONLY"
        return AuthState.ABSENT if absent else AuthState.PRESENT

    def is_offline(self, ref: AuthRef | None) -> bool:
        return False

    def cause(self, ref: AuthRef | None) -> str:
        return ""


def found_in(*specs: FileSpec) -> Report:
    return examine(Workbench(specs, Surroundings(Present())).snapshot, today=TODAY)


def test_there_are_ten() -> None:
    assert len(FILES) == 10


@pytest.mark.parametrize("layer", [Layer.GLOBAL, Layer.FILE])
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_nothing_is_found(path: Path, layer: Layer) -> None:
    report = found_in(FileSpec(path, layer))
    assert [f"{finding.code} {finding.message} {finding.evidence}" for finding in report.findings] == []


def test_a_project_file_that_narrows_is_as_quiet(tmp_path: Path) -> None:
    project = tmp_path / "models.yaml"
    project.write_text(
        "providers:\n"
        "  - provider_id: anthropic-main\n"
        "    models:\n"
        "      - {model_id: claude-opus-4-7, supports: {computer_use: false}, default_use: {execute: false}}\n"
        "      - {model_id: claude-sonnet-4-6, default_use: {execute: true}}\n",
        encoding="utf-8",
    )
    report = found_in(FileSpec(project, Layer.PROJECT), FileSpec(FOLDER / "seed.yaml", Layer.GLOBAL))
    assert [finding.code for finding in report.findings] == ["capability-below-catalog"]
