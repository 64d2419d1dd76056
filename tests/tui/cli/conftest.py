"""A user with a home, a global models.yaml and a project, and a way to call capdeck there."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tui.cli.main import main

SAMPLE = """\
# mine
providers:
  - provider_id: anthropic-main
    provider_kind: anthropic
    auth_ref: env:CAPDECK_TEST_KEY
    models:
      - model_id: claude-opus-4-7
        quality_tier: frontier
        cost_tier: high
        default_use: {execute: true}
        notes: [kept for hard work]
      - model_id: claude-haiku-4-5   # quick
        quality_tier: cheap
        cost_tier: low
  - provider_id: local
    provider_kind: ollama
    models:
      - model_id: house:30b
        quality_tier: strong
        cost_tier: free
        context_window_tokens: 131072
        supports:
          tool_use: true
          json_mode: false
"""


@dataclass(frozen=True)
class Answer:
    """What one call printed, and its exit code."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@dataclass(frozen=True)
class Desk:
    """A user's home with a global file in it; `run` calls capdeck in the home."""

    home: Path

    @property
    def file(self) -> Path:
        return self.home / ".air" / "models.yaml"

    def write(self, text: str | bytes, name: str = ".air/models.yaml") -> Path:
        path = self.home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def run(self, *words: str | Path, input: str | None = None) -> Answer:
        result = CliRunner().invoke(main, [str(word) for word in words], input=input, prog_name="capdeck")
        return Answer(result.exit_code, result.stdout, result.stderr)


@pytest.fixture
def bare_desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """A home without any models.yaml."""
    for name in ("CAPDECK_GLOBAL", "NO_COLOR", "CAPDECK_TEST_KEY", "XDG_STATE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    return Desk(tmp_path)


@pytest.fixture
def desk(bare_desk: Desk) -> Desk:
    bare_desk.write(SAMPLE)
    return bare_desk


Run = Callable[..., Answer]


@pytest.fixture
def run(desk: Desk) -> Run:
    return desk.run
