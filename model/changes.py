"""Which values stand changed between the files on disk and the screen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields

from model.config.rows import FileConfig, Flags, ModelRow, ref_of
from model.files import OpenFile
from model.model_ref import ModelRef


def changed_cells(files: Iterable[OpenFile]) -> dict[ModelRef, frozenset[str]]:
    """The unsaved fields of each model by dotted name (`supports.tool_use`); a new model has all that it states."""
    changed: dict[ModelRef, set[str]] = {}
    for file in files:
        if file.changed:
            for ref, names in _changed_rows(file.saved_config, file.config):
                changed.setdefault(ref, set()).update(names)
    return {ref: frozenset(names) for ref, names in changed.items()}


def _changed_rows(old: FileConfig, new: FileConfig) -> Iterator[tuple[ModelRef, set[str]]]:
    known = {ref: model for provider in old.providers for model in provider.models if (ref := ref_of(provider, model))}
    for provider in new.providers:
        for model in provider.models:
            ref = ref_of(provider, model)
            if ref is not None and (before := known.get(ref)) is not model:
                names = changed_fields(before or ModelRow(model.path), model)
                if names:
                    yield ref, names


def changed_fields(old: ModelRow, new: ModelRow) -> set[str]:
    """Dotted names of the fields whose stated value differs."""
    names: set[str] = set()
    for each in fields(ModelRow):
        if each.name not in {"path", "findings", "model_id"}:
            names |= _differing(each.name, getattr(old, each.name), getattr(new, each.name))
    return names


def _differing(name: str, old: object, new: object) -> set[str]:
    if old == new:
        return set()
    if isinstance(old, Flags) and isinstance(new, Flags):
        mask = (old.yes.mask ^ new.yes.mask) | (old.no.mask ^ new.no.mask)
        return {f"{name}.{capability.value}" for capability in type(old.yes)(mask)}
    if isinstance(old, dict) and isinstance(new, dict):
        return {f"{name}.{key}" for key in {*old, *new} if old.get(key) != new.get(key)}
    parts = getattr(type(old), "__dataclass_fields__", None)
    if parts and type(old) is type(new):
        return {f"{name}.{part}" for part in parts if getattr(old, part) != getattr(new, part)}
    return {name}
