"""Adapters over answers made by hand."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from pathlib import Path
from typing import Any

import httpx

from adapters.contract import ProviderAdapter
from adapters.conversion.completion import Completion
from adapters.conversion.events import Assembly, StreamEvent
from adapters.limits import Limits
from adapters.registry import Connections, open_adapter
from adapters.secrets import CredentialResolver
from adapters.settings import ProviderSettings
from model.auth import parse_auth_ref
from model.contract import ProviderCompletionInput
from model.vocabulary import Api, ProviderKind
from tests.adapters.wire import Handler

KEY = "sk-canary-0123456789"
ASK = ProviderCompletionInput(model_id="m1", messages=({"role": "user", "content": "Say hi"},), max_output_tokens=16)


def settings(kind: ProviderKind, base_url: str | None = None, **changes: Any) -> ProviderSettings:
    if base_url is None and kind.default_base_url is None:
        base_url = "https://gateway.example/v1"
    given = {"api": kind.default_api, "auth_ref": parse_auth_ref("env:KEY"), **changes}
    return ProviderSettings("p1", kind, base_url=base_url, **given)


def connections(handler: Handler | None = None, *, key: str = KEY, limits: Limits | None = None) -> Connections:
    resolver = CredentialResolver({"KEY": key}, home=Path("/nonexistent"))
    transport = httpx.MockTransport(handler) if handler else None
    return Connections(resolver, limits=limits or Limits(), http=transport)


def adapter(kind: ProviderKind, handler: Handler, base_url: str | None = None, **changes: Any) -> ProviderAdapter:
    return open_adapter(settings(kind, base_url, **changes), connections(handler))


async def collect(events: AsyncGenerator[StreamEvent, None]) -> list[StreamEvent]:
    async with aclosing(events) as stream:
        return [event async for event in stream]


def assembled(events: list[StreamEvent]) -> Completion:
    assembly = Assembly()
    for event in events:
        assembly.add(event)
    return assembly.completion()


__all__ = ["ASK", "KEY", "Api", "adapter", "assembled", "collect", "connections", "settings"]
