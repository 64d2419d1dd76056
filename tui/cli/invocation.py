"""One call of capdeck: the options that every command takes, before or after its name, and what they lead to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tui.cli.output import Output

if TYPE_CHECKING:
    from adapters.redaction import Redactor
    from model.files import FileSpec
    from model.resolve import Observations
    from model.snapshot import Surroundings
    from model.vocabulary import Layer
    from model.workbench import Workbench

FORMATS = ("text", "json", "csv", "md", "html", "sarif", "junit", "github")


@dataclass
class Invocation:
    """What was asked for beside the command's own arguments. click hands it down as `ctx.obj`."""

    global_file: Path | None = None
    project: Path | None = None
    no_global: bool = False
    no_project: bool = False
    format: str = "text"
    no_color: bool = False

    @cached_property
    def redactor(self) -> Redactor:
        from adapters.redaction import Redactor

        return Redactor()

    @cached_property
    def out(self) -> Output:
        return Output(self.redactor, as_json=self.format == "json", no_color=self.no_color)

    def specs(self, path: Path | None = None) -> list[FileSpec]:
        """The files to open, nearest first."""
        from model.files import Choice, choose_files

        return choose_files(Choice(path, self.global_file, self.project, self.no_global, self.no_project))

    def surroundings(self, specs: Sequence[FileSpec], *, usable: bool = False) -> Surroundings:
        """What bears on these files from outside."""
        from adapters.redaction import WatchedCredentials
        from model.snapshot import Surroundings
        from model.trust import read_trust, trust_path

        credentials = WatchedCredentials(self.redactor)
        return Surroundings(credentials, read_trust(trust_path()), _observed(specs), usable=usable)

    def load(self, path: Path | None = None, *, usable: bool = False) -> Workbench:
        """The files as they are, readable or not."""
        from model.workbench import Workbench
        from tui.cli.privacy import hide_literals

        specs = self.specs(path)
        bench = Workbench(specs, self.surroundings(specs, usable=usable))
        hide_literals(self.redactor, bench.files)
        return bench

    def open(self, path: Path | None = None, *, usable: bool = False) -> Workbench:
        """The files, all of them readable and at least one with something in it. Raises Failure."""
        from tui.cli.opening import demand_content

        bench = self.load(path, usable=usable)
        demand_content(bench, self.named_layers(path))
        return bench

    def named_layers(self, path: Path | None = None) -> frozenset[Layer]:
        """The layers whose file the user named, so that its absence is an error."""
        from model.vocabulary import Layer

        named = {Layer.GLOBAL: self.global_file, Layer.PROJECT: self.project or path, Layer.FILE: path}
        return frozenset(layer for layer, file in named.items() if file is not None)


def _observed(specs: Sequence[FileSpec]) -> Observations | None:
    """What endpoints and probes showed; SQLite is loaded only where there is a store."""
    from model.session_place import store_path

    files = [(spec.path, spec.layer) for spec in specs]
    if not store_path(files).exists():
        return None
    from model.sessions import observed_beside

    return observed_beside(files)


def _remember(context: click.Context, parameter: click.Parameter, value: Any) -> None:
    """Keeps an option where all can read it; one that was not given leaves what stood before the command."""
    if value and parameter.name:
        setattr(context.ensure_object(Invocation), parameter.name, value)


def common_options(formats: Sequence[str]) -> list[click.Parameter]:
    """Fresh option objects for one command."""
    path = click.Path(path_type=Path)

    def option(*names: str, **more: Any) -> click.Option:
        return click.Option(names, expose_value=False, callback=_remember, **more)

    return [
        option("--global", "global_file", type=path, metavar="FILE", help="The global models.yaml."),
        option("--project", type=path, metavar="FILE|DIR", help="The project, or its models.yaml."),
        option("--no-global", is_flag=True, help="Leave the global file out."),
        option("--no-project", is_flag=True, help="Leave the project file out."),
        option("--format", type=click.Choice(formats), help="How to print it."),
        option("--json", "format", flag_value="json", help="Short for --format json."),
        option("--no-color", is_flag=True, help="No colour (also NO_COLOR)."),
    ]


class CapdeckCommand(click.Command):
    """A command that takes the common options and prints in some formats."""

    formats: Sequence[str] = ("text", "json")

    def invoke(self, ctx: click.Context) -> Any:
        asked = ctx.ensure_object(Invocation).format
        if asked not in self.formats:
            raise click.UsageError(f"{self.name} has no format {asked}: it has {', '.join(self.formats)}", ctx)
        return super().invoke(ctx)


def command(*, formats: Sequence[str] = ("text", "json"), name: str | None = None) -> Callable[..., CapdeckCommand]:
    """Makes a function a command; its first parameter is the Invocation, its result the exit code (None is 0)."""

    def make(function: Callable[..., int | None]) -> CapdeckCommand:
        made = click.command(name or function.__name__.rstrip("_"), cls=CapdeckCommand)(click.pass_obj(function))
        made.formats = formats
        made.params += common_options(formats)
        return made

    return make
