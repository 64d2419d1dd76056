"""`capdeck [PATH]`: opens the workbench. The only place that loads the app."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tui.cli.errors import COULD_NOT, Failure
from tui.cli.invocation import Invocation, command
from tui.safe_text import safe_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from model.workbench import Workbench


@command(formats=("text",), name="open")
@click.argument("path", type=click.Path(path_type=Path))
def open_(invocation: Invocation, path: Path) -> int | None:
    """Opens the workbench on PATH: a file alone, or a project's folder."""
    return open_workbench(invocation, path)


def open_workbench(invocation: Invocation, path: Path | None) -> int | None:
    demand_terminal("capdeck matrix" + (f" {path}" if path else ""))
    bench = invocation.load(path)
    demand_named_files(invocation, bench, path)
    return run_app(bench, holds_secret=invocation.redactor.holds_secret)


def run_app(
    bench: Workbench, *, demo: bool = False, holds_secret: Callable[[str], bool] = lambda text: False
) -> int | None:
    """Runs the app; if it does not end by the user's will, unsaved edits are kept, and the user is told where."""
    from tui.app import CapdeckApp
    from tui.cli.rescue import keep_unsaved, orderly_end
    from tui.settings import read_settings, settings_path
    from tui.stray_keys import ignore_stray_keys

    ignore_stray_keys()
    app = CapdeckApp(bench, demo=demo, settings=read_settings(settings_path()), holds_secret=holds_secret)
    with orderly_end():
        try:
            app.run()
        finally:
            for line in keep_unsaved(bench) if app.return_code != 0 else ():
                with suppress(OSError):  # the terminal may be gone
                    click.echo(safe_text(line), err=True)
    return None if app.return_code == 0 else COULD_NOT


def demand_terminal(instead: str) -> None:
    """Raises Failure where the app cannot draw, naming the command that prints the same thing."""
    if os.environ.get("TEXTUAL_DRIVER"):
        return  # something else than a terminal draws, such as the browser of `capdeck serve`
    if os.environ.get("TERM") == "dumb":
        why = "this terminal (TERM=dumb) cannot show the workbench"
    elif not (sys.stdin.isatty() and sys.stdout.isatty()):
        why = "the workbench needs a terminal"
    else:
        return
    raise Failure("no-terminal", why, f"{instead} prints the same thing")


def demand_named_files(invocation: Invocation, bench: Workbench, path: Path | None) -> None:
    """A file that the user named has to exist; every other trouble is shown by the app, in its place."""
    from tui.cli.opening import demand_usable

    for file in bench.files:
        if file.missing and file.layer in invocation.named_layers(path):
            demand_usable(file)
