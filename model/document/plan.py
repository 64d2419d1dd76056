"""How an edit would change the text: what is planned here, `proof` has to agree to."""

from __future__ import annotations

from collections.abc import Sequence

from model.document.style import Style
from model.document.tree import Tree
from model.document.writing import Writer
from model.quick_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Splice:
    """Replace the characters `start` to `end` by `text`."""

    start: int
    end: int
    text: str


Splices = tuple[Splice, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """Splices in the order of the text, not overlapping. Comments may go only inside the spans of `gives_up`."""

    splices: Splices
    gives_up: tuple[tuple[int, int], ...] = ()
    warnings: tuple[str, ...] = ()
    reorders: bool = False  # entries change places, their comments with them
    brings: bool = False  # comments come with the text that is spliced in


@dataclass(frozen=True, slots=True)
class Site:
    """What a planner looks at and writes with."""

    tree: Tree
    style: Style

    @property
    def text(self) -> str:
        return self.tree.text

    def writers(self) -> tuple[Writer, Writer]:
        """The preferred way of writing, then the one that cannot swallow what stands below it."""
        return Writer(self.style), Writer(self.style, literal=False)

    def lines(self, lines: Sequence[str]) -> str:
        return self.style.eol.join(lines)


def spliced(text: str, splices: Sequence[Splice]) -> str:
    """The text with all splices done."""
    parts: list[str] = []
    done = 0
    for splice in splices:
        parts += (text[done : splice.start], splice.text)
        done = splice.end
    return "".join((*parts, text[done:]))
