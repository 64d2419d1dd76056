"""What every test stands on: no file, key or setting of the machine that runs it, and no environment in a report."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from tests.examples import register_profiles

register_profiles()

_OF_THE_USER = (
    "CAPDECK_GLOBAL",
    "CAPDECK_TRUST",
    "NO_COLOR",
    "TEXTUAL_THEME",
    "TEXTUAL_DRIVER",
    "FORCE_COLOR",
    "ANTHROPIC_API_KEY",
    "OPENAI_API_KEY",
    "OPENROUTER_API_KEY",
)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One more than there are cores: a test of the app waits for its screen half of the time."""
    return (os.cpu_count() or 1) + 1


def pytest_configure(config: pytest.Config) -> None:
    """The snapshot plugin's failure report would hold the whole environment, keys included."""
    plugin = sys.modules.get("pytest_textual_snapshot")
    if plugin is None or hasattr(plugin, "_capdeck"):
        return
    write = plugin.save_svg_diffs

    def write_without_environment(diffs, session, passing):  # type: ignore[no-untyped-def]
        for diff in diffs:
            diff.environment = {}
        write(diffs, session, passing)

    plugin.save_svg_diffs = write_without_environment
    plugin._capdeck = True


@pytest.fixture(scope="session")
def _worlds(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder a test. Pytest's own numbering looks through all earlier folders for each new one."""
    base = tmp_path_factory.mktemp("worlds")
    return (base / str(number) for number in count())


@pytest.fixture(autouse=True)
def _own_world(_worlds: Iterator[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    folder = next(_worlds)
    for name in _OF_THE_USER:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("CAPDECK_GLOBAL", str(folder / "no-such-models.yaml"))
    monkeypatch.setenv("CAPDECK_SETTINGS", str(folder / "no-such-settings.yaml"))
    monkeypatch.setenv("CAPDECK_STATE", str(folder / "state"))
    monkeypatch.setenv("HOME", str(folder / "home"))
    (folder / "home").mkdir(parents=True)
