"""`capdeck import KIND FILE`: another tool's providers and models, as an edit that is shown first."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from adapters.imports.imported import ImportKind, ImportRefused
from model.vocabulary import Layer
from tui.cli.carrying_out import carry_out, edit_options, layer_named, print_diff
from tui.cli.errors import Failure
from tui.cli.invocation import Invocation, command
from tui.cli.words import Word

if TYPE_CHECKING:
    from adapters.imports.changes import Plan
    from adapters.imports.imported import Imported
    from model.files import OpenFile
    from model.workbench import Workbench

_KIND = Word("kind of file", [kind.value for kind in ImportKind], ImportKind)


@command(name="import")
@click.argument("kind", type=_KIND, metavar="KIND")
@click.argument("file", type=click.Path(path_type=Path))
@edit_options
@click.option("--yes", is_flag=True, help="Write without asking.")
def import_(
    invocation: Invocation, kind: ImportKind, file: Path, layer: str | None, diff_only: bool, yes: bool
) -> int | None:
    """Take providers and models over from another tool's file; it stays as it is.

    KIND is litellm, aichat, continue, opencode, crush, openrouter or ollama (the last two: their lists, as JSON).
    Keys are never carried over, references to environment variables are. What the file here says already stays.
    """
    from adapters.imports.changes import plan

    if invocation.out.as_json and not (yes or diff_only):
        raise Failure("usage", "import asks, and JSON leaves no room for a question", "add --yes or --diff")
    imported = _read(kind, file)
    bench = invocation.load()
    planned = plan(imported, _target(bench, layer_named(layer)))
    if invocation.out.as_json:
        return carry_out(invocation, bench, planned.change, diff_only=diff_only, told=_told(imported, planned))
    return _in_words(invocation, bench, imported, planned, diff_only=diff_only, yes=yes)


def _read(kind: ImportKind, file: Path) -> Imported:
    from adapters.imports.reading import read_import
    from adapters.imports.sources import MOST_BYTES

    with file.open("rb") as opened:
        data = opened.read(MOST_BYTES + 1)
    try:
        return read_import(kind, data, file.name)
    except ImportRefused as error:
        raise Failure("import-unusable", str(error), error.help, str(file), error.line, error.column) from None


def _target(bench: Workbench, layer: Layer | None) -> OpenFile:
    """The file of the wanted layer, else the global one; begun if it is missing. Raises Failure."""
    from tui.cli.opening import demand_usable

    files = sorted(bench.files, key=lambda each: each.layer is not Layer.GLOBAL)
    file = next((each for each in files if layer in {None, each.layer}), None)
    if file is None:
        which = f"no {layer.value} file is open" if layer else "no file is open"
        raise Failure("edit-refused", which, "name one with --global or --project")
    if file.missing:
        return bench.begin(file.name)
    demand_usable(file)
    return file


def _told(imported: Imported, planned: Plan) -> dict[str, object]:
    return {
        "not_carried": [{"place": each.place, "line": each.line, "why": each.why} for each in imported.not_carried],
        "conflicts": [{"ref": each.place, "why": each.why} for each in planned.conflicts],
    }


def _in_words(
    invocation: Invocation, bench: Workbench, imported: Imported, planned: Plan, *, diff_only: bool, yes: bool
) -> int | None:
    from tui.cli.import_text import report_lines

    out, change = invocation.out, planned.change
    if not yes:
        print_diff(out, bench.diff(change))
    for line in report_lines(imported, planned):
        out.line(line)
    if diff_only or not change.edits:
        return int(bool(change.edits)) if diff_only else None
    if not yes and not _agreed():
        return None
    return carry_out(invocation, bench, change, diff_only=False)


def _agreed() -> bool:
    try:
        return click.confirm("write this?", default=False, err=True)
    except click.Abort:
        raise Failure("not-confirmed", "nothing was written: nobody answered", "--yes writes without asking") from None
