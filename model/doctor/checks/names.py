"""Names in requirements that nothing bears, and catalog rows that nobody has looked at for long."""

from __future__ import annotations

from collections.abc import Iterator

from model.catalog.catalog import FRESH_FOR
from model.doctor.case import Case, listed
from model.doctor.near import nearest_name
from model.files import OpenFile
from model.findings import Finding, Fix, Severity, Spot


def of_all(case: Case) -> Iterator[Finding]:
    for file in case.snapshot.files:
        if not case.bad.hides_models:
            yield from _exclusions(case, file)
        yield from _tools(case, file)
    yield from _stale(case)


def _exclusions(case: Case, file: OpenFile) -> Iterator[Finding]:
    for block in file.config.requirements.values():
        for number, text in enumerate(block.exclude_models or ()):
            if case.model(text) is None:
                place = Spot(file.name, (*block.path, "exclude_models", number))
                message = f"exclude_models names {text!r}, which is no model of yours"
                known = [str(row.ref) for row in case.snapshot.matrix.rows]
                yield _named("catalog-unknown-exclusion", Severity.WARNING, place, message, text, known)


def _tools(case: Case, file: OpenFile) -> Iterator[Finding]:
    """A tool without a row counts as compatible with everything, so only the user's own table is a measure."""
    toolbox, own = case.snapshot.given.toolbox, [row.name for row in case.config.tools if row.name]
    for block in file.config.requirements.values():
        for number, name in enumerate(block.tools or ()):
            if own and not toolbox.knows(name) and not name.startswith("mcp__"):
                place = Spot(file.name, (*block.path, "tools", number))
                message = f"the tool {name!r} has no row under tools: and counts as compatible with every model"
                yield _named("catalog-unknown-tool", Severity.INFO, place, message, name, own)


def _named(code: str, severity: Severity, place: Spot, message: str, word: str, known: list[str]) -> Finding:
    from model.document import Set

    near = nearest_name(word, known)
    fix = Fix(f"write {near}", place.file, (Set(place.path, near),)) if near else None
    return Finding(code, severity, place, message, f"did you mean {near!r}?" if near else "", fix=fix)


def _stale(case: Case) -> Iterator[Finding]:
    rows = {row.catalog.row.model_id: row.catalog.row for row in case.snapshot.matrix.rows if row.catalog}
    stale = [row for row in rows.values() if case.today - row.checked > FRESH_FOR]
    if not stale:
        return
    oldest = min(row.checked for row in stale)
    message = f"the catalog's rows for {listed([row.model_id for row in stale], 3)} were last checked long ago"
    place = next(Spot(file.name, ("providers",), on_key=True) for file in case.snapshot.files if file.config.providers)
    help = "update capdeck, or state in the file what you know better"
    yield Finding("catalog-stale", Severity.INFO, place, message, help, f"the oldest on {oldest.isoformat()}")
