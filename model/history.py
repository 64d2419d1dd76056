"""Undo and redo of whole changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from model.quick_dataclass import dataclass

if TYPE_CHECKING:
    from model.document import YamlDoc
    from model.files import OpenFile
    from model.workbench import Change


@dataclass(frozen=True, slots=True)
class Step:
    """A change with the files as they were and as they became."""

    change: Change
    before: tuple[OpenFile, ...]
    after: tuple[OpenFile, ...]

    def diff(self) -> str:
        """What it does, as a unified diff."""
        pairs = zip(self.before, self.after, strict=True)
        return "".join(difference(old.doc, new.doc, new.name) for old, new in pairs)


def difference(old: YamlDoc | None, new: YamlDoc | None, name: str) -> str:
    """The unified diff of a file's documents; empty where there are none to compare."""
    return old.diff(new, label=name) if old and new and old is not new else ""


class History:
    """A list of steps and a position in it; a new step drops what was undone."""

    def __init__(self) -> None:
        self._steps: list[Step] = []
        self._position = 0

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
    def done(self) -> tuple[Step, ...]:
        """Oldest first, without what was undone."""
        return tuple(self._steps[: self._position])

    def since(self, name: str, saved: YamlDoc | None) -> tuple[tuple[Step, ...], tuple[Step, ...]]:
        """The way of one file from `saved` to now: the last steps that were done, or those that undo took back from
        behind the save. Both oldest first; one of them is empty."""
        for index in range(self._position, -1, -1):
            if self._doc(name, index) is saved:
                return tuple(self._steps[index : self._position]), ()
        for index in range(self._position + 1, len(self._steps) + 1):
            if self._doc(name, index) is saved:
                return (), tuple(self._steps[self._position : index])
        return self.done, ()

    def _doc(self, name: str, index: int) -> YamlDoc | None:
        """The file's document when `index` steps were done."""
        if not self._steps:
            return None
        files = self._steps[index - 1].after if index else self._steps[0].before
        return next(file.doc for file in files if file.name == name)

    def restart(self, steps: tuple[Step, ...]) -> None:
        """Goes on from steps that were replayed on another state of a file; what was undone is gone."""
        self._steps, self._position = list(steps), len(steps)

    @property
    def undo_title(self) -> str | None:
        return self._steps[self._position - 1].change.title if self._position else None

    @property
    def redo_title(self) -> str | None:
        return self._steps[self._position].change.title if self._position < len(self._steps) else None
