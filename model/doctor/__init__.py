"""Is something wrong with the files, and how is it mended?

`examine` and `Report` are loaded when they are asked for: who only needs `model.doctor.secrets` pays for no check.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from model.doctor.examination import examine
    from model.doctor.report import Report

__all__ = ["Report", "examine"]


def __getattr__(name: str) -> Any:
    from importlib import import_module

    homes = {"examine": "model.doctor.examination", "Report": "model.doctor.report"}
    if name not in homes:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(homes[name]), name)
