"""What the file says a model can do, against the catalog, the wire, the endpoint and itself."""

from __future__ import annotations

from collections.abc import Generator, Iterator

from model.capability_set import CapabilitySet
from model.config.merge import Model, ModelLayer
from model.config.rows import Flags
from model.doctor.case import Case, listed, spot
from model.doctor.mends import adopting, rename_everywhere
from model.doctor.near import nearest_row_name
from model.findings import Finding, Fix, Severity, Spot
from model.requirements import COMPACT_NEED_TOKENS
from model.resolve import ResolvedModel
from model.transports import DECLARED_ONLY, Transport
from model.vocabulary import (
    CacheConversion,
    Canonical,
    Capability,
    ImageConversion,
    ProviderKind,
    ThinkingConversion,
    ToolSchema,
)

_MUST_BE_STATED = CapabilitySet.of((Capability.TOOL_USE, Capability.IMAGE_INPUT, Capability.STREAMING))
"""What a file says itself of a model that the catalog lacks (DOMAIN.md §9)."""
_TOOLS = CapabilitySet.of((Capability.TOOL_USE, Capability.PARALLEL_TOOL_USE))
_VENDORS_OWN = frozenset({ProviderKind.ANTHROPIC, ProviderKind.OPENAI})


def of_model(case: Case, row: ResolvedModel) -> Iterator[Finding]:
    if not row.enabled or row.model.provider.kind is None:
        return
    said = flags_of(row.model)
    denied = CapabilitySet(said.yes.mask & row.catalog.row.no.mask) if row.catalog else CapabilitySet()
    yield from _denied(row, denied)
    yield from _below_catalog(row, said)
    yield from _observed_otherwise(row, said)
    yield from _impossible(case, row, said)
    in_vain = yield from _conversion(row, said)
    yield from _not_carried(row, (said.yes - denied - in_vain) & case.asked)
    yield from _not_stated(case, row)


def flags_of(model: Model) -> Flags:
    """The files' word on each capability, the nearest first."""
    if len(model.layers) == 1:
        return model.layers[0].row.supports
    yes = no = 0
    for each in reversed(model.layers):
        flags = each.row.supports
        yes = yes & ~flags.no.mask | flags.yes.mask
        no = no & ~flags.yes.mask | flags.no.mask
    return Flags(CapabilitySet(yes), CapabilitySet(no))


def cell(model: Model, capability: Capability) -> Spot:
    """Where a file states the capability; the model itself where none does."""
    for each in model.layers:
        if capability in each.row.supports.stated:
            return spot(each, "supports", capability.value)
    return spot(model.layers[0])


def section(model: Model, capabilities: CapabilitySet) -> Spot:
    """The cell if it is one, else the `supports` that states the first of them."""
    first = cell(model, next(iter(capabilities)))
    return first if len(capabilities) == 1 else Spot(first.file, first.path[:-1])


def _denied(row: ResolvedModel, denied: CapabilitySet) -> Iterator[Finding]:
    """A gateway may add what the vendor's own endpoint lacks, so there it is only worth knowing."""
    if not denied.mask or row.catalog is None:
        return
    severity = Severity.WARNING if row.model.provider.kind in _VENDORS_OWN else Severity.INFO
    entry = row.catalog.row
    for capability in denied:
        yield Finding(
            "capability-denied-by-catalog",
            severity,
            cell(row.model, capability),
            f"{row.ref} is declared to have {capability.value}; the catalog says that {entry.display_name} has not",
            "your word counts; take it out if the catalog is right",
            f"{entry.source}, checked {entry.checked.isoformat()}",
        )


def _below_catalog(row: ResolvedModel, said: Flags) -> Iterator[Finding]:
    lower = CapabilitySet(said.no.mask & row.catalog.row.yes.mask) if row.catalog else CapabilitySet()
    if not lower.mask or row.catalog is None:
        return
    entry = row.catalog.row
    yield Finding(
        "capability-below-catalog",
        Severity.INFO,
        section(row.model, lower),
        f"{row.ref} is declared without {listed(list(lower), 6)}; the catalog says that it has it",
        "your word counts; leave the key out to follow the catalog",
        f"{entry.source}, checked {entry.checked.isoformat()}",
    )


def _observed_otherwise(row: ResolvedModel, said: Flags) -> Iterator[Finding]:
    if row.observed is None:
        return
    for capability in CapabilitySet(said.yes.mask & row.observed.flags.no.mask):
        place = cell(row.model, capability)
        yield Finding(
            "capability-observed-otherwise",
            Severity.WARNING,
            place,
            f"{row.ref} is declared to have {capability.value}, and its endpoint was seen without it",
            "an observation is adopted only by an edit of yours",
            f"{row.observed.endpoint}, {row.observed.seen.isoformat()}",
            adopting(place, False),
        )


def _impossible(case: Case, row: ResolvedModel, said: Flags) -> Iterator[Finding]:
    if Capability.PARALLEL_TOOL_USE in said.yes and Capability.TOOL_USE in said.no:
        place = cell(row.model, Capability.PARALLEL_TOOL_USE)
        message = f"{row.ref} has parallel_tool_use but no tool_use"
        help = "set tool_use to true, or parallel_tool_use to false"
        yield Finding("capability-impossible", Severity.WARNING, place, message, help)
    window, least = row.context_window_tokens.value, min(case.config.policy.long_context_tokens, COMPACT_NEED_TOKENS)
    if Capability.LONG_CONTEXT in said.yes and window is not None and window < least:
        place = cell(row.model, Capability.LONG_CONTEXT)
        message = f"{row.ref} has long_context, with a window of {window:,} tokens"
        help = "leave long_context out: it follows from the window"
        yield Finding("capability-long-context", Severity.WARNING, place, message, help, fix=_delete(place))


def _delete(place: Spot) -> Fix:
    from model.document import Delete

    return Fix(f"take {place.path[-1]} out", place.file, (Delete(place.path),))


# -- the conversion block ---------------------------------------------------------------------------------------------
_BLOCKS = (
    ("tool_schema", ToolSchema.UNSUPPORTED, _TOOLS),
    ("image_input", ImageConversion.UNSUPPORTED, CapabilitySet.of((Capability.IMAGE_INPUT,))),
    ("thinking", ThinkingConversion.UNSUPPORTED, CapabilitySet.of((Capability.THINKING,))),
    ("cache_control", CacheConversion.UNSUPPORTED, CapabilitySet.of((Capability.PROMPT_CACHE,))),
)
_ORDERS = (
    ("from_anthropic_canonical", tuple(Canonical)),
    ("image_input", tuple(ImageConversion)),
    ("thinking", tuple(ThinkingConversion)),
    ("cache_control", tuple(CacheConversion)),
)
"""Best first."""


def _conversion(row: ResolvedModel, said: Flags) -> Generator[Finding, None, CapabilitySet]:
    """Returns what was declared in vain."""
    in_vain = CapabilitySet()
    for each in row.model.layers:
        stated = each.row.conversion
        if stated.from_anthropic_canonical is Canonical.UNSUPPORTED and said.yes.mask:
            yield _contradiction(row, each, "from_anthropic_canonical", said.yes)
            return said.yes
        for name, unsupported, capabilities in _BLOCKS:
            blocked = capabilities & said.yes
            if getattr(stated, name) is unsupported and blocked.mask:
                yield _contradiction(row, each, name, blocked)
                in_vain |= blocked
        if not row.carriage.transport.on_paper:
            yield from _overstated(row, each, row.carriage.transport)
    return in_vain


def _contradiction(row: ResolvedModel, layer: ModelLayer, name: str, blocked: CapabilitySet) -> Finding:
    return Finding(
        "capability-contradicts-conversion",
        Severity.WARNING,
        spot(layer, "conversion", name),
        f"{row.ref} is declared to have {listed(list(blocked))}, and conversion.{name}: unsupported takes it away",
        "change one of the two",
    )


def _overstated(row: ResolvedModel, layer: ModelLayer, transport: Transport) -> Iterator[Finding]:
    for name, order in _ORDERS:
        stated, carried = getattr(layer.row.conversion, name), getattr(transport, name)
        if stated is not None and order.index(stated) < order.index(carried):
            place = spot(layer, "conversion", name)
            yield Finding(
                "capability-over-transport",
                Severity.WARNING,
                place,
                f"conversion.{name} is {stated.value}, but {transport.api.value} carries it as {carried.value}",
                "leave the key out: the wire's own row counts then",
                transport.reason,
                _delete(place),
            )


def _not_carried(row: ResolvedModel, declared: CapabilitySet) -> Iterator[Finding]:
    """Only of what some task asks for: a file may well state more of a model than anybody needs."""
    transport = row.carriage.transport
    lost = CapabilitySet(declared.mask & row.carriage.blocked.mask)
    if not lost.mask or transport.on_paper or row.carriage.conversion.from_anthropic_canonical is Canonical.UNSUPPORTED:
        return
    yield Finding(
        "capability-not-carried",
        Severity.INFO,
        section(row.model, lost),
        f"{row.ref} has {listed(list(lost), 6)}, which capdeck does not carry over {transport.api.value}",
        "nothing is wrong with the file; tasks that require it will not choose this model",
        row.carriage.narrowing.reason if row.carriage.narrowing else transport.reason,
    )


# -- not stated -------------------------------------------------------------------------------------------------------
def _not_stated(case: Case, row: ResolvedModel) -> Iterator[Finding]:
    """One finding for all that nobody states: what the catalog would say, and what its roles require."""
    asked = unstated_for_roles(case, row)
    missing = asked | (row.unknown & _MUST_BE_STATED if row.catalog is None else CapabilitySet())
    missing -= CapabilitySet.of(each for each in missing if case.bad.has(row.model.layers, "supports", each.value))
    near = nearest_row_name(case.snapshot.catalog, row.ref.model_id) if row.catalog is None else None
    if near:
        yield _unknown_id(case, row, near, missing)
    elif missing.mask:
        why = "the catalog has no row for it" if row.catalog is None else _why_declared(row, missing)
        yield Finding(
            "capability-not-stated",
            Severity.WARNING,
            spot(row.model.layers[0], "supports") if _has_supports(row) else spot(row.model.layers[0]),
            f"nobody states whether {row.ref} has {listed(list(missing), 6)}",
            "state it under supports: true or false",
            "; ".join(part for part in (why, _asked_by(row, asked)) if part),
        )


def unstated_for_roles(case: Case, row: ResolvedModel) -> CapabilitySet:
    """What the roles that the model is the default for require, and nobody states."""
    if case.config.policy.permissive:
        return CapabilitySet()
    asked = CapabilitySet()
    for role, on in row.default_use.items():
        if on:
            asked |= case.snapshot.requirements[role.value].required
    return asked & row.unknown


def _why_declared(row: ResolvedModel, missing: CapabilitySet) -> str:
    kind = row.model.provider.kind
    if kind and kind.declares_transport and (missing & DECLARED_ONLY).mask:
        return f"an endpoint of kind {kind.value} counts only what the file declares"
    return ""


def _asked_by(row: ResolvedModel, asked: CapabilitySet) -> str:
    roles = [role.value for role, on in row.default_use.items() if on]
    return f"it is the default for {listed(roles, 7)}" if asked.mask else ""


def _has_supports(row: ResolvedModel) -> bool:
    return bool(row.model.layers[0].row.supports.stated.mask)


def _unknown_id(case: Case, row: ResolvedModel, near: str, missing: CapabilitySet) -> Finding:
    place = spot(row.model.layers[0], "model_id")
    evidence = f"so nobody states {listed(list(missing), 6)}" if missing.mask else ""
    return Finding(
        "model-unknown-id",
        Severity.WARNING if missing.mask else Severity.INFO,
        place,
        f"the catalog has no {row.ref.model_id!r}",
        f"did you mean {near!r}? If the id is right, state what the model supports",
        evidence,
        rename_everywhere(case, row.model, near),
    )
