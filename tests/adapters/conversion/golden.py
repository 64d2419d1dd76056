"""One golden case: a canonical request, the keys of the wire body that matter, and all that the report says."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from adapters.conversion import Target
from model.conversion import Caution, Omission


@dataclass(frozen=True, kw_only=True)
class Golden:
    """`sent` holds expected keys of the body (absent ones as None); `lost` and `warned` are the whole report."""

    name: str
    on: Target
    given: dict[str, Any]
    sent: dict[str, Any] = field(default_factory=dict)
    lost: tuple[Omission, ...] = ()
    warned: tuple[Caution, ...] = ()
