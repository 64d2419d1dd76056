"""The JSON of a probe: one row a capability under the command's own name (CLI.md)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tui.cli.shapes import files_shape
from tui.cli.shapes_try import usage_shape

if TYPE_CHECKING:
    from adapters.probes import ProbeResult
    from model.snapshot import Snapshot
    from tui.cli.probe_plan import Plan


def probe_shape(snapshot: Snapshot, plan: Plan, results: Sequence[ProbeResult], recorded: str | None) -> dict[str, Any]:
    """`outcome` is `planned` for what was not sent. Tokens and `most_usd` are what was planned at most."""
    return {
        "files": files_shape(snapshot),
        "ref": str(plan.row.ref),
        "endpoint": plan.endpoint or None,
        "probe": _rows(plan, results),
        "left_out": [capability.value for capability in plan.left_out],
        "recorded": recorded,
    }


def _rows(plan: Plan, results: Sequence[ProbeResult]) -> list[dict[str, Any]]:
    found = {result.capability: result for result in results}
    rows = []
    for probe, cost in zip(plan.probes, plan.costs, strict=True):
        result = found.get(probe.capability)
        rows.append(
            {
                "capability": probe.capability.value,
                "outcome": result.outcome.value if result else "planned",
                "evidence": result.evidence if result else None,
                "seen": result.seen.isoformat() if result else None,
                "usage": usage_shape(result.usage) if result else None,
                "input_tokens": probe.input_tokens,
                "output_tokens": probe.output_tokens,
                "most_usd": None if cost is None else f"{cost:f}",
            }
        )
    return rows
