"""`capdeck try REF PROMPT`: one prompt, one model, one attempt unless told otherwise; the answer as it comes, and what
it took."""

from __future__ import annotations

import asyncio
import sys
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import click

from model.quick_dataclass import dataclass
from model.vocabulary import Capability
from tui.cli.convert_target import conversion_options, demanded
from tui.cli.errors import FOUND_SOMETHING, Failure
from tui.cli.invocation import Invocation, command
from tui.cli.try_answer import answer_options, asked_answer
from tui.cli.words import REF, Tokens, model_named
from tui.safe_text import safe_text

if TYPE_CHECKING:
    from decimal import Decimal

    from adapters.attempts import Attempt, Conducted
    from adapters.contract import ProviderAdapter
    from adapters.conversion import Target
    from adapters.errors import Failure as Problem
    from adapters.registry import Connections
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
@answer_options
@click.option("--system", default="", metavar="TEXT", help="A system prompt.")
@click.option("--max-tokens", type=Tokens(), default="1024", show_default=True, metavar="N", help="Longest answer.")
@click.option("--timeout", type=click.FloatRange(min=0, min_open=True), default=120.0, show_default=True,
              metavar="SECONDS", help="How long a request may take as a whole.")  # fmt: skip
def try_(
    invocation: Invocation,
    ref: str,
    prompt: str,
    task: str | None,
    require: tuple[Capability, ...],
    allow_lossy: bool,
    json_object: bool,
    json_schema: Path | None,
    second_attempt: bool,
    system: str,
    max_tokens: int,
    timeout: float,
) -> int | None:
    """Send PROMPT to REF once, and print the answer as it comes, what it took and what it cost.

    PROMPT - reads standard input. The answer goes to standard output, everything else to standard error. No tool is
    ever executed. Nothing is kept but how long the first token took, in the session store. A blank or mock_ key gives
    a made-up answer and calls nobody. An answer that has to be JSON is checked, whether the provider enforces it or
    was only asked in words (which needs --allow-lossy). Exit code 1: the conversion blocks it, or the answer is not
    the JSON asked for; 2: no whole answer came; 130: you stopped it.
    """
    from adapters.attempts import conduct, first_tokens_of
    from adapters.conversion import convert
    from adapters.limits import Limits
    from adapters.reach import at_wire, connections_of
    from adapters.trial import prompt_request
    from tui.cli.try_text import Printer

    answer = asked_answer(json_object, json_schema, second_attempt)
    bench = invocation.open()
    row = model_named(bench.snapshot, ref)
    target = demanded(bench.snapshot, row, task, require, allow_lossy)
    warn_if_disabled(invocation, row)
    connections = replace(connections_of(bench.snapshot), limits=Limits(total_seconds=timeout))
    adapter = opened(bench.snapshot, row, connections)
    target = at_wire(adapter, target)
    words = sys.stdin.read() if prompt == "-" else prompt
    request = prompt_request(row, words, system=system, max_output_tokens=max_tokens, answer=answer)
    converted = convert(request, target)
    printer = Printer(invocation.out, converted)
    conducted = asyncio.run(
        conduct(adapter, converted, target, connections.redactor, printer, second_attempt=second_attempt)
    )
    code = _told(invocation, Trial(bench.snapshot, row, target, conducted, adapter.is_offline), printer)
    _keep(invocation, bench.snapshot, first_tokens_of(adapter, row.ref, conducted, date.today()))
    return code


def _told(invocation: Invocation, trial: Trial, printer: Printer) -> int | None:
    """What came of it, and the exit code. Raises Failure where no whole answer came."""
    from adapters.trial import Ending

    printer.end()
    conducted, verdict = trial.conducted, trial.conducted.verdict
    problem = conducted.last.reading.failure
    if problem is not None and conducted.ending is Ending.FAILED and verdict is None:
        raise failure_of_provider(problem, trial.row)
    if invocation.out.as_json:
        from tui.cli.shapes_try import try_shape

        invocation.out.document(try_shape(trial, printer.texts))
    else:
        printer.tell(trial)
    if conducted.ending is Ending.CANCELLED:
        return CANCELLED
    is_good = conducted.ending is Ending.DONE and (verdict is None or verdict.is_valid)
    return None if is_good else FOUND_SOMETHING


def _keep(invocation: Invocation, snapshot: Snapshot, first_tokens: tuple[FirstToken, ...]) -> None:
    """Into the session store; the answer is there, whether it can be kept or not."""
    if not first_tokens:
        return
    from model.session_file import StoreError
    from tui.cli.sessions import store_of

    try:
        store = store_of(invocation, snapshot)
        for first_token in first_tokens:
            store.observe_first_token(first_token)
    except (StoreError, OSError) as problem:
        invocation.out.line(safe_text(f"the time to the first token is not kept: {problem}"), err=True)


@dataclass(frozen=True, slots=True)
class Trial:
    """One trial when it is over."""

    snapshot: Snapshot
    row: ResolvedModel
    target: Target
    conducted: Conducted
    offline: bool

    def cost_of(self, *attempts: Attempt) -> Decimal | None:
        """USD; None where it is not known. Loads the price table."""
        from adapters.attempts import cost_of_all

        usages = (each.reading.usage for each in attempts)
        return None if self.offline else cost_of_all(self.row.model.provider, self.row.ref.model_id, usages)


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
