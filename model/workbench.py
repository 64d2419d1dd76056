"""The one mutable object: the open files, pending edits with undo and redo, and the snapshot that follows from them.

The app holds one; each command makes one and throws it away. Everything else is immutable.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from model.document import Conflict, DocumentError, Unsafe
from model.files import FileSpec, OpenFile, open_file
from model.history import History, Step, difference
from model.quick_dataclass import dataclass
from model.snapshot import Snapshot, Surroundings, derive
from model.vocabulary import Layer

if TYPE_CHECKING:
    from model.document import Edit
    from model.outside import Outside


@dataclass(frozen=True, slots=True)
class Change:
    """One undoable change: edits by file name."""

    title: str
    edits: Mapping[str, tuple[Edit, ...]]


class ReadOnly(Exception):
    """A file that must not be written now: it could not be read, or does not parse."""


class Workbench:
    """Opens files, applies changes, saves. Listeners hear of each new snapshot."""

    def __init__(self, specs: Sequence[FileSpec], surroundings: Surroundings | None = None) -> None:
        self._surroundings = surroundings or Surroundings()
        self._history = History()
        self._listeners: list[Callable[[Snapshot], None]] = []
        self.snapshot = derive(tuple(open_file(spec) for spec in specs), self._surroundings)

    # -- looking --------------------------------------------------------------------------------------------------
    @property
    def files(self) -> tuple[OpenFile, ...]:
        return self.snapshot.files

    def file(self, name: str) -> OpenFile:
        return next(file for file in self.files if file.name == name)

    def file_of(self, layer: Layer) -> OpenFile | None:
        return next((file for file in self.files if file.layer is layer), None)

    @property
    def changed_files(self) -> tuple[OpenFile, ...]:
        return tuple(file for file in self.files if file.changed)

    @property
    def undo_title(self) -> str | None:
        """What undo would take back."""
        return self._history.undo_title

    @property
    def redo_title(self) -> str | None:
        return self._history.redo_title

    @property
    def pending_changes(self) -> int:
        """How many undoable changes stand between the files on disk and the screen."""
        ways = (self._history.since(file.name, file.saved) for file in self.changed_files)
        return len({id(step) for way in ways for steps in way for step in steps})

    def subscribe(self, listener: Callable[[Snapshot], None]) -> None:
        self._listeners.append(listener)

    def saved_snapshot(self) -> Snapshot | None:
        """What would hold without the unsaved edits; None if there are none."""
        if not self.changed_files:
            return None
        saved = (replace(file, doc=file.saved, config=file.saved_config) for file in self.files)
        return derive(tuple(saved), self._surroundings)

    def preview(self, change: Change) -> Snapshot:
        """What would follow from a change, without making it. Raises Unsafe, ReadOnly."""
        return derive(self._edited(change), self._surroundings, self.snapshot)

    def diff(self, change: Change | None = None) -> str:
        """The unified diff of a change, or without one of all that is not saved."""
        if change is not None:
            return self.prepare(change).diff()
        return "".join(difference(file.on_disk, file.doc, file.name) for file in self.changed_files)

    # -- changing -------------------------------------------------------------------------------------------------
    def apply(self, change: Change) -> Snapshot:
        """Makes a change. Raises Unsafe and ReadOnly; nothing has changed then."""
        return self.commit(self.prepare(change))

    def prepare(self, change: Change) -> Step:
        """The change worked out and proved, but not made: may run in a thread beside the screen. Raises as `apply`."""
        restored = self._restored(change)
        if restored != change:
            with suppress(Unsafe):
                return Step(restored, self.files, self._edited(restored))
        return Step(change, self.files, self._edited(change))

    def _restored(self, change: Change) -> Change:
        """The change with what unsaved edits took out put back where it stood."""
        edits = dict(change.edits)
        for file in self.files:
            doc, saved = file.doc, file.saved
            if file.name in edits and doc is not saved and doc is not None and saved is not None:
                from model.restoring import restoring

                edits[file.name] = tuple(each for edit in edits[file.name] for each in restoring(doc, saved, edit))
        return replace(change, edits=edits)

    def commit(self, step: Step) -> Snapshot:
        """Makes a prepared change; if the files have moved on meanwhile, it follows them. Raises Unsafe, ReadOnly."""
        if step.before is not self.files:
            from model.outside import followed

            step = self.prepare(followed(step.change, step.before, self.files))
        self._history.push(step)
        return self._announce(step.after)

    def _edited(self, change: Change) -> tuple[OpenFile, ...]:
        return tuple(self._edit(file, change.edits.get(file.name, ())) for file in self.files)

    def _edit(self, file: OpenFile, edits: tuple[Edit, ...]) -> OpenFile:
        if not edits:
            return file
        if file.doc is None or not file.writable:
            raise ReadOnly(f"{file.name} cannot be changed: {_why(file)}")
        return file.with_doc(file.doc.apply(*edits))

    def undo(self) -> str | None:
        """Takes the last change back; its title, or None if there is none."""
        step = self._history.undo()
        return self._restore(step.change.title, step.before, step.after) if step else None

    def redo(self) -> str | None:
        step = self._history.redo()
        return self._restore(step.change.title, step.after, step.before) if step else None

    def _restore(self, title: str, target: tuple[OpenFile, ...], source: tuple[OpenFile, ...]) -> str:
        """Puts the documents of the changed files back; what is on disk stays what it is."""
        wanted = {file.name: file for file, other in zip(target, source, strict=True) if file.doc is not other.doc}
        self._announce(
            tuple(
                replace(file, doc=wanted[file.name].doc, config=wanted[file.name].config)
                if file.name in wanted
                else file
                for file in self.files
            )
        )
        return title

    def _announce(self, files: tuple[OpenFile, ...]) -> Snapshot:
        self.snapshot = derive(files, self._surroundings, self.snapshot)
        for listener in self._listeners:
            listener(self.snapshot)
        return self.snapshot

    # -- disk -----------------------------------------------------------------------------------------------------
    def save(self) -> tuple[OpenFile, ...]:
        """Writes the changed files and returns them. Raises Conflict if one changed on disk meanwhile, OSError,
        Unsafe; files saved before the failure stay saved."""
        from model.document import save

        saved = []
        for file in self.changed_files:
            assert file.doc is not None
            save(file.doc, file.path, expected_sha256=file.saved.sha256 if file.saved and not file.gone else None)
            self._replace_file(file.as_saved())
            saved.append(self.file(file.name))
        return tuple(saved)

    def begin(self, name: str) -> OpenFile:
        """A file that does not exist yet, empty and ready for edits; saving writes it."""
        from model.document import YamlDoc

        file = replace(self.file(name), doc=YamlDoc.parse(b"", name), saved=None, problem=None)
        self._replace_file(file)
        return file

    def drop_begun(self) -> None:
        """A file that was begun and got nothing is missing again: nothing to save, nothing to lose."""
        for file in self.files:
            if file.saved is None and file.doc is not None and not file.doc.text:
                self._replace_file(replace(file, doc=None, problem=FileNotFoundError(file.name)))

    def sync(self) -> tuple[Outside, ...]:
        """Looks at the disk: a changed file is read again and the pending edits are replayed on it."""
        happened = [each for file in self.files if (each := self._sync_file(file))]
        return tuple(happened)

    def _sync_file(self, file: OpenFile) -> Outside | None:
        from model.outside import Event, Outside, carry_over, changed_on_disk, reopened

        try:
            data = changed_on_disk(file)
        except OSError as problem:
            return self._lost(file, problem)
        if data is None:
            if file.problem is not None and file.saved is not None:
                self._replace_file(replace(file, problem=None))
            return None
        fresh = reopened(file, data)
        if fresh.problem is not None:
            self._replace_file(fresh)
            return Outside(file.name, Event.UNREADABLE)
        since = self._history.since(file.name, file.saved) if file.edited else ((), ())
        carried = carry_over(file, fresh, self._history.done, since)
        self._history.restart(carried.steps)
        self._replace_file(carried.file)
        event = Event.CARRIED_OVER if file.edited else Event.RELOADED
        return Outside(file.name, event, carried.conflicts, carried.warnings)

    def _lost(self, file: OpenFile, problem: OSError) -> Outside | None:
        """A file that was there and cannot be read now; one that never was is no news."""
        from model.outside import Event, Outside

        if file.saved is None or isinstance(file.problem, OSError):
            return None
        self._replace_file(replace(file, problem=problem))
        return Outside(file.name, Event.GONE if isinstance(problem, FileNotFoundError) else Event.UNREADABLE)

    def _replace_file(self, new: OpenFile) -> None:
        self._announce(tuple(new if file.name == new.name else file for file in self.files))

    def surround(self, surroundings: Surroundings) -> Snapshot:
        """Derives again under other surroundings (usable now, observations, trust)."""
        self._surroundings = surroundings
        self.snapshot = derive(self.files, surroundings)
        for listener in self._listeners:
            listener(self.snapshot)
        return self.snapshot

    @property
    def surroundings(self) -> Surroundings:
        return self._surroundings


def _why(file: OpenFile) -> str:
    if isinstance(file.problem, DocumentError):
        return file.problem.reason
    return str(file.problem.strerror or file.problem) if isinstance(file.problem, OSError) else "it was never read"


__all__ = ["Change", "Conflict", "ReadOnly", "Unsafe", "Workbench"]
