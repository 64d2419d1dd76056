"""What plain scalars mean in one document."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from model.document.condensing import Run


class Token:
    """A value that no file can hold."""


MERGE = Token()  # a plain `<<` where a key is expected


MOST_RUNS = 1_000  # that are remembered: what repeats is among the first, and memory has an end


class Meanings(dict[str, Any]):
    """What plain scalars mean, each looked up once; equal strings are then one object. The same for runs of entries."""

    def __init__(self, resolve: Callable[[str], Any]) -> None:
        super().__init__({"<<": MERGE})
        self._resolve = resolve
        self._runs: dict[str, tuple[dict[Any, Any], int]] = {}

    def __missing__(self, text: str) -> Any:
        value = self[text] = self._resolve(text)
        return value

    def of_run(self, run: Run) -> tuple[dict[Any, Any], int]:
        """The entries of a run, and how many it wrote: more, if a key is given twice."""
        known = self._runs.get(run.lines)
        if known is None:
            written = run.entries()
            known = {self[key]: self[value] for key, value in written}, len(written)
            if len(self._runs) < MOST_RUNS:
                self._runs[run.lines] = known
        return known
