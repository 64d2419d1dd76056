"""opencode's `opencode.json` and `opencode.jsonc`; its model entries are spelled as in models.dev."""

from __future__ import annotations

from collections.abc import Container

from adapters.imports.entries import Entry
from adapters.imports.gathering import (
    Gathering,
    Provider,
    address_of,
    both,
    flags_of,
    listed_flags,
    variable_of_vendor,
    with_key,
)
from adapters.imports.imported import ImportedModel
from adapters.imports.services import Vendor, service_at, vendor_named
from model.vocabulary import Capability

_FLAGS = {
    "tool_call": Capability.TOOL_USE,
    "reasoning": Capability.THINKING,
    "structured_output": Capability.STRUCTURED_OUTPUT,
}
_INPUTS = {
    "text": Capability.TEXT_INPUT,
    "image": Capability.IMAGE_INPUT,
    "audio": Capability.AUDIO_INPUT,
    "pdf": Capability.FILE_INPUT,
}
_OUTPUTS = {
    "text": Capability.TEXT_OUTPUT,
    "image": Capability.IMAGE_OUTPUT,
    "audio": Capability.AUDIO_OUTPUT,
}
_PACKAGES = {
    "@ai-sdk/openai": "openai",
    "@ai-sdk/anthropic": "anthropic",
    "@ai-sdk/google": "gemini",
    "@ai-sdk/google-vertex": "vertex",
    "@ai-sdk/amazon-bedrock": "bedrock",
    "@ai-sdk/azure": "azure",
    "@openrouter/ai-sdk-provider": "openrouter",
    "ollama-ai-provider": "ollama",
    "ollama-ai-provider-v2": "ollama",
}
"""Which wire a package of the AI SDK speaks; a vendor's own package is called like the vendor."""
_SETTING = "a setting of opencode, not of a model"
_CHOICE = "the model of choice: say default_use for the roles that it has"


def read(top: Entry, into: Gathering) -> None:
    off = top.words("disabled_providers") or []
    here = []
    for name, entry in top.named("provider"):
        here.append(name)
        _provider(name, entry, into, off)
    for number, name in enumerate(off):
        if name not in here:
            into.left.add(("disabled_providers", number), "the file has no such provider to switch off")
    top.leave("model", _CHOICE)
    top.leave("small_model", _CHOICE)
    top.close(_SETTING)


def _provider(name: str, entry: Entry, into: Gathering, off: Container[str]) -> None:
    options, package = entry.entry("options"), entry.text("npm")
    vendor = _vendor(name, package)
    address = address_of(options, "baseURL") or address_of(entry, "api")
    service = service_at(vendor, address)
    service = with_key(service, options, "apiKey", variable_of_vendor(vendor_named(name), service))
    if vendor is None:
        into.left.add(entry.path, "its vendor is not known here: write provider_kind, base_url and api")
    provider = into.provider(name, service)
    provider.display_name = provider.display_name or entry.text("name")
    provider.enabled = False if name in off else None
    for model_id, model in entry.named("models"):
        _model(model_id, model, into, provider)
    options.close("a setting of opencode's requests, not of the provider")
    entry.close(_SETTING)


def _vendor(name: str, package: str | None) -> Vendor | None:
    """Whose wire it is. opencode takes OpenAI's where no package is named and the name is none that it knows."""
    known = vendor_named(name)
    if package is None or package == "@ai-sdk/openai-compatible":
        return known if known and (package is None or known.base_url) else vendor_named("openai-compatible")
    return vendor_named(_PACKAGES.get(package) or package.removeprefix("@ai-sdk/"))


def _model(key: str, entry: Entry, into: Gathering, provider: Provider) -> None:
    limit, modalities = entry.entry("limit"), entry.entry("modalities")
    inputs = listed_flags(modalities.words("input"), _INPUTS, complete=True)
    outputs = listed_flags(modalities.words("output"), _OUTPUTS, complete=True)
    model = ImportedModel(
        entry.text("id") or key,
        display_name=entry.text("name"),
        context_window_tokens=limit.count("context"),
        max_output_tokens=limit.count("output"),
        supports=both(both(flags_of(entry, _FLAGS), inputs), outputs),
    )
    ref = into.model(provider, model, entry.path)
    if ref:
        into.alias(ref, key)
    entry.leave("cost", "prices come dated, from genai-prices")
    entry.leave("attachment", "says not which kinds of files: write image_input and file_input")
    for each in (limit, modalities, entry):
        each.close("a setting of opencode, not of the model")
