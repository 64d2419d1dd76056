"""`capdeck [PATH]` and `capdeck demo`: opening the app, or saying what prints the same thing."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from model.doctor import examine
from model.vocabulary import Layer
from model.workbench import Workbench
from tests.tui.cli.conftest import Desk
from tui.cli.demo import SAMPLE, demo_bench


@dataclass
class Opened:
    """What the app would have been given."""

    benches: list[Workbench] = field(default_factory=list)
    demo: bool = False

    @property
    def specs(self) -> list[tuple[str, Layer]]:
        return [(file.path.name, file.layer) for file in self.benches[-1].files]


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> Opened:
    """A terminal, and an app that only notes what it was given."""
    found = Opened()

    def run_app(bench: Workbench, *, demo: bool = False, holds_secret: object = None) -> None:
        found.benches.append(bench)
        found.demo = demo

    monkeypatch.setattr("tui.cli.open.demand_terminal", lambda instead: None)
    monkeypatch.setattr("tui.cli.open.run_app", run_app)
    return found


def test_no_words_open_the_global_and_the_project_file(desk: Desk, opened: Opened) -> None:
    desk.write("providers: []\n", ".air/shared/models.yaml")
    assert desk.run().code == 0
    assert opened.specs == [("models.yaml", Layer.PROJECT), ("models.yaml", Layer.GLOBAL)]


@pytest.mark.parametrize("words", [("other.yml",), ("./other.yml", "--no-project"), ("--no-color", "other.yml")])
def test_a_word_that_is_no_command_is_a_path(desk: Desk, opened: Opened, words: tuple[str, ...]) -> None:
    desk.write("providers: []\n", "other.yml")
    assert desk.run(*words).code == 0
    assert opened.specs == [("other.yml", Layer.FILE)]


def test_a_file_called_like_a_command(desk: Desk, opened: Opened) -> None:
    desk.write("providers: []\n", "matrix")
    assert "claude-opus-4-7" in desk.run("matrix").out
    desk.run("./matrix")
    assert opened.specs == [("matrix", Layer.FILE)]


def test_a_mistyped_command_is_noticed(desk: Desk, opened: Opened) -> None:
    answer = desk.run("matrx")
    assert answer.code == 2
    assert "did you mean the command 'matrix'?" in answer.err


def test_a_broken_file_is_the_app_s_to_show(desk: Desk, opened: Opened) -> None:
    desk.write("providers: [\n", "broken.yaml")
    assert desk.run("broken.yaml").code == 0
    assert not opened.benches[0].files[0].writable


def test_no_file_is_the_app_s_to_show(bare_desk: Desk, opened: Opened) -> None:
    assert bare_desk.run().code == 0
    assert opened.benches[0].files[0].missing


@pytest.mark.parametrize(
    ("words", "instead"), [((), "capdeck matrix prints"), (("demo",), f"capdeck matrix {SAMPLE} prints")]
)
def test_without_a_terminal_it_names_the_command_that_prints(desk: Desk, words: tuple[str, ...], instead: str) -> None:
    answer = desk.run(*words)
    assert answer.code == 2
    assert instead in answer.err


def test_a_dumb_terminal_is_told_apart(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "dumb")
    assert "TERM=dumb" in desk.run().err


def test_python_dash_m_without_a_terminal(desk: Desk) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tui.cli.main", "--no-project"], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 2
    assert done.stderr.startswith("error[no-terminal]")


def test_the_demo_is_a_copy_that_is_gone_afterwards(desk: Desk, opened: Opened) -> None:
    before = SAMPLE.read_bytes()
    assert desk.run("demo").code == 0
    assert opened.demo
    path = opened.benches[0].files[0].path
    assert path != SAMPLE
    assert not path.exists()
    assert SAMPLE.read_bytes() == before


def test_the_demo_has_the_main_job_in_it(tmp_path: Path) -> None:
    """A model fails execute for one clause; changing that cell mends the verdict and the doctor."""
    snapshot = demo_bench(tmp_path).snapshot
    assert 14 <= len(snapshot.matrix.rows) <= 20
    execute = snapshot.requirements["execute"]
    near = {
        str(row.ref): str(verdict.reasons[0])
        for row in snapshot.matrix.rows
        if (verdict := snapshot.verdict(row, execute)).near_miss
    }
    assert near["gateway/deepseek-v4-pro"] == "unknown:structured_output"
    codes = {finding.code for finding in examine(snapshot).findings}
    assert {"config-quoted-boolean", "limit-output-over-window", "role-no-default", "fallback-fails-task"} <= codes


def test_the_demo_s_keys_are_there_and_call_nobody(tmp_path: Path) -> None:
    snapshot = demo_bench(tmp_path).snapshot
    assert snapshot.given.no_auth == {"openrouter"}
