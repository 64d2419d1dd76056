"""`capdeck try REF PROMPT`: one prompt, one model, one attempt; the answer as it comes, and what it took."""

from __future__ import annotations

import asyncio
import sys
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING

import click

from model.quick_dataclass import dataclass
from model.vocabulary import Capability
from tui.cli.convert_target import conversion_options, demanded
from tui.cli.errors import FOUND_SOMETHING, Failure
from tui.cli.invocation import Invocation, command
from tui.cli.words import REF, Tokens, model_named
from tui.safe_text import safe_text

if TYPE_CHECKING:
    from decimal import Decimal

    from adapters.contract import ProviderAdapter
    from adapters.conversion import Converted
    from adapters.errors import Failure as Problem
    from adapters.registry import Connections
    from adapters.trial import Reading
    from model.latency import FirstToken
    from model.resolve import ResolvedModel
    from model.snapshot import Snapshot
    from tui.cli.try_text import Printer

CANCELLED = 130
"""The exit code of what ctrl-C stopped, as shells have it."""


@command()
@click.argument("ref", type=REF)
@click.argument("prompt")
@conversion_options
@click.option("--system", default="", metavar="TEXT", help="A system prompt.")
@click.option("--max-tokens", type=Tokens(), default="1024", show_default=True, metavar="N", help="Longest answer.")
@click.option("--timeout", type=click.FloatRange(min=0, min_open=True), default=120.0, show_default=True,
              metavar="SECONDS", help="How long it may take as a whole.")  # fmt: skip
def try_(
    invocation: Invocation,
    ref: str,
    prompt: str,
    task: str | None,
    require: tuple[Capability, ...],
    allow_lossy: bool,
    system: str,
    max_tokens: int,
    timeout: float,
) -> int | None:
    """Send PROMPT to REF once, and print the answer as it comes, what it took and what it cost.

    PROMPT - reads standard input. The answer goes to standard output, everything else to standard error. No tool is
    ever executed. Nothing is kept but how long the first token took, in the session store. A blank or mock_ key gives
    a made-up answer and calls nobody. Exit code 1: the conversion blocks it; 2: no whole answer came; 130: you stopped
    it.
    """
    from adapters.conversion import convert
    from adapters.limits import Limits
    from adapters.reach import at_wire, connections_of
    from adapters.trial import Meter, conduct, first_token_of, prompt_request
    from tui.cli.try_text import Printer

    bench = invocation.open()
    row = model_named(bench.snapshot, ref)
    target = demanded(bench.snapshot, row, task, require, allow_lossy)
    warn_if_disabled(invocation, row)
    connections = replace(connections_of(bench.snapshot), limits=Limits(total_seconds=timeout))
    adapter = opened(bench.snapshot, row, connections)
    target = at_wire(adapter, target)
    words = sys.stdin.read() if prompt == "-" else prompt
    converted = convert(prompt_request(row, words, system=system, max_output_tokens=max_tokens), target)
    printer = Printer(invocation.out, converted)
    reading = asyncio.run(conduct(adapter, converted, target, Meter(), connections.redactor, printer.show))
    code = _told(invocation, Trial(bench.snapshot, row, converted, reading, adapter.is_offline), printer)
    _keep(invocation, bench.snapshot, first_token_of(adapter, converted, row.ref, reading, date.today()))
    return code


def _told(invocation: Invocation, trial: Trial, printer: Printer) -> int | None:
    """What came of it, and the exit code. Raises Failure where no whole answer came."""
    from adapters.trial import Ending

    printer.end()
    if trial.reading.failure is not None and trial.reading.ending is Ending.FAILED:
        raise failure_of_provider(trial.reading.failure, trial.row)
    if invocation.out.as_json:
        from tui.cli.shapes_try import try_shape

        invocation.out.document(try_shape(trial, printer.text))
    else:
        printer.tell(trial)
    return {Ending.BLOCKED: FOUND_SOMETHING, Ending.CANCELLED: CANCELLED}.get(trial.reading.ending)


def _keep(invocation: Invocation, snapshot: Snapshot, first_token: FirstToken | None) -> None:
    """Into the session store; the answer is there, whether it can be kept or not."""
    if first_token is None:
        return
    from model.session_file import StoreError
    from tui.cli.sessions import store_of

    try:
        store_of(invocation, snapshot).observe_first_token(first_token)
    except (StoreError, OSError) as problem:
        invocation.out.line(safe_text(f"the time to the first token is not kept: {problem}"), err=True)


@dataclass(frozen=True, slots=True)
class Trial:
    """One trial when it is over."""

    snapshot: Snapshot
    row: ResolvedModel
    converted: Converted
    reading: Reading
    offline: bool

    @property
    def cost(self) -> Decimal | None:
        """USD; loads the price table."""
        from adapters.trial import cost_at

        return None if self.offline else cost_at(self.row.model.provider, self.row.ref.model_id, self.reading.usage)


def opened(snapshot: Snapshot, row: ResolvedModel, connections: Connections) -> ProviderAdapter:
    """Nothing is sent yet. Raises Failure."""
    from adapters.errors import ProviderError
    from adapters.reach import settings_in
    from adapters.registry import open_adapter

    try:
        return open_adapter(settings_in(snapshot, row.model.provider), connections)
    except ProviderError as error:
        raise failure_of_provider(error.failure, row) from None


def failure_of_provider(problem: Problem, row: ResolvedModel) -> Failure:
    """A provider's failure as one of the command line's, with what to do."""
    from adapters.errors import FailureKind

    status = f"HTTP {problem.status}: " if problem.status else ""
    said = f"; the provider said: {problem.said}" if problem.said else ""
    trust = f"capdeck trust {row.ref.provider_id} shows both, and lets it be contacted"
    help = trust if problem.kind is FailureKind.UNTRUSTED else problem.mend
    return Failure(f"provider-{problem.kind.value.replace('_', '-')}", f"{row.ref}: {status}{problem.text}{said}", help)


def warn_if_disabled(invocation: Invocation, row: ResolvedModel) -> None:
    if not row.enabled:
        invocation.out.line(f"warning: {safe_text(str(row.ref))} is disabled in the file", err=True)
