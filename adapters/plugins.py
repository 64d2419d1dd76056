"""Adapters from other packages: one more hook for the plugins of `model.plugins`."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import pluggy

from model.plugins import Plugins, hookimpl, hookspec, installed

if TYPE_CHECKING:
    from adapters.contract import ProviderAdapter
    from adapters.http import Channel
    from adapters.settings import ProviderSettings

__all__ = ["AdapterHooks", "hookimpl", "plugins_with_adapters", "with_adapter_hooks"]


class AdapterHooks:
    """What a plugin may offer."""

    @hookspec(firstresult=True)
    def capdeck_adapter(self, settings: ProviderSettings, channel: Channel) -> ProviderAdapter | None:
        """An adapter for this provider, or None to leave it to others. Asked for kind `custom` and Apis on paper.

        `channel` has passed the endpoint policy and puts the key on its requests; an adapter that uses only it keeps
        every limit of capdeck. One without a `transport` gets the portable row: text, chat, JSON in words.
        """


def with_adapter_hooks(manager: pluggy.PluginManager) -> pluggy.PluginManager:
    """Hooks may be specified after the plugins were registered."""
    manager.add_hookspecs(AdapterHooks)
    return manager


@cache
def plugins_with_adapters() -> Plugins:
    """The plugins of this environment; one that cannot be loaded stands among its `problems`."""
    plugins = installed()
    with_adapter_hooks(plugins.manager)
    return plugins
