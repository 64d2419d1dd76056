"""What an examination found, and what it kept so that the next one needs to look only at what changed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from model.findings import Finding, Severity
from model.quick_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Kept:
    """Findings by the very object that they follow from; they also depend on the surroundings and on the `world`, the
    parts of the config that bear on all models."""

    surroundings: object = None
    world: object = None
    by_object: Mapping[int, tuple[object, tuple[Finding, ...]]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Report:
    """Findings in the order of files, places and severity.

    `checked` counts the things that were looked at: files, providers, models, tasks and chains. `not_checked` names
    what no offline look can tell. `ignored` are findings that a `policy.ignore` entry accepts.
    """

    findings: tuple[Finding, ...] = ()
    checked: int = 0
    not_checked: tuple[str, ...] = ()
    ignored: tuple[Finding, ...] = ()
    kept: Kept = field(default=Kept(), compare=False, repr=False)

    @property
    def errors(self) -> int:
        return self._count(Severity.ERROR)

    @property
    def warnings(self) -> int:
        return self._count(Severity.WARNING)

    @property
    def infos(self) -> int:
        return self._count(Severity.INFO)

    def _count(self, severity: Severity) -> int:
        return sum(finding.severity is severity for finding in self.findings)

    @property
    def safe_fixes(self) -> tuple[Finding, ...]:
        """The findings whose mend changes no decision of the user's."""
        return tuple(finding for finding in self.findings if finding.fix and finding.fix.safe)
