"""A probe on the terminal: the plan before, each result as it comes, and whether it was kept."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from adapters.errors import CANCELLED_NOTICE
from model.vocabulary import Capability
from tui.cli.lines import aligned
from tui.cli.probe_plan import Plan, words_of
from tui.safe_text import safe_text
from tui.trial_text import cost_words

if TYPE_CHECKING:
    from adapters.probes import Probe, ProbeResult
    from model.snapshot import Snapshot
    from tui.cli.output import Output

_COLOURS = {"passed": "green", "failed": "red", "inconclusive": "yellow"}
_WORDS_SHOWN = 48


class Printer:
    """The plan and the progress go to standard error, unless they are all that was asked for."""

    def __init__(self, out: Output, snapshot: Snapshot, plan: Plan) -> None:
        self._out, self._snapshot, self._plan = out, snapshot, plan

    def show_plan(self, *, dry_run: bool) -> None:
        if self._out.as_json:
            if dry_run:
                self._document((), recorded=None)
            return
        for line in plan_lines(self._plan):
            self._out.line(line, err=not dry_run)

    def begin(self, probe: Probe) -> None:
        if not self._out.as_json and self._out.columns is not None:
            self._out.line(f"{probe.capability.value} …", err=True)

    def show(self, result: ProbeResult) -> None:
        if not self._out.as_json:
            outcome = self._out.style(f"{result.outcome.value:<12}", fg=_COLOURS[result.outcome.value])
            self._out.line(f"{outcome} {result.capability.value:<18} {safe_text(result.evidence)}")

    def tell(self, results: Sequence[ProbeResult], *, whole: bool, recorded: str | None) -> None:
        """`recorded` is where they were kept; None = nowhere."""
        if self._out.as_json:
            self._document(results, recorded=recorded)
            return
        if not whole:
            self._out.line(CANCELLED_NOTICE, err=True)
        kept = f"kept in {safe_text(recorded)}" if recorded else "nothing was kept"
        self._out.line(f"{kept}; no file was changed", err=True)

    def _document(self, results: Sequence[ProbeResult], *, recorded: str | None) -> None:
        from tui.cli.shapes_probe import probe_shape

        self._out.document(probe_shape(self._snapshot, self._plan, results, recorded))


def plan_lines(plan: Plan) -> list[str]:
    """What would be sent, to whom, and the most that it may cost."""
    count = f"{len(plan.probes)} request{'' if len(plan.probes) == 1 else 's'}"
    whom = f"to {safe_text(plan.endpoint)}" if plan.endpoint else "offline: nobody is called"
    table = [
        [
            f"  {probe.capability.value}",
            f"≤ {probe.input_tokens} tokens in",
            f"≤ {probe.output_tokens} out",
            cost_words(cost) if plan.endpoint else "",
            _short(words_of(probe)),
        ]
        for probe, cost in zip(plan.probes, plan.costs, strict=True)
    ]
    lines = [f"{safe_text(str(plan.row.ref))}: {count}, {whom}", *aligned(table)]
    if plan.endpoint:
        lines.append(f"at most {cost_words(plan.cost)}" if plan.cost else f"{cost_words(plan.cost)} in all")
    return lines + _left_out(plan)


def _short(words: str) -> str:
    return f"“{words if len(words) <= _WORDS_SHOWN else words[:_WORDS_SHOWN] + '…'}”"


def _left_out(plan: Plan) -> list[str]:
    dear = Capability.LONG_CONTEXT in plan.left_out
    others = ", ".join(each.value for each in plan.left_out if each is not Capability.LONG_CONTEXT)
    lines = ["left out: long_context, which sends most of a window (--capability long_context)"] if dear else []
    return lines + ([f"left out: {others}, which no small request could show"] if others else [])
