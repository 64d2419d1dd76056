"""A conversation on its way: blocks that remember where they stood, in turns that one speaker holds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from adapters.conversion.canonical import Block, Message, Speaker
from adapters.conversion.steps import Action, Ledger
from model.conversion import Caution
from model.quick_dataclass import dataclass

At = tuple[int | None, int | None]


@dataclass(frozen=True, slots=True)
class Item:
    """A block, and the message and block index where it stood in the request."""

    at: At
    block: Block


@dataclass(frozen=True, slots=True)
class Turn:
    speaker: Speaker
    items: tuple[Item, ...]

    def with_items(self, items: Iterable[Item]) -> Turn:
        return replace(self, items=tuple(items))

    @property
    def message(self) -> Message:
        return Message(self.speaker, tuple(item.block for item in self.items))


def place(messages: Sequence[Message]) -> tuple[Turn, ...]:
    return tuple(
        Turn(message.speaker, tuple(Item((number, index), block) for index, block in enumerate(message.content)))
        for number, message in enumerate(messages)
    )


def without_empty(turns: Iterable[Turn]) -> tuple[Turn, ...]:
    return tuple(turn for turn in turns if turn.items)


def merge(turns: Iterable[Turn], ledger: Ledger) -> tuple[Turn, ...]:
    """Turns of one speaker in a row become one, as Anthropic does it and as chat templates need it."""
    merged: list[Turn] = []
    for turn in turns:
        if merged and merged[-1].speaker is turn.speaker and turn.speaker is not Speaker.SYSTEM:
            ledger.note((turn.items[0].at[0], None), "message", Action.MERGED, Caution.TURNS_MERGED)
            merged[-1] = merged[-1].with_items(merged[-1].items + turn.items)
        else:
            merged.append(turn)
    return tuple(merged)
