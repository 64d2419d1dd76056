"""`capdeck doctor`: every check, those that contact endpoints only when asked, and the mends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tui.cli.errors import FOUND_SOMETHING
from tui.cli.invocation import Invocation, command
from tui.cli.words import FromFiles

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from model.doctor import Report
    from model.doctor.online import OnlineResult
    from model.findings import Finding
    from model.workbench import Workbench


class _Code(click.ParamType):  # type: ignore[type-arg]  # generic since click 8.5, and 8.1 will do
    """A finding's code, or a family of them."""

    name = "code"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        from tui.cli.codes import demand_code

        demand_code(str(value))
        return str(value)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        from model.doctor.codes import CODES

        return FromFiles("code", lambda _: CODES).shell_complete(ctx, param, incomplete)


@command(formats=("text", "json", "sarif", "junit", "github"))
@click.argument("path", required=False, type=click.Path(path_type=Path))
@click.option("--select", "chosen", multiple=True, type=_Code(), metavar="CODE", help="Only these codes or families.")
@click.option("--ignore", "ignored", multiple=True, type=_Code(), metavar="CODE", help="Not these codes or families.")
@click.option("--strict", is_flag=True, help="Warnings fail too.")
@click.option("--fix", is_flag=True, help="Mend what can be mended without a decision of yours: shows the diff, asks.")
@click.option("--yes", is_flag=True, help="With --fix: do not ask.")
@click.option("--online", is_flag=True, help="Contact the endpoints too, with free requests only.")
@click.option(
    "--deadline",
    type=click.FloatRange(min=0, min_open=True),
    default=30.0,
    show_default=True,
    metavar="SECONDS",
    help="With --online: how long all of it may take.",
)
def doctor(
    invocation: Invocation,
    path: Path | None,
    chosen: Sequence[str],
    ignored: Sequence[str],
    strict: bool,
    fix: bool,
    yes: bool,
    online: bool,
    deadline: float,
) -> int | None:
    """Check the files: what is wrong, where, why, and how to mend it. Contacts nobody without --online.

    With --online each endpoint that is switched on and trusted is asked for its list of models, with the key and
    without; nothing that is billed is sent.

    With --fix, a mend that is a decision of yours is made only if --select names its code. Exit code 1: something is
    wrong (an error; with --strict a warning too).
    """
    from model.doctor.plugged import examine

    bench = invocation.load(path)
    _demand_a_file(invocation, bench, path)
    results = _visited(invocation, bench, deadline) if online else []

    def examined() -> Report:
        report = examine(bench.snapshot)
        if results:
            from model.doctor.online_findings import merge

            report = merge(bench.snapshot, report, results)
        return replace(report, findings=tuple(each for each in report.findings if _is_wanted(each, chosen, ignored)))

    report = examined()
    if fix:
        from tui.cli.mending import mend

        mend(invocation.out, bench, examined, decided=frozenset(chosen), ask=not yes)
        report = examined()
    _print(invocation, bench, report, results)
    return FOUND_SOMETHING if report.errors or (strict and report.warnings) else None


def _visited(invocation: Invocation, bench: Workbench, deadline: float) -> list[OnlineResult]:
    """What the endpoints showed; what was seen of the models is kept."""
    from tui.cli.doctor_online import observe, visit

    rows = visit(bench.snapshot, deadline_s=deadline)
    results = [row.result for row in rows.values() if row.result is not None]
    observe(invocation, bench, results)
    return results


def _demand_a_file(invocation: Invocation, bench: Workbench, path: Path | None) -> None:
    """Raises Failure if a named file is missing, or no file could be read at all; the rest are findings."""
    from tui.cli.opening import demand_usable, no_file

    for file in bench.files:
        if file.missing and file.layer in invocation.named_layers(path):
            demand_usable(file)
    unread = [file for file in bench.files if isinstance(file.problem, OSError)]
    if len(unread) == len(bench.files):
        for file in unread:
            if not file.missing:
                demand_usable(file)
        raise no_file(bench)


def _is_wanted(finding: Finding, chosen: Sequence[str], ignored: Sequence[str]) -> bool:
    names = {finding.code, finding.family.value}
    return not names & set(ignored) and (not chosen or bool(names & set(chosen)))


def _print(invocation: Invocation, bench: Workbench, report: Report, results: Sequence[OnlineResult]) -> None:
    if invocation.format == "text":
        from tui.cli.doctor_text import print_report

        if results:
            from tui.cli.doctor_online import print_rows

            print_rows(invocation.out, bench.snapshot, results)
        print_report(invocation.out, bench.snapshot, report)
    elif invocation.format == "json":
        from tui.cli.shapes_doctor import doctor_shape

        shape = doctor_shape(bench, report)
        if results:
            from tui.cli.doctor_online import online_shape

            shape["online"] = online_shape(bench.snapshot, results)
        invocation.out.document(shape)
    else:
        invocation.out.line(_rendered(invocation.format, bench, report))


def _rendered(format: str, bench: Workbench, report: Report) -> str:
    """For other programs; what a terminal would obey is shown here as well."""
    from model.doctor.formats import github, junit, places_of, sarif
    from tui.safe_text import safe_text

    places, root = places_of(bench.snapshot), Path.cwd()
    if format == "sarif":
        from importlib.metadata import version

        text = sarif(report, places, root, version("capdeck"))
    else:
        text = {"junit": junit, "github": github}[format](report, places, root)
    return "\n".join(map(safe_text, text.rstrip("\n").split("\n")))
