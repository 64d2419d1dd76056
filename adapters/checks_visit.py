"""One visit of one endpoint: free requests only, to exactly the address in the file, and what they prove."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING

from adapters.checks_words import MAYBE_ELSEWHERE, NO_ANSWER, reach_after, trouble_of
from adapters.discovery import Discovery, ServerKind, look_closer, prove_key
from adapters.errors import Failure, FailureKind, ProviderError
from adapters.http import Exchange
from adapters.http_adapter import HttpAdapter
from adapters.listing import ListedModel
from adapters.reach import settings_in
from adapters.registry import Connections, open_adapter, speaker_for
from model.auth import AuthState
from model.doctor.online import Asked, Listing, OnlineResult, Reach, names_of
from model.endpoint import EndpointProblem
from model.model_ref import ModelRef
from model.resolve import Observed
from model.vocabulary import ProviderKind

if TYPE_CHECKING:
    from adapters.contract import ProviderAdapter
    from adapters.settings import ProviderSettings
    from model.config.merge import Provider
    from model.resolve import ResolvedModel
    from model.snapshot import Snapshot

MOST_LOOKED_UP = 3
"""How many models that Anthropic does not list are asked for by their id, since it takes aliases that it does not
list."""


def address_of(settings: ProviderSettings) -> str:
    """The address that a visit asks first; empty where there is none that may be asked."""
    endpoint, speaker = settings.endpoint, speaker_for(settings.kind, settings.api)
    return "" if isinstance(endpoint, EndpointProblem) or speaker is None else endpoint.join(speaker.wire.models)


class Visit:
    """Keeps what is known so far, so that a deadline loses nothing. `result` and `discovery` can be read any time."""

    def __init__(self, snapshot: Snapshot, provider: Provider, connections: Connections, today: date) -> None:
        self.settings = settings_in(snapshot, provider)
        self.result = OnlineResult(Asked.of(provider), address_of(self.settings))
        self.discovery: Discovery | None = None
        self._rows = tuple(
            row for row in snapshot.matrix.rows if row.ref.provider_id == provider.provider_id and row.enabled
        )
        self._connections = replace(connections, watch=self._hear)
        self._today = today
        self._skip_if_idle(provider)

    @property
    def server(self) -> str:
        """Scheme, host and port, which several providers may share."""
        endpoint = self.settings.endpoint
        return "" if isinstance(endpoint, EndpointProblem) else endpoint.origin

    @property
    def most_at_once(self) -> int | None:
        """The smallest `limits.concurrent_requests` of its models, where one is stated."""
        stated = (row.model.limits.concurrent_requests for row in self._rows)
        return min((most for most in stated if most), default=None)

    @property
    def is_over(self) -> bool:
        """Whether there is nothing to ask."""
        return bool(self.result.skipped)

    def _skip_if_idle(self, provider: Provider) -> None:
        """What is known before anybody is asked; no secret is looked up here."""
        ref = self.settings.auth_ref
        if not provider.enabled:
            self._know(skipped="switched off")
        elif not self.settings.is_trusted:
            self._know(skipped="not trusted")
        elif provider.kind is None:
            self._know(skipped="no provider_kind")
        elif ref is not None and ref.is_foreign:
            self._know(skipped="its auth_ref points at another program's keys")

    async def go(self) -> None:
        """Asks. Never raises ProviderError."""
        try:
            # A keyring may ask the user, and a file may lie on a slow disk: neither may stop the others.
            adapter = await asyncio.to_thread(open_adapter, self.settings, self._connections)
        except ProviderError as error:
            self._not_opened(error.failure)
            return
        try:
            if adapter.is_offline:
                self._know(skipped="offline mode", auth_evidence="its key is a mock or empty, so that nobody is called")
            else:
                await self._ask(adapter)
        finally:
            await adapter.aclose()

    def time_is_up(self) -> None:
        """The deadline struck: what is known stays, and of the rest it is said that no answer came."""
        if self.result.trouble is None and self.result.listing is Listing.NOT_CHECKED:
            self._know(reach=Reach.TIMED_OUT, trouble=NO_ANSWER)
        elif self.result.auth is AuthState.NOT_CHECKED and not self.result.auth_evidence:
            self._know(auth_evidence="no answer within the deadline")

    def fail(self, trouble_text: str) -> None:
        """Something broke that is no answer of the endpoint's."""
        self._know(skipped=trouble_text)

    def _know(self, **facts: object) -> None:
        self.result = replace(self.result, **facts)  # type: ignore[arg-type]  # the names are OnlineResult's

    def _hear(self, exchange: Exchange) -> None:
        """The first answer is that of the address in the file."""
        told = exchange.quotas
        if self.result.reach is Reach.NOT_CHECKED:
            milliseconds = round(exchange.seconds * 1000)
            self._know(reach=Reach.ANSWERED, status=exchange.status, milliseconds=milliseconds, url=exchange.url)
            self._know(clock_seconds=exchange.clock_seconds)
        if told.requests and told.requests.limit:
            self._know(requests=told.requests.limit)
        if told.tokens and told.tokens.limit:
            self._know(tokens=told.tokens.limit)

    def _not_opened(self, failure: Failure) -> None:
        missing = failure.kind is FailureKind.NO_CREDENTIAL
        why = "its key is absent" if missing else failure.text
        self._know(skipped=why, auth=AuthState.ABSENT if missing else AuthState.NOT_CHECKED)

    async def _ask(self, adapter: ProviderAdapter) -> None:
        try:
            models = await adapter.listed()
        except ProviderError as error:
            await self._refused(adapter, error.failure)
            return
        self._know(reach=Reach.ANSWERED, listing=Listing.LISTED if models else Listing.UNSUPPORTED)
        if models:
            self._know(listed=tuple(model.model_id for model in models))
        self._discovered(adapter, ServerKind.OTHER, models)
        proof = await prove_key(adapter, lists=True)
        self._know(auth=proof.state, auth_evidence=proof.evidence)
        if proof.failure is not None:
            self._know(trouble=trouble_of(proof.failure, key_sent=True))
        await self._look_for_aliases(adapter)
        server, models = await look_closer(adapter, models, self._names(models))
        self._discovered(adapter, server, models)

    async def _refused(self, adapter: ProviderAdapter, failure: Failure) -> None:
        sent = isinstance(adapter, HttpAdapter) and adapter.has_key
        trouble = trouble_of(failure, key_sent=sent)
        self._know(reach=reach_after(trouble), trouble=trouble)
        if failure.kind is FailureKind.UNAUTHORIZED and sent:
            self._know(auth=AuthState.REJECTED, auth_evidence=failure.text)
        if failure.kind in {FailureKind.NOT_FOUND, FailureKind.MODEL_NOT_FOUND}:
            self._know(listing=Listing.UNSUPPORTED)
        if failure.kind in MAYBE_ELSEWHERE and isinstance(adapter, HttpAdapter):
            await self._try_sibling(adapter)

    async def _try_sibling(self, adapter: HttpAdapter) -> None:
        sibling = adapter.endpoint.sibling()
        if sibling.join(adapter.wire.models) == adapter.endpoint.join(adapter.wire.models):
            return
        other = adapter.at(sibling)
        try:
            models = await other.listed()
        except ProviderError:
            return
        finally:
            await other.aclose()
        if models:
            self._know(works_at=sibling.url)

    async def _look_for_aliases(self, adapter: ProviderAdapter) -> None:
        listed = self.result.listed
        if listed is None or self.settings.kind is not ProviderKind.ANTHROPIC:
            return
        absent = [row for row in self._rows if not set(names_of(row)).intersection(listed)]
        for row in absent[:MOST_LOOKED_UP]:
            try:
                await adapter.look_up(row.ref.model_id)
            except ProviderError:
                continue
            self._know(also=self.result.also | {row.ref.model_id})

    def _names(self, models: tuple[ListedModel, ...]) -> frozenset[str]:
        """The listed ids that the file has."""
        own = {name for row in self._rows for name in names_of(row)}
        return frozenset(model.model_id for model in models if model.model_id in own)

    def _discovered(self, adapter: ProviderAdapter, server: ServerKind, models: tuple[ListedModel, ...]) -> None:
        where = adapter.url if isinstance(adapter, HttpAdapter) else ""
        self.discovery = Discovery(where, self._today, server, models)
        by_name = {model.model_id: model for model in models}
        seen = ((row.ref, _sight(row, by_name)) for row in self._rows)
        known = tuple((ref, model.observed(where, self._today)) for ref, model in seen if model is not None)
        self._know(server="" if server is ServerKind.OTHER else server.value, seen=_telling(known))


def _sight(row: ResolvedModel, by_name: Mapping[str, ListedModel]) -> ListedModel | None:
    return next((by_name[name] for name in names_of(row) if name in by_name), None)


def _telling(seen: tuple[tuple[ModelRef, Observed], ...]) -> tuple[tuple[ModelRef, Observed], ...]:
    """A bare name on a list says nothing about what the model can do."""
    return tuple(
        (ref, each)
        for ref, each in seen
        if each.flags.stated or each.context_window_tokens is not None or each.max_output_tokens is not None
    )
