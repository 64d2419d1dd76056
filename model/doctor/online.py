"""What contacting the endpoints showed, in exact words. Who contacts them is `adapters.checks`; nothing is proved here.

A result holds for as long as the files still say what was asked for, so it may be kept while the user edits.
"""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from functools import lru_cache

from model.auth import AuthState
from model.config.merge import Provider
from model.doctor.near import nearest_name
from model.model_ref import ModelRef
from model.quick_dataclass import dataclass
from model.resolve import Observed, ResolvedModel
from model.snapshot import Snapshot
from model.trust import Claim, claim_of
from model.vocabulary import Api

CLOCK_SECONDS = 300.0
"""Up to here, clocks that differ do no harm."""


class Reach(StrEnum):
    """What is known of an endpoint. "Answered" is not "healthy": its status and the trouble tell."""

    NOT_CHECKED = "not checked"
    REFUSED = "refused"
    TIMED_OUT = "timed out"
    ANSWERED = "answered"


class Listing(StrEnum):
    """What is known of a model. "Listed" is not "usable"."""

    NOT_CHECKED = "not checked"
    LISTED = "listed"
    NOT_LISTED = "not listed"
    UNSUPPORTED = "listing unsupported"


class TroubleCode(StrEnum):
    """What can be wrong with a visit, as the doctor's codes."""

    KEY_REJECTED = "auth-rejected"
    KEY_WANTED = "auth-wanted"
    FORBIDDEN = "auth-forbidden"
    NO_CREDIT = "auth-no-credit"
    REFUSED = "endpoint-refused"
    TIMED_OUT = "endpoint-timed-out"
    TLS = "endpoint-tls"
    REDIRECT = "endpoint-redirect"
    WEB_PAGE = "endpoint-web-page"
    NO_LIST = "endpoint-no-list"
    FAILED = "endpoint-failed"
    USED_UP = "limit-used-up"


@dataclass(frozen=True, slots=True)
class Trouble:
    """What went wrong, in our words; `said` is the server's own word, redacted, and still foreign text."""

    code: TroubleCode
    text: str
    mend: str
    said: str = ""


@dataclass(frozen=True, slots=True)
class Asked:
    """All that decides what a visit asks: while it is the same, the result holds."""

    claim: Claim
    api: Api

    @classmethod
    def of(cls, provider: Provider) -> Asked:
        return cls(claim_of(provider), provider.api)


@dataclass(frozen=True, slots=True)
class OnlineResult:
    """One provider's visit.

    `url` is the address that was asked (or would have been), without secrets; `skipped` says why nobody was. `status`
    and `milliseconds` are of the first answer's head. `listed` are the ids on the endpoint's list; None = there is no
    list. `also` are ids beside the list that the endpoint takes. `works_at` is the base_url that answers where the
    stated one does not. `requests` and `tokens` are the quotas that its headers tell. `clock_seconds` is how far the
    server's clock is ahead of ours.
    """

    asked: Asked
    url: str = ""
    skipped: str = ""
    reach: Reach = Reach.NOT_CHECKED
    status: int | None = None
    milliseconds: int | None = None
    trouble: Trouble | None = None
    auth: AuthState = AuthState.NOT_CHECKED
    auth_evidence: str = ""
    listing: Listing = Listing.NOT_CHECKED
    listed: tuple[str, ...] | None = None
    also: frozenset[str] = frozenset()
    works_at: str = ""
    server: str = ""
    requests: int | None = None
    tokens: int | None = None
    clock_seconds: float | None = None
    seen: tuple[tuple[ModelRef, Observed], ...] = ()

    @property
    def provider_id(self) -> str:
        return self.asked.claim.provider_id

    def holds(self, snapshot: Snapshot) -> bool:
        provider = provider_of(snapshot, self.provider_id)
        return provider is not None and provider.enabled and Asked.of(provider) == self.asked

    @property
    def endpoint_words(self) -> str:
        """`answered (200, 412 ms)`, `refused: nobody listens on that port`, `not checked: switched off`."""
        if self.reach is Reach.ANSWERED:
            told = [str(self.status)] if self.status else []
            told += [f"{self.milliseconds} ms"] if self.milliseconds is not None else []
            return f"{self.reach} ({', '.join(told)})" if told else self.reach.value
        why = self.skipped or (self.trouble.text if self.trouble and self.reach is Reach.REFUSED else "")
        return f"{self.reach}: {why}" if why else self.reach.value


@dataclass(frozen=True, slots=True)
class ModelWord:
    """What the list says of one model of the file; `closest` is the listed id that is most like it."""

    ref: ModelRef
    listing: Listing
    closest: str = ""

    def __str__(self) -> str:
        return f"{self.listing} (closest: {self.closest})" if self.closest else self.listing.value


def summary(words: Sequence[ModelWord]) -> str:
    """All models of a provider in one text: `listed`, `3 listed, 1 not listed (closest: x)`; empty without any."""
    if len(words) < 2:
        return str(words[0]) if words else ""
    counts = Counter(word.listing for word in words)
    told = []
    for listing in (each for each in Listing if counts[each]):
        near = next((word.closest for word in words if word.listing is listing and word.closest), "")
        told.append(f"{counts[listing]} {ModelWord(words[0].ref, listing, near)}")
    return ", ".join(told)


def provider_of(snapshot: Snapshot, provider_id: str) -> Provider | None:
    return next((each for each in snapshot.config.providers if each.provider_id == provider_id), None)


def model_words(snapshot: Snapshot, result: OnlineResult) -> tuple[ModelWord, ...]:
    """One word for each enabled model of the provider, as the file has it now."""
    return tuple(_word(row, result) for row in _own_rows(snapshot, result.provider_id))


def _own_rows(snapshot: Snapshot, provider_id: str) -> Iterable[ResolvedModel]:
    return (row for row in snapshot.matrix.rows if row.ref.provider_id == provider_id and row.enabled)


def _word(row: ResolvedModel, result: OnlineResult) -> ModelWord:
    if result.listed is None:
        return ModelWord(row.ref, result.listing)
    if result.also.union(result.listed).intersection(names_of(row)):
        return ModelWord(row.ref, Listing.LISTED)
    return ModelWord(row.ref, Listing.NOT_LISTED, closest(row.ref.model_id, result.listed))


def names_of(row: ResolvedModel) -> Iterator[str]:
    """The ids under which an endpoint may list a model: its own, its aliases in file and catalog, and the forms in
    which Ollama (`:latest`) and Google (`models/…`) write them."""
    own = [row.ref.model_id, *(alias for layer in row.model.layers for alias in layer.row.aliases or ())]
    if row.catalog:
        own += [row.catalog.row.model_id, *row.catalog.row.aliases]
    for name in own:
        yield from (name, f"{name}:latest", f"models/{name}")


MOST_COMPARED = 2_000
"""Ids that are compared letter by letter; a longer list is searched for slips of the pen only."""


@lru_cache(maxsize=1024)
def closest(model_id: str, listed: tuple[str, ...]) -> str:
    """The listed id that is most like `model_id`; empty if none is like it."""
    if near := nearest_name(model_id, listed):
        return near
    near_ones = difflib.get_close_matches(model_id, listed[:MOST_COMPARED], 1, 0.6)
    return near_ones[0] if near_ones else ""
