"""The last door of a report: what stands in a file as a key leaves through no finding."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from model.doctor.secrets import secrets_in
from model.files import OpenFile
from model.findings import Finding, Spot
from model.quick_dataclass import dataclass

SHOWN = "«secret»"


@dataclass(frozen=True, slots=True, repr=False)
class Hiding:
    """The keys of the open files, the longest first, since one may hold another."""

    secrets: tuple[str, ...]
    files: tuple[OpenFile, ...]

    @classmethod
    def of(cls, files: tuple[OpenFile, ...]) -> Hiding:
        found = frozenset[str]().union(*(secrets_in(file) for file in files))
        return cls(tuple(sorted(found, key=len, reverse=True)), files)

    def all(self, findings: Iterable[Finding]) -> Iterable[Finding]:
        return (self._finding(finding) for finding in findings) if self.secrets else findings

    def text(self, text: str) -> str:
        """Also for diffs, whose lines may hold keys beside what they change."""
        for secret in self.secrets:
            text = text.replace(secret, SHOWN)
        return text

    def _finding(self, finding: Finding) -> Finding:
        """A mend whose description holds a key goes too."""
        help, title = self.text(finding.help), finding.fix.title if finding.fix else ""
        return replace(
            finding,
            spot=self._spot(finding.spot),
            message=self.text(finding.message),
            help=help,
            evidence=self.text(finding.evidence),
            fix=finding.fix if (self.text(title), help) == (title, finding.help) else None,
            about=self.text(finding.about),
        )

    def _spot(self, spot: Spot) -> Spot:
        """A key that is a key of a mapping is cut off from the path; the place stays."""
        depth = next((depth for depth, step in enumerate(spot.path) if self.text(str(step)) != str(step)), None)
        if depth is None:
            return spot
        file = next(file for file in self.files if file.name == spot.file)
        return Spot(spot.file, spot.path[:depth], at=file.line_column(spot))
