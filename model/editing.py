"""What a person wants to change → edits of one file's document. Nothing here touches text: `document` does."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from model.config.fields import MODEL, MODEL_FIELDS, PROVIDER, PROVIDER_FIELDS, REQUIREMENT, TOP, Field
from model.config.rows import FileConfig, ModelRow, ProviderRow
from model.config.values import Fault, nearest, read_value
from model.findings import breadcrumb
from model.model_ref import ModelRef, is_provider_id

if TYPE_CHECKING:
    from model.document import Edit, YamlPath

MODEL_ORDER = tuple(MODEL)
PROVIDER_ORDER = tuple(PROVIDER)
REQUIREMENT_ORDER = tuple(REQUIREMENT)
TOP_ORDER = tuple(TOP)


class CannotEdit(Exception):
    """An intent that cannot become an edit; `help` says what can be done instead."""

    def __init__(self, message: str, help: str = "") -> None:
        super().__init__(message)
        self.help = help


def find_provider(config: FileConfig, provider_id: str) -> ProviderRow | None:
    return next((row for row in config.providers if row.provider_id == provider_id), None)


def find_model(config: FileConfig, ref: ModelRef) -> ModelRow | None:
    provider = find_provider(config, ref.provider_id)
    if provider is None:
        return None
    return next((row for row in provider.models if row.model_id == ref.model_id), None)


def field_named(fields: Mapping[str, Field], name: str) -> Field:
    """Raises CannotEdit with the nearest known name."""
    field = fields.get(name)
    if field is None:
        meant = nearest(name, fields) or next((full for full in fields if full.endswith(f".{name}")), None)
        raise CannotEdit(f"no field {name!r}", f"did you mean {meant!r}?" if meant else "")
    return field


def parse_value(field: Field, text: str) -> Any:
    """A value as typed on the command line or in an editor, checked against the field. Raises CannotEdit.

    Numbers may carry `_`, `k` or `M`; lists are separated by commas.
    """
    value = read_value(field, _typed(field, text))
    if isinstance(value, Fault):
        if value.mended is not None:
            return value.mended
        raise CannotEdit(value.message, value.help)
    return list(value) if isinstance(value, tuple) else getattr(value, "value", value)


def _typed(field: Field, text: str) -> object:
    from model.config.fields import Kind

    text = text.strip()
    if field.kind is Kind.TEXTS:
        return [part.strip() for part in text.split(",") if part.strip()]
    if field.kind is Kind.FLAG and text.casefold() in {"true", "false"}:
        return text.casefold() == "true"
    if field.kind in {Kind.COUNT, Kind.SCORE} and text.replace("_", "").replace(",", "").lstrip("-").isdigit():
        return int(text.replace("_", "").replace(",", ""))
    return text


def set_field(config: FileConfig, ref: ModelRef, name: str, value: Any) -> tuple[Edit, ...]:
    """Sets a field of a model in this file, adding the model's (or provider's) entry where the file lacks it."""
    from model.document import Put

    field_named(MODEL_FIELDS, name)
    row = find_model(config, ref)
    if row is None:
        return add_model(config, ref, _nested(name, value))
    return (Put((*row.path, *name.split(".")), value, order=_order(name)),)


def _nested(name: str, value: Any) -> dict[str, Any]:
    for part in reversed(name.split(".")):
        value = {part: value}
    assert isinstance(value, dict)
    return value


def _order(name: str) -> tuple[str, ...]:
    """The schema's order of the key's siblings."""
    head, _, tail = name.partition(".")
    return tuple(MODEL[head].fields) if tail else MODEL_ORDER


def clear_field(config: FileConfig, ref: ModelRef, name: str) -> tuple[Edit, ...]:
    """Takes a field out of this file, so that the next layer decides. Raises CannotEdit if it is not there."""
    from model.document import Delete

    field_named(MODEL_FIELDS, name)
    row = find_model(config, ref)
    if row is None or not _states(row, name):
        raise CannotEdit(f"{ref} does not state {name} in this file")
    return (Delete((*row.path, *name.split("."))),)


def _states(row: ModelRow, name: str) -> bool:
    from model.vocabulary import Capability, Role, ScoreDimension

    head, _, tail = name.partition(".")
    if head == "supports":
        return Capability(tail) in row.supports.stated
    if head == "default_use":
        return Role(tail) in row.default_use
    if head == "scores":
        return ScoreDimension(tail) in row.scores
    section = getattr(row, head)
    return (getattr(section, tail) if tail else section) is not None


def set_provider_field(config: FileConfig, provider_id: str, name: str, value: Any) -> tuple[Edit, ...]:
    """Sets a field of a provider in this file. Raises CannotEdit where the file has no entry of it."""
    from model.document import Put

    field_named(PROVIDER_FIELDS, name)
    row = find_provider(config, provider_id)
    if row is None:
        raise CannotEdit(f"this file has no provider {provider_id}")
    return (Put((*row.path, name), value, order=PROVIDER_ORDER),)


def clear_provider_field(config: FileConfig, provider_id: str, name: str) -> tuple[Edit, ...]:
    """Takes a field of a provider out of this file. Raises CannotEdit if it is not there."""
    from model.document import Delete

    field_named(PROVIDER_FIELDS, name)
    row = find_provider(config, provider_id)
    if row is None or getattr(row, name) is None:
        raise CannotEdit(f"{provider_id} does not state {name} in this file")
    return (Delete((*row.path, name)),)


def add_provider(config: FileConfig, provider_id: str, values: Mapping[str, Any]) -> tuple[Edit, ...]:
    """A new provider entry at the end of the list (which is made where the file has none)."""
    if find_provider(config, provider_id):
        raise CannotEdit(f"{provider_id} is already in this file")
    return (append(config, ("providers",), {"provider_id": provider_id, **values}, TOP_ORDER),)


def add_model(config: FileConfig, ref: ModelRef, values: Mapping[str, Any]) -> tuple[Edit, ...]:
    """A new model entry at the end of its provider's list; the provider's entry too where the file lacks it."""
    if find_model(config, ref):
        raise CannotEdit(f"{ref} is already in this file")
    entry = {"model_id": ref.model_id, **values}
    provider = find_provider(config, ref.provider_id)
    if provider is None:
        return add_provider(config, ref.provider_id, {"models": [entry]})
    return (append(config, (*provider.path, "models"), entry, PROVIDER_ORDER),)


def append(config: FileConfig, path: YamlPath, item: dict[str, Any], order: tuple[str, ...]) -> Edit:
    """Puts an item at the end of a list that may be missing or empty; `order` is that of the list's siblings.

    Raises CannotEdit where the file has something else in its place, which would be lost.
    """
    from model.document import InsertItem, Put

    held: Any = config.data
    for step in path:
        listed = isinstance(held, list) and isinstance(step, int)
        held = held[step] if listed else held.get(step) if isinstance(held, dict) else None
    if held is not None and not isinstance(held, list):
        raise CannotEdit(f"{breadcrumb(path)} is no list in this file", "mend that first: capdeck doctor says how")
    return InsertItem(path, len(held), item) if held else Put(path, [item], order=order)


def remove_model(config: FileConfig, ref: ModelRef) -> tuple[Edit, ...]:
    from model.document import Delete

    row = find_model(config, ref)
    if row is None:
        raise CannotEdit(f"{ref} is not in this file")
    return (Delete(row.path),)


def remove_provider(config: FileConfig, provider_id: str) -> tuple[Edit, ...]:
    from model.document import Delete

    row = find_provider(config, provider_id)
    if row is None:
        raise CannotEdit(f"this file has no provider {provider_id}")
    return (Delete(row.path),)


def rename_model(config: FileConfig, ref: ModelRef, model_id: str) -> tuple[Edit, ...]:
    """The id, and every other place of the file that names the model (chains, exclusions, accepted findings)."""
    from model.document import Set

    row = find_model(config, ref)
    if row is None:
        raise CannotEdit(f"{ref} is not in this file")
    new = ModelRef(ref.provider_id, model_id)
    if find_model(config, new):
        raise CannotEdit(f"{new} is already in this file")
    return (Set((*row.path, "model_id"), model_id), *rename_mentions(config, str(ref), str(new)))


def rename_mentions(config: FileConfig, old: str, new: str) -> list[Edit]:
    """Every place outside `providers` that names a model: chains, exclusions, accepted findings."""
    from model.document import Set

    edits: list[Edit] = []
    for chain in config.fallbacks:
        if chain.model == old:
            edits.append(Set((*chain.path, "model"), new))
        edits += [Set((*chain.path, "chain", i), new) for i, name in enumerate(chain.chain or ()) if name == old]
    for block in config.requirements.values():
        excluded = enumerate(block.exclude_models or ())
        edits += [Set((*block.path, "exclude_models", i), new) for i, name in excluded if name == old]
    edits += [Set((*each.path, "at"), new) for each in config.policy.ignore or () if each.at == old]
    return edits


def rename_provider(config: FileConfig, provider_id: str, new: str) -> tuple[Edit, ...]:
    """The id, and every ref of the file that begins with it. Raises CannotEdit."""
    from model.document import Set

    row = find_provider(config, provider_id)
    if row is None:
        raise CannotEdit(f"this file has no provider {provider_id}")
    if not is_provider_id(new):
        raise CannotEdit(f"{new!r} is no provider_id", "use letters, digits, '.', '_' and '-' only")
    if find_provider(config, new):
        raise CannotEdit(f"{new} is already in this file")
    edits: list[Edit] = [Set((*row.path, "provider_id"), new)]
    for old in sorted({ref for ref in _mentions(config) if ref.startswith(f"{provider_id}/")}):
        edits += rename_mentions(config, old, new + old.removeprefix(provider_id))
    return tuple(edits)


def places_naming(config: FileConfig, entry: str) -> list[YamlPath]:
    """Where the file names a model, or a provider's models, outside `providers`: a removal leaves it there."""
    refs = dict.fromkeys([*_mentions(config), *(each.at for each in config.policy.ignore or () if each.at)])
    named = [ref for ref in refs if ref == entry or ("/" not in entry and ref.startswith(f"{entry}/"))]
    return [edit.path for ref in named for edit in rename_mentions(config, ref, ref)]


def _mentions(config: FileConfig) -> list[str]:
    """Every ref that the file names outside `providers`."""
    named = [chain.model for chain in config.fallbacks if chain.model]
    named += [ref for chain in config.fallbacks for ref in chain.chain or ()]
    return named + [ref for block in config.requirements.values() for ref in block.exclude_models or ()]


def set_requirement(task: str, name: str, value: Any) -> tuple[Edit, ...]:
    """Sets `requirements.<task>.<name>`; None takes it out, so that the default counts again."""
    from model.document import Delete, Put

    path = ("requirements", task, name)
    return (Delete(path),) if value is None else (Put(path, value, order=REQUIREMENT_ORDER),)
