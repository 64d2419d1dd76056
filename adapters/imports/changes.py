"""What an import brings → one edit of a models.yaml; what the file says already is never overwritten."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any

from adapters.imports.gathering import free_name
from adapters.imports.imported import Imported, ImportedModel, ImportedProvider, NotCarried, Service
from model.config.rows import FileConfig, ProviderRow
from model.document import Edit, InsertItem, Put
from model.editing import PROVIDER_ORDER, TOP_ORDER, CannotEdit
from model.files import OpenFile
from model.model_ref import ModelRef
from model.quick_dataclass import dataclass
from model.vocabulary import CAPABILITIES
from model.workbench import Change


@dataclass(frozen=True, slots=True)
class Plan:
    """The edit, and what stays as the file has it. `added` counts providers, models and chains."""

    change: Change
    conflicts: tuple[NotCarried, ...]
    added: tuple[int, int, int]


def as_change(imported: Imported, file: OpenFile) -> Change:
    """The import as an edit of this file; without edits where the file has it all. Raises CannotEdit."""
    return plan(imported, file).change


def plan(imported: Imported, file: OpenFile) -> Plan:
    """Raises CannotEdit for a file whose lists are no lists."""
    data = file.doc.data if file.doc and isinstance(file.doc.data, dict) else {}
    names = _names_here(imported, file.config)
    conflicts = list(_conflicts(imported, file, names))
    whole = [each for each in imported.providers if _row(file.config, names[each.provider_id]) is None]
    edits = [*_new_models(imported, file.config, data, names)]
    edits += _added_to(data, ("providers",), [_provider(each, names[each.provider_id]) for each in whole])
    chains = _new_chains(imported, file.config, names)
    edits += _added_to(data, ("fallbacks",), chains)
    models = sum(len(_missing(each, file.config, names)) for each in imported.providers)
    title = f"import {imported.kind.value} {imported.name}"
    change = Change(title, {file.name: tuple(edits)} if edits else {})
    return Plan(change, tuple(conflicts), (len(whole), models, len(chains)))


# -- names ------------------------------------------------------------------------------------------------------------
def _row(config: FileConfig, provider_id: str) -> ProviderRow | None:
    return next((row for row in config.providers if row.provider_id == provider_id), None)


def _names_here(imported: Imported, config: FileConfig) -> dict[str, str]:
    """By the source's name: the file's name of the same service, else the source's own, with a number where the file
    has another by it. Two providers of the source stay two."""
    taken = {row.provider_id for row in config.providers if row.provider_id}
    names: dict[str, str] = {}
    for provider in imported.providers:
        same = [row.provider_id for row in config.providers if row.provider_id and _agrees(row, provider.service)]
        left = [name for name in same if name not in names.values()]
        own = provider.provider_id if provider.provider_id in left else next(iter(left), None)
        names[provider.provider_id] = own or free_name(provider.provider_id, {*taken, *names.values()})
    return names


def _agrees(row: ProviderRow, service: Service) -> bool:
    """Whether a row is about the same service: kind, address and key's place, as far as both state them."""
    if row.provider_kind is not service.kind or _address(row.base_url, service) != _address(service.base_url, service):
        return False
    return row.auth_ref is None or service.auth_ref is None or row.auth_ref == service.auth_ref


def _address(base_url: str | None, service: Service) -> str:
    return (base_url or service.kind.default_base_url or "").rstrip("/")


# -- entries ----------------------------------------------------------------------------------------------------------
def _provider(provider: ImportedProvider, name: str) -> dict[str, Any]:
    service = provider.service
    entry = {
        "provider_id": name,
        "provider_kind": service.kind.value,
        "display_name": provider.display_name,
        "base_url": service.base_url,
        "auth_ref": service.auth_ref,
        "enabled": provider.enabled,
        "api": service.api.value if service.api else None,
        "models": [_model(model) for model in provider.models],
    }
    return _stated(entry)


def _model(model: ImportedModel) -> dict[str, Any]:
    flags = model.supports
    entry = {
        "model_id": model.model_id,
        "display_name": model.display_name,
        "enabled": model.enabled,
        "context_window_tokens": model.context_window_tokens,
        "max_output_tokens": model.max_output_tokens,
        "supports": {each.value: each in flags.yes for each in CAPABILITIES if each in flags.stated},
        "limits": _stated({each.name: getattr(model.limits, each.name) for each in fields(model.limits)}),
        "aliases": list(model.aliases),
    }
    return _stated(entry)


def _stated(entry: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in entry.items() if value is not None and value not in ({}, [])}


# -- edits ------------------------------------------------------------------------------------------------------------
def _added_to(data: Any, path: tuple[str | int, ...], items: list[dict[str, Any]]) -> list[Edit]:
    """Items at the end of a list that may be missing or empty."""
    if not items:
        return []
    held: Any = data
    for step in path:
        held = held.get(step) if isinstance(held, dict) else held[step]
    if held is not None and not isinstance(held, list):
        raise CannotEdit(f"{path[-1]} of the file is no list", "mend that first: capdeck doctor says how")
    if not held:
        return [Put(path, items, order=TOP_ORDER if len(path) == 1 else PROVIDER_ORDER)]
    return [InsertItem(path, len(held) + number, item) for number, item in enumerate(items)]


def _missing(provider: ImportedProvider, config: FileConfig, names: Mapping[str, str]) -> list[ImportedModel]:
    row = _row(config, names[provider.provider_id])
    known = {model.model_id for model in row.models} if row else set()
    return [model for model in provider.models if model.model_id not in known]


def _new_models(imported: Imported, config: FileConfig, data: Any, names: Mapping[str, str]) -> Iterator[Edit]:
    for provider in imported.providers:
        row = _row(config, names[provider.provider_id])
        if row is not None:
            models = [_model(model) for model in _missing(provider, config, names)]
            yield from _added_to(data, (*row.path, "models"), models)


def _new_chains(imported: Imported, config: FileConfig, names: Mapping[str, str]) -> list[dict[str, Any]]:
    known = {chain.model for chain in config.fallbacks}
    chains = [
        {"model": _ref(each.model, names), "chain": [_ref(ref, names) for ref in each.chain]}
        for each in imported.fallbacks
    ]
    return [chain for chain in chains if chain["model"] not in known]


def _ref(ref: ModelRef, names: Mapping[str, str]) -> str:
    return str(ModelRef(names[ref.provider_id], ref.model_id))


# -- conflicts --------------------------------------------------------------------------------------------------------
def _conflicts(imported: Imported, file: OpenFile, names: Mapping[str, str]) -> Iterator[NotCarried]:
    for provider in imported.providers:
        row = _row(file.config, names[provider.provider_id])
        missing = _missing(provider, file.config, names)
        for model in provider.models:
            if row is not None and model not in missing:
                yield NotCarried(_ref(ModelRef(provider.provider_id, model.model_id), names), "is in the file already")
    known = {chain.model for chain in file.config.fallbacks}
    for each in imported.fallbacks:
        if (name := _ref(each.model, names)) in known:
            yield NotCarried(name, "has a chain in the file already")
