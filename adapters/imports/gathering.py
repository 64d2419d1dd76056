"""Puts together what a source says in many places: one provider for each service, one model for each id."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, fields, replace
from urllib.parse import urlsplit

from adapters.imports.entries import Entry, NotCarriedList
from adapters.imports.imported import (
    Imported,
    ImportedChain,
    ImportedModel,
    ImportedProvider,
    ImportKind,
    Service,
)
from adapters.imports.services import Address, Vendor, read_address, vendor_at
from adapters.imports.sources import Source
from model.capability_set import CapabilitySet
from model.config.rows import Flags, LimitsRow
from model.document import YamlPath
from model.endpoint import is_literal_loopback
from model.model_ref import ModelRef
from model.vocabulary import Capability

SAID_TWICE = "another entry of the same model says otherwise; the first one counts"


@dataclass
class Provider:
    """A provider while it is put together."""

    provider_id: str
    name: str
    service: Service
    display_name: str | None = None
    enabled: bool | None = None
    models: dict[str, ImportedModel] = field(default_factory=dict)

    def ref(self, model_id: str) -> ModelRef:
        return ModelRef(self.provider_id, model_id)


class Gathering:
    """One import in the making."""

    def __init__(self, kind: ImportKind, name: str, source: Source) -> None:
        self.kind = kind
        self.name = name
        self.left = NotCarriedList(source)
        self._providers: list[Provider] = []
        self._chains: dict[ModelRef, ImportedChain] = {}

    def provider(self, name: str, service: Service) -> Provider:
        """The provider of this service; a new one is called `name`, or nearly so where that is taken.

        Services without an address are told apart by their names.
        """
        placed = bool(service.base_url or service.kind.default_base_url)
        known = next(
            (each for each in self._providers if each.service == service and (placed or each.name == name)), None
        )
        if known is None:
            taken = {each.provider_id for each in self._providers}
            known = Provider(free_name(provider_name(name), taken), name, service)
            self._providers.append(known)
        return known

    def model(self, provider: Provider, model: ImportedModel, path: YamlPath) -> ModelRef | None:
        """Adds a model, or what it says to the model of that id; None for an id that cannot stand in a ref."""
        if not model.model_id.strip():
            self.left.add(path, "has no usable model id")
            return None
        before = provider.models.get(model.model_id)
        if before is not None and _contradict(before, model):
            self.left.add(path, SAID_TWICE)
        provider.models[model.model_id] = _joined(before, model) if before else model
        return provider.ref(model.model_id)

    def alias(self, ref: ModelRef, name: str) -> None:
        """Another name of a model; one that its id ends with says nothing new."""
        provider = next(each for each in self._providers if each.provider_id == ref.provider_id)
        model = provider.models[ref.model_id]
        if name not in {ref.model_id, ref.model_id.rpartition("/")[2], str(ref), *model.aliases}:
            provider.models[ref.model_id] = replace(model, aliases=(*model.aliases, name))

    def chain(self, model: ModelRef, others: Iterable[ModelRef], path: YamlPath) -> None:
        """Who takes over for `model`; only the first chain of a model counts."""
        chain = tuple(dict.fromkeys(each for each in others if each != model))
        if not chain:
            return
        known = self._chains.setdefault(model, ImportedChain(model, chain))
        if known.chain[: len(chain)] != chain:
            self.left.add(path, f"{model} has a chain already, and a model has one; the first one counts")

    def finished(self) -> Imported:
        providers = tuple(
            ImportedProvider(
                each.provider_id, each.service, each.display_name, each.enabled, tuple(each.models.values())
            )
            for each in self._providers
        )
        return Imported(self.kind, self.name, providers, tuple(self._chains.values()), self.left.all())


def free_name(name: str, taken: Iterable[str]) -> str:
    """`name`, or with -2, -3 … behind it."""
    taken, number, free = set(taken), 1, name
    while free in taken:
        number += 1
        free = f"{name}-{number}"
    return free


def provider_name(text: str) -> str:
    """A provider_id out of any text."""
    return re.sub(r"[^A-Za-z0-9._-]+", "-", text).strip("-.") or "imported"


def name_of_address(address: Address | None, otherwise: str) -> str:
    """Whose an address is, else its host (`local` for this machine) with the port where there is one; `otherwise` if
    there is none."""
    if address is None or address.base_url is None:
        return address.variable.lower() if address and address.variable else otherwise
    if owner := vendor_at(address.base_url):
        return owner.name
    parts = urlsplit(address.base_url)
    host = "local" if is_literal_loopback(parts.hostname or "") else parts.hostname or otherwise
    return f"{host}-{parts.port}" if parts.port else host


def address_of(entry: Entry, *keys: str) -> Address | None:
    """What stands under the first of these keys that is there; lists what cannot be carried."""
    for key in keys:
        value = entry.take(key)
        if value is not None and value != "":
            found = read_address(value.strip()) if isinstance(value, str) else Address(None, "must be text")
            if found.why:
                entry.left.add((*entry.path, key), found.why)
            return found
    return None


def with_key(service: Service, entry: Entry, key: str, variable: str | None) -> Service:
    """The service with where its key lies. Where the entry names none it is `variable`, in which the vendor's own
    documents put it, if the service is the vendor's."""
    stated = entry.take(key) is not None
    auth_ref = entry.credential(key).auth_ref
    if not stated and variable:
        auth_ref = f"env:{variable}"
    return replace(service, auth_ref=auth_ref)


def variable_of_vendor(vendor: Vendor | None, service: Service) -> str | None:
    """Where the vendor's key lies, if that is whose service it is."""
    own = vendor is not None and service.kind is vendor.kind and service.base_url == vendor.base_url
    return vendor.variable if vendor and own else None


def flags_of(entry: Entry, names: dict[str, Capability]) -> Flags:
    """True and false as they stand; absent is not stated."""
    told = {capability: entry.flag(name) for name, capability in names.items()}
    yes = CapabilitySet.of(capability for capability, value in told.items() if value is True)
    return Flags(yes, CapabilitySet.of(capability for capability, value in told.items() if value is False))


def listed_flags(words: list[str] | None, names: dict[str, Capability], *, complete: bool) -> Flags:
    """Capabilities by a list of words; a `complete` list that is there says no to what it lacks."""
    if words is None:
        return Flags()
    yes = CapabilitySet.of(capability for word, capability in names.items() if word in words)
    return Flags(yes, CapabilitySet.of(names.values()) - yes if complete else CapabilitySet())


def both(one: Flags, other: Flags) -> Flags:
    """What either says; where they contradict each other the first counts."""
    return Flags(one.yes | (other.yes - one.no), one.no | (other.no - one.yes))


_PLAIN = ("display_name", "enabled", "context_window_tokens", "max_output_tokens")


def _contradict(one: ImportedModel, other: ImportedModel) -> bool:
    pairs = [(getattr(one, name), getattr(other, name)) for name in _PLAIN if name != "display_name"]
    pairs += [(getattr(one.limits, each.name), getattr(other.limits, each.name)) for each in fields(LimitsRow)]
    stated = any(a is not None and b is not None and a != b for a, b in pairs)
    return stated or bool((one.supports.yes & other.supports.no) | (one.supports.no & other.supports.yes))


def _joined(one: ImportedModel, other: ImportedModel) -> ImportedModel:
    """The first entry's word, and of the second what the first leaves open."""
    plain = {name: getattr(other, name) for name in _PLAIN if getattr(one, name) is None}
    limits = {each.name: getattr(other.limits, each.name) for each in fields(LimitsRow)}
    kept = {name: value for name, value in limits.items() if getattr(one.limits, name) is None}
    return replace(
        one,
        **plain,
        supports=both(one.supports, other.supports),
        limits=replace(one.limits, **kept),
        aliases=tuple(dict.fromkeys((*one.aliases, *other.aliases))),
    )
