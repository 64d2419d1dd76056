"""A request that fits its target and only needs writing down."""

from __future__ import annotations

from collections.abc import Iterator

from adapters.conversion.canonical import Block, CanonicalRequest, ServerTool, Text, Tool, ToolChoice
from adapters.conversion.target import Target
from adapters.conversion.tool_ids import ToolIds
from adapters.conversion.turns import Turn
from model.quick_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Prepared:
    request: CanonicalRequest
    target: Target
    system: tuple[Text, ...]
    turns: tuple[Turn, ...]
    tools: tuple[Tool | ServerTool, ...]
    tool_choice: ToolChoice | None
    tool_ids: ToolIds

    @property
    def blocks(self) -> Iterator[Block]:
        """Every block that goes over, in order; what lies inside a tool result is not listed."""
        return (item.block for turn in self.turns for item in turn.items)
