"""Who says what about a cell, and which layer decided: the one object behind the detail line, `explain` and doctor."""

from __future__ import annotations

from model.config.merge import Model, ModelLayer
from model.findings import Spot
from model.quick_dataclass import dataclass
from model.resolve import KIND_DEFAULT, Observed, ResolvedModel
from model.transports import DECLARED_ONLY
from model.vocabulary import Capability, JsonLevel, Layer, Support


@dataclass(frozen=True, slots=True)
class Word:
    """One layer's say. `value` reads as in the file or as a Support word; `spot` is where the file says it."""

    layer: Layer
    value: str
    detail: str = ""
    spot: Spot | None = None
    decides: bool = False

    @property
    def said(self) -> str:
        return in_words(self.value)


@dataclass(frozen=True, slots=True)
class Explanation:
    """A value and everybody who has a say in it, nearest to the user first."""

    name: str
    value: str
    decided_by: Layer
    words: tuple[Word, ...]

    @property
    def said(self) -> str:
        return in_words(self.value)

    @property
    def decider(self) -> Word | None:
        return next((word for word in self.words if word.decides), None)


def in_words(value: str) -> str:
    """A value for people: what nobody states is called that, not `unknown` as in the data."""
    return "not stated" if value == "unknown" else value


def explain(row: ResolvedModel, capability: Capability) -> Explanation:
    """One cell with its layers: files, catalog, kind default or derivation, transport, observation."""
    decided = row.decided_by(capability)
    words = [
        *_file_words(row.model, capability, decided),
        *_catalog_words(row, capability, decided),
        *_default_words(row, capability, decided),
        _transport_word(row, capability, decided),
        *_observed_words(row, capability),
    ]
    return Explanation(capability.value, row.support(capability).value, decided, tuple(words))


def _file_words(model: Model, capability: Capability, decided: Layer) -> list[Word]:
    words = []
    for each in model.layers:
        flags = each.row.supports
        if capability in flags.stated:
            value = Support.YES if capability in flags.yes else Support.NO
            spot = Spot(each.file, (*each.row.path, "supports", capability.value))
            words.append(Word(each.layer, value.value, "", spot, each.layer is decided))
    return words


def _catalog_words(row: ResolvedModel, capability: Capability, decided: Layer) -> list[Word]:
    if row.catalog is None:
        return [Word(Layer.CATALOG, "unknown", "the catalog has no row for this id")]
    entry = row.catalog.row
    detail = f"{entry.checked.isoformat()}, {entry.source}"
    if row.catalog.matched_as.value == "alias":
        detail = f"as {entry.model_id}; {detail}"
    kind = row.model.provider.kind
    if kind and kind.declares_transport and capability in DECLARED_ONLY:
        detail = f"not adopted: {kind.value} endpoints count only what the file declares; {detail}"
    return [Word(Layer.CATALOG, entry.support(capability).value, detail, None, decided is Layer.CATALOG)]


def _default_words(row: ResolvedModel, capability: Capability, decided: Layer) -> list[Word]:
    kind = row.model.provider.kind
    if capability is Capability.LONG_CONTEXT and row.context_window_tokens.value is not None:
        value = row.support(capability).value if decided is Layer.DERIVED else "unknown"
        detail = f"from a window of {row.context_window_tokens.value:,} tokens"
        return [Word(Layer.DERIVED, value, detail, None, decided is Layer.DERIVED)]
    if decided is Layer.KIND_DEFAULT and kind and capability in KIND_DEFAULT:
        return [Word(Layer.KIND_DEFAULT, "yes", f"any {kind.value} chat model", None, True)]
    return []


_BY_CONVERSION = {
    Capability.TOOL_USE: "tool_schema",
    Capability.PARALLEL_TOOL_USE: "tool_schema",
    Capability.IMAGE_INPUT: "image_input",
    Capability.THINKING: "thinking",
    Capability.PROMPT_CACHE: "cache_control",
}


def _transport_word(row: ResolvedModel, capability: Capability, decided: Layer) -> Word:
    carriage = row.carriage
    value = Support.YES
    if capability in carriage.blocked:
        value = Support.NO
    elif capability in carriage.emulated:
        value = Support.EMULATED
    detail = f"{carriage.transport.api.value}: {_how_carried(row, capability)}"
    return Word(
        Layer.TRANSPORT, value.value, detail, _conversion_spot(row.model, capability), decided is Layer.TRANSPORT
    )


def _how_carried(row: ResolvedModel, capability: Capability) -> str:
    carriage = row.carriage
    name = _BY_CONVERSION.get(capability)
    if name:
        return f"{name} {getattr(carriage.conversion, name).value}"
    if capability is Capability.STRUCTURED_OUTPUT and carriage.narrowing:
        return f"JSON schema {carriage.narrowing.json_schema.value}: {carriage.narrowing.reason}"
    levels: dict[Capability, JsonLevel] = {
        Capability.STRUCTURED_OUTPUT: carriage.transport.json_schema,
        Capability.JSON_MODE: carriage.transport.json_mode,
    }
    if capability in levels:
        return f"JSON {'schema' if capability is Capability.STRUCTURED_OUTPUT else 'mode'} {levels[capability].value}"
    return "not carried" if capability in carriage.blocked else "carried"


def _conversion_spot(model: Model, capability: Capability) -> Spot | None:
    name = _BY_CONVERSION.get(capability)
    if name is None:
        return None
    return next(
        (_spot(each, ("conversion", name)) for each in model.layers if getattr(each.row.conversion, name)), None
    )


def _spot(layer: ModelLayer, tail: tuple[str, ...]) -> Spot:
    return Spot(layer.file, (*layer.row.path, *tail))


def _observed_words(row: ResolvedModel, capability: Capability) -> list[Word]:
    if row.observed is None or capability not in row.observed.flags.stated:
        return []
    value = Support.YES if capability in row.observed.flags.yes else Support.NO
    return [Word(Layer.OBSERVED, value.value, _seen(row.observed))]


_FROM_CATALOG = {"context_window_tokens", "max_output_tokens"}


def explain_field(row: ResolvedModel, name: str) -> Explanation:
    """A scalar field of the model (tiers, window, output, limits, roles, conversion) with its layers.

    `name` is dotted as in the field table: `quality_tier`, `limits.requests_per_minute`.
    """
    parts = tuple(name.split("."))
    words = [
        Word(each.layer, _written(value), "", _spot(each, parts))
        for each in row.model.layers
        if (value := _read(each, parts)) is not None
    ]
    if name in _FROM_CATALOG and row.catalog:
        entry = row.catalog.row
        value = getattr(entry, name)
        words.append(Word(Layer.CATALOG, _written(value), f"{entry.checked.isoformat()}, {entry.source}"))
        if value is None and len(words) == 1:
            words = []
    if parts[0] == "conversion":
        transport = row.carriage.transport
        words.append(Word(Layer.TRANSPORT, _written(getattr(transport, parts[1])), transport.reason))
    seen = _observed_number(row, name)
    if not words:
        return Explanation(name, "unknown", Layer.NOBODY, seen)
    first = words[0]
    words[0] = Word(first.layer, first.value, first.detail, first.spot, True)
    return Explanation(name, first.value, first.layer, (*words, *seen))


def _observed_number(row: ResolvedModel, name: str) -> tuple[Word, ...]:
    """What was seen of a size, beside what decides it."""
    value = getattr(row.observed, name) if row.observed and name in _FROM_CATALOG else None
    return () if value is None or row.observed is None else (Word(Layer.OBSERVED, str(value), _seen(row.observed)),)


def _seen(observed: Observed) -> str:
    return f"{observed.endpoint}, {observed.seen.isoformat()}; shown beside, not adopted"


def _read(layer: ModelLayer, parts: tuple[str, ...]) -> object:
    section = getattr(layer.row, parts[0])
    if len(parts) == 1:
        return section
    return section.get(parts[1]) if isinstance(section, dict) else getattr(section, parts[1])


def _written(value: object) -> str:
    if value is None:
        return "unknown"
    if isinstance(value, bool):
        return str(value).lower()
    return ", ".join(value) if isinstance(value, tuple) else str(getattr(value, "value", value))
