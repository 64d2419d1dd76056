"""The JSON of a conversion (CLI.md): the request, and what happened to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tui.cli.shapes import files_shape

if TYPE_CHECKING:
    from adapters.conversion import Converted, Step, Switched
    from model.resolve import ResolvedModel
    from model.snapshot import Snapshot


def convert_shape(
    snapshot: Snapshot, row: ResolvedModel, converted: Converted, switched: Switched | None
) -> dict[str, Any]:
    """`request` is null where it must not be sent; `switch_report` has one entry an Api that messages came from."""
    return {
        "files": files_shape(snapshot),
        "ref": str(row.ref),
        "api": row.model.provider.api.value,
        "request": None if converted.blocked else converted.body,
        **report_shape(converted),
        "switch_report": [report.model_dump(mode="json") for report in switched.reports] if switched else [],
    }


def report_shape(converted: Converted) -> dict[str, Any]:
    return {
        "conversion_report": converted.report.model_dump(mode="json"),
        "blocked": list(converted.blocked),
        "steps": [_step(step) for step in converted.steps],
    }


def _step(step: Step) -> dict[str, Any]:
    """`message` and `block` count from 0."""
    return {
        "message": step.message,
        "block": step.block,
        "kind": step.kind,
        "action": step.action.value,
        "detail": step.detail or None,
        "word": str(step.word) if step.word else None,
    }
