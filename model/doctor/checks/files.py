"""Files as a whole: keys that stand in them, and what cannot be read."""

from __future__ import annotations

from collections.abc import Iterator

from model.auth import parse_auth_ref
from model.doctor.case import Case
from model.doctor.secrets import literal_auth_refs, strays
from model.files import OpenFile
from model.findings import Finding, Severity, Spot

_REMEDY = "the file may be shared: take the key out, replace it at the provider, and write auth_ref: env:NAME"


def of_file(case: Case, file: OpenFile) -> Iterator[Finding]:
    if file.doc is None:
        return
    for literal in literal_auth_refs(file):
        assert literal.path is not None
        message = "auth_ref holds what may be the key itself"
        place = Spot(file.name, literal.path)
        yield Finding("auth-literal-secret", Severity.ERROR, place, message, parse_auth_ref(literal.text).hint)
    for stray in strays(file):
        if stray.path is not None:
            message = "a key stands here" if not stray.on_key else f"{stray.path[-1]} holds a key"
            place = Spot(file.name, stray.path, stray.on_key)
        else:
            message = "a key stands in a comment"
            found = file.doc.source.place(stray.start, stray.start)
            place = Spot(file.name, at=(found.line, found.column))
        yield Finding("auth-secret-in-file", Severity.ERROR, place, message, _REMEDY)
    if file.doc.documents > 1:
        message = f"the file holds {file.doc.documents} YAML documents; only the first is read"
        yield Finding(
            "config-several-documents", Severity.WARNING, Spot(file.name), message, "keep one document a file"
        )
