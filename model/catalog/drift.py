"""Where the catalog and a public list of models differ: IBEX's drift codes, and flags and retirement (ADR-0041).

A help for whoever keeps the catalog, never on the hot path. Only true differences count: what one side does not state
is none, and a list that counts the input alone agrees with a total window that is input and output together.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import StrEnum

from model.catalog.catalog import Catalog
from model.catalog.rows import CatalogRow
from model.catalog.snapshot import (
    BadNumber,
    Limit,
    Snapshot,
    SnapshotError,
    Upstream,
    read_litellm,
    read_models_dev,
)
from model.quick_dataclass import dataclass

__all__ = ["Drift", "DriftCode", "Snapshot", "SnapshotError", "diff", "read_litellm", "read_models_dev"]


class DriftCode(StrEnum):
    """What kind of difference; the first six are IBEX's."""

    MISSING_UPSTREAM = "MISSING_UPSTREAM"
    NO_LIMITS_UPSTREAM = "NO_LIMITS_UPSTREAM"
    INVALID_UPSTREAM_CONTEXT = "INVALID_UPSTREAM_CONTEXT"
    INVALID_UPSTREAM_MAX_OUT = "INVALID_UPSTREAM_MAX_OUT"
    CONTEXT_MISMATCH = "CONTEXT_MISMATCH"
    MAX_OUT_MISMATCH = "MAX_OUT_MISMATCH"
    FLAG_MISMATCH = "FLAG_MISMATCH"
    RETIREMENT_MISMATCH = "RETIREMENT_MISMATCH"


@dataclass(frozen=True, slots=True)
class Drift:
    """One difference. `ours` and `theirs` are values as text, empty where there is none; `upstream` is their name."""

    code: DriftCode
    model_id: str
    field: str
    ours: str
    theirs: str
    upstream: str = ""


def diff(catalog: Catalog, snapshot: Snapshot, only: Iterable[str] | None = None) -> tuple[Drift, ...]:
    """Every difference, in the catalog's order. `only`: these models, by id or alias, where the catalog has them."""
    wanted = None if only is None else {match.row.model_id for name in only if (match := catalog.find(name))}
    return tuple(
        drift for row in catalog.rows if wanted is None or row.model_id in wanted for drift in _row_drift(row, snapshot)
    )


def _row_drift(row: CatalogRow, snapshot: Snapshot) -> Iterator[Drift]:
    theirs = snapshot.find(row)
    if theirs is None:
        yield Drift(DriftCode.MISSING_UPSTREAM, row.model_id, "model_id", row.model_id, "")
        return
    yield from _limits(row, theirs, snapshot.counts_input)
    yield from _flags(row, theirs)
    yield from _retirement(row, theirs)


def _limits(row: CatalogRow, theirs: Upstream, counts_input: bool) -> Iterator[Drift]:
    window, output = row.context_window_tokens, row.max_output_tokens
    if theirs.window is None and theirs.output is None and (window or output):
        yield Drift(DriftCode.NO_LIMITS_UPSTREAM, row.model_id, "limits", _text(window or output), "", theirs.name)
    for code, field, value in (
        (DriftCode.INVALID_UPSTREAM_CONTEXT, "context_window_tokens", theirs.window),
        (DriftCode.INVALID_UPSTREAM_MAX_OUT, "max_output_tokens", theirs.output),
    ):
        if isinstance(value, BadNumber):
            yield Drift(code, row.model_id, field, _text(getattr(row, field)), value.text, theirs.name)
    if _differ(window, theirs.window) and not (counts_input and _is_input_alone(window, theirs)):
        yield _mismatch(DriftCode.CONTEXT_MISMATCH, row, "context_window_tokens", window, theirs.window, theirs)
    if _differ(output, theirs.output):
        yield _mismatch(DriftCode.MAX_OUT_MISMATCH, row, "max_output_tokens", output, theirs.output, theirs)


def _flags(row: CatalogRow, theirs: Upstream) -> Iterator[Drift]:
    for capability in row.yes & theirs.no:
        yield Drift(DriftCode.FLAG_MISMATCH, row.model_id, capability, "yes", "no", theirs.name)
    for capability in row.no & theirs.yes:
        yield Drift(DriftCode.FLAG_MISMATCH, row.model_id, capability, "no", "yes", theirs.name)


def _retirement(row: CatalogRow, theirs: Upstream) -> Iterator[Drift]:
    ours = row.retirement.date if row.retirement else None
    said = str(theirs.retires) if theirs.retires else "deprecated"
    if (theirs.retires and theirs.retires != ours) or (theirs.deprecated and ours is None):
        yield Drift(
            DriftCode.RETIREMENT_MISMATCH, row.model_id, "retirement", str(ours) if ours else "", said, theirs.name
        )


def _mismatch(code: DriftCode, row: CatalogRow, field: str, ours: Limit, said: Limit, theirs: Upstream) -> Drift:
    return Drift(code, row.model_id, field, _text(ours), _text(said), theirs.name)


def _differ(ours: int | None, said: Limit) -> bool:
    return ours is not None and isinstance(said, int) and ours != said


def _is_input_alone(window: int | None, theirs: Upstream) -> bool:
    return isinstance(theirs.window, int) and isinstance(theirs.output, int) and theirs.window + theirs.output == window


def _text(value: Limit) -> str:
    return f"{value:,}" if isinstance(value, int) else ""
