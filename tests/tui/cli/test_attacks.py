"""What once broke the command line: streams that are closed or full, a user whom the system does not know."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from model.document.state import rescue_path, state_folder
from model.model_ref import ModelRef
from model.targets import change_field
from model.workbench import Workbench
from tests.tui.cli.conftest import SAMPLE, Desk

ROOT = Path(__file__).parents[3]
FULL = Path("/dev/full")


def _run(desk: Desk, redirection: str, *words: str) -> tuple[int, str]:
    command = f'exec "$0" -m tui.cli.main "$@" {redirection}'
    environ = {**os.environ, "PYTHONPATH": str(ROOT), "HOME": str(desk.home)}
    done = subprocess.run(
        ["sh", "-c", command, sys.executable, "--global", str(desk.file), *words],
        env=environ, capture_output=True, text=True, cwd=desk.home, check=False,
    )  # fmt: skip
    return done.returncode, done.stderr


@pytest.mark.skipif(os.name != "posix", reason="descriptors are closed by a POSIX shell")
@pytest.mark.parametrize(("word", "code"), [("matrix", 0), ("nonsense", 2)])
def test_a_closed_standard_output_is_no_mistake_of_ours(desk: Desk, word: str, code: int) -> None:
    assert _run(desk, ">&-", word)[0] == code
    assert "Traceback" not in _run(desk, ">&-", word)[1]


@pytest.mark.skipif(not FULL.exists(), reason="this system has no /dev/full")
def test_a_full_standard_output_is_told_in_one_line(desk: Desk) -> None:
    code, said = _run(desk, "> /dev/full", "matrix", "--json")
    assert (code, said.strip().splitlines()[1:]) == (2, [])
    assert said.startswith("error[io] ")
    assert _run(desk, "> /dev/full 2> /dev/full", "matrix", "--json")[0] == 2


def test_a_user_without_a_home_is_told_to_name_one(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", homeless)
    answer = desk.run("matrix", desk.file)
    assert answer.code == 2
    assert answer.err == "error[io] nothing says where your home folder is\n  set HOME\n"


class _App:
    """Changes a model, and ends as a test wants it."""

    return_code: int | None = None

    def __init__(self, bench: Workbench, **_: object) -> None:
        self.bench = bench

    def run(self) -> None:
        ref = ModelRef("local", "house:30b")
        self.bench.apply(change_field(self.bench.snapshot, [ref], "supports.json_mode", True))
        self.end()

    def end(self) -> None:
        """By the user's will."""
        self.return_code = 0


class _Failing(_App):
    def end(self) -> None:
        """Textual prints the traceback and comes back."""


class _Killed(_App):
    def end(self) -> None:
        os.kill(os.getpid(), signal.SIGTERM)


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize(("app", "code"), [(_Failing, 2), (_Killed, 128 + signal.SIGTERM)])
def test_unsaved_edits_outlive_the_app(desk: Desk, app: type[_App], code: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tui.app.CapdeckApp", app)
    monkeypatch.setattr("tui.cli.open.demand_terminal", lambda instead: None)
    answer = desk.run(desk.file)
    kept = rescue_path(desk.file)
    assert answer.code == code
    assert f"{desk.file} with its unsaved edits is in {kept}" in answer.err
    assert kept.read_text() == SAMPLE.replace("json_mode: false", "json_mode: true")
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert desk.file.read_text() == SAMPLE


def test_what_an_earlier_run_left_is_not_written_over(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = rescue_path(desk.file)
    kept.parent.mkdir(parents=True)
    kept.write_text("earlier: 1\n")
    monkeypatch.setattr("tui.app.CapdeckApp", _Failing)
    monkeypatch.setattr("tui.cli.open.demand_terminal", lambda instead: None)
    for number in (1, 2):
        answer = desk.run(desk.file)
        older = kept.with_suffix(f".older-{number}.yaml")
        assert f"what was kept of an earlier run is in {older}" in answer.err
        assert "json_mode: true" in kept.read_text()
    assert kept.with_suffix(".older-1.yaml").read_text() == "earlier: 1\n"
    assert "json_mode: true" in older.read_text()


def test_edits_that_the_user_drops_are_not_kept(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tui.app.CapdeckApp", _App)
    monkeypatch.setattr("tui.cli.open.demand_terminal", lambda instead: None)
    assert desk.run(desk.file).code == 0
    assert not (state_folder() / "rescued").exists()
