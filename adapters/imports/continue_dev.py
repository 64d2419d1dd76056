"""Continue's `config.yaml` (and the models of its older `config.json`)."""

from __future__ import annotations

from adapters.imports.entries import Entry
from adapters.imports.gathering import Gathering, address_of, listed_flags, name_of_address, with_key
from adapters.imports.imported import ImportedModel
from adapters.imports.services import service_at, vendor_named
from model.vocabulary import Capability

_CAPABILITIES = {"tool_use": Capability.TOOL_USE, "image_input": Capability.IMAGE_INPUT}
_NO_CHAT = {"embed", "rerank"}
_SETTING = "a setting of Continue, not of a model"


def read(top: Entry, into: Gathering) -> None:
    for entry in top.entries("models"):
        _model(entry, into)
    top.close(_SETTING)


def _model(entry: Entry, into: Gathering) -> None:
    roles = entry.words("roles")
    if entry.take("uses") is not None:
        into.left.add(entry.path, "a block of Continue's hub: what it says stands there")
        return
    if roles and set(roles) <= _NO_CHAT:
        into.left.add(entry.path, f"a model to {' and '.join(roles)}: models.yaml holds chat models")
        return
    vendor_name, model_id = entry.text("provider"), entry.text("model")
    if vendor_name is None or model_id is None:
        into.left.add(entry.path, "says not both provider and model")
        return
    address, vendor = address_of(entry, "apiBase"), vendor_named(vendor_name)
    service = with_key(service_at(vendor, address), entry, "apiKey", None)
    if vendor is None:
        into.left.add((*entry.path, "provider"), "its vendor is not known here: write provider_kind, base_url and api")
    provider = into.provider(name_of_address(address, vendor_name), service)
    if model_id == "AUTODETECT":
        into.left.add((*entry.path, "model"), "stands for whatever the server lists: add its models by name")
    else:
        into.model(provider, _facts(entry, model_id), entry.path)
    if roles:
        entry.leave("roles", "what Continue uses the model for: say default_use for the roles that it has")
    entry.close("a setting of Continue's requests, not of the model")


def _facts(entry: Entry, model_id: str) -> ImportedModel:
    options = entry.entry("defaultCompletionOptions")
    window = options.count("contextLength") or entry.count("contextLength")
    options.close("a setting of Continue's requests, not of the model")
    words = entry.words("capabilities")
    for number, word in enumerate(words or ()):
        if word not in _CAPABILITIES:
            entry.left.add((*entry.path, "capabilities", number), "no capability of models.yaml")
    name = entry.text("name") or entry.text("title")
    return ImportedModel(
        model_id,
        display_name=name,
        context_window_tokens=window,
        supports=listed_flags(words, _CAPABILITIES, complete=False),
    )
