"""Where the entries of the large block collections start, so that an edit parses only what it touches.

Whatever is shorter than `WINDOW` characters has no outline of its own: it is parsed again when asked for.
Offsets count from the start of the entry that holds the collection, so an edit moves only what stands after it
in the same few lists.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

WINDOW = 2_000


@dataclass(slots=True)
class Outline:
    """A block collection: the offset of each entry's line, its key (None for a list), its own outline if large."""

    starts: list[int]
    keys: list[Any] | None
    children: list[Outline | None]
    shares_line: bool = False  # the first entry stands behind the parent's dash or key

    def index(self, step: object) -> int | None:
        """Which entry a step of a path means; None if there is none, or more than one."""
        if self.keys is None:
            return step if type(step) is int and 0 <= step < len(self.starts) else None
        found = [i for i, key in enumerate(self.keys) if key == step and type(key) is type(step)]
        return found[0] if len(found) == 1 else None

    def at(self, path: tuple[object, ...]) -> Outline | None:
        """The outline of the collection at `path`, if it has one."""
        outline = self
        for step in path:
            index = outline.index(step)
            child = outline.children[index] if index is not None else None
            if child is None:
                return None
            outline = child
        return outline

    def agrees(self, other: Outline) -> bool:
        """Whether both say the same of what both outline: a collection that grew or shrank may have one or none."""
        pairs = zip(self.children, other.children, strict=True)
        same = (self.starts, self.keys, self.shares_line) == (other.starts, other.keys, other.shares_line)
        return same and all(one is None or two is None or one.agrees(two) for one, two in pairs)


def settle(outline: Outline | None, text: str, base: int) -> Outline | None:
    """From node offsets, as read, to line starts relative to `base`; None where lines do not separate entries."""
    if outline is None:
        return None
    lines = _entry_lines(outline, text)
    if lines is None:
        return None
    first = outline.starts[0]
    children = [settle(child, text, line) for child, line in zip(outline.children, lines, strict=True)]
    shares = bool(text[lines[0] : first].strip())
    return Outline([line - base for line in lines], outline.keys, children, shares)


def _entry_lines(outline: Outline, text: str) -> list[int] | None:
    if outline.keys is None:
        return _dash_lines(outline.starts, text)
    lines = [text.rfind("\n", 0, start) + 1 for start in outline.starts]
    blank = all(
        text[line:start].isspace() or line == start for line, start in zip(lines[1:], outline.starts[1:], strict=True)
    )
    return lines if blank else None


def _dash_lines(starts: list[int], text: str) -> list[int] | None:
    """The first of `starts` is the first dash; the others are values, whose dash may stand some lines above.

    None where a dash does not start its line: YAML takes a lone CR, NEL, LS or PS for a line break too.
    """
    line = text.rfind("\n", 0, starts[0]) + 1
    dash = " " * (starts[0] - line) + "-"
    lines = [line]
    for start in starts[1:]:
        line = text.rfind("\n", 0, start) + 1
        while not text.startswith(dash, line):
            if line <= lines[-1]:
                return None
            line = text.rfind("\n", 0, line - 1) + 1
        lines.append(line)
    return lines
