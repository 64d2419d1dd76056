"""A change as the command line makes it: shown with --diff, else saved, and what changed is printed."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import click

from model.document import Unsafe
from model.findings import breadcrumb
from model.vocabulary import Layer
from tui.cli.differences import Difference, differences
from tui.cli.errors import FOUND_SOMETHING, Failure
from tui.cli.privacy import hide_literals
from tui.cli.shapes import files_shape
from tui.safe_text import safe_text

if TYPE_CHECKING:
    from model.files import OpenFile
    from model.workbench import Change, Workbench
    from tui.cli.invocation import Invocation
    from tui.cli.output import Output

_LAYERS = {"global": Layer.GLOBAL, "project": Layer.PROJECT}


def edit_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """`--in` and `--diff`, which every edit takes."""
    function = click.option(
        "--diff", "diff_only", is_flag=True, help="Only show what would change; exit 1 if it would."
    )(function)
    return click.option("--in", "layer", type=click.Choice(list(_LAYERS)), help="Which file to edit.")(function)


def layer_named(word: str | None) -> Layer | None:
    return _LAYERS[word] if word else None


def carry_out(
    invocation: Invocation,
    bench: Workbench,
    change: Change,
    *,
    diff_only: bool,
    told: Mapping[str, Any] = MappingProxyType({}),
) -> int | None:
    """Makes and saves the change, or with `diff_only` shows it; `told` joins the JSON document. Raises Failure, and
    what the Workbench raises."""
    before = bench.files
    try:
        diff = bench.diff(change)
        bench.apply(change)
    except Unsafe as error:
        raise _refused(change, error) from None
    hide_literals(invocation.redactor, bench.files)
    out = invocation.out
    found = list(_found(before, bench.files))
    if not diff_only:
        save(bench)
    if out.as_json:
        changed = [_shape(file, each) for file, each in found]
        out.document({"files": files_shape(bench.snapshot), "changed": changed, "diff": diff, **told})
    elif diff_only:
        print_diff(out, diff)
    else:
        _print_changed(out, found)
    return FOUND_SOMETHING if diff_only and diff else None


def _refused(change: Change, error: Unsafe) -> Failure:
    """The document knows why and where, but not its own name."""
    file = next(iter(change.edits)) if len(change.edits) == 1 else None
    return Failure("edit-refused", error.reason, error.help or "", file, error.line, error.column)


def _found(before: tuple[OpenFile, ...], after: tuple[OpenFile, ...]) -> Iterator[tuple[OpenFile, Difference]]:
    """Each with the document in which its path holds: the old one for what is gone."""
    for old, new in zip(before, after, strict=True):
        if old.doc and new.doc:
            for each in differences(old.doc.data or {}, new.doc.data or {}):
                yield (old if each.after is None else new), each


def save(bench: Workbench) -> None:
    """Writes what changed. Raises what the Workbench raises, and Failure if another capdeck is at it."""
    for file in bench.changed_files:
        file.path.parent.mkdir(parents=True, exist_ok=True)
    try:
        bench.save()
    except TimeoutError:
        raise Failure("file-busy", "another capdeck is writing the file", "try again") from None


def _shape(file: OpenFile, each: Difference) -> dict[str, Any]:
    return {"file": file.name, "path": breadcrumb(each.path), "before": each.before, "after": each.after}


def _print_changed(out: Output, found: list[tuple[OpenFile, Difference]]) -> None:
    for file, each in found:
        place = file.doc.place(each.path) if file.doc else None
        where = f"{file.name}:{place.line}" if place else file.name
        out.line(safe_text(f"{where}  {breadcrumb(each.path)}{_happened(each)}"))
    if not found:
        out.line("nothing to change: the file says so already")


def _happened(each: Difference) -> str:
    if isinstance(each.after, dict | list) and each.before is None:
        return " added"
    if isinstance(each.before, dict | list) and each.after is None:
        return " removed"
    return f": {_written(each.before)} → {_written(each.after)}"


def _written(value: Any) -> str:
    """As YAML's flow style would have it, on one line."""
    return "not stated" if value is None else value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def print_diff(out: Output, diff: str) -> None:
    colours = {"+": "green", "-": "red", "@": "cyan"}
    for line in diff.splitlines():
        out.line(out.style(safe_text(line), fg=colours.get(line[:1])))
