"""`capdeck trust`: what a file that is not the user's own would contact, and with which key; then the question."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from tui.cli.errors import FOUND_SOMETHING, Failure
from tui.cli.invocation import Invocation, command
from tui.cli.lines import aligned
from tui.cli.shapes import files_shape
from tui.cli.words import FromFiles, provider_named
from tui.safe_text import safe_text

if TYPE_CHECKING:
    from model.snapshot import Snapshot
    from tui.trust_offers import TrustOffer


def _ids_of_others(snapshot: Snapshot) -> list[str]:
    from model.trust import claims

    return [claim.provider_id for claim in claims(snapshot.config)]


@command()
@click.argument("providers", nargs=-1, type=FromFiles("provider", _ids_of_others), metavar="[PROVIDER]...")
@click.option("--yes", is_flag=True, help="Agree without being asked.")
def trust(invocation: Invocation, providers: Sequence[str], yes: bool) -> int | None:
    """Let the endpoints that a project file chooses be contacted, with the keys that it names.

    Lists what would be contacted, and asks. What you agree to is exactly this address with this auth_ref: if the file
    changes either, it rests again. capdeck untrust takes it back. Exit code 1: something listed is not trusted.
    """
    from tui.trust_offers import offers_of

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


def _print(invocation: Invocation, offers: Sequence[TrustOffer]) -> None:
    for line in aligned([[safe_text(cell) for cell in offer.row()] for offer in offers]):
        invocation.out.line(line)
    if not offers:
        invocation.out.line("nothing to agree to: your own file chooses every endpoint and key")


def _asked(invocation: Invocation, offers: Sequence[TrustOffer], count: int) -> bool:
    _print(invocation, offers)
    these = "this endpoint" if count == 1 else f"these {count} endpoints"
    try:
        return click.confirm(f"contact {these}, each with the key named beside it?", default=False, err=True)
    except click.Abort:
        raise Failure(
            "not-confirmed", "nothing was agreed to: nobody answered", "--yes agrees without asking"
        ) from None


def _agree(offers: Sequence[TrustOffer]) -> None:
    from datetime import date

    from model.trust import CannotTrust, agree, trust_path

    try:
        agree(trust_path(), [offer.claim for offer in offers], date.today())
    except CannotTrust as problem:
        raise Failure("trust-unreadable", str(problem), "mend or remove that file; nothing was written") from None
