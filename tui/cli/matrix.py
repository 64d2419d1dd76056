"""`capdeck matrix`: what each model can do, as text for people or as a file for other tools."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from tui.cli.invocation import Invocation, command
from tui.cli.words import TASK, task_named

if TYPE_CHECKING:
    from model.requirements import Requirement
    from model.snapshot import Snapshot


@command(formats=("text", "json", "csv", "md", "html"))
@click.argument("path", required=False, type=click.Path(path_type=Path))
@click.option("--task", type=TASK, help="Mark who passes this task, and say why the others do not.")
@click.option("--provenance", is_flag=True, help="Say of each value who said so.")
@click.option("--prices", is_flag=True, help="USD per million tokens in and out, from genai-prices.")
def matrix(invocation: Invocation, path: Path | None, task: str | None, provenance: bool, prices: bool) -> None:
    """Print what each model can do.

    PATH is a models.yaml to take alone, or a project's folder.
    """
    snapshot = invocation.open(path).snapshot
    requirement = task_named(snapshot, task) if task else None
    if invocation.out.as_json:
        from tui.cli.shapes_matrix import matrix_shape

        invocation.out.document(matrix_shape(snapshot, provenance=provenance, requirement=requirement, prices=prices))
    elif invocation.format == "text":
        from tui.cli.matrix_text import print_matrix

        print_matrix(invocation.out, snapshot, requirement, provenance=provenance, prices=prices)
    else:
        invocation.out.line(_export(invocation.format, snapshot, requirement, provenance=provenance, prices=prices))


def _export(format: str, snapshot: Snapshot, requirement: Requirement | None, *, provenance: bool, prices: bool) -> str:
    from tui.cli import matrix_export

    sheet = matrix_export.sheet(snapshot, requirement, provenance=provenance, prices=prices)
    if format == "html":
        from tui.cli.matrix_html import page

        return page(sheet)
    return matrix_export.csv_text(sheet) if format == "csv" else matrix_export.markdown(sheet)
