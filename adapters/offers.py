"""What an endpoint lists and the file lacks, as edits in the file's own style; and what only the file has."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from adapters.listing import ListedModel
from model.config.rows import FileConfig
from model.doctor.online import names_of, provider_of
from model.document import Edit, InsertItem
from model.editing import add_model, find_provider
from model.files import OpenFile
from model.findings import Fix
from model.model_ref import ModelRef
from model.quick_dataclass import dataclass
from model.resolve import ResolvedModel
from model.snapshot import Snapshot
from model.vocabulary import CAPABILITIES, Layer


@dataclass(frozen=True, slots=True)
class Offer:
    """A model that could be added. `values` is its entry: what the endpoint says, and nothing that it does not."""

    ref: ModelRef
    listed: ListedModel
    values: dict[str, Any]


def missing_from_file(snapshot: Snapshot, provider_id: str, listed: Sequence[ListedModel]) -> tuple[Offer, ...]:
    """In the list's order; ids that no ModelRef can hold are left out."""
    known = {name for row in _rows(snapshot, provider_id) for name in names_of(row)}
    new = {model.model_id: model for model in listed if model.model_id not in known and _fits(model.model_id)}
    return tuple(Offer(ModelRef(provider_id, name), model, facts_of(model)) for name, model in new.items())


def missing_at_endpoint(snapshot: Snapshot, provider_id: str, listed: Sequence[ListedModel]) -> tuple[ModelRef, ...]:
    """The enabled models of the file that the list does not have under any of their names."""
    names = {model.model_id for model in listed}
    rows = (row for row in _rows(snapshot, provider_id) if row.enabled)
    return tuple(row.ref for row in rows if not names.intersection(names_of(row)))


def adding(snapshot: Snapshot, offers: Sequence[Offer]) -> Fix | None:
    """The offers of one provider as one change to the nearest file that has it; None if that cannot be written."""
    provider = provider_of(snapshot, offers[0].ref.provider_id) if offers else None
    files = [snapshot.file(layer.file) for layer in provider.layers] if provider else []
    file = next((file for file in sorted(files, key=_not_global) if file.writable), None)
    if file is None:
        return None
    count = str(offers[0].ref) if len(offers) == 1 else f"{len(offers)} models of {offers[0].ref.provider_id}"
    return Fix(f"add {count}", file.name, _edits(file.config, offers))


def _edits(config: FileConfig, offers: Sequence[Offer]) -> tuple[Edit, ...]:
    """The first begins the list where there is none; the others follow it."""
    first, *rest = offers
    row = find_provider(config, first.ref.provider_id)
    assert row is not None
    path, length = (*row.path, "models"), len(row.models) + 1
    items = ({"model_id": offer.ref.model_id, **offer.values} for offer in rest)
    more = (InsertItem(path, length + number, item) for number, item in enumerate(items))
    return (*add_model(config, first.ref, first.values), *more)


def facts_of(model: ListedModel) -> dict[str, Any]:
    """The fields of a models.yaml entry that the endpoint states."""
    flags = model.flags
    supports = {each.value: each in flags.yes for each in CAPABILITIES if each in flags.stated}
    values = {
        "display_name": model.display_name if model.display_name != model.model_id else None,
        "context_window_tokens": model.context_window_tokens,
        "max_output_tokens": model.max_output_tokens,
        "supports": supports,
    }
    return {name: value for name, value in values.items() if value}


def _rows(snapshot: Snapshot, provider_id: str) -> Iterator[ResolvedModel]:
    return (row for row in snapshot.matrix.rows if row.ref.provider_id == provider_id)


def _fits(model_id: str) -> bool:
    return model_id == model_id.strip() and model_id.isprintable()


def _not_global(file: OpenFile) -> bool:
    return file.layer is not Layer.GLOBAL
