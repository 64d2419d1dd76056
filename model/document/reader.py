"""From events to plain data in one pass: YAML 1.2 core values, merge keys applied, the last of duplicates wins.

Bounds hold before anything expands: depth, aliases, what aliases would unfold to, what merge keys would copy.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import Any

from model.document import scalars
from model.document.condensing import Run
from model.document.errors import Invalid, Refused
from model.document.events import (
    Alias,
    DocumentEndEvent,
    DocumentStartEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    parser_of,
)
from model.document.frame import NO_KEY, Frame
from model.document.meanings import MERGE, Meanings
from model.document.outline import WINDOW, Outline
from model.quick_dataclass import dataclass

MAX_DEPTH = 100
MAX_ALIASES = 1_000
MAX_UNFOLDED = 200_000  # values that aliases would add if each were written out
MAX_MERGED = 100_000  # entries that merge keys may copy


@dataclass(frozen=True, slots=True)
class Anchor:
    """What an anchor names: its value, and how many values it unfolds to."""

    value: Any
    weight: int


_Handlers = Mapping[type[Event], Callable[[Any], None]]
_OPEN = Anchor(None, 0)  # of a collection whose end is still to come


@dataclass(slots=True)
class Reading:
    """One document of a file as plain data; offsets are characters of the text read."""

    data: Any = None
    outline: Outline | None = None
    end: int = 0  # where the document's content ends: its `...`, the next `---`, or the end of the text
    anchors: dict[str, Anchor] = field(default_factory=dict)
    names: list[str] = field(default_factory=list)  # every anchor as defined, again if defined again
    aliases: int = 0
    doubled: bool = False  # some key is given twice
    documents: int = 0
    directives: bool = False


class Misjudged(Exception):
    """A run may not be what it looks like: the text has to be read whole."""


class Reader:
    """Reads one text once. `runs` are what was left out of it, in order.

    Offsets in the result are those of the whole text; places in errors are those of the text that was read.
    """

    def __init__(self, document: int, known: Mapping[str, Anchor], *, piece: bool, runs: Sequence[Run] = ()) -> None:
        self.wanted = document
        self.smallest = 0 if piece else WINDOW  # of the outermost block, in characters, to have an outline
        self.known = known  # anchors defined before the text that is read
        self.result = Reading()
        self.current = Reading()
        self.meanings = Meanings(scalars.core)
        self.frame: Frame | None = None
        self.weight = 0
        self.unfolded = 0
        self.merged = 0
        self.runs = list(reversed(runs))  # still to come
        self.run_at = runs[0].at if runs else -1
        self.left_out = 0  # characters, of the runs that were met

    def read(self, text: str) -> Reading:
        """The document wanted. Raises Invalid, Refused and Misjudged."""
        handlers: _Handlers = {
            MappingStartEvent: self.start,
            SequenceStartEvent: self.start,
            MappingEndEvent: self.end,
            SequenceEndEvent: self.end,
            Alias: self.alias,
            DocumentStartEvent: self.start_document,
            DocumentEndEvent: self.end_document,
            ScalarEvent: self.scalar,
        }
        with parser_of(text) as parser:
            self._read_events(parser.get_event, handlers)
        if self.runs:
            raise Misjudged
        return self.result

    def _read_events(self, next_event: Callable[[], Any], handlers: _Handlers) -> None:
        for event in iter(next_event, None):
            frame = self.frame
            if event.__class__ is ScalarEvent and frame is not None and frame.is_map and frame.key is NO_KEY:
                event = self._read_entries(frame, event, next_event)
            if event.__class__ in handlers:
                handlers[event.__class__](event)

    def _read_entries(self, frame: Frame, event: Any, next_event: Callable[[], Any]) -> Any:
        """Takes entries with a scalar as key and value, most of a file: this is `scalar` in two thirds of the time.

        Gives back the first event that needs more: of a collection, an alias, a merge key, a tag, an anchor.
        """
        meanings, entries, starts = self.meanings, frame.value, frame.starts
        scalar: Any = ScalarEvent
        taken = 0
        while event.__class__ is scalar and event.tag is None and event.anchor is None:
            key = event.value if event.style else meanings[event.value]
            if key is MERGE:
                break
            start = event.start_mark.index
            if start == self.run_at:
                self._take_run(frame)
            if key in entries:
                self.current.doubled = True
            starts.append(start + self.left_out)
            taken += 1
            event = next_event()
            if event.__class__ is not scalar or event.tag is not None or event.anchor is not None:
                frame.key = key
                break
            value = event.value if event.style else meanings[event.value]
            entries[key] = "<<" if value is MERGE else value
            taken += 1
            event = next_event()
        self.weight += taken
        return event

    def _take_run(self, frame: Frame) -> None:
        """The entries left out above this one."""
        if frame.flow:
            raise Misjudged
        run = self.runs.pop()
        entries, count = self.meanings.of_run(run)
        before = len(frame.value)
        frame.value.update(entries)
        if len(frame.value) != before + count:
            self.current.doubled = True
        frame.starts.append(run)
        self.weight += 2 * count
        self.left_out += len(run.lines)
        self.run_at = self.runs[-1].at if self.runs else -1

    def start_document(self, event: Any) -> None:
        count = self.result.documents
        self.current = Reading()
        if event.version is not None or event.tags:
            self.current.directives = True
            old = event.version == (1, 1)
            self.meanings = Meanings(scalars.yaml_1_1 if old else scalars.core)
        elif count:
            self.meanings = Meanings(scalars.core)
        if count == self.wanted:
            self.result = self.current
        self.result.documents = count

    def end_document(self, event: Any) -> None:
        self.current.end = event.start_mark.index + self.left_out
        self.result.documents += 1

    def scalar(self, event: Any) -> None:
        self.weight += 1
        value = event.value
        if event.tag is not None:
            value = scalars.tagged(value, event.tag)
        elif not event.style:
            value = self.meanings[value]
        if event.anchor is not None:
            self._name(event.anchor, value, 1)
        self._attach(value, event.start_mark.index + self.left_out)

    def alias(self, event: Any) -> None:
        name = event.anchor
        self.current.aliases += 1
        if self.current.aliases > MAX_ALIASES:
            raise _refused(event, f"more than {MAX_ALIASES:,} aliases", "aliases")
        anchor = self.current.anchors.get(name) or self.known.get(name)
        if anchor is None:
            mark = event.start_mark
            raise Invalid(f"no anchor &{name} above this alias", line=mark.line + 1, column=mark.column + 1)
        if anchor is _OPEN:
            raise _refused(event, f"*{name} stands inside the value that it names", "recursion")
        self.weight += anchor.weight
        self.unfolded += anchor.weight
        if self.unfolded > MAX_UNFOLDED:
            raise _refused(event, f"aliases that unfold to more than {MAX_UNFOLDED:,} values", "aliases")
        self._attach(anchor.value, event.start_mark.index + self.left_out)

    def _name(self, name: str, value: Any, weight: int) -> None:
        self.current.anchors[name] = Anchor("<<" if value is MERGE else value, weight)
        self.current.names.append(name)

    def start(self, event: Any) -> None:
        start = event.start_mark.index
        if 0 <= self.run_at < start:
            raise Misjudged
        self.weight += 1
        self.frame = frame = Frame(event, start + self.left_out, self.weight, self.frame)
        if frame.depth >= MAX_DEPTH:
            raise _refused(event, f"nested more than {MAX_DEPTH} deep", "depth")
        if event.anchor is not None:
            self.current.anchors[event.anchor] = _OPEN

    def end(self, event: Any) -> None:
        frame = self.frame
        assert frame is not None
        smallest = WINDOW if frame.depth else self.smallest
        outline = frame.outline() if event.end_mark.index + self.left_out - frame.start >= smallest else None
        if frame.merges:
            self._merge(frame, event)
        self.frame = frame.parent
        if frame.anchor is not None:
            self._name(frame.anchor, frame.value, self.weight - frame.weight + 1)
        self._attach(frame.value, frame.start, outline)

    def _attach(self, value: Any, start: int, outline: Outline | None = None) -> None:
        frame = self.frame
        if frame is None:
            self.current.data = "<<" if value is MERGE else value
            self.current.outline = outline
        elif not frame.is_map:
            if outline is not None:
                frame.children[len(frame.value)] = outline
            frame.starts.append(start)
            frame.value.append("<<" if value is MERGE else value)
        elif frame.key is NO_KEY:
            self._begin_entry(frame, value, start)
        else:
            if outline is not None:
                frame.children[len(frame.value)] = outline
            if frame.key is MERGE:
                frame.merges.append(value)
            else:
                frame.value[frame.key] = "<<" if value is MERGE else value
            frame.key = NO_KEY

    def _begin_entry(self, frame: Frame, key: Any, start: int) -> None:
        if key.__class__ is dict or key.__class__ is list:
            key = str(key)
        self.current.doubled |= key in frame.value and key is not MERGE
        frame.key = key
        frame.starts.append(start)

    def _merge(self, frame: Frame, event: Any) -> None:
        """Own keys win, then the first mapping named; what is no mapping stays under `<<` for the checks to find."""
        for merge in frame.merges:
            sources = merge if isinstance(merge, list) else [merge]
            for source in sources:
                if not isinstance(source, dict):
                    frame.value["<<"] = "<<" if merge is MERGE else merge
                    continue
                self.merged += len(source)
                if self.merged > MAX_MERGED:
                    raise _refused(event, f"merge keys that copy more than {MAX_MERGED:,} entries", "merge")
                for key, value in source.items():
                    frame.value.setdefault(key, value)


def _refused(event: Any, reason: str, code: str) -> Refused:
    mark = event.start_mark
    return Refused(reason, reason_code=code, line=mark.line + 1, column=mark.column + 1)
