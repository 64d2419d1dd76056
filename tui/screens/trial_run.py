"""What stands behind the trial screen: opening, converting and sending, beside the screen's own work."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from model.quick_dataclass import dataclass
from tui.screens.trial_form import ANY_TEXT, Form

if TYPE_CHECKING:
    from decimal import Decimal

    from adapters.attempts import Conducted, Watcher
    from adapters.contract import ProviderAdapter
    from adapters.conversion import Converted, Target
    from adapters.errors import Failure
    from adapters.redaction import Redactor
    from adapters.trial import Clock
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
    form: Form = ANY_TEXT


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
    policy, form = ask.snapshot.config.policy, ask.form
    target = at_wire(adapter, target_of(ask.row, allow_lossy=form.allow_lossy, permissive=policy.permissive))
    request = prompt_request(ask.row, ask.prompt, answer=form.answer)
    return Ready(adapter, target, convert(request, target), connections.redactor)


async def send(ready: Ready, clock: Clock, watcher: Watcher, *, second_attempt: bool = False) -> Conducted:
    """As `adapters.attempts.conduct`: never raises ProviderError, and a cancelled task ends with what came."""
    from adapters.attempts import conduct

    return await conduct(
        ready.adapter,
        ready.converted,
        ready.target,
        ready.redactor,
        watcher,
        second_attempt=second_attempt,
        clock=clock,
    )


def measured(ask: Ask, ready: Ready, conducted: Conducted) -> tuple[FirstToken, ...]:
    """How long the first token of each attempt took, of today, where that is an observation of the model."""
    from datetime import date

    from adapters.attempts import first_tokens_of

    return first_tokens_of(ready.adapter, ask.row.ref, conducted, date.today())


async def price(ask: Ask, conducted: Conducted) -> Decimal | None:
    """USD of all attempts; None where it is not known. The price table is loaded in a thread."""
    from adapters.attempts import cost_of_all

    usages = [each.reading.usage for each in conducted.attempts]
    return await asyncio.to_thread(cost_of_all, ask.row.model.provider, ask.row.ref.model_id, usages)
