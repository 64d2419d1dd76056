"""A collection while it is being read."""

from __future__ import annotations

from typing import Any

from model.document.condensing import Run
from model.document.events import MappingStartEvent
from model.document.meanings import Token
from model.document.outline import Outline

NO_KEY = Token()


class Frame:
    """What was read of a collection so far; `key` is that of a mapping whose value is still to come."""

    __slots__ = (
        *("anchor", "children", "depth", "flow", "is_map", "key", "merges", "parent", "plain"),
        *("start", "starts", "value", "weight"),
    )

    def __init__(self, event: Any, start: int, weight: int, parent: Frame | None) -> None:
        self.is_map = event.__class__ is MappingStartEvent
        self.value: Any = {} if self.is_map else []
        self.key: Any = NO_KEY
        self.starts: list[int | Run] = []  # of each key or item; of some keys that were left out
        self.children: dict[int, Outline] = {}
        self.merges: list[Any] = []
        self.start = start
        self.anchor: str | None = event.anchor
        self.flow: bool = event.flow_style
        self.plain = not self.flow and self.anchor is None and event.tag is None  # a block that starts itself
        self.weight = weight
        self.parent = parent
        self.depth: int = 0 if parent is None else parent.depth + 1

    def outline(self) -> Outline | None:
        """The outline of a block; a list's first entry is its first dash. Not with merge or double keys."""
        if not self.plain or not self.starts:
            return None
        starts = self._every_start()
        if len(starts) != len(self.value):
            return None
        if not self.is_map:
            starts[0] = self.start
        children = [self.children.get(i) for i in range(len(starts))]
        return Outline(starts, list(self.value) if self.is_map else None, children)

    def _every_start(self) -> list[int]:
        starts: list[int] = []
        for each in self.starts:
            if isinstance(each, Run):
                starts += each.starts()
            else:
                starts.append(each)
        return starts
