"""LiteLLM's proxy `config.yaml`: deployments, the groups that they form, and the router's fallbacks."""

from __future__ import annotations

from collections.abc import Iterator

from adapters.imports.entries import Entry
from adapters.imports.gathering import (
    Gathering,
    Provider,
    address_of,
    flags_of,
    name_of_address,
    variable_of_vendor,
    with_key,
)
from adapters.imports.imported import ImportedModel
from adapters.imports.services import Vendor, service_at, vendor_named
from model.catalog import builtin
from model.config.rows import LimitsRow
from model.document import YamlPath
from model.model_ref import ModelRef
from model.vocabulary import Capability, ProviderKind

_FLAGS = {
    "supports_function_calling": Capability.TOOL_USE,
    "supports_parallel_function_calling": Capability.PARALLEL_TOOL_USE,
    "supports_response_schema": Capability.STRUCTURED_OUTPUT,
    "supports_reasoning": Capability.THINKING,
    "supports_prompt_caching": Capability.PROMPT_CACHE,
    "supports_system_messages": Capability.SYSTEM_PROMPT,
    "supports_vision": Capability.IMAGE_INPUT,
    "supports_audio_input": Capability.AUDIO_INPUT,
    "supports_audio_output": Capability.AUDIO_OUTPUT,
    "supports_pdf_input": Capability.FILE_INPUT,
    "supports_native_streaming": Capability.STREAMING,
    "supports_computer_use": Capability.COMPUTER_USE,
}
_CHAT_MODES = {None, "chat", "completion", "responses"}
_SETTING = "a setting of LiteLLM, not of a model"
_OF_A_REQUEST = "a setting of LiteLLM's requests, not of the model"
Groups = dict[str, list[ModelRef]]


def read(top: Entry, into: Gathering) -> None:
    groups: Groups = {}
    places: dict[str, YamlPath] = {}
    for deployment in top.entries("model_list"):
        name = deployment.text("model_name")
        ref = _deployment(deployment, into, name)
        if ref and name:
            places.setdefault(name, deployment.path)
            groups.setdefault(name, []).append(ref)
    _take_names(groups, into)
    _take_fallbacks(top, groups, into)
    for name, refs in groups.items():
        into.chain(refs[0], refs[1:], places[name])
    top.close(_SETTING)


def _deployment(entry: Entry, into: Gathering, name: str | None) -> ModelRef | None:
    params, info = entry.entry("litellm_params"), entry.entry("model_info")
    written = params.text("model") or (None if params.take("model") else name)
    mode = info.text("mode")
    if written is None or mode not in _CHAT_MODES:
        why = f"a model for {mode}: models.yaml holds chat models" if written else "names no model"
        into.left.add(entry.path, why)
        return None
    provider, model_id = _provider(params, into, written)
    ref = into.model(provider, _model(params, info, model_id), entry.path) if model_id else None
    for each, why in ((params, _OF_A_REQUEST), (info, _SETTING), (entry, _SETTING)):
        each.close(why)
    return ref


def _provider(params: Entry, into: Gathering, written: str) -> tuple[Provider, str]:
    """`groq/llama-3`, with or without an address of its own."""
    prefix, slash, rest = written.partition("/")
    named = params.text("custom_llm_provider")
    vendor = vendor_named(named or prefix) if slash or named else _vendor_by_model(written)
    model_id = rest if slash and named in {None, prefix} else written
    address = address_of(params, "api_base", "base_url")
    service = service_at(vendor, address)
    service = with_key(service, params, "api_key", variable_of_vendor(vendor, service))
    if vendor is None and (address is None or service.kind is ProviderKind.CUSTOM):
        params.left.add((*params.path, "model"), "its vendor is not known here: write provider_kind, base_url and api")
    name = name_of_address(address, vendor.name if vendor else prefix if slash else "litellm")
    return into.provider(name, service), model_id


def _vendor_by_model(model_id: str) -> Vendor | None:
    """LiteLLM looks a name without a vendor up in its list; here the catalog tells."""
    match = builtin().find(model_id)
    return vendor_named(match.row.vendor.value) if match else None


def _model(params: Entry, info: Entry, model_id: str) -> ImportedModel:
    info.leave("max_input_tokens", "counts the input alone: write context_window_tokens, input and output together")
    info.leave("max_tokens", "input or output, by LiteLLM's rules: write the field that is meant")
    return ImportedModel(
        model_id,
        max_output_tokens=info.count("max_output_tokens"),
        supports=flags_of(info, _FLAGS),
        limits=LimitsRow(params.count("rpm"), params.count("tpm"), params.count("max_parallel_requests")),
    )


def _take_names(groups: Groups, into: Gathering) -> None:
    """A name for one model alone becomes its alias; one for several cannot."""
    for name, refs in groups.items():
        if len(set(refs)) == 1:
            into.alias(refs[0], name)


def _take_fallbacks(top: Entry, groups: Groups, into: Gathering) -> None:
    """They stand under `router_settings` or `litellm_settings`. The rest of a group comes before other groups."""
    for section in (top.entry("router_settings"), top.entry("litellm_settings")):
        for entry in section.entries("fallbacks"):
            for name, targets in entry.named_words():
                path = (*entry.path, name)
                if name not in groups:
                    into.left.add(path, "model_list has no such model_name")
                    continue
                own = groups[name]
                into.chain(own[0], [*own[1:], *_refs(targets, groups, path, into)], path)
        section.leave("default_fallbacks", "models.yaml has no chain for all models")
        section.leave("context_window_fallbacks", "a chain of models.yaml answers every failure, not one kind")
        section.leave("content_policy_fallbacks", "a chain of models.yaml answers every failure, not one kind")
        section.close(_SETTING)


def _refs(names: list[str], groups: Groups, path: YamlPath, into: Gathering) -> Iterator[ModelRef]:
    for number, name in enumerate(names):
        if name not in groups:
            into.left.add((*path, number), "model_list has no such model_name")
        yield from groups.get(name, ())
