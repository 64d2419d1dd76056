"""Undo and redo of whole changes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from model.files import OpenFile
    from model.workbench import Change


@dataclass(frozen=True, slots=True)
class Step:
    """A change with the files as they were and as they became."""

    change: Change
    before: tuple[OpenFile, ...]
    after: tuple[OpenFile, ...]


class History:
    """A list of steps and a position in it; a new step drops what was undone."""

    def __init__(self) -> None:
        self._steps: list[Step] = []
        self._position = 0
        self._saved_at = 0

    def push(self, step: Step) -> None:
        del self._steps[self._position :]
        self._steps.append(step)
        self._position += 1

    def undo(self) -> Step | None:
        if not self._position:
            return None
        self._position -= 1
        return self._steps[self._position]

    def redo(self) -> Step | None:
        if self._position == len(self._steps):
            return None
        self._position += 1
        return self._steps[self._position - 1]

    @property
    def pending(self) -> tuple[Step, ...]:
        """The steps made since the last save, oldest first; none if undo went behind the save."""
        return tuple(self._steps[self._saved_at : self._position])

    def restart(self, steps: tuple[Step, ...]) -> None:
        """Goes on from steps that were replayed on another state of the files; what was before them is gone."""
        self._steps, self._position, self._saved_at = list(steps), len(steps), 0

    def saved(self) -> None:
        self._saved_at = self._position

    @property
    def since_save(self) -> int:
        return abs(self._position - self._saved_at)

    @property
    def undo_title(self) -> str | None:
        return self._steps[self._position - 1].change.title if self._position else None

    @property
    def redo_title(self) -> str | None:
        return self._steps[self._position].change.title if self._position < len(self._steps) else None
