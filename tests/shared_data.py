"""Where the shared real-world data lies: tests that need it skip, with the reason, where it is missing."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

_ROOT = Path(__file__).parents[1]


def shared_root() -> Path:
    return Path(os.environ.get("CAPDECK_SHARED") or _ROOT.parent / "shared")


def shared_path(name: str) -> Path:
    """The file or folder `name` below the shared folder; skips the test if it is not there."""
    path = shared_root() / name
    if not path.exists():
        pytest.skip(f"shared data not found: {path} (set CAPDECK_SHARED)")
    return path
