"""aichat's `config.yaml`, and its `models.yaml`, which lists models by provider."""

from __future__ import annotations

import re

from adapters.imports.credentials import is_env_name
from adapters.imports.entries import Entry
from adapters.imports.gathering import Gathering, Provider, address_of, flags_of, with_key
from adapters.imports.imported import ImportedModel, Service
from adapters.imports.services import Vendor, service_at, vendor_named
from model.config.merge import is_loopback
from model.vocabulary import Capability

_FLAGS = {
    "supports_vision": Capability.IMAGE_INPUT,
    "supports_function_calling": Capability.TOOL_USE,
    "supports_reasoning": Capability.THINKING,
}
_PRICE = "a price: prices come dated, from genai-prices"
_SETTING = "a setting of aichat, not of a model"


def read(top: Entry, into: Gathering) -> None:
    for client in top.entries("clients"):
        _client(client, into, client.text("type"), client.text("name"))
    top.leave("model", "the model of choice: say default_use for the roles that it has")
    top.close(_SETTING)


def read_list(rows: list[Entry], into: Gathering) -> None:
    """`models.yaml`: providers by name, without addresses and keys."""
    for row in rows:
        _client(row, into, row.text("provider"), None)


def _client(entry: Entry, into: Gathering, kind: str | None, name: str | None) -> None:
    if kind is None and name is None:
        into.left.add(entry.path, "says neither type nor name")
        return
    provider = _provider(entry, into, kind or "openai-compatible", name)
    models = list(entry.entries("models"))
    if not models:
        into.left.add(entry.path, "lists no models: aichat takes them from a list of its own")
    for model in models:
        _model(model, into, provider)
    entry.close(_SETTING)


def _provider(entry: Entry, into: Gathering, kind: str, name: str | None) -> Provider:
    """A compatible client's name may tell the vendor, whose address need not be written then. Of types that are not
    known here, aichat itself speaks to all but these few as it does to OpenAI."""
    compatible = kind == "openai-compatible"
    vendor = vendor_named(name or "" if compatible else kind)
    address = address_of(entry, "api_base")
    wire = vendor_named("openai-compatible") if address and (compatible or vendor is None) else vendor
    service = service_at(wire, address)
    service = with_key(service, entry, "api_key", _variable(vendor, service, name or kind))
    if wire is None:
        into.left.add(entry.path, "its address is not known here: write provider_kind, base_url and api")
    return into.provider(name or kind, service)


def _variable(vendor: Vendor | None, service: Service, name: str) -> str | None:
    """aichat looks for a key in NAME_API_KEY, but a server on this machine needs none, and clouds have other ways."""
    if is_loopback(service.base_url or "") or (vendor and vendor.variable is None):
        return None
    variable = f"{re.sub('[^A-Za-z0-9]', '_', name).upper()}_API_KEY"
    return variable if is_env_name(variable) else None


def _model(entry: Entry, into: Gathering, provider: Provider) -> None:
    name, sent = entry.text("name"), entry.text("real_name")
    kind = entry.text("type")
    if kind not in {None, "chat"}:
        into.left.add(entry.path, f"a model for {kind}: models.yaml holds chat models")
        return
    if name is None:
        into.left.add(entry.path, "names no model")
        return
    model = ImportedModel(
        sent or name,
        context_window_tokens=entry.count("max_input_tokens"),
        max_output_tokens=entry.count("max_output_tokens"),
        supports=flags_of(entry, _FLAGS),
    )
    ref = into.model(provider, model, entry.path)
    if ref:
        into.alias(ref, name)
    entry.leave("input_price", _PRICE)
    entry.leave("output_price", _PRICE)
    entry.close("a setting of aichat's requests, not of the model")
