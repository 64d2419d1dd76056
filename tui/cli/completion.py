"""`capdeck completion SHELL`: the script that lets a shell complete commands, refs, tasks and capabilities."""

from __future__ import annotations

import click

from tui.cli.invocation import Invocation, command


@command(formats=("text",))
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(context: click.Context, invocation: Invocation, shell: str) -> None:
    """Print the completion script of SHELL.

    \b
    bash   eval "$(capdeck completion bash)"         in ~/.bashrc
    zsh    eval "$(capdeck completion zsh)"          in ~/.zshrc
    fish   capdeck completion fish | source          in ~/.config/fish/config.fish
    """
    from click.shell_completion import get_completion_class

    made = get_completion_class(shell)
    assert made is not None
    invocation.out.line(made(context.find_root().command, {}, "capdeck", "_CAPDECK_COMPLETE").source())
