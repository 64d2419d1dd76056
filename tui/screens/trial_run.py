"""What stands behind the trial screen: opening, converting and sending, beside the screen's own work."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from model.quick_dataclass import dataclass

if TYPE_CHECKING:
    from decimal import Decimal

    from adapters.contract import ProviderAdapter
    from adapters.conversion import Converted, Target
    from adapters.errors import Failure
    from adapters.redaction import Redactor
    from adapters.trial import Clock, Piece, Reading
    from model.latency import FirstToken
    from model.resolve import ResolvedModel
    from model.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class Ask:
    """A prompt for one model. `offline`: nobody is called, whatever the file says."""

    snapshot: Snapshot
    row: ResolvedModel
    prompt: str
    offline: bool = False


@dataclass(frozen=True, slots=True)
class Ready:
    """All that is needed to send; nothing was sent yet."""

    adapter: ProviderAdapter
    target: Target
    converted: Converted
    redactor: Redactor


KeepTime = Callable[["FirstToken"], None]
"""Keeps what was measured, beside the screen's work."""


class Opener(Protocol):
    """Makes a prompt ready to be sent, or says why it cannot be."""

    def __call__(self, ask: Ask) -> Ready | Failure: ...


def make_ready(ask: Ask) -> Ready | Failure:
    """Looks the key up and converts. Slow: loads the adapters, and a keyring may ask its owner; call it in a thread."""
    from dataclasses import replace

    from adapters.conversion import convert
    from adapters.errors import ProviderError
    from adapters.limits import Limits
    from adapters.model_target import target_of
    from adapters.reach import at_wire, connections_of, settings_in
    from adapters.registry import open_adapter
    from adapters.trial import PATIENCE_SECONDS, prompt_request

    connections = replace(connections_of(ask.snapshot), limits=Limits(total_seconds=PATIENCE_SECONDS))
    settings = settings_in(ask.snapshot, ask.row.model.provider, offline=ask.offline)
    try:
        adapter = open_adapter(settings, connections)
    except ProviderError as error:
        return error.failure
    policy = ask.snapshot.config.policy
    target = at_wire(adapter, target_of(ask.row, permissive=policy.permissive))
    return Ready(adapter, target, convert(prompt_request(ask.row, ask.prompt), target), connections.redactor)


async def send(ready: Ready, clock: Clock, show: Callable[[Piece], None]) -> Reading:
    """As `adapters.trial.conduct`: never raises ProviderError, and a cancelled task ends with a reading."""
    from adapters.trial import Meter, conduct

    return await conduct(ready.adapter, ready.converted, ready.target, Meter(clock), ready.redactor, show)


def measured(ask: Ask, ready: Ready, reading: Reading) -> FirstToken | None:
    """How long the first token took, of today; None where it is no observation of the model."""
    from datetime import date

    from adapters.trial import first_token_of

    return first_token_of(ready.adapter, ready.converted, ask.row.ref, reading, date.today())


async def price(ask: Ask, reading: Reading) -> Decimal | None:
    """USD; None where it is not known. The price table is loaded in a thread."""
    from adapters.trial import cost_at

    return await asyncio.to_thread(cost_at, ask.row.model.provider, ask.row.ref.model_id, reading.usage)
