"""Mends that more than one check offers."""

from __future__ import annotations

from model.config.merge import Model
from model.doctor.case import Case
from model.editing import CannotEdit, rename_model
from model.findings import Fix, Spot


def rename_everywhere(case: Case, model: Model, model_id: str) -> Fix | None:
    """Another id for a model that one file alone states, there and wherever that file names it."""
    if len(model.layers) != 1:
        return None
    file = model.layers[0].file
    try:
        edits = rename_model(case.snapshot.file(file).config, model.ref, model_id)
    except CannotEdit:
        return None
    return Fix(f"write {model_id} everywhere in this file", file, edits)


def adopting(place: Spot, seen: bool | int) -> Fix:
    """What was observed, over the file's word at this place."""
    from model.document import Set

    written = str(seen).lower() if isinstance(seen, bool) else f"{seen:,}"
    return Fix(f"write what was observed: {written}", place.file, (Set(place.path, seen),))
