"""Which file an edit goes to: the one that decides the value, else the global one (UX.md §Files on the screen)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from model.editing import CannotEdit, clear_field, find_model, rename_mentions, rename_model, set_field
from model.files import OpenFile
from model.model_ref import ModelRef
from model.provenance import explain, explain_field
from model.resolve import ResolvedModel
from model.snapshot import Snapshot
from model.vocabulary import Capability, Layer
from model.workbench import Change

if TYPE_CHECKING:
    from model.document import Edit


def target_file(snapshot: Snapshot, ref: ModelRef, name: str, wanted: Layer | None = None) -> OpenFile:
    """The file for an edit of `name` (dotted). `wanted` is the layer that the user chose, if any. Raises CannotEdit."""
    if wanted is not None:
        return _file_of(snapshot, wanted)
    stating = _stating_file(snapshot, ref, name)
    if stating is not None:
        return stating
    having = [file for file in snapshot.files if find_model(file.config, ref)]
    if not having:
        raise CannotEdit(f"no open file has {ref}")
    return next((file for file in having if file.layer is Layer.GLOBAL), having[0])


def _file_of(snapshot: Snapshot, layer: Layer) -> OpenFile:
    for file in snapshot.files:
        if file.layer is layer:
            return file
    raise CannotEdit(f"no {layer.value} file is open", "open one with --global or --project")


def _stating_file(snapshot: Snapshot, ref: ModelRef, name: str) -> OpenFile | None:
    row = snapshot.matrix.get(ref)
    if row is None:
        return None
    section, _, tail = name.partition(".")
    explanation = explain(row, Capability(tail)) if section == "supports" else explain_field(row, name)
    spots = [word.spot for word in explanation.words if word.spot and word.layer in _FILES]
    return snapshot.file(spots[0].file) if spots else None


_FILES = {Layer.FILE, Layer.PROJECT, Layer.GLOBAL}


def change_field(
    snapshot: Snapshot, refs: Iterable[ModelRef], name: str, value: Any, wanted: Layer | None = None
) -> Change:
    """Sets a field of one or several models, each in its own target file. Raises CannotEdit."""
    written = str(value).lower() if isinstance(value, bool) else str(value)
    return _change(
        snapshot, refs, name, wanted, f"{name} = {written}", lambda file, ref: set_field(file.config, ref, name, value)
    )


def adopt_observed(snapshot: Snapshot, ref: ModelRef, name: str, wanted: Layer | None = None) -> Change:
    """Writes what an endpoint or a probe showed of a field into the file. Raises CannotEdit where nothing was seen."""
    row = snapshot.matrix.get(ref)
    value = observed_value(row, name) if row else None
    if value is None:
        raise CannotEdit(f"{name} of {ref} was never observed", "capdeck probe or doctor --online look at the endpoint")
    return change_field(snapshot, [ref], name, value, wanted)


def observed_value(row: ResolvedModel, name: str) -> bool | int | None:
    """What was seen of a field; None if nothing was."""
    if row.observed is None:
        return None
    section, _, tail = name.partition(".")
    if section == "supports":
        capability, flags = Capability(tail), row.observed.flags
        return capability in flags.yes if capability in flags.stated else None
    seen = {
        "context_window_tokens": row.observed.context_window_tokens,
        "max_output_tokens": row.observed.max_output_tokens,
    }
    return seen.get(name)


def drop_field(snapshot: Snapshot, refs: Iterable[ModelRef], name: str, wanted: Layer | None = None) -> Change:
    """Takes a field out of the file that states it. Raises CannotEdit."""
    return _change(snapshot, refs, name, wanted, f"clear {name}", lambda file, ref: clear_field(file.config, ref, name))


def _change(
    snapshot: Snapshot,
    refs: Iterable[ModelRef],
    name: str,
    wanted: Layer | None,
    title: str,
    edits_of: Callable[[OpenFile, ModelRef], tuple[Edit, ...]],
) -> Change:
    edits: dict[str, tuple[Edit, ...]] = {}
    models = list(refs)
    for ref in models:
        file = target_file(snapshot, ref, name, wanted)
        edits[file.name] = edits.get(file.name, ()) + edits_of(file, ref)
    where = str(models[0]) if len(models) == 1 else f"{len(models)} models"
    return Change(f"{title} on {where}", edits)


def rename_everywhere(snapshot: Snapshot, ref: ModelRef, model_id: str) -> Change:
    """Another id for a model as one edit: its entry in every open file, with the roles that it is the default for, and
    every chain, exclusion and accepted finding that names it, in files without its entry too. Raises CannotEdit."""
    new = str(ModelRef(ref.provider_id, model_id))
    edits = {
        file.name: rename_model(file.config, ref, model_id)
        if find_model(file.config, ref)
        else tuple(rename_mentions(file.config, str(ref), new))
        for file in snapshot.files
    }
    return Change(f"rename {ref} to {model_id}", {name: each for name, each in edits.items() if each})


def stated_flag(snapshot: Snapshot, ref: ModelRef, capability: Capability, wanted: Layer | None = None) -> bool | None:
    """What the target file itself says of a capability."""
    file = target_file(snapshot, ref, f"supports.{capability.value}", wanted)
    row = find_model(file.config, ref)
    if row is None or capability not in row.supports.stated:
        return None
    return capability in row.supports.yes


def next_flag(stated: bool | None) -> bool | None:
    """The cycle of `space`: not stated → yes → no → not stated."""
    return {None: True, True: False, False: None}[stated]
