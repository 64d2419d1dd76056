"""Providers without models, and entries that stand twice."""

from __future__ import annotations

from collections.abc import Generator, Iterator

from model.config.merge import Model, Provider
from model.config.rows import ProviderRow
from model.doctor.case import Case, spot
from model.files import OpenFile
from model.findings import Finding, Fix, Severity, Spot
from model.model_ref import ModelRef
from model.vocabulary import ProviderKind

Group = tuple[Provider, tuple[Model, ...]]
"""A provider with its models, as the config has them."""


def of_provider(case: Case, provider: Provider) -> Iterator[Finding]:
    yield from _kind(case, provider)
    if not provider.enabled or any(each.row.models for each in provider.layers):
        return
    if case.bad.has(provider.layers, "models"):
        return
    message = f"{provider.provider_id} has no models"
    yield Finding("model-none", Severity.WARNING, spot(provider.layers[0]), message, "add one under models:")


def _kind(case: Case, provider: Provider) -> Iterator[Finding]:
    """One of the files has to say it: a project file that narrows a global provider need not."""
    if provider.kind is None and not case.bad.has(provider.layers, "provider_kind"):
        message = f"{provider.provider_id} has no provider_kind"
        help = f"add provider_kind: {', '.join(ProviderKind)}"
        yield Finding("config-missing-kind", Severity.ERROR, spot(provider.layers[0]), message, help)


def of_file(case: Case, file: OpenFile) -> Iterator[Finding]:
    seen: dict[str, ProviderRow] = {}
    for row in file.config.providers:
        if row.provider_id in seen:
            yield _duplicate_provider(file, row, seen[row.provider_id])
        elif row.provider_id is not None:
            seen[row.provider_id] = row
        yield from _duplicate_models(file, row)


def _duplicate_provider(file: OpenFile, row: ProviderRow, first: ProviderRow) -> Finding:
    message = f"the provider {row.provider_id} stands twice in this file; only the first counts"
    place = Spot(file.name, (*row.path, "provider_id"))
    help = "put its models under the first, or give it another provider_id"
    return Finding("model-duplicate-provider", Severity.ERROR, place, message, help, fix=_delete_copy(file, row, first))


def _duplicate_models(file: OpenFile, provider: ProviderRow) -> Iterator[Finding]:
    first = {}
    for row in provider.models:
        if row.model_id is None:
            continue
        if row.model_id not in first:
            first[row.model_id] = row
            continue
        message = f"the model {row.model_id!r} stands twice under its provider; only the first counts"
        fix = _delete_copy(file, row, first[row.model_id])
        place = Spot(file.name, (*row.path, "model_id"))
        yield Finding("model-duplicate", Severity.ERROR, place, message, "remove one of the two", fix=fix)


def _delete_copy(file: OpenFile, again: object, first: object) -> Fix | None:
    """Only what says word for word the same may go without asking."""
    from model.document import Delete

    path, earlier = again.path, first.path  # type: ignore[attr-defined]  # both are rows of one kind
    if _at(file, path) != _at(file, earlier):
        return None
    return Fix("remove the second of the two", file.name, (Delete(path),), safe=True)


def _at(file: OpenFile, path: tuple[str | int, ...]) -> object:
    value: object = file.config.data
    for step in path:
        value = value[step]  # type: ignore[index]  # the path of a row that was read from this data
    return value


def of_all(case: Case) -> Iterator[Finding]:
    if case.config.groups:
        return
    file = next((file for file in reversed(case.snapshot.files) if file.writable), None)
    if file and not case.bad.hides_models:
        message = "there are no providers yet"
        help = "capdeck add PROVIDER/MODEL adds one; capdeck demo shows a whole file"
        yield Finding("model-no-providers", Severity.WARNING, Spot(file.name), message, help)


def of_group(case: Case, group: Group) -> Iterator[Finding]:
    """Entries of one provider that are the same model under another name."""
    _, models = group
    names: dict[str, ModelRef] = {model.ref.model_id: model.ref for model in models}
    rows: dict[str, ModelRef] = {}
    for model in models:
        aliased = yield from _aliases(model, names)
        resolved = case.snapshot.matrix.get(model.ref)
        entry = resolved.catalog.row.model_id if resolved and resolved.catalog else None
        if entry is None or aliased:
            continue
        first = rows.setdefault(entry, model.ref)
        if first != model.ref:
            message = f"{model.ref} and {first} are the same model: {entry}"
            place = spot(model.layers[0], "model_id")
            help = "keep both only if you pin a version on purpose"
            yield Finding("model-same-as", Severity.INFO, place, message, help)


def _aliases(model: Model, names: dict[str, ModelRef]) -> Generator[Finding, None, bool]:
    """Returns whether an alias was found to name another entry too."""
    found = False
    for each in model.layers:
        for number, alias in enumerate(each.row.aliases or ()):
            owner = names.setdefault(alias, model.ref)
            if owner != model.ref:
                found = True
                message = f"{alias!r} is an alias of {model.ref} and names {owner} too"
                place = spot(each, "aliases", number)
                yield Finding("model-alias-taken", Severity.WARNING, place, message, "an alias names one model")
    return found
