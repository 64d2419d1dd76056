"""An assignment as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tui.cli.lines import aligned
from tui.safe_text import safe_text

if TYPE_CHECKING:
    from model.assignment import Assignment, Blocked
    from tui.cli.output import Output

SHOWN = 10
"""Models, tools and warnings of one list that are printed; JSON has them all."""


def print_assignment(out: Output, assignment: Assignment) -> None:
    who = "blocked" if assignment.blocked else str(assignment.chosen or "one of these")
    colour = "red" if assignment.blocked else "green"
    out.line(
        f"{out.style(safe_text(assignment.task), bold=True)}  {assignment.mode.value}  "
        f"{out.style(safe_text(who), fg=colour, bold=True)}"
    )
    out.line(f"  {safe_text(assignment.reason)}")
    _listed(out, [[f"  {rank:>2}", str(ref)] for rank, ref in enumerate(assignment.allowed, start=1)])
    _listed(out, [["  warning", warning] for warning in assignment.warnings])
    _listed(out, [["  without", tool.name, str(tool.ref or ""), tool.text] for tool in assignment.tools_removed])
    if assignment.blocked:
        _print_blocked(out, assignment.blocked)


def _listed(out: Output, table: list[list[str]]) -> None:
    for line in aligned([[safe_text(cell) for cell in row] for row in table[:SHOWN]]):
        out.line(line)
    if len(table) > SHOWN:
        out.line(f"  … and {len(table) - SHOWN} more (--json has them all)")


def _print_blocked(out: Output, blocked: Blocked) -> None:
    if blocked.near_misses:
        out.line(out.style("near misses", fg="yellow", bold=True))
        _listed(out, [[f"  {near.ref}", str(near.reason), near.reason.text] for near in blocked.near_misses])
    if blocked.proposals:
        out.line(out.style("the smallest changes that would unblock it", bold=True))
    for proposal in blocked.proposals:
        out.line(f"  {safe_text(proposal.title)}")
        for denial in proposal.denied_by:
            out.line(f"    though {safe_text(str(denial))}")
    if blocked.advice:
        out.line(safe_text(blocked.advice))
