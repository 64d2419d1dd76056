"""The answer of a trial while it comes: foreign text that grows, followed as long as nobody scrolls away."""

from __future__ import annotations

from collections.abc import Iterable

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from tui.safe_text import safe_text
from tui.trial_text import prose

MOST_CHARACTERS = 32_000
"""How much of an answer is drawn: laying out more would hold the screen up."""
_CUT = f"\n… more came than the {MOST_CHARACTERS:,} characters that are shown"


class TrialAnswer(VerticalScroll):
    """Shows pieces; draws them at most once a frame, however many came."""

    DEFAULT_CSS = """
    TrialAnswer { width: 1fr; height: 1fr; padding: 0 1; scrollbar-size-vertical: 1; }
    """

    def __init__(self) -> None:
        super().__init__(id="trial-answer")
        self._parts: list[tuple[str, str]] = []
        self._length = 0
        self._kind = ""
        self._waits = False
        self._shown = Static()

    def compose(self) -> ComposeResult:
        yield self._shown

    def begin(self, lines: Iterable[str] = ()) -> None:
        """Another answer; `lines` stand in its place until something comes."""
        self._parts, self._length, self._kind = [], 0, ""
        self._shown.update(Content.styled("\n".join(lines), "$text-muted"))
        self.scroll_home(animate=False)

    def divide(self, title: str) -> None:
        """What comes from now on is another answer."""
        self._kind, self._length = "", 0
        self._put(f"\n\n── {title} ──\n", "$text-warning")

    @property
    def text(self) -> str:
        """What is shown."""
        return "".join(text for text, _ in self._parts)

    def add(self, kind: str, text: str) -> None:
        """Thinking is told, not shown; a call is told, not made."""
        begins, self._kind = kind != self._kind, kind
        if kind == "text":
            self._put(prose(text), "")
        elif kind == "call":
            head = "\ncalls a tool, which is not executed: " if begins else ""
            self._put(head + safe_text(text) + " " * begins, "$text-accent")
        elif begins:
            self._put("thinking …\n", "$text-muted")

    def _put(self, text: str, style: str) -> None:
        if self._length > MOST_CHARACTERS:
            return
        room = MOST_CHARACTERS - self._length
        self._length += len(text)
        shown = text if self._length <= MOST_CHARACTERS else text[:room] + _CUT
        if self._parts and self._parts[-1][1] == style:
            self._parts[-1] = (self._parts[-1][0] + shown, style)
        else:
            self._parts.append((shown, style))
        if not self._waits:
            self._waits = True
            self.call_after_refresh(self._draw)

    def _draw(self) -> None:
        self._waits, follows = False, self.is_vertical_scroll_end
        self._shown.update(Content.assemble(*self._parts))
        if follows:
            self.call_after_refresh(self.scroll_end, animate=False)
