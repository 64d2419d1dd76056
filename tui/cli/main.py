"""The root command. The first word that names a command is that command; anything else is a PATH to open."""

from __future__ import annotations

import gc
import importlib
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import click

from tui.cli.errors import COULD_NOT, Failure, failure_of, failure_text, wants_json
from tui.cli.invocation import FORMATS, Invocation, common_options
from tui.cli.table import COMMANDS

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


class Root(click.Group):
    """Loads a command's module when the command is asked for, and reports every failure in one way."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        return _load(COMMANDS[cmd_name].target) if cmd_name in COMMANDS else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] in COMMANDS or ctx.resilient_parsing:
            return super().resolve_command(ctx, args)
        return "open", _load("tui.cli.open:open_"), args

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.summary) for name, entry in COMMANDS.items()])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        names = [name for name in COMMANDS if name.startswith(incomplete)]
        found = [CompletionItem(name, help=COMMANDS[name].summary) for name in names]
        options = click.Command.shell_complete(self, ctx, incomplete)
        return [*found, *options] or [CompletionItem(incomplete, type="file")]

    def main(self, args: Sequence[str] | None = None, *rest: Any, **more: Any) -> Any:
        """Runs the command and exits with its code (CLI.md: 0, 1, 2)."""
        gc.disable()  # a command is over before garbage matters; the app turns it on again after its first frame
        arguments = list(sys.argv[1:] if args is None else args)
        invocation = Invocation()
        more |= {"standalone_mode": False, "obj": invocation}
        try:
            code = super().main(arguments, *rest, **more)
        except click.Abort:
            click.echo("stopped", err=True)
            code = 130
        except Exception as error:  # the one edge: whatever happened becomes a message, never a traceback
            code = _report(failure_of(error) or _mistake(error), invocation, arguments)
        sys.exit(code or 0)


def _load(target: str) -> click.Command:
    module, _, name = target.partition(":")
    found = getattr(importlib.import_module(module), name)
    assert isinstance(found, click.Command)
    return found


def _report(failure: Failure, invocation: Invocation, arguments: Sequence[str]) -> int:
    from tui.cli.privacy import hide_typed

    hide_typed(invocation.redactor, arguments)
    with suppress(OSError):  # where nothing can be written, the exit code has to do
        invocation.out.line(failure_text(failure), err=True)
        if wants_json(arguments):
            invocation.out.document(failure.shape())
    return COULD_NOT


def _mistake(error: Exception) -> Failure:
    """An exception that nobody expected, with the place in our code that raised it."""
    import traceback

    frame = traceback.extract_tb(error.__traceback__)[-1]
    message = f"{type(error).__name__}: {error}"
    return Failure(
        "internal", message, f"this is a mistake in capdeck ({frame.filename}:{frame.lineno}); please report it"
    )


@click.command(
    cls=Root,
    name="capdeck",
    invoke_without_command=True,
    params=common_options(FORMATS),
    subcommand_metavar="[PATH | COMMAND ...]",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Write ./demo for a file called demo. Exit codes: 0 done, 1 done and it found something, 2 not done.",
)
@click.version_option(package_name="capdeck", prog_name="capdeck")
@click.pass_context
def main(context: click.Context) -> int | None:
    """Which AI models you have, what each can do, and who does which job.

    Without a command: opens the workbench, on PATH or on your global and project models.yaml.
    """
    if context.invoked_subcommand is not None:
        return None
    from tui.cli.open import open_workbench

    return open_workbench(context.ensure_object(Invocation), None)


if __name__ == "__main__":
    main()
