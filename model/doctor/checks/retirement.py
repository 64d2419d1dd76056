"""Models that their vendor will stop, or has stopped, answering for."""

from __future__ import annotations

from collections.abc import Iterator

from model.catalog import Match, MatchedAs
from model.doctor.case import Case, listed, spot
from model.doctor.mends import rename_everywhere
from model.findings import Finding, Fix, Severity
from model.resolve import ResolvedModel

SOON_DAYS = 90


def of_model(case: Case, row: ResolvedModel) -> Iterator[Finding]:
    """A local server goes on serving what its vendor retired."""
    match = row.catalog
    if match is None or match.row.retirement is None or not row.enabled or row.model.provider.local:
        return
    retirement = match.row.retirement
    code, severity, when = _stage(retirement.days_left(case.today), bool(_roles(row)))
    name = replacement_name(case, row, match)
    help = f"move to {name or retirement.replacement}" if retirement.replacement else "the vendor names no replacement"
    roles = f"it is the default for {listed(_roles(row), 7)}; " if _roles(row) else ""
    evidence = f"{roles}{retirement.date.isoformat()}, {retirement.source}"
    place = spot(row.model.layers[0], "model_id")
    fix = _fix(case, row, name)
    yield Finding(code, severity, place, f"{row.ref} {when}", help, evidence, fix)


def _roles(row: ResolvedModel) -> list[str]:
    return [role.value for role, on in row.default_use.items() if on]


def _stage(days: int, is_default: bool) -> tuple[str, Severity, str]:
    if days <= 0:
        past = f"was retired {_days(-days)} ago" if days else "is retired today"
        return "retirement-past", Severity.ERROR if is_default else Severity.WARNING, past
    severity = Severity.WARNING if days <= SOON_DAYS else Severity.INFO
    return "retirement-ahead", severity, f"will be retired in {_days(days)}"


def _days(count: int) -> str:
    return "1 day" if count == 1 else f"{count} days"


def replacement_name(case: Case, row: ResolvedModel, match: Match) -> str | None:
    """The replacement in the spelling of this provider: a gateway's `anthropic/…` stays one."""
    wanted = match.row.retirement.replacement if match.row.retirement else None
    if wanted is None or match.matched_as is MatchedAs.ID or row.ref.model_id.startswith(match.row.model_id):
        return wanted
    prefix, slash, _ = row.ref.model_id.rpartition("/")
    if not slash:
        return None if "." in row.ref.model_id else wanted
    found = case.snapshot.catalog.find(wanted)
    names = found.row.aliases if found else ()
    return next((name for name in names if name.startswith(prefix + slash)), None)


def _fix(case: Case, row: ResolvedModel, name: str | None) -> Fix | None:
    """None where the replacement is there already: roles then move by the user's own decision."""
    taken = any(other.ref.model_id == name for other in case.snapshot.matrix.rows if other.ref[0] == row.ref[0])
    return None if name is None or taken else rename_everywhere(case, row.model, name)
