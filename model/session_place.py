"""Where the session store lies; apart from the store itself, which brings SQLite with it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from model.vocabulary import Layer

FILE_NAME = "capdeck.db"


def store_path(files: Iterable[tuple[Path, Layer]], environ: Mapping[str, str] = os.environ) -> Path:
    """`<project>/.air/local/capdeck.db` where a project's file is open, else in the platform's state folder
    (CAPDECK_STATE names another folder)."""
    for path, layer in files:
        if layer is Layer.PROJECT and path.parent.name == "shared" and path.parent.parent.name == ".air":
            return path.parent.parent / "local" / FILE_NAME
    if environ.get("CAPDECK_STATE"):
        return Path(environ["CAPDECK_STATE"]) / FILE_NAME
    from platformdirs import user_state_path

    return user_state_path("capdeck", appauthor=False) / FILE_NAME
