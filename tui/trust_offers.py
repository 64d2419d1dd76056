"""What the user may agree to: each endpoint and key that a file chose which is not the user's own, fit to be shown."""

from __future__ import annotations

from collections.abc import Set
from typing import Any

from model.auth import parse_auth_ref
from model.config.merge import Provider
from model.endpoint import EndpointProblem, read_endpoint
from model.findings import Spot
from model.quick_dataclass import dataclass
from model.snapshot import Snapshot
from model.trust import Claim, chosen_by_others, claim_of, objection


@dataclass(frozen=True, slots=True)
class TrustOffer:
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


def offers_of(snapshot: Snapshot, wanted: Set[str] = frozenset()) -> list[TrustOffer]:
    """What others chose of the `wanted` providers (none = of all), in file order. No secret is looked up."""
    providers = (each for each in snapshot.config.providers if not wanted or each.provider_id in wanted)
    return [offer for provider in providers if (offer := _offer(snapshot, provider))]


def _offer(snapshot: Snapshot, provider: Provider) -> TrustOffer | None:
    chosen = chosen_by_others(provider)
    if chosen is None:
        return None
    name, layer = chosen
    line, column = snapshot.file(layer.file).line_column(Spot(layer.file, (*layer.row.path, name))) or (1, 1)
    endpoint, ref = read_endpoint(provider.effective_base_url, local=provider.local), provider.auth_ref
    return TrustOffer(
        claim_of(provider),
        "" if isinstance(endpoint, EndpointProblem) else endpoint.url,
        str(parse_auth_ref(ref)) if ref is not None else "no key",
        (layer.file, line, column),
        provider.provider_id not in snapshot.given.untrusted,
        objection(provider),
    )
