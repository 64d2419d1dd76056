"""`capdeck schema`: the JSON Schema of models.yaml."""

from __future__ import annotations

import json

import click

from tui.cli.invocation import Invocation, command

_FILE = "models.schema.json"


@command()
@click.option(
    "--modeline",
    is_flag=False,
    flag_value=_FILE,
    metavar="[SCHEMA]",
    help=f"Print the comment that tells editors where the schema is (a file or URL; {_FILE} unless you name one).",
)
def schema(invocation: Invocation, modeline: str | None) -> None:
    """Print the JSON Schema of models.yaml, for editors and check-jsonschema.

    \b
    capdeck schema > models.schema.json
    capdeck schema --modeline          the first line for models.yaml, so that editors find it
    """
    from model.schema import MODELINE
    from model.schema import schema as whole

    invocation.out.line(MODELINE + modeline if modeline else json.dumps(whole(), indent=2, ensure_ascii=False))
