"""Everything that follows from the open files at one moment; immutable, derived again after each edit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from model.auth import AuthState, CredentialCheck, parse_auth_ref
from model.bitmap import Bitmap, Mask, index
from model.config.merge import Config, LayeredFile, Provider, merge
from model.files import OpenFile
from model.judge import judge
from model.quick_dataclass import dataclass
from model.ranking import RankingKeys, keys, ranked
from model.requirements import Requirement, requirements
from model.resolve import Matrix, Observations, ResolvedModel, resolve
from model.sieve import Passing, near_misses, passing
from model.tools import toolbox_of
from model.verdicts import Circumstances, Verdict

if TYPE_CHECKING:
    from model.catalog import Catalog
    from model.trust import Trust


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What bears on the files from outside: credentials, trust, observations, the catalog.

    Without `trust` nobody is told apart (and the online checks contact only what the user's own file chose). Without a
    `catalog` the built-in one (with the rows of plugins) is used. `usable` asks verdicts for what can be used now.
    """

    credentials: CredentialCheck | None = None
    trust: Trust | None = None
    observations: Observations | None = None
    catalog: Catalog | None = None
    usable: bool = False


@dataclass(frozen=True)
class Snapshot:
    """Files, config, matrix, index and requirements that belong together."""

    files: tuple[OpenFile, ...]
    config: Config
    matrix: Matrix
    bitmap: Bitmap
    requirements: Mapping[str, Requirement]
    given: Circumstances
    catalog: Catalog
    surroundings: Surroundings = field(repr=False, default_factory=Surroundings)

    @cached_property
    def passing(self) -> Mapping[str, Passing]:
        """Who passes each task."""
        return {task: self._sieve(requirement) for task, requirement in self.requirements.items()}

    @cached_property
    def first(self) -> Mapping[str, int | None]:
        """The row that comes first among those who pass each task."""
        return {task: self._first(requirement) for task, requirement in self.requirements.items()}

    def _first(self, requirement: Requirement) -> int | None:
        return next(ranked(self.matrix, self.bitmap, requirement, self.passing[requirement.task]), None)

    def foreseeing(self, requirement: Requirement) -> Snapshot:
        """As it would be with another requirement of one task; who passes the others is known already."""
        task = requirement.task
        foreseen = replace(self, requirements={**self.requirements, task: requirement})
        vars(foreseen)["passing"] = {**self.passing, task: self._sieve(requirement)}
        return foreseen

    def passes(self, requirement: Requirement) -> Passing:
        is_ours = self.requirements.get(requirement.task) is requirement
        return self.passing[requirement.task] if is_ours else self._sieve(requirement)

    def _sieve(self, requirement: Requirement) -> Passing:
        return passing(self.bitmap, requirement, self.given)

    def near_misses(self, requirement: Requirement) -> Mask:
        """The rows that fail on exactly one clause."""
        return near_misses(self.bitmap, requirement, self.given)

    def verdict(self, row: ResolvedModel, requirement: Requirement) -> Verdict:
        return judge(row, requirement, self.given)

    def ranked(self, requirement: Requirement) -> Iterator[ResolvedModel]:
        """Those who pass, best first, made as they are asked for."""
        order = ranked(self.matrix, self.bitmap, requirement, self.passes(requirement))
        return (self.matrix.rows[number] for number in order)

    def ranking_keys(self, row: ResolvedModel, requirement: Requirement) -> RankingKeys:
        lossy = bool(self.passes(requirement).lossy >> self.matrix.by_ref[row.ref] & 1)
        return keys(row, requirement, lossy=lossy)

    def file(self, name: str) -> OpenFile:
        return next(file for file in self.files if file.name == name)


def derive(files: tuple[OpenFile, ...], surroundings: Surroundings, previous: Snapshot | None = None) -> Snapshot:
    """`previous` lets everything that an edit did not touch stay as it is."""
    catalog = surroundings.catalog or _known_models()
    same_world = previous is not None and previous.surroundings is surroundings
    old = previous if same_world else None
    layered = tuple(LayeredFile(file.layer, file.name, file.config) for file in files)
    config = merge(layered, old.config if old else None)
    matrix = resolve(config, catalog, surroundings.observations, old.matrix if old else None)
    bitmap = old.bitmap.updated(matrix, old.matrix) if old else index(matrix)
    given = _circumstances(config, surroundings)
    return Snapshot(files, config, matrix, bitmap, requirements(config.requirements), given, catalog, surroundings)


def _known_models() -> Catalog:
    """The built-in catalog, with the rows of plugins where there are any."""
    from model.catalog import builtin
    from model.plugin_search import some_installed

    if not some_installed():
        return builtin()
    from model.plugins import whole_catalog

    return whole_catalog()


def _circumstances(config: Config, surroundings: Surroundings) -> Circumstances:
    """Where an untrusted file says that a key lies, nobody looks."""
    untrusted = surroundings.trust.untrusted(config) if surroundings.trust else frozenset()
    asked = (each for each in config.providers if each.provider_id not in untrusted or each.auth_ref is None)
    without = frozenset(each.provider_id for each in asked if _lacks_key(each, surroundings.credentials))
    return Circumstances(
        config.policy.permissive, toolbox_of(config), no_auth=without, untrusted=untrusted, usable=surroundings.usable
    )


def _lacks_key(provider: Provider, credentials: CredentialCheck | None) -> bool:
    """Only a provider that is not local needs a key."""
    if provider.local or credentials is None:
        return False
    if provider.auth_ref is None:
        return True
    ref = parse_auth_ref(provider.auth_ref)
    return ref.needs_secret and credentials.state(ref) in {AuthState.ABSENT, AuthState.EMPTY}
