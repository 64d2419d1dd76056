"""What happened to each block on its way: the list from which the report is measured."""

from __future__ import annotations

from enum import StrEnum

from model.conversion import Word
from model.quick_dataclass import dataclass


class Action(StrEnum):
    KEPT = "kept"
    REWRITTEN = "rewritten"
    RENAMED = "renamed"
    MOVED = "moved"
    MERGED = "merged"
    INSERTED = "inserted"
    STRIPPED = "stripped"
    DROPPED = "dropped"


@dataclass(frozen=True, slots=True)
class Step:
    """`message` and `block` count from 0 in the request as given; None = not inside a message, or the whole one.

    `word` is what the report says of it; None where the block went over as it is.
    """

    message: int | None
    block: int | None
    kind: str
    action: Action
    detail: str = ""
    word: Word | None = None

    @property
    def place(self) -> tuple[int | None, int | None, str, str]:
        """Blocks are told apart by where they stand; what belongs to the request only by its detail."""
        return (self.message, self.block, self.kind, self.detail if self.message is None else "")

    def __str__(self) -> str:
        where = "request" if self.message is None else f"message {self.message}"
        where += "" if self.block is None else f" block {self.block}"
        return f"{where}: {self.kind} {self.action}" + (f" ({self.detail})" if self.detail else "")


class Ledger:
    """Collects the steps of one conversion, in the order in which they happened."""

    def __init__(self) -> None:
        self._steps: list[Step] = []

    def note(
        self,
        at: tuple[int | None, int | None],
        kind: str,
        action: Action,
        word: Word | None = None,
        detail: str = "",
    ) -> None:
        self._steps.append(Step(*at, kind, action, detail, word))

    @property
    def steps(self) -> tuple[Step, ...]:
        """In order; a block that something happened to does not also count as kept."""
        touched = {step.place for step in self._steps if step.action is not Action.KEPT}
        return tuple(step for step in self._steps if step.action is not Action.KEPT or step.place not in touched)

    @property
    def words(self) -> tuple[Word, ...]:
        return tuple(step.word for step in self._steps if step.word is not None)


REQUEST: tuple[None, None] = (None, None)
"""The place of what belongs to the request itself: system, tools, settings."""
