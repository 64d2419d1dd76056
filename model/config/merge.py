"""Global file + project file → one config, field by field, the project first (DOMAIN.md §3)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import field, replace
from typing import TypeVar
from urllib.parse import urlsplit

from model.config.fields import UnknownCapabilities
from model.config.rows import (
    ChainRow,
    ConversionRow,
    FileConfig,
    IgnoreRow,
    LimitsRow,
    ModelRow,
    ProviderRow,
    RequirementRow,
    ToolRow,
)
from model.endpoint import is_literal_loopback
from model.model_ref import ModelRef
from model.quick_dataclass import dataclass
from model.vocabulary import Api, Layer, ProviderKind, Role, ScoreDimension

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class LayeredFile:
    """One file's config and the layer that it speaks for; `name` is the file's name in findings."""

    layer: Layer
    name: str
    config: FileConfig


@dataclass(frozen=True, slots=True)
class ProviderLayer:
    """What one file says of a provider."""

    layer: Layer
    file: str
    row: ProviderRow


@dataclass(frozen=True, slots=True)
class ModelLayer:
    """What one file says of a model."""

    layer: Layer
    file: str
    row: ModelRow


@dataclass(frozen=True, slots=True)
class Provider:
    """A provider after merging. `layers` are nearest first."""

    provider_id: str
    kind: ProviderKind | None
    display_name: str | None
    base_url: str | None
    auth_ref: str | None
    local: bool
    enabled: bool
    api: Api
    layers: tuple[ProviderLayer, ...]

    def decided_by(self, name: str) -> ProviderLayer | None:
        """The layer that states the field `name`."""
        return next((each for each in self.layers if getattr(each.row, name) is not None), None)

    @property
    def effective_base_url(self) -> str | None:
        """The file's base_url, else the vendor's own where the kind has one."""
        return self.base_url or (self.kind.default_base_url if self.kind else None)


@dataclass(frozen=True, slots=True)
class Model:
    """A model after merging; its cells are resolved elsewhere. `layers` are nearest first."""

    ref: ModelRef
    provider: Provider
    layers: tuple[ModelLayer, ...]

    def stated(self, read: Callable[[ModelRow], T | None]) -> tuple[T, ModelLayer] | None:
        """The nearest layer's word on one field, and that layer."""
        for each in self.layers:
            value = read(each.row)
            if value is not None:
                return value, each
        return None

    def value(self, read: Callable[[ModelRow], T | None]) -> T | None:
        found = self.stated(read)
        return found[0] if found else None

    @property
    def enabled(self) -> bool:
        return self.provider.enabled and self.value(lambda row: row.enabled) is not False

    @property
    def conversion(self) -> ConversionRow:
        return _overlay(ConversionRow, [each.row.conversion for each in self.layers])

    @property
    def limits(self) -> LimitsRow:
        return _overlay(LimitsRow, [each.row.limits for each in self.layers])

    @property
    def default_use(self) -> dict[Role, bool]:
        return {role: on for each in reversed(self.layers) for role, on in each.row.default_use.items()}

    @property
    def scores(self) -> dict[ScoreDimension, int]:
        return {dimension: score for each in reversed(self.layers) for dimension, score in each.row.scores.items()}

    @property
    def notes(self) -> tuple[str, ...]:
        return self.value(lambda row: row.notes) or ()


@dataclass(frozen=True, slots=True)
class Policy:
    """`policy` after merging, with its defaults."""

    unknown_capabilities: UnknownCapabilities = UnknownCapabilities.CLOSED
    allow_higher_tier: bool = True
    allow_lower_tier_for: tuple[str, ...] = ()
    allow_online_checks: bool = False
    allow_proxy: bool = False
    long_context_tokens: int = 200_000
    code_changing: tuple[str, ...] = ("execute", "debug")
    rank_by_score: bool = False
    ignore: tuple[IgnoreRow, ...] = ()

    @property
    def permissive(self) -> bool:
        return self.unknown_capabilities is UnknownCapabilities.PERMISSIVE


USERS_OWN_POLICY = frozenset({"unknown_capabilities", "allow_online_checks", "allow_proxy"})
"""Keys of `policy` that a project file must not set: a cloned repository does not loosen its reader's rules."""


@dataclass(frozen=True, slots=True)
class Config:
    """All open files as one. `groups` are the providers in file order, each with its models."""

    groups: tuple[tuple[Provider, tuple[Model, ...]], ...] = ()
    requirements: Mapping[str, tuple[RequirementRow, ...]] = field(default_factory=dict)
    """For each task the files' blocks, nearest first."""
    tools: tuple[ToolRow, ...] = ()
    fallbacks: tuple[ChainRow, ...] = ()
    policy: Policy = Policy()

    @property
    def providers(self) -> tuple[Provider, ...]:
        return tuple(provider for provider, _ in self.groups)

    @property
    def models(self) -> tuple[Model, ...]:
        return tuple(model for _, models in self.groups for model in models)


def _overlay(row_type: type[T], rows: list[T]) -> T:
    """Field by field the first row that states it."""
    if len(rows) == 1:
        return rows[0]
    names = row_type.__dataclass_fields__  # type: ignore[attr-defined]  # only called with row dataclasses
    values = {name: next((value for row in rows if (value := getattr(row, name)) is not None), None) for name in names}
    return row_type(**values)


def is_loopback(url: str) -> bool:
    """Whether the host is a literal loopback address; names do not count."""
    try:
        return is_literal_loopback(urlsplit(url).hostname or "")
    except ValueError:
        return False


def _is_local(layers: tuple[ProviderLayer, ...], kind: ProviderKind | None, base_url: str | None) -> bool:
    """A remote address is local only by the user's own word, so a project's `local: true` does not make it so."""
    near = kind is ProviderKind.OLLAMA if base_url is None else is_loopback(base_url)
    for each in layers:
        if each.row.local is not None:
            if each.row.local and not near and each.layer is not Layer.GLOBAL:
                continue
            return each.row.local
    return near


def _provider(provider_id: str, layers: tuple[ProviderLayer, ...]) -> Provider:
    def first(name: str) -> object:
        return next((value for each in layers if (value := getattr(each.row, name)) is not None), None)

    kind: ProviderKind | None = first("provider_kind")  # type: ignore[assignment]  # the row's field has this type
    base_url: str | None = first("base_url")  # type: ignore[assignment]  # the row's field has this type
    api: Api | None = first("api")  # type: ignore[assignment]  # the row's field has this type
    return Provider(
        provider_id,
        kind,
        first("display_name"),  # type: ignore[arg-type]  # the row's field has this type
        base_url,
        first("auth_ref"),  # type: ignore[arg-type]  # the row's field has this type
        _is_local(layers, kind, base_url),
        first("enabled") is not False,
        api or (kind.default_api if kind else Api.UNKNOWN),
        layers,
    )


def _grouped(files: Iterable[LayeredFile]) -> dict[str, list[ProviderLayer]]:
    """The files' rows by provider_id, in the order of first appearance; the first of duplicates in one file counts."""
    groups: dict[str, list[ProviderLayer]] = {}
    for file in files:
        seen = set()
        for row in file.config.providers:
            if row.provider_id is not None and row.provider_id not in seen:
                seen.add(row.provider_id)
                groups.setdefault(row.provider_id, []).append(ProviderLayer(file.layer, file.name, row))
    return groups


def _models(provider: Provider) -> Iterable[Model]:
    groups: dict[str, list[ModelLayer]] = {}
    for each in provider.layers:
        seen = set()
        for row in each.row.models:
            if row.model_id is not None and row.model_id not in seen:
                seen.add(row.model_id)
                groups.setdefault(row.model_id, []).append(ModelLayer(each.layer, each.file, row))
    for model_id, layers in groups.items():
        yield Model(ModelRef(provider.provider_id, model_id), provider, tuple(layers))


def _policy(files: Iterable[LayeredFile]) -> Policy:
    values: dict[str, object] = {}
    for file in files:
        for name in Policy.__dataclass_fields__:
            value = getattr(file.config.policy, name)
            if value is None or (file.layer is Layer.PROJECT and name in USERS_OWN_POLICY):
                continue
            values.setdefault(name, value)
    return Policy(**values)  # type: ignore[arg-type]  # names and types are those of PolicyRow


def _group(
    provider_id: str, layers: tuple[ProviderLayer, ...], previous: tuple[Provider, tuple[Model, ...]] | None
) -> tuple[Provider, tuple[Model, ...]]:
    """The provider and its models; what no file changed stays the same object, so that nobody derives it again."""
    if previous and _same_rows(previous[0].layers, layers):
        return previous
    provider = _provider(provider_id, layers)
    known = {model.ref: model for model in previous[1]} if previous else {}
    models = []
    for model in _models(provider):
        old = known.get(model.ref)
        same = old and _same_but_rows(old.provider, provider) and _same_rows(old.layers, model.layers)
        models.append(old if old and same else model)
    return provider, tuple(models)


def _same_rows(old: tuple[ProviderLayer | ModelLayer, ...], new: tuple[ProviderLayer | ModelLayer, ...]) -> bool:
    return len(old) == len(new) and all(a.row is b.row and a.layer is b.layer for a, b in zip(old, new, strict=True))


def _same_but_rows(old: Provider, new: Provider) -> bool:
    """Whether a model would resolve the same under both: all that a provider decides, but not where it stands."""
    return replace(old, layers=()) == replace(new, layers=())


def merge(files: tuple[LayeredFile, ...], previous: Config | None = None) -> Config:
    """`files` are nearest first (project, global); `previous` is the config before an edit."""
    known = {group[0].provider_id: group for group in previous.groups} if previous else {}
    requirements: dict[str, list[RequirementRow]] = {}
    for file in files:
        for task, row in file.config.requirements.items():
            requirements.setdefault(task, []).append(row)
    tools = {tool.name: tool for file in reversed(files) for tool in file.config.tools if tool.name}
    return Config(
        tuple(_group(name, tuple(layers), known.get(name)) for name, layers in _grouped(files).items()),
        {task: tuple(rows) for task, rows in requirements.items()},
        tuple(tools.values()),
        tuple(chain for file in files for chain in file.config.fallbacks),
        _policy(files),
    )
