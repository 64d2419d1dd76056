"""`policy.ignore`: findings that the user has seen and accepts (DOMAIN.md §3)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from model.config.rows import IgnoreRow
from model.config.values import nearest
from model.doctor.case import Case
from model.findings import Family, Finding, Fix, Severity, Spot, breadcrumb
from model.vocabulary import Layer


@dataclass(frozen=True, slots=True)
class _Entry:
    """One entry and the file that it stands in. All files' entries count: each accepts, none takes back."""

    row: IgnoreRow
    file: str
    layer: Layer

    def accepts(self, case: Case, finding: Finding) -> bool:
        if finding.code != self.row.code or not self._may(finding):
            return False
        return self.row.at is None or self.row.at in subjects(case, finding)

    def _may(self, finding: Finding) -> bool:
        """A cloned project does not decide what its reader is warned of."""
        return self.layer is not Layer.PROJECT or finding.family is not Family.SECURITY


def subjects(case: Case, finding: Finding) -> set[str]:
    """What `at` may name: the provider, the model, the role or task, or the place."""
    found = {finding.about, breadcrumb(finding.spot.path)} - {""}
    path = finding.spot.path
    if path[:1] == ("providers",) and len(path) > 1 and isinstance(path[1], int):
        provider = case.snapshot.file(finding.spot.file).config.providers[path[1]]
        found.add(str(provider.provider_id))
        if len(path) > 3 and path[2] == "models" and isinstance(path[3], int):
            found.add(f"{provider.provider_id}/{provider.models[path[3]].model_id}")
    elif path[:1] == ("requirements",) and len(path) > 1:
        found.add(str(path[1]))
    return found


def sort_out(case: Case, findings: Iterable[Finding]) -> tuple[list[Finding], list[Finding]]:
    """The findings that stay, with one for each entry that accepts nothing; and those that are accepted."""
    entries = [
        _Entry(row, file.name, file.layer) for file in case.snapshot.files for row in file.config.policy.ignore or ()
    ]
    if not entries:
        return list(findings), []
    used: set[int] = set()
    shown: list[Finding] = []
    ignored: list[Finding] = []
    for finding in findings:
        accepting = [number for number, entry in enumerate(entries) if entry.accepts(case, finding)]
        used.update(accepting)
        (ignored if accepting else shown).append(finding)
    shown += [_unused(entry) for number, entry in enumerate(entries) if number not in used and entry.row.code]
    return shown, ignored


def _unused(entry: _Entry) -> Finding:
    from model.doctor.codes import CODES
    from model.document import Set

    code = str(entry.row.code)
    place = Spot(entry.file, (*entry.row.path, "code"))
    if code in CODES:
        at = f" at {entry.row.at}" if entry.row.at else ""
        message = f"this entry ignores {code}{at}, which is not found"
        return Finding("config-ignore-unused", Severity.INFO, place, message, "take it out if it is mended")
    near = nearest(code, CODES, 0.8)
    fix = Fix(f"write {near}", entry.file, (Set(place.path, near),)) if near else None
    help = f"did you mean {near!r}?" if near else "capdeck explain CODE knows the codes"
    message = f"{code!r} is no code of the doctor's"
    return Finding("config-unknown-code", Severity.WARNING, place, message, help, fix=fix)
