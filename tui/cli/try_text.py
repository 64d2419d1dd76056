"""A trial on the terminal: the answer on standard output while it comes, everything else on standard error."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapters.errors import CANCELLED_NOTICE
from tui.safe_text import safe_text
from tui.trial_text import conversion_lines, cost_words, prose, reading_words

if TYPE_CHECKING:
    from adapters.conversion import Converted
    from adapters.trial import Piece
    from tui.cli.output import Output
    from tui.cli.try_ import Trial


class Printer:
    """Prints the report, then pieces as they come; as JSON it only keeps them. Hidden thinking stays hidden."""

    def __init__(self, out: Output, converted: Converted) -> None:
        self._out = out
        self._parts: list[str] = []
        self._kind = ""
        if not out.as_json:
            for line in conversion_lines(converted):
                out.line(line, err=True)

    @property
    def text(self) -> str:
        """The answer's text, raw."""
        return "".join(self._parts)

    def show(self, piece: Piece) -> None:
        """The pieces are redacted already."""
        begins, self._kind = piece.kind.value != self._kind, piece.kind.value
        if self._kind == "text":
            self._parts.append(piece.text)
        if self._out.as_json:
            return
        if self._kind == "text":
            self._out.piece(prose(piece.text))
        elif self._kind == "call" and begins:
            self._out.line(f"calls a tool (not executed): {safe_text(piece.text)}", err=True)
        elif begins:
            self._out.line("thinking …", err=True)

    def end(self) -> None:
        if self._parts and not self._out.as_json and not self._parts[-1].endswith("\n"):
            self._out.line()

    def tell(self, trial: Trial) -> None:
        """What it took, once it is over."""
        ending = trial.reading.ending.value
        if ending == "cancelled":
            self._out.line(CANCELLED_NOTICE, err=True)
        if ending != "blocked":
            words = reading_words(trial.reading, cost_words(trial.cost), offline=trial.offline)
            self._out.line(" · ".join(words), err=True)
