"""Moving a conversation to another model: what its messages lose, told once for each switch (seed 001, phase 3).

What `switch` returns belongs to the target: switching it there again changes nothing and counts nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from adapters.conversion.canonical import (
    Block,
    Image,
    Message,
    RedactedThinking,
    Speaker,
    Text,
    Thinking,
    ToolResult,
    ToolUse,
)
from adapters.conversion.fit import IMAGE_LEFT_OUT
from adapters.conversion.pairing import pair, rename
from adapters.conversion.steps import Action, Ledger, Step
from adapters.conversion.target import Target
from adapters.conversion.traits import TRAITS
from adapters.conversion.turns import Item, Turn, merge, place
from model.contract import ProviderSwitchReport
from model.conversion import Caution
from model.vocabulary import Api, Capability, ImageConversion, ThinkingConversion

_SIGNATURES = frozenset({"thought_signature", "thoughtSignature", "signature"})
"""Keys under which providers sign a call or a text; they mean nothing to another model."""


@dataclass(frozen=True, slots=True)
class Origin:
    """The model that a message was made by or for. The same model: all three equal."""

    provider_id: str
    api: Api
    model_id: str


@dataclass(frozen=True, slots=True)
class SourcedMessage:
    """A message and where it comes from. `aborted`: an assistant's turn that failed or was cancelled half-way."""

    message: Message
    origin: Origin
    aborted: bool = False


@dataclass(frozen=True, slots=True)
class Switched:
    """`reports`: one for each Api that messages came from, in order of appearance; none where nothing changed hands."""

    messages: tuple[SourcedMessage, ...]
    reports: tuple[ProviderSwitchReport, ...]
    steps: tuple[Step, ...]


def switch(history: Sequence[SourcedMessage], target: Target) -> Switched:
    """The conversation as the target can go on with it. Thinking of another model is dropped, never shown as text."""
    origin = Origin(target.provider_id, target.api, target.model_id)
    counts = _Counts([message.origin for message in history], origin)
    ledger = Ledger()
    moved = tuple(_Mover(target, source, origin, counts).turn(turn) for source, turn in _kept(history, counts, ledger))
    paired = pair(merge((turn for turn in moved if turn.items), ledger), ledger)
    turns, _ = rename(merge(paired, ledger), target.api, ledger)
    counts.add_steps(ledger.steps)
    messages = tuple(SourcedMessage(turn.message, origin) for turn in turns)
    return Switched(messages, counts.reports(), ledger.steps)


def _kept(history: Sequence[SourcedMessage], counts: _Counts, ledger: Ledger) -> Iterator[tuple[SourcedMessage, Turn]]:
    for index, (source, turn) in enumerate(zip(history, place([one.message for one in history]), strict=True)):
        if source.aborted and source.message.speaker is Speaker.ASSISTANT:
            counts.count(index, "turns_dropped")
            ledger.note((index, None), "message", Action.DROPPED, detail="the turn was aborted")
        else:
            yield source, turn


class _Counts:
    def __init__(self, origins: Sequence[Origin], target: Origin) -> None:
        self._origins = origins
        self._target = target
        self._counts: dict[Api, Counter[str]] = {origin.api: Counter() for origin in origins if origin != target}

    def count(self, message: int | None, name: str) -> None:
        """Counted for the Api of the message; repairs in the target's own messages for the target's Api."""
        if message is not None:
            self._counts.setdefault(self._origins[message].api, Counter())[name] += 1

    def add_steps(self, steps: Sequence[Step]) -> None:
        names = {
            Caution.TOOL_IDS_REMAPPED: "tool_call_ids_remapped",
            Caution.RESULTS_INSERTED: "synthetic_tool_results_inserted",
        }
        for step in steps:
            if isinstance(step.word, Caution) and step.word in names:
                self.count(step.message, names[step.word])

    def reports(self) -> tuple[ProviderSwitchReport, ...]:
        return tuple(
            ProviderSwitchReport(from_api=api, to_api=self._target.api, **counts)
            for api, counts in self._counts.items()
        )


class _Mover:
    """Takes from one message what the target cannot go on with."""

    def __init__(self, target: Target, source: SourcedMessage, origin: Origin, counts: _Counts) -> None:
        self._target = target
        self._same = source.origin == origin
        self._counts = counts

    def turn(self, turn: Turn) -> Turn:
        if self._same:
            return turn
        return turn.with_items(
            Item(item.at, block) for item in turn.items for block in self._moved(item.at[0], item.block)
        )

    def _moved(self, message: int | None, block: Block) -> Iterator[Block]:
        match block:
            case Thinking() | RedactedThinking():
                yield from self._thinking(message, block)
            case Image():
                yield self._image(message, block)
            case ToolResult():
                parts = (self._image(message, part) if isinstance(part, Image) else part for part in block.content)
                yield replace(block, content=tuple(parts))
            case Text() | ToolUse():
                yield self._unsigned(message, block)
            case _:
                yield block

    def _thinking(self, message: int | None, block: Thinking | RedactedThinking) -> Iterator[Block]:
        """Only a wire that takes thinking without a signature can go on with another model's."""
        native = self._target.conversion.thinking is ThinkingConversion.NATIVE
        takes = native and TRAITS[self._target.api].unsigned_thinking
        if not takes or isinstance(block, RedactedThinking) or not block.thinking:
            self._counts.count(message, "thinking_blocks_dropped")
            return
        if block.signature:
            self._counts.count(message, "thinking_blocks_downgraded")
            self._counts.count(message, "thought_signatures_dropped")
        yield Thinking(block.thinking)

    def _image(self, message: int | None, block: Image) -> Image | Text:
        refuses = self._target.conversion.image_input is ImageConversion.UNSUPPORTED
        if not refuses and Capability.IMAGE_INPUT in self._target.supports:
            return block
        self._counts.count(message, "images_dropped")
        return Text(IMAGE_LEFT_OUT)

    def _unsigned(self, message: int | None, block: Text | ToolUse) -> Text | ToolUse:
        if not _SIGNATURES & set(block.extra):
            return block
        self._counts.count(message, "thought_signatures_dropped")
        return replace(block, extra={key: value for key, value in block.extra.items() if key not in _SIGNATURES})
