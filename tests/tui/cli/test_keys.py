"""`capdeck keys`: the ids that settings.yaml may rebind, and what is wrong with that file."""

from __future__ import annotations

import os
from pathlib import Path

from tests.tui.cli.conftest import Desk
from tests.tui.cli.test_startup import loaded


def _write(text: str) -> Path:
    path = Path(os.environ["CAPDECK_SETTINGS"])
    path.write_text(text, encoding="utf-8")
    return path


def test_the_ids_and_keys(desk: Desk) -> None:
    answer = desk.run("keys")
    assert answer.code == 0
    assert "(there is none)" in answer.out
    assert any(line.split()[:3] == ["undo", "u", "^z"] for line in answer.out.splitlines())
    assert any(line.split()[:3] == ["grid.down", "down", "j"] for line in answer.out.splitlines())


def test_what_the_settings_say(desk: Desk) -> None:
    path = _write("keys:\n  undo: f9\n  peke: f8\n")
    answer = desk.run("keys")
    assert answer.code == 1
    assert f"{path}:3:3: warning[settings-unknown] there is no command 'peke'" in answer.out
    shape = desk.run("keys", "--json").json
    row = next(row for row in shape["keys"] if row["id"] == "undo")
    assert (row["keys"], row["default"], row["where"]) == (["f9"], ["u", "ctrl+z"], "everywhere")
    assert shape["settings"]["problems"][0]["line"] == 3


def test_hostile_settings_are_shown_and_not_obeyed(desk: Desk) -> None:
    _write('keys: {"\\e]0;x\\a": "\\e[31m"}\n"\\e[2J": 1\n')
    answer = desk.run("keys")
    assert answer.code == 1
    assert "\x1b" not in answer.out + answer.err


def test_they_load_no_screen(desk: Desk) -> None:
    _write("keys: {undo: f9}\ncolumns: [tasks]\n")
    code, modules = loaded(desk, "keys")
    assert code == 0
    assert not {"textual", "rich", "pydantic", "httpx", "asyncio", "model.workbench"} & modules
