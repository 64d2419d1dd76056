"""What can be done to a document. An edit names a path, never a place, so it can be replayed on a changed file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from model.quick_dataclass import dataclass

if TYPE_CHECKING:
    from model.document.written import Written

Path = tuple[str | int, ...]
Key = str | int | float | bool | None


@dataclass(frozen=True, slots=True)
class Set:
    """Replace the value at `path`, which exists. `value` is plain data; an unknown tag goes only with `drop_tag`."""

    path: Path
    value: Any
    drop_tag: bool = False


@dataclass(frozen=True, slots=True)
class Put:
    """Set the value if it is there, otherwise insert it, making missing mappings on the way."""

    path: Path
    value: Any
    order: tuple[str, ...] = ()  # of the keys of the mapping that gets the new key
    written: Written | None = None  # how a new entry is to stand there, if it can


@dataclass(frozen=True, slots=True)
class Insert:
    """Add a key to the mapping at `path`: next to a named sibling, else where `order` puts it, else last."""

    path: Path
    key: Key
    value: Any
    order: tuple[str, ...] = ()
    before: Key = None
    after: Key = None
    written: Written | None = None  # how it is to stand there, if it can


@dataclass(frozen=True, slots=True)
class Rename:
    """Change the key at the end of `path` to `key`."""

    path: Path
    key: Key


@dataclass(frozen=True, slots=True)
class Delete:
    """Remove a key or an item; its own comments go with it, or stay."""

    path: Path
    comments: Literal["own", "keep"] = "own"


@dataclass(frozen=True, slots=True)
class InsertItem:
    """Add an item to the list at `path`, so that it stands at `index`."""

    path: Path
    index: int
    value: Any
    written: Written | None = None  # how it is to stand there, if it can


@dataclass(frozen=True, slots=True)
class Move:
    """Take item `source` of the list at `path`, with its comments, to index `target`."""

    path: Path
    source: int
    target: int


@dataclass(frozen=True, slots=True)
class Quote:
    """Make the value at `path` the text that it is written as: `0x1F`, a number, becomes `"0x1F"`."""

    path: Path


@dataclass(frozen=True, slots=True)
class Detach:
    """Replace the alias at `path` by a copy of what it stands for."""

    path: Path


Edit = Set | Put | Insert | Rename | Delete | InsertItem | Move | Quote | Detach
