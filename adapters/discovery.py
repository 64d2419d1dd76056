"""What an endpoint tells about its models, as observed values with a date; and whether it proves the key.

Free GETs only. Nothing here changes a file: adopting an observation is an edit that the user makes (DOMAIN.md §2.3).
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from enum import StrEnum
from typing import Any

from adapters.contract import ProviderAdapter
from adapters.errors import Failure, FailureKind, ProviderError
from adapters.http_adapter import HttpAdapter
from adapters.listing import ListedModel, llama_props, lm_studio_models
from model.auth import AuthState
from model.quick_dataclass import dataclass
from model.vocabulary import Api

MOST_SHOWN = 50
"""How many models of an Ollama server are looked up one by one."""


class ServerKind(StrEnum):
    """Software that is known by its answers; a product's name in base_url proves nothing."""

    LLAMA_CPP = "llama.cpp"
    LM_STUDIO = "LM Studio"
    OLLAMA = "Ollama"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Discovery:
    """What an endpoint listed, on which day, and what it runs. "Listed" is not "usable"."""

    endpoint: str
    seen: date
    server: ServerKind
    models: tuple[ListedModel, ...]


async def discover(adapter: ProviderAdapter, today: date) -> Discovery:
    """Raises ProviderError. Local servers are asked by their own paths too; nobody else is."""
    models = await adapter.listed()
    server, models = await look_closer(adapter, models)
    return Discovery(adapter.url if isinstance(adapter, HttpAdapter) else "", today, server, models)


async def look_closer(
    adapter: ProviderAdapter, models: tuple[ListedModel, ...], first: frozenset[str] = frozenset()
) -> tuple[ServerKind, tuple[ListedModel, ...]]:
    """What a server of the user's own tells beyond its list; where models are looked up one by one, `first` go first.

    Nothing is raised: what cannot be told stays as the list has it.
    """
    if not isinstance(adapter, HttpAdapter):
        return ServerKind.OTHER, models
    if adapter.settings.api is Api.OLLAMA_CHAT:
        return ServerKind.OLLAMA, await _shown(adapter, models, first)
    return await _local(adapter, models) if adapter.is_near else (ServerKind.OTHER, models)


async def _shown(
    adapter: HttpAdapter, models: tuple[ListedModel, ...], first: frozenset[str]
) -> tuple[ListedModel, ...]:
    """One after another, so that a small server is not flooded; one that fails keeps its bare row."""
    found = list(models)
    order = sorted(range(len(models)), key=lambda index: models[index].model_id not in first)
    for index in order[:MOST_SHOWN]:
        try:
            found[index] = await adapter.look_up(models[index].model_id)
        except ProviderError:
            continue
    return tuple(found)


async def _local(adapter: HttpAdapter, models: tuple[ListedModel, ...]) -> tuple[ServerKind, tuple[ListedModel, ...]]:
    """What llama.cpp (/props) and LM Studio (/api/v0/models) tell of themselves."""
    props = await _told(adapter, "/props")
    if isinstance(props, Mapping) and "default_generation_settings" in props:
        only = models[0] if len(models) == 1 else None
        return ServerKind.LLAMA_CPP, (llama_props(only, props),) if only else models
    listed = {model.model_id: model for model in lm_studio_models(await _told(adapter, "/api/v0/models"))}
    if listed:
        return ServerKind.LM_STUDIO, tuple(listed.get(model.model_id, model) for model in models)
    return ServerKind.OTHER, models


async def _told(adapter: HttpAdapter, path: str) -> Any | None:
    try:
        return await adapter.get_at_root(path)
    except ProviderError:
        return None


@dataclass(frozen=True, slots=True)
class KeyProof:
    """What a free GET says about the key: accepted, rejected, or not checked, with the evidence in words."""

    state: AuthState
    evidence: str
    failure: Failure | None = None


async def prove_key(adapter: ProviderAdapter, *, lists: bool = False) -> KeyProof:
    """A free GET (mostly the model list) with the key, then without: what anybody may read proves no key.

    `lists`: the list has just been read with the key, and is not asked for again. Never raises ProviderError. Costs
    two GETs at most.
    """
    if adapter.is_offline or not isinstance(adapter, HttpAdapter) or not adapter.has_key:
        return KeyProof(AuthState.NOT_CHECKED, "no key is sent")
    refused = None if lists and not adapter.wire.guarded else await _refusal(adapter)
    if refused is not None:
        rejected = refused.kind is FailureKind.UNAUTHORIZED
        return KeyProof(AuthState.REJECTED if rejected else AuthState.NOT_CHECKED, refused.text, refused)
    keyless = adapter.without_key()
    without = await _refusal(keyless)
    await keyless.aclose()
    if without is not None and without.kind in {FailureKind.UNAUTHORIZED, FailureKind.FORBIDDEN}:
        return KeyProof(AuthState.ACCEPTED, "it opens with the key and not without it")
    if without is not None:
        return KeyProof(AuthState.NOT_CHECKED, f"it opens with the key; without it, {without.text}")
    return KeyProof(AuthState.NOT_CHECKED, "what is free to read opens without a key too, so that it proves none")


async def _refusal(adapter: HttpAdapter) -> Failure | None:
    try:
        await adapter.get_guarded()
    except ProviderError as error:
        return error.failure
    return None


def gaps(discovery: Discovery, configured: frozenset[str]) -> tuple[tuple[ListedModel, ...], tuple[str, ...]]:
    """What the endpoint lists and the file lacks, and the configured model_ids that it does not list."""
    listed = {model.model_id for model in discovery.models}
    new = tuple(model for model in discovery.models if model.model_id not in configured)
    return new, tuple(sorted(configured - listed))
