"""A trial on the terminal: the answer on standard output while it comes, everything else on standard error."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tui.attempts_text import SECOND_ATTEMPT, problem_lines, taken_lines, verdict_lines, waits_for_lossy
from tui.safe_text import safe_text
from tui.trial_text import conversion_lines, cost_words, prose

if TYPE_CHECKING:
    from adapters.attempts import Attempt
    from adapters.conversion import Converted
    from adapters.trial import Piece
    from tui.cli.output import Output
    from tui.cli.try_ import Trial


class Printer:
    """Prints the report, then pieces as they come; as JSON it only keeps them. Hidden thinking stays hidden."""

    def __init__(self, out: Output, converted: Converted) -> None:
        self._out = out
        self._answers: list[list[str]] = [[]]
        self._kind = ""
        self._aside(conversion_lines(converted))

    @property
    def texts(self) -> list[str]:
        """The text of each attempt's answer, raw."""
        return ["".join(parts) for parts in self._answers]

    def show(self, piece: Piece) -> None:
        """The pieces are redacted already."""
        begins, self._kind = piece.kind.value != self._kind, piece.kind.value
        if self._kind == "text":
            self._answers[-1].append(piece.text)
        if self._out.as_json:
            return
        if self._kind == "text":
            self._out.piece(prose(piece.text))
        elif self._kind == "call" and begins:
            self._out.line(f"calls a tool (not executed): {safe_text(piece.text)}", err=True)
        elif begins:
            self._out.line("thinking …", err=True)

    def begin_check(self) -> None:
        """Nothing is said: the whole answer stands there."""

    def begin_second(self, first: Attempt, converted: Converted) -> None:
        self.end()
        self._aside([*verdict_lines(first), SECOND_ATTEMPT, *conversion_lines(converted)])
        self._answers.append([])
        self._kind = ""

    def end(self) -> None:
        parts = self._answers[-1]
        if parts and not self._out.as_json and not parts[-1].endswith("\n"):
            self._out.line()

    def tell(self, trial: Trial) -> None:
        """What came of it and what it took, once it is over."""
        conducted = trial.conducted
        blocked = conducted.ending.value == "blocked"
        lines = [] if blocked else problem_lines(conducted)
        if waits_for_lossy(conducted, allowed=trial.target.allow_lossy):
            lines.append("  --allow-lossy lets JSON be asked for in words")
        cost = cost_words(trial.cost_of(*conducted.attempts)) if not blocked else ""
        lines += [*verdict_lines(conducted.last), *taken_lines(conducted, cost, offline=trial.offline)]
        self._aside(lines)

    def _aside(self, lines: list[str]) -> None:
        if not self._out.as_json:
            for line in lines:
                self._out.line(line, err=True)
