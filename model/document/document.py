"""A YAML file as text that keeps every byte, and as the plain data in it."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Self

from model.document.errors import Place
from model.document.finding import find_place
from model.document.outline import Outline
from model.document.reading import Anchor, Reading, read
from model.document.source import MAX_BYTES, Source, decode

YamlPath = tuple[str | int, ...]


@dataclass(frozen=True)
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
    document: int = 0  # which of the file's documents this is
    documents: int = 1
    warnings: tuple[str, ...] = ()

    @classmethod
    def open(cls, path: str | os.PathLike[str], *, document: int = 0) -> Self:
        """Raises OSError, Refused and Invalid; a file with several documents is read for one of them."""
        with Path(path).open("rb") as file:
            data = file.read(MAX_BYTES + 1)
        return cls.parse(data, str(path), document=document)

    @classmethod
    def parse(cls, data: bytes, name: str = "", *, document: int = 0) -> Self:
        """Raises Refused and Invalid."""
        source = decode(data)
        return cls._of(name, source, read(source.text, document=document), document)

    @classmethod
    def _of(cls, name: str, source: Source, reading: Reading, document: int) -> Self:
        outline = None if reading.directives or reading.documents > 1 or source.odd_breaks else reading.outline
        return cls(name, source, reading.data, outline, reading.end, reading.anchors, document, reading.documents)

    @property
    def text(self) -> str:
        """Without byte order mark; line breaks as in the file."""
        return self.source.text

    def to_bytes(self) -> bytes:
        return self.source.to_bytes()

    @cached_property
    def sha256(self) -> str:
        """Of the bytes, in hex."""
        return hashlib.sha256(self.to_bytes()).hexdigest()

    def place(self, path: YamlPath, *, key: bool = False) -> Place | None:
        """Of the value, or of its key; what a merge key or an alias brings in stands at the anchor. None if absent."""
        found = find_place(self.text, self.outline, self.end, self.document, path, key)
        return None if found is None else self.source.place(*found)

    @cached_property
    def duplicates(self) -> tuple[tuple[YamlPath, Place, Place], ...]:
        """Keys given twice: the path, the first place, the place again."""
        found = read(self.text, document=self.document).duplicates
        return tuple((path, self._key_place(first), self._key_place(again)) for path, first, again in found)

    def _key_place(self, start: int) -> Place:
        return self.source.place(start, start)
