"""`capdeck convert FILE --to REF`: what a provider would be sent, and what is lost on the way. Nothing is sent."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from model.vocabulary import Capability
from tui.cli.convert_target import conversion_options, demanded
from tui.cli.errors import FOUND_SOMETHING
from tui.cli.invocation import Invocation, command
from tui.cli.words import REF, model_named

if TYPE_CHECKING:
    from adapters.conversion import Converted, Switched, Target
    from tui.cli.convert_file import Given
    from tui.cli.output import Output


@command()
@click.argument("file")
@click.option("--to", "ref", type=REF, required=True, metavar="REF", help="The model that it is for.")
@conversion_options
def convert(
    invocation: Invocation, file: str, ref: str, task: str | None, require: tuple[Capability, ...], allow_lossy: bool
) -> int | None:
    """Print the request that REF's provider would be sent for FILE, and the conversion report. Nothing is sent.

    FILE is a body of Anthropic's Messages API, or a list of its messages; - is standard input. Messages may carry the
    api, provider and model that made them: a switch report then tells what moving the conversation changes. In text
    form the request goes to standard output and the report to standard error. Exit code 1: it must not be sent, with
    every reason.
    """
    from adapters.conversion import Origin
    from tui.cli.convert_file import read_given

    bench = invocation.open()
    row = model_named(bench.snapshot, ref)
    target = demanded(bench.snapshot, row, task, require, allow_lossy)
    given = read_given(file, Origin(target.provider_id, target.api, target.model_id))
    converted, switched = _converted(given, target)
    if invocation.out.as_json:
        from tui.cli.shapes_convert import convert_shape

        invocation.out.document(convert_shape(bench.snapshot, row, converted, switched))
    else:
        _print(invocation.out, converted, switched)
    return FOUND_SOMETHING if converted.blocked else None


def _converted(given: Given, target: Target) -> tuple[Converted, Switched | None]:
    """A conversation that other models took part in is moved first."""
    from dataclasses import replace

    from adapters.conversion import convert, switch

    if not given.history:
        return convert(given.request, target), None
    switched = switch(given.history, target)
    messages = tuple(each.message for each in switched.messages)
    return convert(replace(given.request, messages=messages), target), switched


def _print(out: Output, converted: Converted, switched: Switched | None) -> None:
    from tui.cli.output import json_text
    from tui.trial_text import conversion_lines, switch_lines

    if not converted.blocked:
        out.line(json_text(converted.body))
    for line in [*switch_lines(switched.reports if switched else ()), *conversion_lines(converted)]:
        out.line(line, err=True)
