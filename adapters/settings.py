"""What an adapter has to know of a provider before it may contact it."""

from __future__ import annotations

from dataclasses import dataclass

from adapters.errors import FailureKind, ProviderError, failure
from model.auth import AuthRef
from model.endpoint import Endpoint, EndpointProblem, read_endpoint
from model.vocabulary import Api, ProviderKind


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


def require_endpoint(settings: ProviderSettings) -> Endpoint:
    """Raises ProviderError (UNTRUSTED, ENDPOINT); nothing has been contacted and no secret resolved by then."""
    if not settings.is_trusted:
        raise ProviderError(failure(FailureKind.UNTRUSTED))
    endpoint = settings.endpoint
    if isinstance(endpoint, EndpointProblem):
        raise ProviderError(failure(FailureKind.ENDPOINT, endpoint.text, mend=endpoint.mend))
    return endpoint
