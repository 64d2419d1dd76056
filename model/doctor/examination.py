"""The offline doctor: everything that can be told from the files, the catalog and the surroundings alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from datetime import date
from typing import TypeVar

from model.config.merge import Provider
from model.doctor.case import Case
from model.doctor.checks import (
    auth,
    capabilities,
    endpoint,
    fallbacks,
    files,
    limits,
    models,
    names,
    retirement,
    rivals,
    roles,
    security,
)
from model.doctor.hiding import Hiding
from model.doctor.ignoring import OF_ENTRIES, sort_out
from model.doctor.order import in_order
from model.doctor.report import Kept, Report
from model.files import OpenFile, file_findings
from model.findings import Finding
from model.resolve import ResolvedModel
from model.snapshot import Snapshot

T = TypeVar("T")
Check = Callable[[Case, T], Iterator[Finding]]

OF_FILE: tuple[Check[OpenFile], ...] = (files.of_file, models.of_file, security.of_file)
OF_PROVIDER: tuple[Check[Provider], ...] = (
    auth.of_provider,
    endpoint.of_provider,
    models.of_provider,
    security.of_provider,
)
OF_GROUP: tuple[Check[models.Group], ...] = (models.of_group,)
OF_MODEL: tuple[Check[ResolvedModel], ...] = (
    capabilities.of_model,
    limits.of_model,
    retirement.of_model,
    roles.of_model,
)
OF_ALL: tuple[Callable[[Case], Iterator[Finding]], ...] = (
    models.of_all,
    roles.of_all,
    rivals.of_all,
    fallbacks.of_all,
    names.of_all,
)


def examine(snapshot: Snapshot, previous: Report | None = None, *, today: date | None = None) -> Report:
    """Contacts nobody. With the report of the snapshot before an edit, only what changed is looked at again; whether
    keys are there is asked again under new surroundings only. Speaks of what models can do, not of what is usable."""
    if snapshot.given.usable:
        snapshot = replace(snapshot, given=replace(snapshot.given, usable=False))
    config_findings = [finding for file in snapshot.files for finding in file.config.all_findings()]
    whole = [finding for file in snapshot.files for finding in file_findings(file)]
    case = Case.of(snapshot, today or date.today(), [*config_findings, *whole])
    round = _Round(case, previous.kept if previous else Kept())
    found = [*whole, *round.findings()]
    found += _not_told_twice(config_findings, found)
    shown, ignored = _settled(snapshot, found)
    return Report(shown, _checked(snapshot), tuple(_not_checked(snapshot)), ignored, round.kept)


def joined(snapshot: Snapshot, report: Report, more: Iterable[Finding]) -> Report:
    """The report with findings from elsewhere (an endpoint, a plugin), under the same ignore entries and order; those
    about a file that is not open are left out."""
    names = {file.name for file in snapshot.files}
    own = [finding for finding in report.findings if finding.code not in OF_ENTRIES]
    shown, ignored = _settled(snapshot, [*own, *report.ignored, *(each for each in more if each.spot.file in names)])
    return replace(report, findings=shown, ignored=ignored)


def _settled(snapshot: Snapshot, found: Iterable[Finding]) -> tuple[tuple[Finding, ...], tuple[Finding, ...]]:
    """What is shown and what is ignored, without secrets and in order."""
    hiding = Hiding.of(snapshot.files)
    shown, ignored = (in_order(snapshot, hiding.all(part)) for part in sort_out(snapshot, found))
    return tuple(shown), tuple(ignored)


class _Round:
    """One pass over all objects; what was found for an object that is still the same is taken from the last."""

    def __init__(self, case: Case, last: Kept) -> None:
        self.case = case
        self._surroundings, self._world = case.snapshot.surroundings, _world(case)
        same = last.surroundings is self._surroundings and last.world == self._world
        self._known = last.by_object if same else {}
        self._now: dict[int, tuple[object, tuple[Finding, ...]]] = {}

    @property
    def kept(self) -> Kept:
        return Kept(self._surroundings, self._world, self._now)

    def findings(self) -> list[Finding]:
        snapshot = self.case.snapshot
        found: list[Finding] = []
        for file in snapshot.files:
            found += self._of(file.doc, file, OF_FILE)
        for group in snapshot.config.groups:
            found += self._of(group[0], group[0], OF_PROVIDER)
            found += self._of(group, group, OF_GROUP)
        for row in snapshot.matrix.rows:
            found += self._of(row, row, OF_MODEL)
        for check in OF_ALL:
            found += check(self.case)
        return found

    def _of(self, key: object, subject: T, checks: Iterable[Check[T]]) -> tuple[Finding, ...]:
        known = self._known.get(id(key))
        if known is None or known[0] is not key:
            known = key, tuple(finding for check in checks for finding in check(self.case, subject))
        self._now[id(key)] = known
        return known[1]


def _world(case: Case) -> tuple[object, ...]:
    config = case.config
    return case.today, config.policy, config.requirements, config.fallbacks, config.tools


def _not_told_twice(config_findings: list[Finding], found: list[Finding]) -> list[Finding]:
    """A key that stands under an unknown name is told as a key."""
    taken = {(finding.spot.file, finding.spot.path) for finding in found if finding.code == "auth-secret-in-file"}
    return [each for each in config_findings if (each.spot.file, each.spot.path) not in taken]


def _checked(snapshot: Snapshot) -> int:
    config = snapshot.config
    readable = sum(file.doc is not None for file in snapshot.files)
    tasks = len(snapshot.requirements)
    return readable + len(config.groups) + len(snapshot.matrix.rows) + tasks + len(config.fallbacks)


def _not_checked(snapshot: Snapshot) -> Iterator[str]:
    surroundings = snapshot.surroundings
    if surroundings.credentials is None:
        yield "keys: nobody looked whether they are there"
    for provider in snapshot.config.providers:
        if not provider.enabled:
            yield f"{provider.provider_id}: switched off"
        elif provider.provider_id in snapshot.given.untrusted:
            yield f"{provider.provider_id}: not trusted, so neither its key nor its endpoint"
        else:
            yield f"{provider.provider_id}: whether the endpoint answers, takes the key and lists the models"
