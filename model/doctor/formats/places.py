"""Where findings stand, as the outside world writes it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from model.findings import Finding, Spot
from model.quick_dataclass import dataclass
from model.snapshot import Snapshot

Places = Callable[[Spot], tuple[int, int]]
"""Line and column of a spot, 1-based."""


def places_of(snapshot: Snapshot) -> Places:
    """Asked of the documents, and so only for what is shown."""

    def place(spot: Spot) -> tuple[int, int]:
        return snapshot.file(spot.file).line_column(spot) or (1, 1)

    return place


@dataclass(frozen=True, slots=True)
class Located:
    """A finding with its place; `path` is below `root` where it can be, with `/` between its parts."""

    finding: Finding
    path: str
    line: int
    column: int

    @classmethod
    def of(cls, finding: Finding, places: Places, root: Path) -> Located:
        path = Path(finding.spot.file)
        return cls(finding, _below(path, root).as_posix(), *places(finding.spot))

    @property
    def text(self) -> str:
        """All that there is to say, in one line."""
        finding = self.finding
        parts = (finding.message, f"({finding.evidence})" if finding.evidence else "")
        told = " ".join(part for part in parts if part)
        return f"{told}. {finding.help}" if finding.help else told


def _below(path: Path, root: Path) -> Path:
    try:
        return path.absolute().relative_to(root.absolute())
    except ValueError:
        return path
