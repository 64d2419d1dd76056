"""`capdeck serve`: the workbench in a browser on this machine."""

from __future__ import annotations

import gc
import os
import shlex
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import click

from tui.cli.errors import Failure
from tui.cli.invocation import Invocation, command


@command(formats=("text",))
@click.argument("path", required=False, type=click.Path(path_type=Path))
@click.option("--port", type=click.IntRange(1, 65535), default=8000, show_default=True, help="On 127.0.0.1.")
def serve(invocation: Invocation, path: Path | None, port: int) -> None:
    """Open the workbench in a browser: on PATH, or on your global and project models.yaml.

    Only this machine reaches it, and only who has the address that is printed. Each page that is opened is a workbench
    of its own; one that is closed with unsaved edits keeps them, and says here where.
    """
    from tui.cli.open import demand_named_files

    if find_spec("textual_serve") is None:
        raise Failure("web-missing", "what serves a browser is not installed", "pip install 'capdeck[web]'")
    demand_named_files(invocation, invocation.load(path), path)
    from tui.web import LoopbackServer

    gc.enable()
    try:
        LoopbackServer(shell_line(words_of(invocation, path)), port).serve()
    except OSError as error:
        raise Failure("port-taken", f"port {port}: {error.strerror or error}", "--port takes another one") from None


def words_of(invocation: Invocation, path: Path | None) -> list[str]:
    """The command that opens the same files. `-P`: the current folder may be anybody's, and no code of it counts."""
    words = [sys.executable, "-P", "-m", "tui.cli.main"]
    for option, file in (("--global", invocation.global_file), ("--project", invocation.project)):
        words += [f"{option}={os.path.abspath(file)}"] if file else []
    for option, given in (("--no-global", invocation.no_global), ("--no-project", invocation.no_project)):
        words += [option] if given else []
    return [*words, os.path.abspath(path)] if path else words


def shell_line(words: list[str]) -> str:
    """The words as the platform's shell takes them, none of them obeyed."""
    return subprocess.list2cmdline(words) if os.name == "nt" else shlex.join(words)
