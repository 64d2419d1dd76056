"""What others may add: catalog rows, doctor checks, a say in the tool set. A broken plugin is reported, never fatal.

A plugin is a module or object under the entry-point group `capdeck` whose functions carry `capdeck.plugins.hookimpl`
marks of pluggy's project name `capdeck`. Nothing is looked for until somebody asks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import field
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING, Any

import pluggy

from model.plugin_search import GROUP, some_installed
from model.quick_dataclass import dataclass
from model.tools import FilteredTools, KeptTool, Removal, RemovedTool

if TYPE_CHECKING:
    from model.catalog import Catalog
    from model.catalog.rows import CatalogRow
    from model.findings import Finding
    from model.resolve import ResolvedModel
    from model.snapshot import Snapshot

hookspec = pluggy.HookspecMarker(GROUP)
hookimpl = pluggy.HookimplMarker(GROUP)

_FAULTS = (Exception, SystemExit)
"""Whatever foreign code raises is its own fault: reported and passed over."""

DoctorCheck = Callable[["Snapshot"], Iterable["Finding"]]
"""A check of a plugin's: everything that is open → what is wrong with it."""


class Hooks:
    """What a plugin may implement; each function is optional."""

    @hookspec
    def capdeck_catalog_rows(self) -> Iterable[CatalogRow]:  # type: ignore[empty-body]  # a specification
        """More rows of the catalog. They pass the catalog's own checks and never replace a built-in id."""

    @hookspec
    def capdeck_doctor_checks(self) -> Iterable[DoctorCheck]:  # type: ignore[empty-body]  # a specification
        """More offline checks for the doctor."""

    @hookspec
    def capdeck_adjust_tool_set(
        self, api: str, provider_id: str, model_id: str, kept: tuple[str, ...], removed: tuple[str, ...]
    ) -> Sequence[str] | None:
        """May replace the tools that the filter kept for the chosen model (names, in order); None = leave them."""


@dataclass(frozen=True, slots=True)
class PluginProblem:
    """What went wrong with one plugin; the rest works on."""

    plugin: str
    where: str
    text: str


@dataclass
class Plugins:
    """The plugins that could be loaded. `problems` grows when a hook fails."""

    manager: pluggy.PluginManager
    problems: list[PluginProblem] = field(default_factory=list)

    def _ask(self, name: str, hook: str, **arguments: object) -> list[Any]:
        """One plugin's answers to a hook, asked by itself, so that one that fails takes no other along."""
        others = [plugin for other, plugin in self.manager.list_name_plugin() if other != name]
        try:
            return list(self.manager.subset_hook_caller(hook, others)(**arguments))
        except _FAULTS as error:
            self._report(name, hook, error)
            return []

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(name for name, _ in self.manager.list_name_plugin())

    def _report(self, plugin: str, where: str, error: BaseException | str) -> None:
        text = error if isinstance(error, str) else f"{type(error).__name__}: {error}"
        problem = PluginProblem(plugin, where, text)
        if problem not in self.problems:
            self.problems.append(problem)

    def catalog(self, base: Catalog) -> Catalog:
        """The catalog with the plugins' rows; a plugin with a bad row adds none."""
        for name in self.names:
            for rows in self._ask(name, "capdeck_catalog_rows"):
                try:
                    base = base.with_rows(rows)
                except _FAULTS as error:
                    self._report(name, "capdeck_catalog_rows", error)
        return base

    def findings(self, snapshot: Snapshot) -> list[Finding]:
        """What the plugins' checks find."""
        found: list[Finding] = []
        for name in self.names:
            for checks in self._ask(name, "capdeck_doctor_checks"):
                try:
                    found += _demanded(finding for check in checks for finding in check(snapshot))
                except _FAULTS as error:
                    self._report(name, "capdeck_doctor_checks", error)
        return found

    def adjust_tool_set(self, row: ResolvedModel, filtered: FilteredTools) -> FilteredTools:
        """The tool set after the plugins' say, each building on the one before it."""
        for name in self.names:
            answers = self._ask(
                name,
                "capdeck_adjust_tool_set",
                api=row.model.provider.api.value,
                provider_id=row.ref.provider_id,
                model_id=row.ref.model_id,
                kept=filtered.names,
                removed=tuple(tool.name for tool in filtered.removed),
            )
            for answer in answers:
                if isinstance(answer, list | tuple) and all(isinstance(tool, str) for tool in answer):
                    filtered = _replaced(filtered, tuple(dict.fromkeys(answer)), name, row)
                else:
                    self._report(name, "capdeck_adjust_tool_set", "the answer must be a list of tool names")
        return filtered


def _demanded(found: Iterable[object]) -> list[Finding]:
    """Raises TypeError for what is no finding, or names a place that no file can have."""
    from model.findings import Finding

    findings = []
    for each in found:
        if not isinstance(each, Finding):
            raise TypeError(f"a check must give findings, not {type(each).__name__}")
        hash(each)
        findings.append(each)
    return findings


def _replaced(filtered: FilteredTools, names: tuple[str, ...], plugin: str, row: ResolvedModel) -> FilteredTools:
    before = {tool.name: tool for tool in filtered.kept}
    kept = tuple(before.get(name) or KeptTool(name, f"put in by the plugin {plugin}") for name in names)
    taken = tuple(
        RemovedTool(name, Removal.PLUGIN, f"taken out by the plugin {plugin}", row.ref)
        for name in before
        if name not in names
    )
    return FilteredTools(kept, (*(tool for tool in filtered.removed if tool.name not in names), *taken))


def load(found: Iterable[EntryPoint] | None = None) -> Plugins:
    """Loads the plugins of the group (or those given). What cannot be loaded becomes a problem."""
    manager = pluggy.PluginManager(GROUP)
    manager.add_hookspecs(Hooks)
    plugins = Plugins(manager)
    for entry in entry_points(group=GROUP) if found is None else found:
        try:
            manager.register(entry.load(), name=entry.name)
        except _FAULTS as error:
            plugins._report(entry.name, "loading", error)
    return plugins


@cache
def installed() -> Plugins:
    """The plugins of this Python environment, looked for once."""
    return load(None if some_installed() else ())


@cache
def whole_catalog() -> Catalog:
    """The catalog that capdeck ships, with the plugins' rows. Raises CatalogError only for a broken catalog of ours."""
    from model.catalog import builtin

    return installed().catalog(builtin())
