"""A text with runs of plain entries cut down to their last line: the parser spends most of its time on the others.

    enabled: true            |
    quality_tier: strong     |      output: 8192
    output: 8192             |

A run is lines next to each other, equally indented, each a plain key and a plain value on one line and no more. Where
the parser takes the last one for an entry of a block mapping, it would have come to the first one in the same state,
and each leaves it in the state in which it found it: so they are entries of that mapping. Where it takes it for
anything else (text in quotes or in a block scalar, part of a flow), the runs prove nothing: the reader then takes the
whole text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

_KEY = "[A-Za-z_][A-Za-z0-9_-]{0,99}+"
_WORD = "[A-Za-z0-9_./][A-Za-z0-9_./+@~-]*+(?::[A-Za-z0-9_./+@~-]++)*+"
_VALUE = f"{_WORD}(?: {_WORD})*+"
_REST = " *+(?:(?<= )#[ -~]*+)?\r?\n"
_LINE = f"{_KEY}: ++{_VALUE}{_REST}"
_RUN = re.compile(rf"^( *+){_LINE}(?:\1{_LINE})+", re.MULTILINE)
_ENTRY = re.compile(f"^ *+({_KEY}): ++({_VALUE}){_REST}", re.MULTILINE)


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


def condensed(text: str, whole: Sequence[tuple[int, int]] = ()) -> tuple[str, list[Run]]:
    """The text without what its runs leave out, and these in order.

    Of the spans `whole`, in order, nothing is left out, nor of the lines that they touch.
    """
    kept, runs, done, left_out = [], [], 0, 0
    edges = [0, *(edge for start, end in whole for edge in (start - 1, end + 1)), len(text)]
    for begin, end in zip(edges[::2], edges[1::2], strict=True):
        for found in _RUN.finditer(text, begin, end):
            start, last = found.start(), text.rfind("\n", 0, found.end() - 1) + 1
            indent = found.end(1) - start
            runs.append(Run(start - left_out + indent, start + indent, text[start:last]))
            kept.append(text[done:start])
            done, left_out = last, left_out + last - start
    return "".join([*kept, text[done:]]), runs
