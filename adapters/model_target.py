"""A resolved model → the target of a conversion: what `convert`, `try` and the trial pane send to."""

from __future__ import annotations

from dataclasses import asdict

from adapters.conversion.target import Dialect, Target
from adapters.registry import dialect_of
from model.capability_set import CapabilitySet
from model.contract import Limits
from model.resolve import ResolvedModel
from model.vocabulary import ProviderKind


def target_of(
    row: ResolvedModel,
    *,
    required: CapabilitySet | None = None,
    allow_lossy: bool = False,
    code_changing: bool = False,
    permissive: bool = False,
) -> Target:
    """`required` is what the task needs (seed 000 §8.2). `permissive`: cells that nobody states count as carried."""
    carriage, model = row.carriage, row.model
    narrowing = carriage.narrowing
    return Target(
        api=model.provider.api,
        model_id=row.ref.model_id,
        provider_id=row.ref.provider_id,
        conversion=carriage.conversion,
        supports=row.yes | row.emulated | (row.unknown if permissive else CapabilitySet()),
        limits=Limits(**asdict(model.limits)),
        required=required or CapabilitySet(),
        json_schema=narrowing.json_schema if narrowing else carriage.transport.json_schema,
        json_mode=carriage.transport.json_mode,
        allow_lossy=allow_lossy,
        code_changing=code_changing,
        dialect=_dialect(row),
    )


def _dialect(row: ResolvedModel) -> Dialect:
    provider = row.model.provider
    return dialect_of(provider.kind or ProviderKind.CUSTOM, provider.api)
