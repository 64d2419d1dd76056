"""Moving a conversation to another model: what its messages lose, told once for each switch (seed 001, phase 3).

What `switch` returns belongs to the target: switching it there again changes nothing and counts nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

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
    kind_of,
)
from adapters.conversion.fit import IMAGE_LEFT_OUT
from adapters.conversion.pairing import pair, rename
from adapters.conversion.steps import Action, Ledger, Step
from adapters.conversion.target import Target
from adapters.conversion.traits import TRAITS
from adapters.conversion.turns import At, Item, Turn, merge, place
from model.contract import ProviderSwitchReport
from model.conversion import Caution, Omission
from model.quick_dataclass import dataclass
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
    moved = tuple(_moved(history, target, origin, counts, ledger))
    paired = pair(merge((turn for turn in moved if turn.items), ledger), ledger)
    turns, _ = rename(merge(paired, ledger), target.api, ledger)
    counts.add_steps(ledger.steps)
    messages = tuple(SourcedMessage(turn.message, origin) for turn in turns)
    return Switched(messages, counts.reports(), ledger.steps)


def _moved(
    history: Sequence[SourcedMessage], target: Target, origin: Origin, counts: _Counts, ledger: Ledger
) -> Iterator[Turn]:
    turns = place([source.message for source in history])
    for index, (source, turn) in enumerate(zip(history, turns, strict=True)):
        if source.aborted and turn.speaker is Speaker.ASSISTANT:
            counts.count(index, "turns_dropped")
            ledger.note((index, None), "message", Action.DROPPED, detail="the turn was aborted")
            continue
        left = turn if source.origin == origin else _Mover(target, counts, ledger).turn(turn)
        if turn.items and not left.items:
            counts.count(index, "turns_dropped")
            ledger.note((index, None), "message", Action.DROPPED, detail="nothing of it is left")
        yield left


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
    """Takes from another model's message what the target cannot go on with."""

    def __init__(self, target: Target, counts: _Counts, ledger: Ledger) -> None:
        self._target = target
        self._counts = counts
        self._ledger = ledger

    def turn(self, turn: Turn) -> Turn:
        return turn.with_items(
            Item(item.at, block) for item in turn.items for block in self._block(item.at, item.block)
        )

    def _block(self, at: At, block: Block) -> Iterator[Block]:
        match block:
            case Thinking() | RedactedThinking():
                yield from self._thinking(at, block)
            case Image():
                yield self._image(at, block)
            case ToolResult():
                parts = (self._image(at, part) if isinstance(part, Image) else part for part in block.content)
                yield replace(block, content=tuple(parts))
            case Text() | ToolUse():
                yield self._unsigned(at, block)
            case _:
                yield block

    def _count(self, at: At, block: Block, name: str, word: Omission) -> None:
        self._counts.count(at[0], name)
        action = Action.DROPPED if word is Omission.IMAGES_DROPPED else Action.STRIPPED
        self._ledger.note(at, kind_of(block), action, word)

    def _thinking(self, at: At, block: Thinking | RedactedThinking) -> Iterator[Block]:
        """Only a wire that takes thinking without a signature can go on with another model's."""
        native = self._target.conversion.thinking is ThinkingConversion.NATIVE
        takes = native and TRAITS[self._target.api].unsigned_thinking
        if not takes or isinstance(block, RedactedThinking) or not block.thinking:
            self._count(at, block, "thinking_blocks_dropped", Omission.THINKING_STRIPPED)
            return
        if block.signature:
            self._counts.count(at[0], "thinking_blocks_downgraded")
            self._count(at, block, "thought_signatures_dropped", Omission.SIGNATURES_DROPPED)
        yield Thinking(block.thinking)

    def _image(self, at: At, block: Image) -> Image | Text:
        refuses = self._target.conversion.image_input is ImageConversion.UNSUPPORTED
        if not refuses and Capability.IMAGE_INPUT in self._target.supports:
            return block
        self._count(at, block, "images_dropped", Omission.IMAGES_DROPPED)
        return Text(IMAGE_LEFT_OUT)

    def _unsigned(self, at: At, block: Text | ToolUse) -> Text | ToolUse:
        if not _SIGNATURES & set(block.extra):
            return block
        self._count(at, block, "thought_signatures_dropped", Omission.SIGNATURES_DROPPED)
        return replace(block, extra={key: value for key, value in block.extra.items() if key not in _SIGNATURES})
