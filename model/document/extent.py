"""Which lines belong to an entry: its own, the deeper comments below it, the comment block right above it.

Who owns a comment is a rule of thumb; that is why every change is shown as a diff before it is saved.
"""

from __future__ import annotations

from model.document.errors import Unsafe
from model.document.lines import (
    before_break,
    column,
    indent_of,
    is_banner,
    line_end,
    line_start,
    next_line,
    shares_line,
)
from model.document.tree import Collection, Entry


def own_end(text: str, entry: Entry) -> int:
    """The start of the line below the entry's last own line (the end of the text if there is none)."""
    end = entry.end
    if end > entry.head and text[end - 1] == "\n":  # a block scalar that keeps its line breaks
        return end
    stop = line_end(text, end)
    rest = text[end:stop].strip()
    if rest and not rest.startswith("#"):
        raise Unsafe("something else stands on the same line")
    return next_line(text, end)


def entry_end(text: str, entry: Entry) -> int:
    """As `own_end`, with the comments below that are indented deeper than the entry."""
    end = position = own_end(text, entry)
    limit = column(text, entry.head)
    while position < len(text):
        line = text[position : line_end(text, position)]
        if line.strip(" \t") and not (line.lstrip(" \t").startswith("#") and indent_of(line) > limit):
            break
        position = next_line(text, position)
        if line.strip(" \t"):
            end = position
    return end


def lead_start(text: str, parent: Collection, index: int) -> int:
    """The start of the first own line: of the comment block right above in the same column, else of the entry.

    A banner heads a section, and the comment above the first entry speaks of all of them: these stay.
    """
    entry = parent.entries[index]
    start = line_start(text, entry.head)
    if index == 0:
        return start
    return _comments_above(text, start, column(text, entry.head), own_end(text, parent.entries[index - 1]))


def above_first(text: str, parent: Collection) -> int:
    """Where a new first entry goes: above the comments that belong to the one which is first now."""
    head = parent.entries[0].head
    return _comments_above(text, line_start(text, head), column(text, head), 0)


def _comments_above(text: str, start: int, indent: int, floor: int) -> int:
    while start > floor:
        above = line_start(text, start - 1)
        line = text[above : line_end(text, above)]
        owned = line.lstrip(" \t").startswith("#") and indent_of(line) == indent and not is_banner(line)
        if above < floor or not owned:
            break
        start = above
    return start


def blank_lines_above(text: str, start: int) -> int:
    """Where the blank lines directly above the line at `start` begin."""
    while start > 0:
        above = line_start(text, start - 1)
        if text[above:start].strip():
            break
        start = above
    return start


def is_blank_or_end(text: str, offset: int) -> bool:
    return not text[offset : line_end(text, offset)].strip()


def separation(text: str, parent: Collection) -> int:
    """Blank lines between entries: as between most neighbours."""
    counts = [
        text.count("\n", blank_lines_above(text, lead), lead)
        for index in range(1, len(parent.entries))
        if (lead := lead_start(text, parent, index)) > 0 and not shares_line(text, parent.entries[index].head)
    ]
    return max(set(counts), key=counts.count) if counts else 0


def last_line_end(text: str, entry: Entry) -> int:
    """The end of the entry's last own line, without the line break; comments below it are not counted in."""
    return before_break(text, own_end(text, entry))
