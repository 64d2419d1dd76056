"""The user's settings of the app itself: keys, theme, columns. Read once, at the start."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import field
from pathlib import Path

from model.quick_dataclass import dataclass
from tui.commands import OWN, Keys


@dataclass(frozen=True, slots=True)
class Problem:
    """A part of the settings that is passed over, and why. Line and column count from 1. Not safe to show yet."""

    code: str
    message: str
    help: str = ""
    line: int | None = None
    column: int | None = None


@dataclass(frozen=True, slots=True)
class Settings:
    """What the file states and can be had. `columns` are names of groups; None leaves the app's own."""

    file: Path | None = None
    keys: Keys = field(default_factory=lambda: OWN)
    theme: str | None = None
    columns: tuple[str, ...] | None = None
    problems: tuple[Problem, ...] = ()


NO_SETTINGS = Settings()
MOST_BYTES = 32 * 1024
"""Of the file: many times what all keys with a remark on each take."""


def settings_path(environ: Mapping[str, str] = os.environ) -> Path:
    """`CAPDECK_SETTINGS`, else settings.yaml in the platform's config folder; an empty variable counts as unset."""
    if environ.get("CAPDECK_SETTINGS"):
        return Path(environ["CAPDECK_SETTINGS"])
    from platformdirs import user_config_path

    return user_config_path("capdeck", appauthor=False) / "settings.yaml"


def read_settings(path: Path) -> Settings:
    """Never raises: what cannot be had is among the problems. No file means that all is as it comes."""
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except (FileNotFoundError, NotADirectoryError):
        return NO_SETTINGS
    except OSError as error:
        return Settings(path, problems=(Problem("settings-unreadable", error.strerror or str(error)),))
    if len(data) > MOST_BYTES:
        return Settings(path, problems=(Problem("settings-unreadable", f"it has more than {MOST_BYTES:,} bytes"),))
    from tui.settings_file import parse

    return parse(data, path)
