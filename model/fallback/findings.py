"""What the doctor says of coverage: tasks that one outage ends, and falls that are steep."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from model.fallback.coverage import Coverage, Effect, TaskCoverage, coverage_of
from model.fallback.explorer import Explorer
from model.findings import Finding, Severity, Spot

if TYPE_CHECKING:
    from model.config.merge import Provider
    from model.resolve import ResolvedModel
    from model.snapshot import Snapshot
    from model.vocabulary import ModelRef

STEEP = 2
"""A stand-in whose window is smaller than the original's by this factor or more is worth a word."""


def coverage_findings(snapshot: Snapshot) -> list[Finding]:
    """Offline, from masks: cheap enough to follow every edit. Tasks that nobody can do anyway are left to others."""
    explorer = Explorer(snapshot)
    heat = coverage_of(explorer)
    return [*_single_providers(explorer, heat), *_single_endpoints(explorer, heat), *_steep_falls(explorer)]


def _spot(explorer: Explorer, provider_id: str) -> Spot:
    provider = _provider(explorer, provider_id)
    layer = provider.layers[0]
    return Spot(layer.file, layer.row.path)


def _provider(explorer: Explorer, provider_id: str) -> Provider:
    providers = explorer.snapshot.config.providers
    return next(provider for provider in providers if provider.provider_id == provider_id)


def _single_providers(explorer: Explorer, heat: Coverage) -> Iterator[Finding]:
    """One finding a provider; where there is only one, nothing else could be expected."""
    for position, provider_id in enumerate(heat.providers):
        lost = [task for task in heat.tasks if task.effects[position] in {Effect.BLOCKS, Effect.ASKS}]
        if not lost:
            continue
        yield Finding(
            "fallback-single-provider",
            Severity.WARNING if len(heat.providers) > 1 else Severity.INFO,
            _spot(explorer, provider_id),
            f"if {provider_id} is down, nobody takes over {_listed(task.task for task in lost)}",
            f"let a model of another provider pass: capdeck fallback --board --down {provider_id} shows who is near",
            _asking(lost, position),
        )


def _asking(lost: list[TaskCoverage], position: int) -> str:
    asking = [task.task for task in lost if task.effects[position] is Effect.ASKS]
    return f"only after a confirmation: {_listed(asking)}" if asking else ""


def _single_endpoints(explorer: Explorer, heat: Coverage) -> Iterator[Finding]:
    """Several entries of one endpoint go down together."""
    found: dict[str, list[TaskCoverage]] = {}
    for task in heat.tasks:
        if task.single_endpoint and len(task.providers) > 1:
            found.setdefault(task.single_endpoint, []).append(task)
    for tasks in found.values():
        names = tasks[0].providers
        message = f"{_listed(names)} stand for one endpoint: with it {_listed(task.task for task in tasks)} is lost"
        help = "let a model at another endpoint pass"
        yield Finding("fallback-single-endpoint", Severity.WARNING, _spot(explorer, names[0]), message, help)


def _steep_falls(explorer: Explorer) -> Iterator[Finding]:
    """Who is first to take over, with half the window or less: long conversations end there."""
    found: dict[tuple[ModelRef, ModelRef], list[str]] = {}
    for task in explorer.tasks:
        start = explorer.start(task)
        heir = None if start is None else explorer.heir(task, start)
        if start is not None and heir is not None and _is_steep(explorer.row(start), explorer.row(heir)):
            found.setdefault((explorer.ref(start), explorer.ref(heir)), []).append(task)
    for (before, after), tasks in found.items():
        yield _steep_fall(explorer, before, after, tasks)


def _steep_fall(explorer: Explorer, before: ModelRef, after: ModelRef, tasks: list[str]) -> Finding:
    original, heir = (explorer.row(explorer.number(ref)) for ref in (before, after))
    windows = f"from {original.context_window_tokens.value:,} tokens to {heir.context_window_tokens.value:,}"
    message = f"if {before.provider_id} is down, {_listed(tasks)} goes {windows} ({after})"
    help = "nothing to mend if your conversations stay short; else let a model with a larger window take over"
    layer = heir.model.layers[0]
    return Finding("fallback-window-drop", Severity.INFO, Spot(layer.file, layer.row.path), message, help)


def _is_steep(original: ResolvedModel, heir: ResolvedModel) -> bool:
    before, after = original.context_window_tokens.value, heir.context_window_tokens.value
    return before is not None and after is not None and after * STEEP <= before


def _listed(names: Iterable[str], most: int = 4) -> str:
    texts = list(names)
    more = f" and {len(texts) - most} more" if len(texts) > most else ""
    return ", ".join(texts[:most]) + more
