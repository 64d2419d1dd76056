"""Beside a trial's answer: what the conversion did to the request, and what the JSON is worth; of both attempts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from tui.attempts_text import verdict_lines
from tui.trial_text import conversion_lines

if TYPE_CHECKING:
    from adapters.attempts import Attempt
    from adapters.conversion import Converted

_COLOURS = {"blocked": "$text-error", "lost": "$text-warning", "note": "$text-muted"}
_HEADS = {"valid JSON": "$text-success", "not JSON": "$text-error", "JSON": "$text-error"}


class TrialReport(VerticalScroll):
    """Grows while the trial goes on."""

    def __init__(self) -> None:
        super().__init__(id="trial-report")
        self._lines: list[str] = []
        self._shown = Static(Content.styled("The conversion report comes here.", "$text-muted"), id="trial-lines")

    def compose(self) -> ComposeResult:
        yield self._shown

    def begin(self, converted: Converted) -> None:
        self._lines = []
        self._add(conversion_lines(converted))

    def begin_second(self, first: Attempt, converted: Converted) -> None:
        self._add([*verdict_lines(first), "", "second attempt", *conversion_lines(converted)])

    def end(self, last: Attempt) -> None:
        self._add(verdict_lines(last))

    def _add(self, lines: Iterable[str]) -> None:
        """Foreign parts of the lines are safe already."""
        self._lines += lines
        self._shown.update(Content("\n").join(_coloured(line) for line in self._lines))


def _coloured(line: str) -> Content:
    if line.startswith("  "):
        return Content.styled(line, _COLOURS.get(line.split(maxsplit=1)[0], ""))
    return Content.styled(line, next((look for head, look in _HEADS.items() if line.startswith(head)), "bold"))
