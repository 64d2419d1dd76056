"""What the doctor says of coverage: where a file's own arrangements do not hold what they seem to promise.

That a task hangs on one provider is no fault as such: the heat board shows it. It is told where the file names somebody
at another provider who passes, or a chain for the task, and yet nobody takes over.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property, reduce
from operator import or_
from typing import TYPE_CHECKING

from model.bitmap import Mask, bits
from model.fallback.explorer import Explorer
from model.fallback.failure import Failure
from model.fallback.identity import endpoint_of
from model.findings import Finding, Severity, Spot
from model.quick_dataclass import dataclass
from model.requirements import COMPACT_NEED_TOKENS

if TYPE_CHECKING:
    from model.model_ref import ModelRef
    from model.resolve import ResolvedModel
    from model.snapshot import Snapshot

STEEP = 2
"""A stand-in whose window is smaller than the original's by this factor or more is worth a word."""
ROOMY_TOKENS = COMPACT_NEED_TOKENS
"""A window of this size holds a long conversation: no fall to it is told."""


def coverage_findings(snapshot: Snapshot) -> list[Finding]:
    return coverage_findings_of(Explorer(snapshot))


def coverage_findings_of(explorer: Explorer) -> list[Finding]:
    """Offline, from masks: cheap enough to follow every edit. Tasks that nobody can do anyway are left to others."""
    falls = [fall for task in explorer.tasks if (fall := _fall(explorer, task))]
    return [*_single_providers(explorer, falls), *_single_endpoints(explorer, falls), *_steep_falls(explorer, falls)]


@dataclass(frozen=True)
class _Fall:
    """The outage of the provider that does a task while nothing fails."""

    explorer: Explorer
    task: str
    start: int

    @cached_property
    def provider_id(self) -> str:
        return self.explorer.ref(self.start).provider_id

    @cached_property
    def gone(self) -> Mask:
        return self.explorer.snapshot.bitmap.provider(self.provider_id)

    @cached_property
    def elsewhere(self) -> Mask:
        """Whoever passes the task at another provider that may be contacted."""
        explorer = self.explorer
        untrusted = explorer.snapshot.given.untrusted
        barred = reduce(or_, map(explorer.snapshot.bitmap.provider, untrusted), self.gone | explorer.twins[self.start])
        return explorer.passes(self.task) & ~barred

    @cached_property
    def heirs(self) -> Mask:
        """Whoever takes over without a question. Nobody else passes: then nobody has to be looked at."""
        return self.explorer.answering(self.task) & ~self.gone if self.elsewhere else 0

    @property
    def asks(self) -> bool:
        """Whether somebody would take over after a confirmation."""
        return bool(self.explorer.succession(self.task, self.start).ask & ~self.gone)

    @property
    def why_not(self) -> str:
        """Whom the file seems to offer, and what is in their way; empty if it offers nobody."""
        if self.elsewhere:
            from model.fallback.objections import objections

            number = next(bits(self.elsewhere))
            question = self.explorer.question(self.task, self.explorer.ref(self.start), Failure.PROVIDER_DOWN)
            reasons = [why.text for why in objections(self.explorer, question, number)]
            told = f": {'; '.join(reasons)}" if reasons else ""
            return f"{self.task}: {self.explorer.ref(number)} passes{told or ', but only after a confirmation'}"
        return f"{self.task}: all on its chain are models of {self.provider_id}" if self._chained_in_vain else ""

    @property
    def _chained_in_vain(self) -> bool:
        """Whether a chain names others of the provider that goes down, and of no other."""
        links = self.explorer.chains.of(self.task, self.start, self.start)
        named = sum({1 << link.number for link in links if link.number is not None})
        others = self.explorer.snapshot.bitmap.enabled() & ~self.gone
        useful = named & self.explorer.passes(self.task) & ~self.explorer.twins[self.start]
        return bool(useful and not named & ~self.gone and others)


def _fall(explorer: Explorer, task: str) -> _Fall | None:
    start = explorer.start(task)
    return _Fall(explorer, task, start) if start is not None and explorer.passes(task) >> start & 1 else None


def _grouped(falls: Iterable[tuple[str, _Fall]]) -> dict[str, list[_Fall]]:
    found: dict[str, list[_Fall]] = {}
    for key, fall in falls:
        found.setdefault(key, []).append(fall)
    return found


def _spot(row: ResolvedModel) -> Spot:
    layer = row.model.provider.layers[0]
    return Spot(layer.file, layer.row.path)


# -- one provider -----------------------------------------------------------------------------------------------------
def _single_providers(explorer: Explorer, falls: list[_Fall]) -> Iterator[Finding]:
    """One finding a provider."""
    lost = ((fall.provider_id, fall) for fall in falls if not fall.heirs and fall.why_not)
    for provider_id, tasks in _grouped(lost).items():
        blocked = [fall.task for fall in tasks if not fall.asks]
        told = "nobody takes over" if blocked else "nobody takes over without a confirmation"
        yield Finding(
            "fallback-single-provider",
            Severity.WARNING if blocked else Severity.INFO,
            _spot(explorer.row(tasks[0].start)),
            f"if {provider_id} is down, {told}: {_listed(fall.task for fall in tasks)}",
            f"let a model of another provider pass: capdeck fallback --board --down {provider_id} shows who is near",
            "; ".join(fall.why_not for fall in tasks),
        )


# -- one endpoint -----------------------------------------------------------------------------------------------------
def _single_endpoints(explorer: Explorer, falls: list[_Fall]) -> Iterator[Finding]:
    """Several entries of one endpoint go down together. Where there is no other endpoint, that is only worth a word."""
    places = {provider.provider_id: endpoint_of(provider) for provider in explorer.snapshot.config.providers}
    bitmap = explorer.snapshot.bitmap
    masks: dict[str, Mask] = {}
    for provider_id, place in places.items():
        masks[place] = masks.get(place, 0) | bitmap.provider(provider_id)
    shared = ((places[fall.provider_id], fall) for fall in falls if fall.heirs)
    hanging = ((place, fall) for place, fall in shared if not fall.heirs & ~masks[place])
    for place, tasks in _grouped(hanging).items():
        names = dict.fromkeys(
            explorer.ref(number).provider_id for fall in tasks for number in bits(1 << fall.start | fall.heirs)
        )
        yield Finding(
            "fallback-single-endpoint",
            Severity.WARNING if bitmap.enabled() & ~masks[place] else Severity.INFO,
            _spot(explorer.row(tasks[0].start)),
            f"{_listed(names)} stand for one endpoint: with it {_listed(fall.task for fall in tasks)} is lost",
            "let a model at another endpoint pass",
        )


# -- steep falls ------------------------------------------------------------------------------------------------------
def _steep_falls(explorer: Explorer, falls: list[_Fall]) -> Iterator[Finding]:
    """Who is first to take over, with half the window or less: long conversations end there. A task that states how
    much it needs gets no less."""
    small = ~explorer.snapshot.bitmap.window_at_least(ROOMY_TOKENS)
    found: dict[tuple[ModelRef, ModelRef], list[str]] = {}
    for fall in falls:
        if not fall.heirs & small or explorer.requirement(fall.task).min_context_window_tokens:
            continue
        heir = explorer.heir(fall.task, fall.start)
        if heir is not None and small >> heir & 1 and _is_steep(explorer.row(fall.start), explorer.row(heir)):
            found.setdefault((explorer.ref(fall.start), explorer.ref(heir)), []).append(fall.task)
    for (before, after), tasks in found.items():
        yield _steep_fall(explorer, before, after, tasks)


def _steep_fall(explorer: Explorer, before: ModelRef, after: ModelRef, tasks: list[str]) -> Finding:
    original, heir = (explorer.row(explorer.number(ref)) for ref in (before, after))
    windows = f"from {original.context_window_tokens.value:,} tokens to {heir.context_window_tokens.value:,}"
    goes = "goes" if len(tasks) == 1 else "go"
    message = f"if {before.provider_id} is down, {_listed(tasks)} {goes} {windows} ({after})"
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
