"""What once broke the command line: streams that are closed or full, a user whom the system does not know."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.tui.cli.conftest import Desk

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
