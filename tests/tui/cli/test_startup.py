"""What a command loads, in a fresh interpreter: the road from the shell to the answer stays short."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.tui.cli.conftest import Desk

_PROBE = """
import json, sys
from tui.cli.main import main
try:
    main(sys.argv[1:], prog_name="capdeck")
except SystemExit as end:
    print(json.dumps({"code": end.code, "modules": sorted(sys.modules)}), file=sys.stderr)
"""


def loaded(desk: Desk, *words: str) -> tuple[int, set[str]]:
    done = subprocess.run(
        [sys.executable, "-c", _PROBE, *words], capture_output=True, text=True, timeout=60, check=True
    )
    answer = json.loads(done.stderr.splitlines()[-1])
    return answer["code"], set(answer["modules"])


@pytest.mark.parametrize(
    "words",
    [
        ("matrix",),
        ("matrix", "--task", "execute", "--provenance"),
        ("select", "execute"),
        ("explain", "local/house:30b"),
        ("explain", "local/house:30b", "tool_use"),
        ("doctor", "--ignore", "role"),
        ("tools",),
    ],
    ids=" ".join,
)
def test_text_commands_load_nothing_heavy(desk: Desk, words: tuple[str, ...]) -> None:
    code, modules = loaded(desk, *words)
    assert code == 0
    assert not {"textual", "rich", "pydantic", "httpx", "ruamel", "ruamel.yaml", "sqlite3", "asyncio"} & modules


@pytest.mark.parametrize("words", [("--version",), ("--help",)], ids=" ".join)
def test_version_and_help_load_no_model(desk: Desk, words: tuple[str, ...]) -> None:
    code, modules = loaded(desk, *words)
    assert code == 0
    assert not {"model.workbench", "model.resolve", "yaml"} & modules
