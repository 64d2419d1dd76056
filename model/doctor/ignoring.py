"""`policy.ignore`: findings that the user has seen and accepts (DOMAIN.md §3)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from model.config.rows import IgnoreRow
from model.config.values import nearest
from model.findings import Family, Finding, Fix, Severity, Spot, breadcrumb
from model.quick_dataclass import dataclass
from model.snapshot import Snapshot
from model.vocabulary import Layer


@dataclass(frozen=True, slots=True)
class _Entry:
    """One entry and the file that it stands in. All files' entries count: each accepts, none takes back."""

    row: IgnoreRow
    file: str
    layer: Layer

    def accepts(self, snapshot: Snapshot, finding: Finding) -> bool:
        if finding.code != self.row.code or not _may_accept(self.layer, finding):
            return False
        return self.row.at is None or self.row.at in subjects(snapshot, finding)


def _may_accept(layer: Layer, finding: Finding) -> bool:
    """A cloned project does not decide what its reader is warned of."""
    return layer is not Layer.PROJECT or not finding.code.startswith(f"{Family.SECURITY}-")


def subjects(snapshot: Snapshot, finding: Finding) -> list[str]:
    """What `at` may name, the narrowest first: role or task, model, provider, place."""
    path = finding.spot.path
    names = [finding.about, *_owners(snapshot, finding), breadcrumb(path)]
    if path[:1] == ("requirements",) and len(path) > 1:
        names.insert(1, str(path[1]))
    return [name for name in names if name]


def _owners(snapshot: Snapshot, finding: Finding) -> Iterator[str]:
    """The model and the provider inside whose entries the finding stands."""
    config = snapshot.file(finding.spot.file).config
    match finding.spot.path:
        case ("providers", int(number), "models", int(index), *_) if number < len(config.providers):
            provider = config.providers[number]
            if index < len(provider.models):
                yield f"{provider.provider_id}/{provider.models[index].model_id}"
            yield str(provider.provider_id)
        case ("providers", int(number), *_) if number < len(config.providers):
            yield str(config.providers[number].provider_id)


def sort_out(snapshot: Snapshot, findings: Iterable[Finding]) -> tuple[list[Finding], list[Finding]]:
    """The findings that stay, with one for each entry that accepts nothing; and those that are accepted."""
    entries = [_Entry(row, file.name, file.layer) for file in snapshot.files for row in file.config.policy.ignore or ()]
    if not entries:
        return list(findings), []
    used: set[int] = set()
    shown: list[Finding] = []
    ignored: list[Finding] = []
    for finding in findings:
        accepting = [number for number, entry in enumerate(entries) if entry.accepts(snapshot, finding)]
        used.update(accepting)
        (ignored if accepting else shown).append(finding)
    unused = (entry for number, entry in enumerate(entries) if number not in used and entry.row.code)
    return shown + [finding for entry in unused for finding in _unused(entry)], ignored


OF_ENTRIES = frozenset({"config-ignore-unused", "config-unknown-code"})
"""What `sort_out` says of the entries themselves."""


def _unused(entry: _Entry) -> Iterator[Finding]:
    """Of a code that only an endpoint can show, nothing is said: it may not have been contacted."""
    from model.doctor.codes import CODES

    code = str(entry.row.code)
    place = Spot(entry.file, (*entry.row.path, "code"))
    if code not in CODES:
        yield _unknown(code, place, nearest(code, CODES, 0.8))
    elif not CODES[code].online:
        at = f" at {entry.row.at}" if entry.row.at else ""
        message = f"this entry ignores {code}{at}, which is not found"
        yield Finding("config-ignore-unused", Severity.INFO, place, message, "take it out if it is mended")


def _unknown(code: str, place: Spot, near: str | None) -> Finding:
    from model.document import Set

    fix = Fix(f"write {near}", place.file, (Set(place.path, near),)) if near else None
    help = f"did you mean {near!r}?" if near else "capdeck explain CODE knows the codes"
    message = f"{code!r} is no code of the doctor's"
    return Finding("config-unknown-code", Severity.WARNING, place, message, help, fix=fix)


def acceptance(snapshot: Snapshot, finding: Finding, reason: str) -> Fix | None:
    """The edit that ignores a finding from now on, for its narrowest subject, in the finding's own file; one about
    security in the user's global file. None if that file cannot be written, or has something else than a list there."""
    name = finding.spot.file
    files = [file for file in snapshot.files if file.name == name and _may_accept(file.layer, finding)]
    files += [file for file in snapshot.files if file.layer is Layer.GLOBAL]
    file = next((file for file in files if file.writable), None)
    if file is None:
        return None
    from model.config.fields import TOP
    from model.editing import CannotEdit, append

    at = next(iter(subjects(snapshot, finding)), "")
    entry = {"code": finding.code, **({"at": at} if at else {}), **({"reason": reason} if reason else {})}
    try:
        edit = append(file.config, ("policy", "ignore"), entry, tuple(TOP))
    except CannotEdit:
        return None
    return Fix(f"ignore {finding.code}{f' at {at}' if at else ''}", file.name, (edit,))
