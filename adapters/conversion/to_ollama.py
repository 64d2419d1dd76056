"""Prepared request → Ollama's native /api/chat (docs.ollama.com/api/chat)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from adapters.conversion.answers import asked_level
from adapters.conversion.canonical import (
    Base64Source,
    Block,
    Choice,
    Image,
    ServerTool,
    Speaker,
    Text,
    Thinking,
    Tool,
    ToolResult,
    ToolUse,
)
from adapters.conversion.prepared import Prepared
from adapters.conversion.settings import drop, foreign_settings, sampling, stops, wants_thinking
from adapters.conversion.steps import REQUEST, Action, Ledger
from adapters.conversion.to_openai import note_order
from adapters.conversion.turns import At, Turn
from model.conversion import Caution, Omission
from model.vocabulary import Capability, JsonLevel

_LEVELS = ("low", "medium", "high")
_GAP = "\n\n"


def ollama_body(prepared: Prepared, ledger: Ledger) -> dict[str, Any]:
    """`stream` is always said: Ollama streams unless told not to."""
    messages = [*_system(prepared, ledger), *_messages(prepared, ledger)]
    body: dict[str, Any] = {"model": prepared.target.model_id, "messages": messages}
    body |= {"stream": prepared.request.stream}
    return (
        body | _tools(prepared, ledger) | _format(prepared) | _thinking(prepared, ledger) | _options(prepared, ledger)
    )


def _system(prepared: Prepared, ledger: Ledger) -> Iterator[dict[str, Any]]:
    if prepared.system:
        yield {"role": "system", "content": _joined(prepared.system, REQUEST, ledger)}


def _messages(prepared: Prepared, ledger: Ledger) -> Iterator[dict[str, Any]]:
    names: dict[str, str] = {}
    for turn in prepared.turns:
        if turn.speaker is Speaker.USER:
            yield from _results(turn, names, ledger)
            yield from _user(turn, ledger)
        elif turn.speaker is Speaker.ASSISTANT:
            names |= {item.block.id: item.block.name for item in turn.items if isinstance(item.block, ToolUse)}
            yield _assistant(turn, ledger)
        else:
            yield {"role": "system", "content": _joined(_blocks(turn), _at(turn), ledger)}


def _blocks(turn: Turn) -> list[Block]:
    return [item.block for item in turn.items]


def _at(turn: Turn) -> At:
    return (turn.items[0].at[0], None)


def _joined(blocks: Iterable[Block], at: At, ledger: Ledger) -> str:
    """A message holds one string."""
    texts = [block.text for block in blocks if isinstance(block, Text)]
    if len(texts) > 1:
        ledger.note(at, "text", Action.MERGED, Caution.TEXT_JOINED, f"{len(texts)} blocks")
    return _GAP.join(texts)


def _user(turn: Turn, ledger: Ledger) -> Iterator[dict[str, Any]]:
    blocks = [block for block in _blocks(turn) if not isinstance(block, ToolResult)]
    if not blocks:
        return
    images = [data for block in blocks for data in _image_data(block)]
    if images and isinstance(blocks[0], Text):
        ledger.note(_at(turn), "image", Action.MOVED, Caution.ORDER_CHANGED, "images stand beside the text")
    content = _joined(blocks, _at(turn), ledger)
    yield {"role": "user", "content": content} | ({"images": images} if images else {})


def _image_data(block: Block) -> Iterator[str]:
    match block:
        case Image(Base64Source(_, data)):
            yield data


def _assistant(turn: Turn, ledger: Ledger) -> dict[str, Any]:
    note_order(turn, ledger)
    blocks = _blocks(turn)
    message: dict[str, Any] = {"role": "assistant", "content": _joined(blocks, _at(turn), ledger)}
    thinking = [block.thinking for block in blocks if isinstance(block, Thinking)]
    calls = [_call(block) for block in blocks if isinstance(block, ToolUse)]
    message |= {"thinking": _GAP.join(thinking)} if thinking else {}
    return message | ({"tool_calls": calls} if calls else {})


def _call(block: ToolUse) -> dict[str, Any]:
    return {"id": block.id, "function": {"name": block.name, "arguments": dict(block.input)}}


def _results(turn: Turn, names: dict[str, str], ledger: Ledger) -> Iterator[dict[str, Any]]:
    for item in turn.items:
        if isinstance(block := item.block, ToolResult):
            yield {
                "role": "tool",
                "content": _joined(block.content, item.at, ledger),
                "tool_name": names.get(block.tool_use_id, ""),
                "tool_call_id": block.tool_use_id,
            }


def _tools(prepared: Prepared, ledger: Ledger) -> dict[str, Any]:
    """There is no tool choice: `none` is said by sending no tools, `auto` is how it is anyway."""
    choice = prepared.tool_choice
    tools = [_tool(tool, ledger) for tool in prepared.tools if not isinstance(tool, ServerTool)]
    if not tools or (choice is not None and choice.choice is Choice.NONE):
        return {}
    if choice is not None and choice.choice in {Choice.ANY, Choice.TOOL}:
        drop(ledger, "tool_choice", Omission.TOOL_CHOICE_DROPPED, choice.choice)
    if choice is not None and choice.disable_parallel:
        drop(ledger, "tool_choice", Omission.PARALLEL_SETTING_DROPPED)
    return {"tools": tools}


def _tool(tool: Tool, ledger: Ledger) -> dict[str, Any]:
    if tool.extra.get("strict"):
        drop(ledger, "tool", Omission.TOOL_DETAILS_DROPPED, f"{tool.name}: strict")
    function: dict[str, Any] = {"name": tool.name, "parameters": dict(tool.schema)}
    function |= {} if tool.description is None else {"description": tool.description}
    return {"type": "function", "function": function}


def _format(prepared: Prepared) -> dict[str, Any]:
    answer = prepared.request.answer
    if answer is None or asked_level(answer, prepared.target) is not JsonLevel.NATIVE:
        return {}
    return {"format": "json" if answer.schema is None else dict(answer.schema)}


def _thinking(prepared: Prepared, ledger: Ledger) -> dict[str, Any]:
    """`think` is on or off, or a level for models that know levels; a model that cannot think refuses the field."""
    request, wanted = prepared.request, wants_thinking(prepared.request)
    if wanted is None and request.effort is None:
        return {}
    if Capability.THINKING not in prepared.target.supports:
        if wanted is not False:
            drop(ledger, "thinking", Caution.THINKING_SETTING_IGNORED, "the model does not think")
        return {}
    if request.thinking is not None and "budget_tokens" in request.thinking:
        drop(ledger, "thinking", Caution.THINKING_SETTING_IGNORED, "budget_tokens")
    if wanted is not False and request.effort in _LEVELS:
        return {"think": request.effort}
    if request.effort is not None:
        drop(ledger, "effort", Caution.THINKING_SETTING_IGNORED, request.effort)
    return {} if wanted is None else {"think": wanted}


def _options(prepared: Prepared, ledger: Ledger) -> dict[str, Any]:
    request = prepared.request
    foreign_settings(prepared, ledger)
    options: dict[str, Any] = dict(sampling(request, ("temperature", "top_p", "top_k"), ledger))
    if request.max_output_tokens is not None:
        options["num_predict"] = request.max_output_tokens
    if stop := stops(request, None, ledger):
        options["stop"] = stop
    if prepared.target.dialect.num_ctx is not None:
        options["num_ctx"] = prepared.target.dialect.num_ctx
    if "user_id" in request.metadata:
        drop(ledger, "metadata", Caution.METADATA_LEFT_OUT, "user_id")
    return {"options": options} if options else {}
