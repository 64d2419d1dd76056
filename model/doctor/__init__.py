"""Is something wrong with the files, and how is it mended?

What it offers is loaded when it is asked for: who only needs `model.doctor.secrets` pays for no check.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from model.doctor.examination import examine, joined
    from model.doctor.ignoring import acceptance
    from model.doctor.report import Report

__all__ = ["Report", "acceptance", "examine", "joined"]

_HOMES = {"Report": "report", "acceptance": "ignoring", "examine": "examination", "joined": "examination"}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
