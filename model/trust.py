"""Which endpoints may be contacted although a file chose them that is not the user's own (DOMAIN.md §3).

A cloned repository brings a models.yaml, whose base_url and auth_ref together decide which key goes where. They rest
until the user agrees to exactly that provider_id, base_url and auth_ref; what changes later rests again.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from datetime import date
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from model.auth import parse_auth_ref
from model.document import DocumentError, YamlDoc
from model.endpoint import EndpointProblem, read_endpoint
from model.quick_dataclass import dataclass
from model.vocabulary import Layer

if TYPE_CHECKING:
    from model.config.merge import Config, Provider, ProviderLayer
    from model.document import Edit

TRUST_FILE = Path(".air") / "trust.yaml"
_NOT_THE_USERS = frozenset({Layer.PROJECT, Layer.FILE})


class Trust(Protocol):
    """What the user has agreed to. Immutable: another state is another object."""

    def untrusted(self, config: Config) -> frozenset[str]:
        """The providers that must not be contacted, and whose auth_ref must not be looked up."""


@dataclass(frozen=True, slots=True)
class Claim:
    """Where a provider's key would go (the kind's own address where none is stated), and where it lies."""

    provider_id: str
    base_url: str
    auth_ref: str

    @property
    def fingerprint(self) -> str:
        return _fingerprint(self.provider_id, self.base_url, self.auth_ref)


@lru_cache(maxsize=4096)
def _fingerprint(*parts: str) -> str:
    import hashlib

    text = json.dumps(parts)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def chosen_by_others(provider: Provider) -> tuple[str, ProviderLayer] | None:
    """The field by which a project file, or a file opened alone, decides which key goes where, and what that file
    says; None where the user's own file decides.

    A kind without a base_url means the vendor's own address, so that another kind moves the key as well.
    """
    for name in ("base_url" if provider.base_url else "provider_kind", "auth_ref"):
        layer = provider.decided_by(name)
        if layer is not None and layer.layer in _NOT_THE_USERS:
            return name, layer
    return None


def claim_of(provider: Provider) -> Claim:
    """What the user would agree to."""
    return Claim(provider.provider_id, provider.effective_base_url or "", provider.auth_ref or "")


def objection(provider: Provider) -> str:
    """Why nobody can agree to what the files say of a provider; empty if one can. Repeats no secret."""
    endpoint = read_endpoint(provider.effective_base_url, local=provider.local)
    if isinstance(endpoint, EndpointProblem):
        return endpoint.text
    ref = parse_auth_ref(provider.auth_ref or "none")
    if not ref.is_valid:
        return "auth_ref names no place where a key lies"
    return "its auth_ref points at another program's keys" if ref.is_foreign else ""


def claims(config: Config) -> tuple[Claim, ...]:
    """All that files chose that are not the user's own."""
    return tuple(claim_of(provider) for provider in config.providers if chosen_by_others(provider))


@dataclass(frozen=True, slots=True)
class Agreement:
    """One line of the trust file. The address and the auth_ref are kept as a hash only."""

    provider_id: str
    sha256: str
    since: str = ""


@dataclass(frozen=True, slots=True)
class TrustBook:
    """Implements `Trust`. A file that cannot be read agrees to nothing, and `problem` says why."""

    agreements: tuple[Agreement, ...] = ()
    problem: str = ""

    def agrees(self, claim: Claim) -> bool:
        return any(each.sha256 == claim.fingerprint for each in self.agreements)

    def untrusted(self, config: Config) -> frozenset[str]:
        known = {each.sha256 for each in self.agreements}
        found = claims(config)
        return frozenset(claim.provider_id for claim in found if not known or claim.fingerprint not in known)


NOBODY_TRUSTED = TrustBook()


class CannotTrust(Exception):
    """The trust file cannot be read, so that nothing is written over it; or nothing can be agreed to."""


def trust_path(environ: Mapping[str, str] = os.environ) -> Path:
    """`CAPDECK_TRUST`, else `~/.air/trust.yaml`; an empty variable counts as unset."""
    named = environ.get("CAPDECK_TRUST")
    return Path(named) if named else Path.home() / TRUST_FILE


def read_trust(path: Path) -> TrustBook:
    """Never raises; no file means that nothing was agreed to."""
    try:
        return _book(YamlDoc.open(path).data)
    except FileNotFoundError:
        return NOBODY_TRUSTED
    except (DocumentError, OSError) as problem:
        reason = problem.reason if isinstance(problem, DocumentError) else problem.strerror
        return TrustBook(problem=f"{path} cannot be read: {reason}")


def _book(data: Any) -> TrustBook:
    """A line that makes no sense agrees to nothing."""
    rows = data.get("trusted") if isinstance(data, dict) else None
    found = [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
    return TrustBook(tuple(_agreement(row) for row in found if isinstance(row.get("sha256"), str)))


def _agreement(row: Mapping[Any, Any]) -> Agreement:
    return Agreement(str(row.get("provider_id", "")), row["sha256"], str(row.get("since", "")))


def agree(path: Path, agreed: Iterable[Claim], today: date) -> TrustBook:
    """Adds to the file, in one atomic write; a new file is readable for the user alone (0600).

    Raises CannotTrust, OSError, and Conflict if another capdeck was faster.
    """
    from model.document import InsertItem, Put

    doc, book = _open(path)
    new = [claim for claim in agreed if not book.agrees(claim)]
    rows = [{"provider_id": each.provider_id, "since": today.isoformat(), "sha256": each.fingerprint} for each in new]
    if not rows:
        return book
    if book.agreements:
        edits: list[Edit] = [InsertItem(("trusted",), len(doc.data["trusted"]), row) for row in rows]
    else:
        edits = [Put(("trusted",), rows)]
    return _write(path, doc, edits)


def revoke(path: Path, provider_ids: Iterable[str]) -> tuple[TrustBook, tuple[Agreement, ...]]:
    """Takes back all agreements about these providers, and says which there were. Raises as `agree`."""
    from model.document import Put

    doc, book = _open(path)
    unwanted = frozenset(provider_ids)
    gone = tuple(each for each in book.agreements if each.provider_id in unwanted)
    if not gone:
        return book, ()
    kept = [row for row in doc.data["trusted"] if not (isinstance(row, dict) and row.get("provider_id") in unwanted)]
    return _write(path, doc, [Put(("trusted",), kept)]), gone


def _open(path: Path) -> tuple[YamlDoc, TrustBook]:
    book = read_trust(path)
    if book.problem:
        raise CannotTrust(book.problem)
    return (YamlDoc.open(path) if path.exists() else YamlDoc.parse(_HEADING, str(path))), book


_HEADING = b"# Endpoints of project files that capdeck may contact. `capdeck untrust PROVIDER` takes one back.\n"


def _write(path: Path, doc: YamlDoc, edits: Iterable[Edit]) -> TrustBook:
    from model.document import save

    new = doc.apply(*edits)
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    save(new, path, expected_sha256=doc.sha256 if path.exists() else None)
    return _book(new.data)
