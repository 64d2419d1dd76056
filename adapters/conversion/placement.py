"""Where things stand: the system prompt, and what tool results hold besides text on a wire that has only text."""

from __future__ import annotations

from dataclasses import replace

from adapters.conversion.canonical import Block, Document, Image, Speaker, Text, ToolResult
from adapters.conversion.steps import REQUEST, Action, Ledger
from adapters.conversion.target import NEWEST_ANTHROPIC_VERSION, Target
from adapters.conversion.traits import TRAITS
from adapters.conversion.turns import Item, Turn
from model.conversion import Caution
from model.transports import transport_for
from model.vocabulary import Capability

ERROR_MARK = "[tool error]"
SEE_NEXT = "[image: in the next user message]"


def place_system(
    system: tuple[Text, ...], turns: tuple[Turn, ...], target: Target, ledger: Ledger
) -> tuple[tuple[Text, ...], tuple[Turn, ...]]:
    """System messages at the very start join the system prompt; nothing of it is lost where the model takes none.

    A model without a system prompt gets it at the start of the first user turn.
    """
    if Capability.SYSTEM_PROMPT not in target.supports:
        return (), _opened(system, tuple(_as_user(turn, ledger) for turn in turns), ledger)
    while turns and turns[0].speaker is Speaker.SYSTEM:
        ledger.note((turns[0].items[0].at[0], None), "message", Action.MOVED, Caution.SYSTEM_MOVED, "to the prompt")
        system += tuple(item.block for item in turns[0].items if isinstance(item.block, Text))
        turns = turns[1:]
    old = TRAITS[target.api].anthropic_blocks and target.dialect.anthropic_version < NEWEST_ANTHROPIC_VERSION
    return system, tuple(_as_user(turn, ledger) for turn in turns) if old else turns


def _opened(system: tuple[Text, ...], turns: tuple[Turn, ...], ledger: Ledger) -> tuple[Turn, ...]:
    if not system:
        return turns
    ledger.note(REQUEST, "system", Action.MOVED, Caution.SYSTEM_MOVED, "into a user turn")
    opening = tuple(Item(REQUEST, text) for text in system)
    if turns and turns[0].speaker is Speaker.USER:
        return (turns[0].with_items(opening + turns[0].items), *turns[1:])
    return (Turn(Speaker.USER, opening), *turns)


def _as_user(turn: Turn, ledger: Ledger) -> Turn:
    """Anthropic takes system messages among the others only since 2026-10-21; some models take none at all."""
    if turn.speaker is not Speaker.SYSTEM:
        return turn
    ledger.note((turn.items[0].at[0], None), "message", Action.MOVED, Caution.SYSTEM_MOVED, "into a user turn")
    return replace(turn, speaker=Speaker.USER)


def place_result_images(turns: tuple[Turn, ...], target: Target, ledger: Ledger) -> tuple[Turn, ...]:
    """Where a tool result holds text only, its images follow the results, each under the call's id."""
    if transport_for(target.api).images_in_tool_results:
        return turns
    return tuple(_images_out(turn, ledger) for turn in turns)


def _images_out(turn: Turn, ledger: Ledger) -> Turn:
    results = tuple(item for item in turn.items if isinstance(item.block, ToolResult))
    others = tuple(item for item in turn.items if not isinstance(item.block, ToolResult))
    bare: list[Item] = []
    moved: list[Item] = []
    for item in results:
        assert isinstance(item.block, ToolResult)
        parts: tuple[Block, ...] = item.block.content
        images = tuple(part for part in parts if isinstance(part, Image | Document))
        bare.append(Item(item.at, _without_images(item.block)) if images else item)
        if images:
            ledger.note(item.at, "image", Action.MOVED, Caution.IMAGES_MOVED, f"{len(images)} out of the result")
            heading = Text(f"[image of the tool result {item.block.tool_use_id}]")
            moved += [Item(item.at, block) for block in (heading, *images)]
    return turn.with_items((*bare, *moved, *others))


def _without_images(result: ToolResult) -> ToolResult:
    return replace(
        result,
        content=tuple(Text(SEE_NEXT) if isinstance(part, Image | Document) else part for part in result.content),
    )


def mark_errors(turns: tuple[Turn, ...], target: Target, ledger: Ledger) -> tuple[Turn, ...]:
    """Where the wire has no `is_error`, a failed result says so at the start of its text."""
    if TRAITS[target.api].anthropic_blocks:
        return turns
    return tuple(turn.with_items(Item(item.at, _marked(item, ledger)) for item in turn.items) for turn in turns)


def _marked(item: Item, ledger: Ledger) -> Block:
    result = item.block
    if not isinstance(result, ToolResult):
        return result
    first = result.content[0] if result.content else None
    if not result.is_error:
        if isinstance(first, Text) and first.text.startswith(ERROR_MARK):
            ledger.note(item.at, "tool_result", Action.KEPT, Caution.MARK_IN_TEXT)
        return result
    ledger.note(item.at, "tool_result", Action.REWRITTEN, Caution.ERRORS_MARKED)
    if isinstance(first, Text):
        return replace(result, content=(replace(first, text=f"{ERROR_MARK} {first.text}"), *result.content[1:]))
    return replace(result, content=(Text(ERROR_MARK), *result.content))
