"""A text with runs of plain entries cut down to their last line: the parser spends most of its time on the others.

    enabled: true            |
    quality_tier: strong     |      output: 8192
    output: 8192             |

A run is lines next to each other, equally indented, each with a plain key, a plain value, perhaps a comment. Where the
parser takes the last one for an entry of a block mapping, it would have come to the first one in the same state, and
each leaves it in the state in which it found it: so they are entries of that mapping. Where it takes it for anything
else (text in quotes or in a block scalar, part of a flow), nothing is known of the run, and the text has to be read
whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import accumulate
from typing import NamedTuple

# A key far below the 1,024 characters that YAML allows. Nothing here begins with what means anything to YAML, nothing
# holds `: ` or ` #`, and all is ASCII, comments too: a character that YAML refuses has to stay in sight.
_KEY = "[A-Za-z_][A-Za-z0-9_-]{0,99}+"
_WORD = "[A-Za-z0-9_./][A-Za-z0-9_./+@~-]*+(?::[A-Za-z0-9_./+@~-]++)*+"
_VALUE = f"{_WORD}(?: {_WORD})*+"
_REST = " *+(?:(?<= )#[ -~]*+)?\r?\n"
_LINE = f"{_KEY}: ++{_VALUE}{_REST}"
_RUN = re.compile(rf"^( *+){_LINE}(?:\1{_LINE}){{2,}}+", re.MULTILINE)  # to leave one line out saves nothing
_ENTRY = re.compile(f"^ *+({_KEY}): ++({_VALUE}){_REST}", re.MULTILINE)
_BLOCK_SCALAR = re.compile(r"^( *+).*[|>][-+0-9]*+ *+\r?\n(?:\1 .*\n| *+\r?\n)++", re.MULTILINE)

Span = tuple[int, int]


class Run(NamedTuple):
    """Entries without the last one; `at` is where the key of that one stands in the condensed text."""

    at: int
    first: int  # where the key of the first one stands in the whole text
    lines: str

    def entries(self) -> list[tuple[str, str]]:
        """Keys and values as they are written."""
        return _ENTRY.findall(self.lines)

    def starts(self) -> list[int]:
        """Where the keys stand in the whole text."""
        return list(accumulate(map(len, self.lines.splitlines(keepends=True)[:-1]), initial=self.first))


def condensed(text: str, whole: Iterable[Span] = ()) -> tuple[str, list[Run]]:
    """The text without what its runs leave out, and these in order.

    Of the spans `whole` nothing is left out, nor of the lines that they touch.
    """
    kept, runs, done, left_out = [], [], 0, 0
    for begin, end in _between(text, [*whole, *_block_scalars(text)]):
        for found in _RUN.finditer(text, begin, end):
            start, last = found.start(), text.rfind("\n", 0, found.end() - 1) + 1
            indent = found.end(1) - start
            runs.append(Run(start - left_out + indent, start + indent, text[start:last]))
            kept.append(text[done:start])
            done, left_out = last, left_out + last - start
    return "".join([*kept, text[done:]]), runs


def _between(text: str, spans: list[Span]) -> Iterator[Span]:
    """What is not touched by any of the spans."""
    done = 0
    for start, end in sorted(spans):
        yield done, max(start - 1, 0)
        done = max(done, end + 1)
    yield done, len(text)


def _block_scalars(text: str) -> Iterator[Span]:
    """What may be block scalars: the parser would not take runs in them for entries. None has to be found."""
    if "|" in text or ">" in text:
        yield from (found.span() for found in _BLOCK_SCALAR.finditer(text))
