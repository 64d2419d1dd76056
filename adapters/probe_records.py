"""What probes saw, into the session store: one record each, the observed layer (DOMAIN.md §2.3), and how long a first
token took."""

from __future__ import annotations

from collections.abc import Sequence

from adapters.probes import Outcome, ProbeResult, observed
from model.latency import FirstToken
from model.model_ref import ModelRef
from model.session_observations import Observation, bare_url
from model.session_records import CapabilityProbed
from model.sessions import SessionStore

_SEEN = {Outcome.PASSED: True, Outcome.FAILED: False, Outcome.INCONCLUSIVE: None}


def keep(store: SessionStore, ref: ModelRef, endpoint: str, results: Sequence[ProbeResult]) -> None:
    """`endpoint` is the URL that was asked. What is inconclusive is recorded only. Raises StoreError."""
    if not results:
        return
    for result in results:
        evidence = "" if result.outcome is Outcome.PASSED else result.evidence
        seen = _SEEN[result.outcome]
        store.record(CapabilityProbed(ref, result.capability, seen, bare_url(endpoint), evidence))
    store.observe([Observation(ref, observed(results, endpoint, results[-1].seen))])
    for result in results:
        if result.first_token_seconds is None:
            continue
        if first_token := FirstToken.after(result.first_token_seconds, ref, endpoint, result.seen):
            store.observe_first_token(first_token)
