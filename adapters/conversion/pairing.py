"""Calls and results, each with its partner: what every provider demands of a history (SEED-FACTS.md §2.4, §2.6)."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator
from dataclasses import replace

from adapters.conversion.canonical import Speaker, Text, ToolResult, ToolUse
from adapters.conversion.steps import Action, Ledger
from adapters.conversion.tool_ids import IdAssigner, ToolIds
from adapters.conversion.turns import Item, Turn
from model.conversion import Caution, Omission
from model.quick_dataclass import dataclass
from model.vocabulary import Api

NO_RESULT = "No result was recorded for this call."


@dataclass(frozen=True, slots=True)
class _Call:
    item: Item
    tool_id: str


def pair(turns: Iterable[Turn], ledger: Ledger) -> tuple[Turn, ...]:
    """Every call is answered in the turn after it, at its start; a result without a call is dropped.

    A call without a result gets an error result, also at the very end. A system message between call and result
    moves behind the result.
    """
    return tuple(turn for turn in _Pairing(ledger).run(turns) if turn.items)


class _Pairing:
    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._open: list[_Call] = []
        self._held: list[Turn] = []

    def run(self, turns: Iterable[Turn]) -> Iterator[Turn]:
        for turn in turns:
            if turn.speaker is Speaker.SYSTEM and self._open:
                self._held.append(turn)
            elif turn.speaker is Speaker.USER:
                yield self._answered(turn)
                yield from self._release(moved=True)
            else:
                yield from self._close()
                yield turn
                self._open = [_Call(item, item.block.id) for item in turn.items if isinstance(item.block, ToolUse)]
        yield from self._close()

    def _close(self) -> Iterator[Turn]:
        """The calls before this point were never answered."""
        if self._open:
            yield self._answered(Turn(Speaker.USER, ()))
        yield from self._release(moved=False)

    def _release(self, *, moved: bool) -> Iterator[Turn]:
        for turn in self._held:
            if moved:
                self._ledger.note((turn.items[0].at[0], None), "message", Action.MOVED, Caution.ORDER_CHANGED)
            yield turn
        self._held = []

    def _answered(self, turn: Turn) -> Turn:
        waiting: dict[str, deque[_Call]] = defaultdict(deque)
        for call in self._open:
            waiting[call.tool_id].append(call)
        results: list[Item] = []
        others: list[Item] = []
        for item in turn.items:
            if not isinstance(item.block, ToolResult):
                others.append(item)
            elif waiting[item.block.tool_use_id]:
                waiting[item.block.tool_use_id].popleft()
                self._note_order(item, others)
                results.append(item)
            else:
                self._drop(item)
        results += [self._insert(call) for calls in waiting.values() for call in calls]
        self._open = []
        return turn.with_items(results + others)

    def _note_order(self, result: Item, before: list[Item]) -> None:
        if before:
            detail = "results come first in a turn"
            self._ledger.note(result.at, "tool_result", Action.MOVED, Caution.ORDER_CHANGED, detail)

    def _drop(self, item: Item) -> None:
        detail = "no call before it has this id"
        self._ledger.note(item.at, "tool_result", Action.DROPPED, Omission.ORPHANED_RESULTS_DROPPED, detail)

    def _insert(self, call: _Call) -> Item:
        at = (call.item.at[0], call.item.at[1])
        self._ledger.note(at, "tool_result", Action.INSERTED, Caution.RESULTS_INSERTED, "the call has no result")
        return Item(at, ToolResult(call.tool_id, (Text(NO_RESULT),), is_error=True))


def rename(turns: tuple[Turn, ...], api: Api, ledger: Ledger) -> tuple[tuple[Turn, ...], ToolIds]:
    """Paired turns with ids that the Api accepts, each used once; results follow their calls."""
    calls = [item.block.id for turn in turns for item in turn.items if isinstance(item.block, ToolUse)]
    assigner = IdAssigner(api, calls)
    names: dict[str, deque[str]] = {}
    renamed = []
    for turn in turns:
        if turn.speaker is Speaker.ASSISTANT:
            names = defaultdict(deque)
        renamed.append(turn.with_items(_renamed(item, assigner, names, ledger) for item in turn.items))
    return tuple(renamed), assigner.ids


def _renamed(item: Item, assigner: IdAssigner, names: dict[str, deque[str]], ledger: Ledger) -> Item:
    block = item.block
    if isinstance(block, ToolUse):
        name = assigner.assign(block.id)
        names.setdefault(block.id, deque()).append(name)
        if name != block.id:
            ledger.note(item.at, "tool_use", Action.RENAMED, Caution.TOOL_IDS_REMAPPED, f"{block.id} → {name}")
        return Item(item.at, replace(block, id=name))
    if isinstance(block, ToolResult) and names.get(block.tool_use_id):
        return Item(item.at, replace(block, tool_use_id=names[block.tool_use_id].popleft()))
    return item
