"""What the checks look at: one snapshot on one day."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date

from model.bitmap import bits
from model.capability_set import NO_CAPABILITIES, CapabilitySet
from model.config.merge import Config, Model, ModelLayer, Provider, ProviderLayer
from model.document import Put, Rename, YamlPath
from model.findings import Finding, Spot
from model.model_ref import BadRef, ModelRef
from model.quick_dataclass import dataclass
from model.resolve import ResolvedModel
from model.snapshot import Snapshot
from model.vocabulary import Role

Layered = ProviderLayer | ModelLayer
_IDENTITY = frozenset({"models", "provider_id", "model_id"})


@dataclass(frozen=True, slots=True)
class Bad:
    """Places whose value config reading reported. It counts as not stated, and what follows from that is not told
    once more."""

    places: frozenset[tuple[str, YamlPath]] = frozenset()
    hides_models: bool = False
    """Whether a provider or model could not be read at all, so that nothing can be said about who is missing."""
    roles: frozenset[str] = frozenset()

    @classmethod
    def of(cls, findings: Iterable[Finding]) -> Bad:
        places = {place for finding in findings for place in _places(finding)}
        roles = {str(path[-1]) for _, path in places if "default_use" in path}
        return cls(frozenset(places), any(_is_identity(path) for _, path in places), frozenset(roles))

    def __contains__(self, place: Spot) -> bool:
        return (place.file, place.path) in self.places

    def has(self, layers: Iterable[Layered], *steps: str) -> bool:
        """Whether a file states this of a provider or model, but wrongly; or all of the section that it stands in."""
        if not self.places:
            return False
        return any(
            (each.file, (*each.row.path, *steps[: depth + 1])) in self.places
            for each in layers
            for depth in range(len(steps))
        )


def _places(finding: Finding) -> Iterator[tuple[str, YamlPath]]:
    """The place itself, and where its value was meant to stand."""
    spot = finding.spot
    yield spot.file, spot.path
    for edit in finding.fix.edits if finding.fix else ():
        if isinstance(edit, Rename):
            yield spot.file, (*edit.path[:-1], str(edit.key))
        elif isinstance(edit, Put):
            yield spot.file, edit.path


def _is_identity(path: YamlPath) -> bool:
    """The document, the list of providers, a provider, a list of models, a model, or the id of one."""
    if path[:1] != ("providers",):
        return not path
    return len(path) in {1, 2, 4} or path[-1] in _IDENTITY


@dataclass(frozen=True, slots=True)
class Case:
    """One snapshot on one day, and what is wrong with the files as such."""

    snapshot: Snapshot
    today: date
    bad: Bad = Bad()
    asked: CapabilitySet = NO_CAPABILITIES
    """What some task requires or prefers."""

    @classmethod
    def of(cls, snapshot: Snapshot, today: date, findings: Iterable[Finding]) -> Case:
        """`findings` are those of reading the files."""
        asked = NO_CAPABILITIES
        for each in snapshot.requirements.values():
            asked |= each.required | each.preferred
            for way in each.any_of:
                asked |= way.required
        return cls(snapshot, today, Bad.of(findings), asked)

    @property
    def config(self) -> Config:
        return self.snapshot.config

    def roles_of(self, provider: Provider) -> tuple[Role, ...]:
        """The roles for which an enabled model of the provider is the default."""
        bitmap = self.snapshot.bitmap
        own = bitmap.provider(provider.provider_id) & bitmap.enabled()
        return tuple(role for role in Role if bitmap.default_for(role) & own)

    def model(self, text: str | None) -> ResolvedModel | None:
        """The model that a text of the file names, if there is one."""
        try:
            return self.snapshot.matrix.get(ModelRef.parse(text or ""))
        except BadRef:
            return None

    def rows(self, mask: int) -> Iterator[ResolvedModel]:
        return (self.snapshot.matrix.rows[number] for number in bits(mask))


def spot(layer: Layered, *steps: str | int, on_key: bool = False) -> Spot:
    """A place inside what one file says of a provider or model."""
    return Spot(layer.file, (*layer.row.path, *steps), on_key)


def model_layer(model: Model, name: str) -> ModelLayer | None:
    """The file that decides the field `name`."""
    return next((each for each in model.layers if getattr(each.row, name) is not None), None)


def listed(names: Iterable[object], most: int = 5) -> str:
    """`a, b, c and 4 more`"""
    texts = [str(name) for name in names]
    more = f" and {len(texts) - most} more" if len(texts) > most else ""
    return ", ".join(texts[:most]) + more
