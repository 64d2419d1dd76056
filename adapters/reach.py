"""From the open files to an adapter: who may be called, how, and whether anybody is called at all."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from adapters.conversion.target import Target
from adapters.redaction import Redactor, WatchedCredentials
from adapters.registry import Connections
from adapters.secrets import CredentialResolver
from adapters.settings import ProviderSettings, settings_of
from model.auth import MOCK_PREFIX, parse_auth_ref
from model.trust import chosen_by_others

if TYPE_CHECKING:
    from adapters.contract import ProviderAdapter
    from model.config.merge import Provider
    from model.snapshot import Snapshot


def connections_of(snapshot: Snapshot) -> Connections:
    """Keys come from where the snapshot's own credentials come from; the policy of the files decides about proxies."""
    known = snapshot.surroundings.credentials
    resolver = known if isinstance(known, CredentialResolver) else CredentialResolver()
    redactor = known.redactor if isinstance(known, WatchedCredentials) else Redactor()
    return Connections(resolver, redactor, allow_proxy=snapshot.config.policy.allow_proxy)


def settings_in(snapshot: Snapshot, provider: Provider, *, offline: bool = False) -> ProviderSettings:
    """`offline`: nobody is to be called, whatever the file says. Where nothing is known of trust, only what the user's
    own file chose is trusted."""
    rests = provider.provider_id in snapshot.given.untrusted
    unjudged = snapshot.surroundings.trust is None and chosen_by_others(provider) is not None
    settings = settings_of(provider, is_trusted=not (rests or unjudged))
    return replace(settings, auth_ref=parse_auth_ref(MOCK_PREFIX)) if offline else settings


def at_wire(adapter: ProviderAdapter, target: Target) -> Target:
    """The target on the wire that this adapter speaks: a made-up answer and a plugin may have one of their own."""
    own = adapter.target(target.model_id)
    return replace(target, api=own.api, dialect=own.dialect)
