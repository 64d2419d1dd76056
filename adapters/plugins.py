"""Adapters from other packages: pluggy hooks in the entry-point group `capdeck`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import entry_points
from typing import TYPE_CHECKING

import pluggy

if TYPE_CHECKING:
    from adapters.contract import ProviderAdapter
    from adapters.http import Channel
    from adapters.settings import ProviderSettings

GROUP = "capdeck"
hookspec = pluggy.HookspecMarker(GROUP)
hookimpl = pluggy.HookimplMarker(GROUP)


class AdapterHooks:
    """What a plugin may offer."""

    @hookspec(firstresult=True)
    def capdeck_adapter(self, settings: ProviderSettings, channel: Channel) -> ProviderAdapter | None:
        """An adapter for this provider, or None to leave it to others.

        `channel` has passed the endpoint policy and puts the key on its requests; an adapter that uses only it keeps
        every limit of capdeck. One without a `transport` gets the portable row: text, chat, JSON in words.
        """


@dataclass(frozen=True, slots=True)
class PluginProblem:
    """A plugin that could not be loaded: its entry point's name and the kind of error."""

    name: str
    error: str


@dataclass(frozen=True, slots=True)
class Plugins:
    """What was loaded, and what could not be: one bad plugin never takes the rest down."""

    manager: pluggy.PluginManager
    problems: tuple[PluginProblem, ...] = ()


def new_manager() -> pluggy.PluginManager:
    manager = pluggy.PluginManager(GROUP)
    manager.add_hookspecs(AdapterHooks)
    return manager


@lru_cache(maxsize=1)
def installed_plugins() -> Plugins:
    """The plugins of this environment, loaded at the first call."""
    manager, problems = new_manager(), list[PluginProblem]()
    for entry in entry_points(group=GROUP):
        try:
            manager.register(entry.load(), entry.name)
        except Exception as error:  # a plugin's import may raise anything
            problems.append(PluginProblem(entry.name, type(error).__name__))
    return Plugins(manager, tuple(problems))
