"""`capdeck tools [REF]`: tool × model, kept or removed, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from model.plugin_search import some_installed
from tui.cli.invocation import Invocation, command
from tui.cli.lines import aligned
from tui.cli.shapes import files_shape
from tui.cli.words import REF, model_named
from tui.safe_text import safe_text

if TYPE_CHECKING:
    from model.resolve import ResolvedModel
    from model.tools import Toolbox


@command()
@click.argument("ref", required=False, type=REF)
@click.option("--tool", "named", multiple=True, metavar="NAME", help="Also this tool, such as mcp__server__tool.")
def tools(invocation: Invocation, ref: str | None, named: tuple[str, ...]) -> None:
    """Print which tools survive on which model, and why the others do not."""
    snapshot = invocation.open().snapshot
    rows = [model_named(snapshot, ref)] if ref else [row for row in snapshot.matrix.rows if row.enabled]
    toolbox = snapshot.given.toolbox
    names = [*toolbox.tools, *(name for name in named if name not in toolbox.tools)]
    shapes = [shape for row in rows for shape in tool_shapes(toolbox, row, names)]
    if invocation.out.as_json:
        return invocation.out.document({"files": files_shape(snapshot), "tools": shapes})
    for row in rows:
        own = [shape for shape in shapes if shape["ref"] == str(row.ref)]
        kept = [shape["tool"] for shape in own if shape["kept"]]
        invocation.out.line(
            f"{invocation.out.style(safe_text(str(row.ref)), bold=True)}  keeps {len(kept)} of {len(own)}"
        )
        told = [
            [f"  {shape['tool']}", "kept" if shape["kept"] else "removed", shape["why"]]
            for shape in own
            if shape["why"]
        ]
        for line in aligned([[safe_text(cell) for cell in line] for line in told]):
            invocation.out.line(line)
    return None


def tool_shapes(toolbox: Toolbox, row: ResolvedModel, names: list[str]) -> list[dict[str, Any]]:
    """One object a tool, in the order of `names`, then those that plugins put in."""
    found = toolbox.filter_for(row, names)
    if some_installed():
        from model.plugins import installed

        found = installed().adjust_tool_set(row, found)
    shapes = {each.name: {"kept": True, "code": None, "why": each.note} for each in found.kept}
    shapes |= {each.name: {"kept": False, "code": each.code.value, "why": each.text} for each in found.removed}
    listed = dict.fromkeys([*names, *shapes])
    return [{"ref": str(row.ref), "tool": name, **shapes[name]} for name in listed if name in shapes]
