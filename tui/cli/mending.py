"""`capdeck doctor --fix`: one mend after the other, shown as one diff, written after a yes."""

from __future__ import annotations

from collections.abc import Callable, Set
from typing import TYPE_CHECKING

import click

from model.workbench import Change, ReadOnly, Unsafe
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
    """A mend may move what another one names, so the findings are asked for anew after each."""
    titles: list[str] = []
    refused: set[tuple[str, object]] = set()
    while fixable := _next(examined(), decided, refused):
        assert fixable.fix is not None
        refused.add((fixable.code, fixable.spot))
        try:
            bench.apply(Change(fixable.fix.title, {fixable.fix.file: fixable.fix.edits}))
        except (Unsafe, ReadOnly):
            continue
        titles.append(fixable.fix.title)
    return titles


def _next(report: Report, decided: Set[str], tried: Set[tuple[str, object]]) -> Finding | None:
    for finding in report.findings:
        named = decided & {finding.code, finding.family.value}
        if finding.fix and (finding.fix.safe or named) and (finding.code, finding.spot) not in tried:
            return finding
    return None


def _agreed() -> bool:
    try:
        return click.confirm("write this?", default=False, err=True)
    except click.Abort:
        raise Failure("not-confirmed", "nothing was written: nobody answered", "--yes writes without asking") from None
