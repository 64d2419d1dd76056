"""What a code means, for people who meet it."""

from __future__ import annotations

from model.findings import Severity
from model.quick_dataclass import dataclass

__all__ = ["Explanation", "Severity"]


@dataclass(frozen=True, slots=True)
class Explanation:
    """`severity` is the usual one; the doctor may speak more softly where less is at stake. `example` is a piece of a
    file with the fault, or empty where a file alone does not show it."""

    code: str
    severity: Severity
    title: str
    why: str
    mend: str
    example: str
    online: bool = False
    """Whether only a contacted endpoint can show it."""
