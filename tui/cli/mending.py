"""`capdeck doctor --fix`: the mends, shown as one diff, written after a yes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Set
from typing import TYPE_CHECKING

import click

from model.doctor.together import together
from model.workbench import ReadOnly, Unsafe
from tui.cli.carrying_out import print_diff, save
from tui.cli.errors import Failure
from tui.safe_text import safe_text

if TYPE_CHECKING:
    from model.doctor import Report
    from model.findings import Finding
    from model.workbench import Workbench
    from tui.cli.output import Output


def mend(out: Output, bench: Workbench, examined: Callable[[], Report], *, decided: Set[str], ask: bool) -> None:
    """Mends what is safe, and what the codes in `decided` name. Raises Failure if nobody could be asked."""
    if out.as_json and ask:
        raise Failure("usage", "--fix asks, and JSON leaves no room for a question", "add --yes")
    titles = _apply_all(bench, examined, decided)
    if not titles:
        return
    if ask:
        for title in titles:
            out.line(f"mend: {safe_text(title)}")
        print_diff(out, bench.diff())
        if not _agreed():
            while bench.undo():
                pass
            return
    save(bench)


def _apply_all(bench: Workbench, examined: Callable[[], Report], decided: Set[str]) -> list[str]:
    """What collides with another mend is looked at anew after it; no finding is mended twice."""
    titles: list[str] = []
    done: set[Finding] = set()
    while mends := together(bench.snapshot, _mendable(examined(), decided, done)):
        done.update(mends.mended)
        try:
            bench.apply(mends.change)
        except (Unsafe, ReadOnly):
            break
        titles += [each.fix.title for each in mends.mended if each.fix]
    return titles


def _mendable(report: Report, decided: Set[str], done: Set[Finding]) -> Iterator[Finding]:
    for finding in report.findings:
        named = decided & {finding.code, finding.family.value}
        if finding.fix and (finding.fix.safe or named) and finding not in done:
            yield finding


def _agreed() -> bool:
    try:
        return click.confirm("write this?", default=False, err=True)
    except click.Abort:
        raise Failure("not-confirmed", "nothing was written: nobody answered", "--yes writes without asking") from None
