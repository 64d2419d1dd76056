"""Visits of endpoints → findings, and one report with what the files alone show: one verdict for one thing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING

from model.auth import AuthState
from model.config.merge import ModelLayer, Provider, ProviderLayer
from model.doctor.case import Case, listed, spot
from model.doctor.examination import joined
from model.doctor.mends import rename_everywhere
from model.doctor.near import nearest_name
from model.doctor.online import (
    CLOCK_SECONDS,
    Listing,
    OnlineResult,
    Reach,
    TroubleCode,
    model_words,
    provider_of,
)
from model.findings import Finding, Fix, Severity, Spot
from model.snapshot import Snapshot

if TYPE_CHECKING:
    from model.doctor.report import Report
    from model.resolve import ResolvedModel

_SOFT = {TroubleCode.NO_LIST, TroubleCode.USED_UP}
_ABOUT_KEYS = {TroubleCode.KEY_REJECTED, TroubleCode.KEY_WANTED, TroubleCode.FORBIDDEN, TroubleCode.NO_CREDIT}


def merge(snapshot: Snapshot, report: Report, results: Iterable[OnlineResult]) -> Report:
    """The offline report with what the visits showed, under the same ignore entries and in the same order.

    Results that do not hold for the files as they are now are left out. `report` is the snapshot's own, and not a
    merged one.
    """
    held = [result for result in results if result.holds(snapshot)]
    contacted = [result for result in held if not result.skipped]
    more = [finding for result in contacted for finding in findings(snapshot, result)]
    answered = {result.provider_id for result in contacted if result.listed is not None or result.works_at}
    kept = tuple(each for each in report.findings if not _is_settled(snapshot, each, answered))
    told = {result.provider_id: tuple(not_checked(snapshot, result)) for result in held}
    return replace(
        joined(snapshot, replace(report, findings=kept), more),
        checked=report.checked + len(contacted),
        not_checked=_lines(report.not_checked, told),
    )


def _is_settled(snapshot: Snapshot, finding: Finding, answered: set[str]) -> bool:
    """A guess about an address of which the endpoint itself has told more."""
    if finding.code != "endpoint-doubled-version":
        return False
    row = snapshot.file(finding.spot.file).config.providers[int(finding.spot.path[1])]
    return row.provider_id in answered


def _lines(before: Sequence[str], told: dict[str, tuple[str, ...]]) -> tuple[str, ...]:
    """The line of a provider that was visited gives way to what the visit left open."""
    lines: list[str] = []
    for line in before:
        name = line.partition(": ")[0]
        lines += [f"{name}: {each}" for each in told[name]] if name in told else [line]
    return tuple(lines)


def not_checked(snapshot: Snapshot, result: OnlineResult) -> Iterator[str]:
    """What the visit did not prove."""
    if result.skipped:
        yield f"{result.skipped}, so neither its key nor its endpoint"
        return
    if result.auth is AuthState.NOT_CHECKED and result.auth_evidence:
        yield f"whether it takes the key: {result.auth_evidence}"
    if result.listing is Listing.UNSUPPORTED:
        yield "whether it has the models: it lists none"
    elif result.listing is Listing.NOT_CHECKED and any(True for _ in model_words(snapshot, result)):
        yield "whether it has the models: its list could not be read"


def findings(snapshot: Snapshot, result: OnlineResult) -> Iterator[Finding]:
    """All that is wrong; of the models only what the list contradicts."""
    provider = provider_of(snapshot, result.provider_id)
    assert provider is not None
    if result.works_at:
        yield _sibling(provider, result)
    elif result.trouble:
        yield _trouble(provider, result)
    yield from _clock(provider, result)
    yield from _not_listed(snapshot, result)
    yield from _rates(snapshot, result)


def _place(provider: Provider, name: str) -> Spot:
    """Where a field of the provider is stated, else the provider itself."""
    stated = provider.decided_by(name)
    return spot(stated, name) if stated else spot(_home(provider))


def _home(provider: Provider) -> ProviderLayer:
    return provider.decided_by("provider_kind") or provider.layers[0]


def _evidence(result: OnlineResult) -> str:
    said = f"it said: {result.trouble.said}" if result.trouble and result.trouble.said else ""
    answer = "" if result.reach is Reach.TIMED_OUT else result.endpoint_words.partition(":")[0]
    return "; ".join(part for part in (f"GET {result.url}", answer, said) if part)


def _trouble(provider: Provider, result: OnlineResult) -> Finding:
    trouble = result.trouble
    assert trouble is not None
    place = _place(provider, "auth_ref" if trouble.code in _ABOUT_KEYS else "base_url")
    severity = Severity.WARNING if trouble.code in _SOFT else Severity.ERROR
    message = f"{provider.provider_id}: {trouble.text}"
    return Finding(trouble.code.value, severity, place, message, trouble.mend, _evidence(result))


def _sibling(provider: Provider, result: OnlineResult) -> Finding:
    from model.document import Put

    stated = provider.decided_by("base_url")
    place = _place(provider, "base_url")
    message = f"{provider.provider_id}: base_url lists nothing, and works with {result.works_at}"
    edit = Put((*(stated or _home(provider)).row.path, "base_url"), result.works_at)
    fix = Fix(f"write {result.works_at}", place.file, (edit,))
    help = f"write {result.works_at}"
    return Finding("endpoint-sibling", Severity.ERROR, place, message, help, _evidence(result), fix=fix)


def _clock(provider: Provider, result: OnlineResult) -> Iterator[Finding]:
    ahead = result.clock_seconds
    if ahead is None or abs(ahead) <= CLOCK_SECONDS:
        return
    side = "behind" if ahead > 0 else "ahead of"
    message = f"this machine's clock is {abs(ahead) / 60:.0f} minutes {side} that of {provider.provider_id}"
    help = "set the clock: certificates, quotas and dates are judged by it"
    yield Finding("endpoint-clock", Severity.WARNING, _place(provider, "base_url"), message, help, f"GET {result.url}")


def _not_listed(snapshot: Snapshot, result: OnlineResult) -> Iterator[Finding]:
    for word in model_words(snapshot, result):
        if word.listing is not Listing.NOT_LISTED:
            continue
        row = snapshot.matrix.get(word.ref)
        assert row is not None
        message = f"{word.ref} is not on the list of its endpoint"
        help = f"did you mean {word.closest}?" if word.closest else "see whether the account has access to it"
        evidence = f"GET {result.url}: {listed(result.listed or ())}"
        fix = _renamed(snapshot, row, result.listed or ())
        place = spot(row.model.layers[0], "model_id")
        yield Finding("model-not-listed", Severity.WARNING, place, message, help, evidence, fix)


def _renamed(snapshot: Snapshot, row: ResolvedModel, ids: tuple[str, ...]) -> Fix | None:
    """Only for what is surely a slip."""
    near = nearest_name(row.ref.model_id, ids)
    return rename_everywhere(Case(snapshot, date.min), row.model, near) if near else None


def _rates(snapshot: Snapshot, result: OnlineResult) -> Iterator[Finding]:
    """Configured rates above what the endpoint's own headers allow."""
    told = {"requests_per_minute": result.requests, "tokens_per_minute": result.tokens}
    for word in model_words(snapshot, result):
        row = snapshot.matrix.get(word.ref)
        assert row is not None
        for name, most in told.items():
            layer = _limit_layer(row, name)
            if layer is not None and most is not None and getattr(layer.row.limits, name) > most:
                yield _over_rate(layer, name, most, result)


def _limit_layer(row: ResolvedModel, name: str) -> ModelLayer | None:
    return next((each for each in row.model.layers if getattr(each.row.limits, name) is not None), None)


def _over_rate(layer: ModelLayer, name: str, most: int, result: OnlineResult) -> Finding:
    from model.document import Set

    place = spot(layer, "limits", name)
    message = f"{name} is {getattr(layer.row.limits, name):,}, and the endpoint tells of {most:,}"
    fix = Fix(f"write {most}", place.file, (Set(place.path, most),))
    help = f"write {most}, or ask the provider for more"
    evidence = f"rate-limit headers of {result.url}"
    return Finding("limit-rate-over-endpoint", Severity.WARNING, place, message, help, evidence, fix)
