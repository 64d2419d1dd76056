"""`capdeck add REF --online`: what the endpoint says of one model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from model.model_ref import ModelRef
from tui.cli.errors import Failure

if TYPE_CHECKING:
    from adapters.checks import CheckRow
    from model.snapshot import Snapshot

_DEADLINE_SECONDS = 15.0


def facts_at_endpoint(snapshot: Snapshot, ref: str) -> Mapping[str, Any]:
    """The fields of its entry. Raises Failure where the endpoint is not asked, does not answer or does not list it."""
    from adapters.offers import facts_of
    from model.doctor.online import closest
    from tui.cli.doctor_online import visit
    from tui.cli.words import provider_named

    wanted = ModelRef.parse(ref) if "/" in ref else None
    if wanted is None:
        raise Failure("usage", "--online fills in a model", "write PROVIDER/MODEL")
    provider_named(snapshot, wanted.provider_id)
    row = visit(snapshot, deadline_s=_DEADLINE_SECONDS, only={wanted.provider_id})[wanted.provider_id]
    listed = {model.model_id: model for model in row.discovery.models} if row.discovery else {}
    if not listed:
        raise _no_list(row)
    found = listed.get(wanted.model_id) or listed.get(f"{wanted.model_id}:latest")
    if found is None:
        near = closest(wanted.model_id, tuple(listed))
        help = f"did you mean {near!r}?" if near else f"it lists {len(listed)} models, none like it"
        raise Failure("model-not-listed", f"{wanted.provider_id} does not list {wanted.model_id!r}", help)
    return facts_of(found)


def _no_list(row: CheckRow) -> Failure:
    result = row.result
    assert result is not None
    help = result.trouble.mend if result.trouble else ""
    if result.skipped == "not trusted":
        help = f"capdeck trust {row.provider_id}"
    return Failure("endpoint-no-list", f"{row.provider_id} gave no list: endpoint {result.endpoint_words}", help)
