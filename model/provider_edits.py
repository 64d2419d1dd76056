"""Edits of a provider, in the file that states the field, else in the global one if it has the provider."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from model.editing import CannotEdit, clear_provider_field, find_provider, set_provider_field
from model.vocabulary import Layer
from model.workbench import Change

if TYPE_CHECKING:
    from model.files import OpenFile
    from model.snapshot import Snapshot


def provider_target(snapshot: Snapshot, provider_id: str, name: str, wanted: Layer | None = None) -> OpenFile:
    """`wanted` is the layer that the user chose, if any. Raises CannotEdit."""
    having = [file for file in snapshot.files if find_provider(file.config, provider_id)]
    if wanted is not None:
        having = [file for file in having if file.layer is wanted]
    if not having:
        where = f"the {wanted.value} file" if wanted else "any open file"
        raise CannotEdit(f"there is no provider {provider_id} in {where}")
    stating = [file for file in having if getattr(find_provider(file.config, provider_id), name, None) is not None]
    ranked = stating or sorted(having, key=lambda file: file.layer is not Layer.GLOBAL)
    return ranked[0]


def change_provider_field(
    snapshot: Snapshot, provider_id: str, name: str, value: Any, wanted: Layer | None = None
) -> Change:
    """Raises CannotEdit."""
    file = provider_target(snapshot, provider_id, name, wanted)
    return Change(f"{name} on {provider_id}", {file.name: set_provider_field(file.config, provider_id, name, value)})


def drop_provider_field(snapshot: Snapshot, provider_id: str, name: str, wanted: Layer | None = None) -> Change:
    """Raises CannotEdit."""
    file = provider_target(snapshot, provider_id, name, wanted)
    return Change(f"clear {name} on {provider_id}", {file.name: clear_provider_field(file.config, provider_id, name)})
