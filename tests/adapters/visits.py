"""Providers as text, visited over answers made by hand."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import httpx

from adapters.checks import CheckRow, Phase, run_checks
from adapters.redaction import Redactor
from adapters.registry import Connections
from adapters.secrets import CredentialResolver
from model.doctor import Report, examine
from model.doctor.online import OnlineResult
from model.doctor.online_findings import merge
from model.snapshot import Snapshot, Surroundings
from model.trust import NOBODY_TRUSTED, Trust
from model.vocabulary import Layer
from tests.model.samples import open_file_text

TODAY = date(2026, 11, 30)
KEY = "sk-canary-0123456789abcdef"
Answer = Callable[[httpx.Request], httpx.Response]


def snapshot_of(text: str, layer: Layer = Layer.GLOBAL, trust: Trust | None = NOBODY_TRUSTED) -> Snapshot:
    from model.snapshot import derive

    credentials = CredentialResolver({"K": KEY}, home=Path("/nowhere"))
    return derive((open_file_text(text, layer=layer),), Surroundings(credentials, trust))


def provider(**fields: Any) -> str:
    """A file with the one provider `p` and its model `m`, unless `fields` say otherwise."""
    row: dict[str, Any] = {
        "provider_id": "p",
        "provider_kind": "openai_compatible",
        "base_url": "https://gate.example/v1",
        "auth_ref": "env:K",
        "models": [{"model_id": "m"}],
    }
    row |= fields
    import json

    return json.dumps({"providers": [{key: value for key, value in row.items() if value is not None}]}, indent=1)


def connections(answer: Answer) -> Connections:
    resolver = CredentialResolver({"K": KEY}, home=Path("/nowhere"))
    return Connections(resolver, Redactor(), http=httpx.MockTransport(answer))


async def rows_of(snapshot: Snapshot, answer: Answer, **more: Any) -> list[CheckRow]:
    return [row async for row in run_checks(snapshot, connections(answer), today=TODAY, **more)]


async def visit(text: str, answer: Answer, layer: Layer = Layer.GLOBAL, **more: Any) -> OnlineResult:
    """The result of the one provider."""
    rows = await rows_of(snapshot_of(text, layer), answer, **more)
    (result,) = [row.result for row in rows if row.phase is Phase.DONE and row.result]
    return result


async def report_of(text: str, answer: Answer) -> Report:
    """What the doctor says with `--online`."""
    snapshot = snapshot_of(text)
    rows = await rows_of(snapshot, answer)
    return merge(snapshot, examine(snapshot, today=TODAY), [row.result for row in rows if row.result])
