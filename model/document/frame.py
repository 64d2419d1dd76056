"""A collection while it is being read."""

from __future__ import annotations

from typing import Any

from model.document.events import MappingStartEvent
from model.document.outline import Outline


class _Token:
    """A value that no file can hold."""


NO_KEY = _Token()
MERGE = _Token()  # a plain `<<` where a key is expected


class Frame:
    """What was read of a collection so far; `key` is that of a mapping whose value is still to come."""

    __slots__ = ("anchor", "children", "is_map", "key", "merges", "plain", "start", "starts", "value", "weight")

    def __init__(self, event: Any, weight: int) -> None:
        self.is_map = event.__class__ is MappingStartEvent
        self.value: Any = {} if self.is_map else []
        self.key: Any = NO_KEY
        self.starts: list[int] = []  # of each key or item
        self.children: dict[int, Outline] = {}
        self.merges: list[Any] = []
        self.start: int = event.start_mark.index
        self.anchor: str | None = event.anchor
        self.plain = not event.flow_style and event.anchor is None and event.tag is None  # a block that starts itself
        self.weight = weight

    def outline(self) -> Outline | None:
        """The outline of a block; a list's first entry is its first dash. Not with merge or double keys."""
        if not self.plain or not self.starts or len(self.starts) != len(self.value):
            return None
        if not self.is_map:
            self.starts[0] = self.start
        children = [self.children.get(i) for i in range(len(self.starts))]
        return Outline(self.starts, list(self.value) if self.is_map else None, children)
