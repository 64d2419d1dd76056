"""Crush's `crush.json`."""

from __future__ import annotations

from adapters.imports.entries import Entry
from adapters.imports.gathering import Gathering, Provider, address_of, flags_of, variable_of_vendor, with_key
from adapters.imports.imported import ImportedModel
from adapters.imports.services import service_at, vendor_named
from model.vocabulary import Capability

_FLAGS = {
    "can_reason": Capability.THINKING,
    "supports_attachments": Capability.IMAGE_INPUT,
    "supports_images": Capability.IMAGE_INPUT,
}
_PRICES = ("cost_per_1m_in", "cost_per_1m_out", "cost_per_1m_in_cached", "cost_per_1m_out_cached")
_SETTING = "a setting of Crush, not of a model"


def read(top: Entry, into: Gathering) -> None:
    for name, entry in top.named("providers"):
        _provider(name, entry, into)
    for size, _ in top.named("models"):
        into.left.add(("models", size), "the model of choice: say default_use for the roles that it has")
    top.close(_SETTING)


def _provider(name: str, entry: Entry, into: Gathering) -> None:
    known = vendor_named(name)
    address, wire = address_of(entry, "base_url"), entry.text("type")
    vendor = vendor_named(wire or "openai-compatible") if address or known is None else known
    service = service_at(vendor, address)
    service = with_key(service, entry, "api_key", variable_of_vendor(known, service))
    if vendor is None or (address is None and known is None):
        into.left.add(entry.path, "its address is not known here: write provider_kind, base_url and api")
    provider = into.provider(entry.text("id") or name, service)
    provider.display_name = provider.display_name or entry.text("name")
    provider.enabled = False if entry.flag("disable") else None
    models = list(entry.entries("models"))
    if not models:
        into.left.add(entry.path, "lists no models: Crush takes them from a list of its own")
    for model in models:
        _model(model, into, provider)
    entry.close(_SETTING)


def _model(entry: Entry, into: Gathering, provider: Provider) -> None:
    model_id = entry.text("id")
    if model_id is None:
        into.left.add(entry.path, "names no model")
        return
    model = ImportedModel(
        model_id,
        display_name=entry.text("name"),
        context_window_tokens=entry.count("context_window"),
        supports=flags_of(entry, _FLAGS),
    )
    into.model(provider, model, entry.path)
    for price in _PRICES:
        entry.leave(price, "a price: prices come dated, from genai-prices")
    entry.leave("default_max_tokens", "what Crush asks for, not what the model can: write max_output_tokens")
    entry.close("a setting of Crush, not of the model")
