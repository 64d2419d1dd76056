"""How a file is written: indents, dashes, quotes, line breaks; what is added follows it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import TypeVar

from model.quick_dataclass import dataclass

SAMPLE = 40_000  # characters looked at: enough to know how a file is written
T = TypeVar("T")
_LINE = re.compile(r"( *)((?:-[ ]+)*)(.*)")
_QUOTE = re.compile(r"(?:: |- |, |\[|\{)(['\"])")


@dataclass(frozen=True, slots=True)
class Style:
    """`step`: columns from a key to its mapping; `offset`: from a key to its dashes; `gap`: blanks behind a dash."""

    eol: str = "\n"
    step: int = 2
    offset: int = 2
    gap: int = 1
    quote: str = '"'


def detect(text: str, otherwise: Style | None = None) -> Style:
    """The commonest habits in `text`; `otherwise` says what it holds no example of."""
    text = text[:SAMPLE]
    steps: Counter[int] = Counter()
    lists: Counter[tuple[int, int]] = Counter()
    for kind, value in _habits(text):
        if kind == "map":
            steps[value[0]] += 1
        else:
            lists[value] += 1
    base = otherwise or Style()
    step = _commonest(steps, base.step)
    offset, gap = _commonest(lists, (base.offset if otherwise else step, base.gap))
    quotes = Counter(_QUOTE.findall(text))
    eol = majority_eol(text) if "\n" in text else base.eol
    return Style(eol, step, offset, gap, _commonest(quotes, base.quote))


def majority_eol(text: str) -> str:
    """The line break that most lines have."""
    pairs = text.count("\r\n")
    return "\r\n" if pairs > text.count("\n") - pairs else "\n"


def _commonest(counts: Counter[T], otherwise: T) -> T:
    return counts.most_common(1)[0][0] if counts else otherwise


def _habits(text: str) -> Iterator[tuple[str, tuple[int, int]]]:
    """For each line that opens a block, how the line below it is indented."""
    opened: int | None = None
    for line in text.split("\n"):
        match = _LINE.match(line)
        if match is None or not match[3].strip() or match[3].startswith("#"):
            continue
        spaces, dashes, rest = match.groups()
        if opened is not None and dashes and len(spaces) >= opened:
            yield "list", (len(spaces) - opened, len(dashes.split("-")[1]))
        elif opened is not None and not dashes and len(spaces) > opened:
            yield "map", (len(spaces) - opened, 0)
        opens = rest.split(" #")[0].rstrip().endswith(":")
        opened = len(spaces) + len(dashes) if opens else None
