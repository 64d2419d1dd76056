"""Which tools survive on which wire and model (DOMAIN.md §8; seed 001, ADR-005)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from model.bitmap import Bitmap, Mask
    from model.resolve import ResolvedModel


@dataclass(frozen=True, slots=True)
class Toolbox:
    """The known tools. A tool without metadata is compatible with everything."""

    def mask(self, bitmap: Bitmap, name: str) -> Mask:
        """The rows on which the tool `name` is kept."""
        return bitmap.all

    def rejects(self, row: ResolvedModel, name: str) -> str | None:
        """Why the tool is removed for this model; None if it is kept."""
        return None


NO_TOOLS = Toolbox()
