"""What an adapter has to know of a provider before it may contact it."""

from __future__ import annotations

from adapters.errors import FailureKind, ProviderError, failure
from model.auth import AuthRef, parse_auth_ref
from model.config.merge import Provider
from model.endpoint import Endpoint, EndpointProblem, read_endpoint
from model.quick_dataclass import dataclass
from model.vocabulary import Api, Layer, ProviderKind


@dataclass(frozen=True, slots=True)
class ProviderSettings:
    """A provider of models.yaml, resolved.

    `is_marked_local` is the user's own `local: true` (from the global file or a bare path): it allows plain http.
    `is_trusted` is False for a base_url or auth_ref of a project file that the user has not trusted (DOMAIN.md §3).
    """

    provider_id: str
    kind: ProviderKind
    api: Api
    base_url: str | None = None
    auth_ref: AuthRef | None = None
    is_local: bool = False
    is_marked_local: bool = False
    is_trusted: bool = True

    @property
    def endpoint(self) -> Endpoint | EndpointProblem:
        """Where requests go: the stated base_url, else the kind's own."""
        return read_endpoint(self.base_url or self.kind.default_base_url, local=self.is_marked_local)

    @property
    def url(self) -> str:
        """The endpoint's URL; empty where it may not be contacted."""
        endpoint = self.endpoint
        return endpoint.url if isinstance(endpoint, Endpoint) else ""


def settings_of(provider: Provider, *, is_trusted: bool) -> ProviderSettings:
    """A merged provider as an adapter wants it. `is_trusted`: it is not among what `model.trust` holds untrusted."""
    own_word = any(each.row.local is True and each.layer is Layer.GLOBAL for each in provider.layers)
    return ProviderSettings(
        provider_id=provider.provider_id,
        kind=provider.kind or ProviderKind.CUSTOM,
        api=provider.api,
        base_url=provider.base_url,
        auth_ref=None if provider.auth_ref is None else parse_auth_ref(provider.auth_ref),
        is_local=provider.local,
        is_marked_local=own_word and provider.local,
        is_trusted=is_trusted,
    )


def require_endpoint(settings: ProviderSettings) -> Endpoint:
    """Raises ProviderError (UNTRUSTED, ENDPOINT); nothing has been contacted and no secret resolved by then."""
    if not settings.is_trusted:
        raise ProviderError(failure(FailureKind.UNTRUSTED))
    endpoint = settings.endpoint
    if isinstance(endpoint, EndpointProblem):
        raise ProviderError(failure(FailureKind.ENDPOINT, endpoint.text, mend=endpoint.mend))
    return endpoint
