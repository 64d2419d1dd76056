"""Whether any plugin is installed at all, told without loading what plugins need.

Importing pluggy and importlib.metadata takes longer than most commands; nearly everybody has no plugin.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from functools import cache

GROUP = "capdeck"
"""The entry-point group of plugins."""
_SECTION = f"[{GROUP}]".encode()


@cache
def some_installed() -> bool:
    """A plain look into the metadata of what is installed."""
    return any_in(sys.path)


def any_in(folders: Iterable[str]) -> bool:
    return any(_SECTION in text for folder in folders for text in _entry_points(folder or "."))


def _entry_points(folder: str) -> Iterator[bytes]:
    try:
        found = [entry.path for entry in os.scandir(folder) if entry.name.endswith((".dist-info", ".egg-info"))]
    except OSError:
        return
    for path in found:
        try:
            with open(os.path.join(path, "entry_points.txt"), "rb") as file:
                yield file.read()
        except OSError:
            continue
