"""The JSON of `matrix`: one object a model (CLI.md)."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from model.counts import counts
from model.provenance import explain, explain_field
from model.vocabulary import CAPABILITIES, Role
from tui.cli.shapes import explanation_shape, files_shape

if TYPE_CHECKING:
    from model.config.rows import ConversionRow, LimitsRow
    from model.requirements import Requirement
    from model.resolve import ResolvedModel
    from model.snapshot import Snapshot

SCALARS = ("quality_tier", "cost_tier", "context_window_tokens", "max_output_tokens")


def matrix_shape(
    snapshot: Snapshot, *, provenance: bool = False, requirement: Requirement | None = None, prices: bool = False
) -> dict[str, Any]:
    """With `provenance` each cell tells its layers, with a `requirement` each model its verdict, with `prices` its
    price."""
    models = []
    for row in snapshot.matrix.rows:
        shape = identity_shape(row) | (_told(snapshot, row) if provenance else _plain(row))
        if requirement is not None:
            from tui.cli.shapes_select import verdict_shape

            shape["verdict"] = verdict_shape(row, snapshot.verdict(row, requirement))
        if prices:
            shape["price"] = price_shape(row)
        models.append(shape)
    return {"files": files_shape(snapshot), "models": models, "counts": counts_shape(snapshot)}


def counts_shape(snapshot: Snapshot) -> dict[str, Any]:
    """Cells that are contradicted, not stated, or decided by the policy alone."""
    found = counts(snapshot)
    policy = {"unknown_capabilities": snapshot.config.policy.unknown_capabilities.value, "decides": found.by_policy}
    return {"contradicted": found.contradicted, "not_stated": found.not_stated, "policy": policy}


def price_shape(row: ResolvedModel) -> dict[str, Any] | None:
    """USD per million tokens as numbers, with source and day; None where nothing is known."""
    from tui.prices import price_of_row

    price = price_of_row(row)
    if price is None:
        return None
    dated = {"source": price.source, "as_of": price.as_of.date().isoformat(), "tiered": price.is_tiered}
    return {"input": float(price.input), "output": float(price.output), **dated}


def identity_shape(row: ResolvedModel) -> dict[str, Any]:
    model = row.model
    return {
        "ref": str(row.ref),
        "provider_id": row.ref.provider_id,
        "model_id": row.ref.model_id,
        "display_name": model.value(lambda each: each.display_name),
        "provider_kind": model.provider.kind.value if model.provider.kind else None,
        "api": model.provider.api.value,
        "local": model.provider.local,
        "enabled": row.enabled,
        "notes": list(model.notes),
    }


def _plain(row: ResolvedModel) -> dict[str, Any]:
    tiers = {"quality_tier": row.quality_tier.value.value, "cost_tier": row.cost_tier.value.value}
    sizes = {
        "context_window_tokens": row.context_window_tokens.value,
        "max_output_tokens": row.max_output_tokens.value,
    }
    supports = {capability.value: row.support(capability).value for capability in CAPABILITIES}
    return {**tiers, **sizes, "supports": supports, **_declared(row)}


def _told(snapshot: Snapshot, row: ResolvedModel) -> dict[str, Any]:
    """As `_plain`, each value with who said so."""
    plain = _plain(row)
    scalars = {name: explanation_shape(snapshot, explain_field(row, name)) | {"value": plain[name]} for name in SCALARS}
    supports = {capability.value: explanation_shape(snapshot, explain(row, capability)) for capability in CAPABILITIES}
    return {**plain, **scalars, "supports": supports}


def _declared(row: ResolvedModel) -> dict[str, Any]:
    return {
        "conversion": _section(row.carriage.conversion),
        "limits": _section(row.model.limits),
        "default_use": {role.value: row.default_use.get(role, False) for role in Role},
    }


def _section(section: ConversionRow | LimitsRow) -> dict[str, Any]:
    values = dataclasses.asdict(section)
    return {name: getattr(value, "value", value) for name, value in values.items()}
