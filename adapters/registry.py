"""A provider of models.yaml → the adapter that speaks its Api, or a typed reason why there is none."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field

import httpx
import pluggy

from adapters.anthropic import AnthropicAdapter, AnthropicCompatibleAdapter
from adapters.contract import ProviderAdapter
from adapters.conversion.target import Dialect
from adapters.errors import Failure, FailureKind, ProviderError, failure
from adapters.http import BEARER, Channel, Exchange
from adapters.limits import Limits
from adapters.offline import OfflineAdapter
from adapters.ollama import OllamaAdapter
from adapters.openai import OpenAIAdapter, OpenAICompatibleAdapter
from adapters.openrouter import OpenRouterAdapter
from adapters.plugins import plugins_with_adapters
from adapters.redaction import Redactor
from adapters.secrets import Credential, CredentialResolver
from adapters.settings import ProviderSettings, require_endpoint
from model.quick_dataclass import dataclass
from model.transports import PORTABLE, Transport, transport_for
from model.vocabulary import Api, ProviderKind

HttpAdapterClass = (
    type[AnthropicAdapter] | type[OpenAIAdapter] | type[OllamaAdapter]
)  # each names its wire, dialect and key headers

VENDORS: dict[tuple[ProviderKind, Api], HttpAdapterClass] = {
    (ProviderKind.ANTHROPIC, Api.ANTHROPIC_MESSAGES): AnthropicAdapter,
    (ProviderKind.OPENAI, Api.OPENAI_COMPLETIONS): OpenAIAdapter,
    (ProviderKind.OPENROUTER, Api.OPENAI_COMPLETIONS): OpenRouterAdapter,
}
"""Vendors whose endpoints do more than their Api says."""

SPEAKERS: dict[Api, HttpAdapterClass] = {
    Api.ANTHROPIC_MESSAGES: AnthropicCompatibleAdapter,
    Api.OPENAI_COMPLETIONS: OpenAICompatibleAdapter,
    Api.OLLAMA_CHAT: OllamaAdapter,
}
"""Who speaks an Api for every other provider."""


@dataclass(frozen=True, slots=True)
class Connections:
    """What all adapters of a run share: where keys come from, what hides them, and the limits.

    `http` is the seam for tests; `watch` hears of the head of every answer. `allow_proxy` is `policy.allow_proxy` of
    the global file.
    """

    resolver: CredentialResolver = field(default_factory=CredentialResolver)
    redactor: Redactor = field(default_factory=Redactor)
    limits: Limits = field(default_factory=Limits)
    allow_proxy: bool = False
    plugins: pluggy.PluginManager | None = None
    http: httpx.AsyncBaseTransport | None = None
    watch: Callable[[Exchange], None] | None = None


def open_adapter(settings: ProviderSettings, connections: Connections) -> ProviderAdapter:
    """The adapter of this provider; nothing is sent yet. Close it after use.

    In this order: an untrusted provider is refused before its secret is looked up; a blank or `mock_*` credential gives
    the offline adapter, whatever the endpoint; then the endpoint policy, then the credential.
    Raises ProviderError (UNTRUSTED, ENDPOINT, NO_CREDENTIAL, UNSUPPORTED).
    """
    if not settings.is_trusted:
        raise ProviderError(failure(FailureKind.UNTRUSTED))
    credential = connections.resolver.look_up(settings.auth_ref)
    if credential.secret is not None and credential.secret.is_offline:
        return OfflineAdapter(settings)
    speaker = speaker_for(settings.kind, settings.api)
    channel = _channel(settings, credential, speaker, connections)
    if speaker is None or settings.kind is ProviderKind.CUSTOM:
        plugged = _plugged(settings, channel, connections)
        if plugged is not None:
            return plugged
    if speaker is None:
        raise ProviderError(_no_adapter(settings))
    return speaker(settings, transport_for(settings.api), channel)


def speaker_for(kind: ProviderKind, api: Api) -> HttpAdapterClass | None:
    """Our own adapter for a provider; None where the Api is one that capdeck knows on paper only."""
    return VENDORS.get((kind, api)) or SPEAKERS.get(api)


def dialect_of(kind: ProviderKind, api: Api) -> Dialect:
    """How requests to such a provider are written; nothing is opened."""
    speaker = speaker_for(kind, api)
    return speaker.dialect if speaker else Dialect()


def _channel(
    settings: ProviderSettings, credential: Credential, speaker: HttpAdapterClass | None, connections: Connections
) -> Channel:
    """Raises ProviderError (ENDPOINT, NO_CREDENTIAL)."""
    endpoint = require_endpoint(settings)
    if credential.secret is None and _needs_secret(settings):
        raise ProviderError(failure(FailureKind.NO_CREDENTIAL, credential.cause))
    speaks_anthropic = settings.api is Api.ANTHROPIC_MESSAGES and speaker is not None
    return Channel(
        endpoint=endpoint,
        secret=credential.secret,
        key_headers=speaker.key_headers if speaker else (BEARER,),
        redactor=connections.redactor,
        limits=connections.limits,
        headers={"anthropic-version": speaker.dialect.anthropic_version} if speaker and speaks_anthropic else {},
        allow_proxy=connections.allow_proxy,
        transport=connections.http,
        watch=connections.watch,
    )


def _needs_secret(settings: ProviderSettings) -> bool:
    """A stated auth_ref has to be found; without one, only a local server is called without a key (DOMAIN.md §3)."""
    if settings.auth_ref is None:
        return not settings.is_local
    return settings.auth_ref.needs_secret


def _plugged(settings: ProviderSettings, channel: Channel, connections: Connections) -> ProviderAdapter | None:
    manager = connections.plugins or plugins_with_adapters().manager
    problem: Failure
    try:
        adapter: ProviderAdapter | None = manager.hook.capdeck_adapter(settings=settings, channel=channel)
    except (Exception, SystemExit) as error:  # a plugin may raise anything; its text may hold anything
        problem = failure(FailureKind.UNSUPPORTED, f"a plugin failed with {type(error).__name__}")
    else:
        return adapter
    raise ProviderError(problem)


def transport_of(adapter: ProviderAdapter) -> Transport:
    """The row of an adapter; the portable one for a plugin's that states none (seed 004)."""
    row = getattr(adapter, "transport", None)
    return row if isinstance(row, Transport) else PORTABLE


def _no_adapter(settings: ProviderSettings) -> Failure:
    if settings.api is Api.UNKNOWN:
        return failure(FailureKind.UNSUPPORTED, "no api is stated for it", mend="Write api: and one of the known words")
    return failure(
        FailureKind.UNSUPPORTED,
        f"capdeck does not speak {settings.api}; what is shown of it is on paper",
        mend="Install a plugin that speaks it, or name another api",
    )
