"""`capdeck trust`: what a file that is not the user's own would contact, and with which key; then the question."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from tui.cli.errors import FOUND_SOMETHING, Failure
from tui.cli.invocation import Invocation, command
from tui.cli.lines import aligned
from tui.cli.shapes import files_shape
from tui.cli.words import FromFiles, provider_named
from tui.safe_text import safe_text

if TYPE_CHECKING:
    from model.config.merge import Provider
    from model.snapshot import Snapshot
    from model.trust import Claim


def _ids_of_others(snapshot: Snapshot) -> list[str]:
    from model.trust import claims

    return [claim.provider_id for claim in claims(snapshot.config)]


@dataclass(frozen=True, slots=True)
class Offer:
    """One claim as it is shown. `refused` says why it cannot be agreed to; address and key then stay unsaid where
    they may hold a secret."""

    claim: Claim
    address: str
    key: str
    place: tuple[str, int, int]
    trusted: bool
    refused: str

    @property
    def word(self) -> str:
        return "trusted" if self.trusted else f"cannot be trusted: {self.refused}" if self.refused else "not trusted"

    def row(self) -> list[str]:
        return [self.claim.provider_id, self.address, self.key, "{}:{}:{}".format(*self.place), self.word]

    def shape(self) -> dict[str, Any]:
        file, line, column = self.place
        return {
            "provider_id": self.claim.provider_id,
            "base_url": self.address or None,
            "auth_ref": self.key or None,
            "trusted": self.trusted,
            "refused": self.refused or None,
            "file": file,
            "line": line,
            "column": column,
        }


@command()
@click.argument("providers", nargs=-1, type=FromFiles("provider", _ids_of_others), metavar="[PROVIDER]...")
@click.option("--yes", is_flag=True, help="Agree without being asked.")
def trust(invocation: Invocation, providers: Sequence[str], yes: bool) -> int | None:
    """Let the endpoints that a project file chooses be contacted, with the keys that it names.

    Lists what would be contacted, and asks. What you agree to is exactly this address with this auth_ref: if the file
    changes either, it rests again. capdeck untrust takes it back. Exit code 1: something listed is not trusted.
    """
    bench = invocation.open()
    wanted = frozenset(provider_named(bench.snapshot, each) for each in providers)
    offers = offers_of(bench.snapshot, wanted)
    open_ = [each for each in offers if not (each.trusted or each.refused)]
    agreed = bool(open_) and (yes or (not invocation.out.as_json and _asked(invocation, offers, len(open_))))
    if agreed:
        _agree(open_)
        offers = offers_of(invocation.open().snapshot, wanted)
    if invocation.out.as_json:
        shape = {"files": files_shape(bench.snapshot), "trust": [offer.shape() for offer in offers]}
        invocation.out.document(shape)
    elif agreed or not open_:
        _print(invocation, offers)
    return None if all(each.trusted for each in offers) else FOUND_SOMETHING


def offers_of(snapshot: Snapshot, wanted: Set[str]) -> list[Offer]:
    """What others chose of the `wanted` providers (none = of all), in file order. No secret is looked up."""
    providers = (each for each in snapshot.config.providers if not wanted or each.provider_id in wanted)
    return [offer for provider in providers if (offer := _offer(snapshot, provider))]


def _offer(snapshot: Snapshot, provider: Provider) -> Offer | None:
    from model.auth import parse_auth_ref
    from model.endpoint import EndpointProblem, read_endpoint
    from model.findings import Spot
    from model.trust import chosen_by_others, claim_of, objection

    chosen = chosen_by_others(provider)
    if chosen is None:
        return None
    name, layer = chosen
    line, column = snapshot.file(layer.file).line_column(Spot(layer.file, (*layer.row.path, name))) or (1, 1)
    endpoint, ref = read_endpoint(provider.effective_base_url, local=provider.local), provider.auth_ref
    return Offer(
        claim_of(provider),
        "" if isinstance(endpoint, EndpointProblem) else endpoint.url,
        str(parse_auth_ref(ref)) if ref is not None else "no key",
        (layer.file, line, column),
        provider.provider_id not in snapshot.given.untrusted,
        objection(provider),
    )


def _print(invocation: Invocation, offers: Sequence[Offer]) -> None:
    for line in aligned([[safe_text(cell) for cell in offer.row()] for offer in offers]):
        invocation.out.line(line)
    if not offers:
        invocation.out.line("nothing to agree to: your own file chooses every endpoint and key")


def _asked(invocation: Invocation, offers: Sequence[Offer], count: int) -> bool:
    _print(invocation, offers)
    these = "this endpoint" if count == 1 else f"these {count} endpoints"
    try:
        return click.confirm(f"contact {these}, each with the key named beside it?", default=False, err=True)
    except click.Abort:
        raise Failure(
            "not-confirmed", "nothing was agreed to: nobody answered", "--yes agrees without asking"
        ) from None


def _agree(offers: Sequence[Offer]) -> None:
    from datetime import date

    from model.trust import CannotTrust, agree, trust_path

    try:
        agree(trust_path(), [offer.claim for offer in offers], date.today())
    except CannotTrust as problem:
        raise Failure("trust-unreadable", str(problem), "mend or remove that file; nothing was written") from None
