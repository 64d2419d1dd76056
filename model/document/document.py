"""A YAML file as text that keeps every byte, and as the plain data in it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

from model.document.errors import Invalid, Place, Refused, Unsafe
from model.document.gc_pause import without_gc
from model.document.outline import Outline
from model.document.reader import Anchor, Reading
from model.document.reading import read, read_piece
from model.document.source import Source, decode, read_bytes
from model.quick_dataclass import dataclass

if TYPE_CHECKING:
    from model.document.applying import Change
    from model.document.edits import Edit
    from model.document.fallback import FallbackPlan
    from model.document.hunks import Hunk

# What only edits need is imported where it is used: most runs only read.

YamlPath = tuple[str | int, ...]


@dataclass(frozen=True, eq=False)
class YamlDoc:
    """Immutable: an edit gives a new document. Paths are mapping keys and list indexes from the root.

    `data` is plain data under YAML 1.2 core rules (1.1 where the file says `%YAML 1.1`): merge keys applied, the
    last of duplicate keys wins, dates stay text, values with unknown tags are what they would be without. An edited
    document shares with the old one every part of the data that the edit did not touch.
    """

    name: str
    source: Source = field(repr=False)
    data: Any = field(repr=False)
    outline: Outline | None = field(repr=False)
    end: int = field(repr=False)  # where the document's content ends in the text
    anchors: Mapping[str, Anchor] = field(repr=False)
    doubled: bool = field(repr=False)  # some key may be given twice
    document: int | None  # which of the file's documents this is; None: the first, and the only one to be edited
    documents: int
    origin: Source = field(repr=False)  # as opened
    hunks: tuple[Hunk, ...] = field(default=(), repr=False)  # from the origin to this
    warnings: tuple[str, ...] = ()  # what the last edit has to say

    @classmethod
    def open(cls, path: str | os.PathLike[str], *, document: int | None = None) -> Self:
        """Raises OSError, Refused and Invalid; a file with several documents is read for one of them."""
        return cls.parse(read_bytes(path), str(path), document=document)

    @classmethod
    def parse(cls, data: bytes, name: str = "", *, document: int | None = None) -> Self:
        """Raises Refused and Invalid."""
        source = decode(data)
        reading = read(source.text, document=document or 0)
        if document and document >= reading.documents:
            raise Invalid(f"the file has {reading.documents} documents, none at {document}")
        return cls(
            name=name,
            source=source,
            data=reading.data,
            outline=_usable_outline(source, reading),
            end=reading.end if reading.documents else len(source),
            anchors=reading.anchors,
            doubled=reading.doubled,
            document=document,
            documents=reading.documents,
            origin=source,
        )

    @property
    def text(self) -> str:
        """Without byte order mark; line breaks as in the file."""
        return self.source.text

    def to_bytes(self) -> bytes:
        return self.source.to_bytes()

    @cached_property
    def sha256(self) -> str:
        """Of the bytes, in hex."""
        import hashlib

        return hashlib.sha256(self.to_bytes()).hexdigest()

    def place(self, path: YamlPath, *, key: bool = False) -> Place | None:
        """Of the value, or of its key; what a merge key or an alias brings in stands at the anchor. None if absent."""
        from model.document.finding import find_place

        found = find_place(self.source, self.outline, self.end, self.document or 0, path, key)
        return None if found is None else self.source.place(*found)

    @cached_property
    def duplicates(self) -> tuple[tuple[YamlPath, Place, Place], ...]:
        """Keys given twice: the path, the first place, the place again."""
        from model.document.finding import duplicates
        from model.document.tree import parse

        if not self.doubled:
            return ()
        found = duplicates(parse(self.text), self.document or 0)
        place = self.source.place
        return tuple((path, place(one.start, one.end), place(two.start, two.end)) for path, one, two in found)

    def apply(self, *edits: Edit) -> Self:
        """The document with all edits done, in this order, or none: raises Unsafe, naming the first that fails."""
        from model.document.applying import change

        doc = self
        warnings: tuple[str, ...] = ()
        for edit in edits:
            made = change(doc, edit)
            if made is not None:
                with _beyond_bounds():
                    doc = doc._changed(made)
                warnings += made.warnings
        return doc if doc.warnings == warnings else replace(doc, warnings=warnings)

    def _changed(self, made: Change) -> Self:
        from model.document.hunks import followed_by
        from model.document.plan import Splice

        window = made.window
        moved = [Splice(s.start + window.start, s.end + window.start, s.text) for s in made.splices]
        new = replace(
            self,
            source=self.source.spliced(window.start, window.end, made.text),
            hunks=followed_by(self.hunks, moved),
        )
        delta = len(made.text) - (window.end - window.start)
        return new._with_piece(self, made, delta) or new._read_again(self)

    def _with_piece(self, old: Self, made: Change, delta: int) -> Self | None:
        """Only the window is read again; None where that would not do."""
        from model.document.patching import patched_data, patched_outline
        from model.document.shortening import without_neighbours

        if old.outline is None or made.window.chain is None:
            return None
        piece = read_piece(made.window.head + made.text, old.anchors)
        if piece.names or piece.outline is None or piece.documents != 1:
            return None
        window, data, outline = without_neighbours(made.window, piece.data, piece.outline)
        return replace(
            self,
            data=patched_data(old.data, old.outline, window, data),
            outline=patched_outline(old.outline, window, outline, delta),
            end=old.end + delta,
            doubled=old.doubled or piece.doubled,
        )

    def _read_again(self, old: Self) -> Self:
        from model.document.patching import shared

        reading = read(self.text, document=self.document or 0)
        return replace(
            self,
            data=shared(old.data, reading.data),
            outline=_usable_outline(self.source, reading),
            end=reading.end if reading.documents else len(self.source),
            anchors=reading.anchors,
            doubled=reading.doubled,
            documents=reading.documents,
        )

    def prove(self) -> None:
        """The full proof: the whole text, read afresh, is the data that the edits made piece by piece; else Unsafe.

        Far from every edit it is read condensed, as it was when the file was opened.
        """
        from model.document.gate import second_reading

        if self.source is self.origin:
            return
        with without_gc():
            self._prove_by_reading()
        second_reading(self.origin.text, self.text, self.outline, self.end, self.document or 0, self.hunks)

    def _prove_by_reading(self) -> None:
        from model.document.patching import typed_bytes

        with _beyond_bounds():
            touched = [(hunk.new_start, hunk.new_end) for hunk in self.hunks]
            reading = read(decode(self.to_bytes()).text, document=self.document or 0, whole=touched)
        if reading.doubled and not self.doubled:
            raise Unsafe("a key would stand there twice")
        outlines = self.outline is None or reading.outline is None or self.outline.agrees(reading.outline)
        if not outlines or typed_bytes(reading.data) != typed_bytes(self.data):
            raise Unsafe("the edited text does not read as the edits meant it")

    def fallback(self, edits: Sequence[Edit]) -> FallbackPlan:
        """What it would cost to do edits that `apply` refuses by writing the whole file anew.

        Nothing is done: the caller shows the price and uses the plan's document if the user agrees. Raises Unsafe if
        that would lose a comment or change any other data.
        """
        from model.document.fallback import round_trip

        return round_trip(self, tuple(edits))

    def rewritten(self, text: str) -> Self:
        """A document with this text, however it came about. Raises Invalid and Refused."""
        from model.document.hunks import common

        source = Source.of(text, bom=self.source.bom)
        return replace(self, source=source, hunks=common(self.origin.text, text), warnings=())._read_again(self)

    def changes(self, newer: Self) -> tuple[Hunk, ...]:
        """The spans that differ in `newer`."""
        from model.document.hunks import between, common

        if newer.origin is self.origin:
            return between(self.hunks, newer.hunks)
        return common(self.text, newer.text)

    def diff(self, newer: Self, *, label: str) -> str:
        """Unified diff, as `patch` reads it; empty if nothing differs. `label` names the file."""
        from model.document.diff import unified

        spans, marks = self.changes(newer), (self.source.bom, newer.source.bom)
        if not any(marks):
            return unified(self.text, newer.text, spans, label)
        one, two = (source.with_bom() for source in (self.source, newer.source))
        return unified(one, two, [hunk.moved(*marks) for hunk in spans], label)


@contextmanager
def _beyond_bounds() -> Iterator[None]:
    """An edit may not make a file that could not be opened again."""
    try:
        yield
    except (Refused, Invalid) as error:
        raise Unsafe(f"the edited file could not be opened again: {error}") from None


def _usable_outline(source: Source, reading: Reading) -> Outline | None:
    """Pieces can be read alone unless something far away gives them their meaning."""
    simple = not reading.directives and reading.documents == 1 and not source.odd_breaks
    return reading.outline if simple and len(set(reading.names)) == len(reading.names) else None
