"""Several models that are the default for one role."""

from __future__ import annotations

from collections.abc import Iterator

from model.bitmap import Mask
from model.doctor.case import Case, listed
from model.doctor.checks.roles import default_spot
from model.editing import set_field
from model.findings import Finding, Fix, Severity, Spot
from model.requirements import Requirement
from model.resolve import ResolvedModel
from model.vocabulary import Role


def of_all(case: Case) -> Iterator[Finding]:
    bitmap = case.snapshot.bitmap
    for role in Role:
        mask = bitmap.default_for(role) & bitmap.enabled()
        if mask & (mask - 1):
            yield _rivals(case, role, mask)


def _rivals(case: Case, role: Role, mask: Mask) -> Finding:
    """The one that the nearest file names is meant; else the one that ranking puts first."""
    first = _first(case, case.snapshot.requirements[role.value], mask)
    meant = _of_nearest_file(case, role, mask)
    keeper = meant or first
    others = [row for row in case.rows(mask) if row is not keeper]
    place = default_spot(meant or others[0], [role])
    names = listed([row.ref for row in others])
    both = "both" if len(others) == 1 else "all"
    message = f"{names} and {keeper.ref} are {both} the default for {role.value}"
    help = f"ranking decides: {first.ref} comes first now; leave the default at one model"
    fix = _overrule(case, role, keeper, others) if meant else _leave_to(role, keeper, others, place)
    return Finding("role-several-defaults", Severity.WARNING, place, message, help, fix=fix, about=role.value)


def _first(case: Case, requirement: Requirement, mask: Mask) -> ResolvedModel:
    passing = case.snapshot.passing[requirement.task].any & mask
    best = case.snapshot.first[requirement.task]
    first = 1 << best if best is not None and passing >> best & 1 else passing or mask
    return next(case.rows(first))


def _of_nearest_file(case: Case, role: Role, mask: Mask) -> ResolvedModel | None:
    """The only rival that the nearest of several files names, while the others stand elsewhere."""
    if len(case.snapshot.files) < 2:
        return None
    nearest = case.snapshot.files[0].name
    named = [row for row in case.rows(mask) if nearest in _naming(row, role)]
    return named[0] if len(named) == 1 else None


def _naming(row: ResolvedModel, role: Role) -> list[str]:
    """The files that make the model the default."""
    return [each.file for each in row.model.layers if each.row.default_use.get(role)]


def _overrule(case: Case, role: Role, keeper: ResolvedModel, others: list[ResolvedModel]) -> Fix | None:
    """The nearest file takes the default back from the one other that has it."""
    file = case.snapshot.files[0]
    if len(others) > 1:
        return None
    edits = set_field(file.config, others[0].ref, f"default_use.{role.value}", False)
    return Fix(f"leave {role.value} to {keeper.ref}", file.name, edits)


def _leave_to(role: Role, keeper: ResolvedModel, others: list[ResolvedModel], place: Spot) -> Fix | None:
    """Only where one file holds all that has to go."""
    from model.document import Delete

    edits = []
    for row in others:
        if _naming(row, role) != [place.file]:
            return None
        path = next(each.row.path for each in row.model.layers if each.file == place.file)
        edits.append(Delete((*path, "default_use", role.value)))
    return Fix(f"leave {role.value} to {keeper.ref}", place.file, tuple(edits))
