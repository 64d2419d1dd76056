"""Prepared request → OpenAI chat completions (platform.openai.com/docs/api-reference/chat/create)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from adapters.conversion.answers import asked_level
from adapters.conversion.canonical import (
    Base64Source,
    Block,
    Choice,
    Document,
    Image,
    ServerTool,
    Speaker,
    Text,
    Thinking,
    Tool,
    ToolChoice,
    ToolResult,
    ToolUse,
    UrlSource,
)
from adapters.conversion.documents import PDF, UNNAMED_PDF
from adapters.conversion.prepared import Prepared
from adapters.conversion.schema import is_strict
from adapters.conversion.settings import (
    OPENAI_STOP_SEQUENCES,
    drop,
    foreign_settings,
    sampling,
    stops,
    user_id,
    wants_thinking,
)
from adapters.conversion.steps import REQUEST, Action, Ledger
from adapters.conversion.turns import Turn
from model.conversion import Caution
from model.vocabulary import Capability, JsonLevel

_EFFORTS = ("low", "medium", "high", "xhigh")
_CHOICES: dict[Choice, str] = {Choice.AUTO: "auto", Choice.ANY: "required", Choice.NONE: "none"}


def openai_body(prepared: Prepared, ledger: Ledger) -> dict[str, Any]:
    messages = [*_system(prepared.system, prepared), *_messages(prepared, ledger)]
    body: dict[str, Any] = {"model": prepared.target.model_id, "messages": messages}
    return body | _tools(prepared) | _answer(prepared, ledger) | _settings(prepared, ledger) | _streaming(prepared)


def _system(texts: Sequence[Text], prepared: Prepared) -> Iterator[dict[str, Any]]:
    if texts:
        yield {"role": prepared.target.dialect.system_role.value, "content": _words(texts)}


def _messages(prepared: Prepared, ledger: Ledger) -> Iterator[dict[str, Any]]:
    for turn in prepared.turns:
        blocks = [item.block for item in turn.items]
        if turn.speaker is Speaker.SYSTEM:
            yield from _system(_texts(blocks), prepared)
        elif turn.speaker is Speaker.ASSISTANT:
            note_order(turn, ledger)
            yield _assistant(blocks)
        else:
            yield from (_result(block) for block in blocks if isinstance(block, ToolResult))
            yield from _user([block for block in blocks if not isinstance(block, ToolResult)])


def note_order(turn: Turn, ledger: Ledger) -> None:
    """An assistant message holds thinking, then text, then calls: another order is not kept."""
    ranks = [_RANKS.get(type(item.block), 1) for item in turn.items]
    if ranks != sorted(ranks):
        ledger.note((turn.items[0].at[0], None), "message", Action.MOVED, Caution.ORDER_CHANGED, "text before calls")
    if sum(isinstance(item.block, Thinking) for item in turn.items) > 1:
        ledger.note((turn.items[0].at[0], None), "thinking", Action.MERGED, Caution.TEXT_JOINED)


_RANKS: dict[type, int] = {Thinking: 0, Text: 1, ToolUse: 2}


def _assistant(blocks: Sequence[Block]) -> dict[str, Any]:
    texts = _texts(blocks)
    message: dict[str, Any] = {"role": "assistant", "content": _words(texts) if texts else None}
    thinking = [block.thinking for block in blocks if isinstance(block, Thinking)]
    calls = [_call(block) for block in blocks if isinstance(block, ToolUse)]
    message |= {"reasoning_content": "\n\n".join(thinking)} if thinking else {}
    message |= {"tool_calls": calls} if calls else {}
    return message if calls or texts else message | {"content": ""}


def _call(block: ToolUse) -> dict[str, Any]:
    arguments = json.dumps(dict(block.input), ensure_ascii=False)
    return {"id": block.id, "type": "function", "function": {"name": block.name, "arguments": arguments}}


def _result(block: ToolResult) -> dict[str, Any]:
    texts = _texts(block.content)
    return {"role": "tool", "tool_call_id": block.tool_use_id, "content": _words(texts) if texts else ""}


def _user(blocks: Sequence[Block]) -> Iterator[dict[str, Any]]:
    parts = [part for block in blocks for part in _part(block)]
    if len(blocks) == 1 and isinstance(blocks[0], Text):
        yield {"role": "user", "content": blocks[0].text}
    elif parts:
        yield {"role": "user", "content": parts}


def _part(block: Block) -> Iterator[dict[str, Any]]:
    match block:
        case Text(text):
            yield {"type": "text", "text": text}
        case Image(UrlSource(url)):
            yield {"type": "image_url", "image_url": {"url": url}}
        case Image(Base64Source(media_type, data)):
            yield {"type": "image_url", "image_url": {"url": f"data:{media_type};base64,{data}"}}
        case Document(Base64Source(_, data), title):
            file = {"filename": title or UNNAMED_PDF, "file_data": f"data:{PDF};base64,{data}"}
            yield {"type": "file", "file": file}


def _texts(blocks: Iterable[Block]) -> list[Text]:
    return [block for block in blocks if isinstance(block, Text)]


def _words(texts: Sequence[Text]) -> str | list[dict[str, Any]]:
    """One text is a string, which every server reads; more are parts, so that their borders stay."""
    return texts[0].text if len(texts) == 1 else [{"type": "text", "text": text.text} for text in texts]


def _tools(prepared: Prepared) -> dict[str, Any]:
    tools = [_tool(tool) for tool in prepared.tools if not isinstance(tool, ServerTool)]
    if not tools:
        return {}
    return {"tools": tools} | (_choice(prepared.tool_choice) if prepared.tool_choice else {})


def _choice(choice: ToolChoice) -> dict[str, Any]:
    named = {"type": "function", "function": {"name": choice.name}}
    body: dict[str, Any] = {"tool_choice": _CHOICES.get(choice.choice, named)}
    return body | ({"parallel_tool_calls": False} if choice.disable_parallel else {})


def _tool(tool: Tool) -> dict[str, Any]:
    function: dict[str, Any] = {"name": tool.name, "parameters": dict(tool.schema)}
    function |= {} if tool.description is None else {"description": tool.description}
    function |= {"strict": tool.extra["strict"]} if "strict" in tool.extra else {}
    return {"type": "function", "function": function}


def _answer(prepared: Prepared, ledger: Ledger) -> dict[str, Any]:
    """Only a schema that keeps to the strict rules is sent as one that has to be enforced; others would be refused."""
    answer = prepared.request.answer
    if answer is None or asked_level(answer, prepared.target) is not JsonLevel.NATIVE:
        return {}
    if answer.schema is None:
        return {"response_format": {"type": "json_object"}}
    named: dict[str, Any] = {"name": "answer", "schema": dict(answer.schema)}
    if is_strict(answer.schema):
        named["strict"] = True
    else:
        ledger.note(REQUEST, "answer", Action.KEPT, Caution.SCHEMA_NOT_STRICT)
    return {"response_format": {"type": "json_schema", "json_schema": named}}


def _settings(prepared: Prepared, ledger: Ledger) -> dict[str, Any]:
    request = prepared.request
    foreign_settings(prepared, ledger)
    settings: dict[str, Any] = dict(sampling(request, ("temperature", "top_p"), ledger))
    if request.max_output_tokens is not None:
        settings[prepared.target.dialect.max_tokens_field.value] = request.max_output_tokens
    if stop := stops(request, OPENAI_STOP_SEQUENCES, ledger):
        settings["stop"] = stop
    if user := user_id(request):
        settings["user"] = user
    return settings | _effort(prepared, ledger)


def _effort(prepared: Prepared, ledger: Ledger) -> dict[str, Any]:
    """`reasoning_effort` takes Anthropic's words but `max`; a thinking budget in tokens has no counterpart."""
    request, thinks = prepared.request, Capability.THINKING in prepared.target.supports
    taken = request.effort in _EFFORTS and thinks
    if request.effort is not None and not taken:
        drop(ledger, "effort", Caution.THINKING_SETTING_IGNORED, request.effort)
    wanted = wants_thinking(request)
    if wanted or (wanted is False and thinks):
        drop(ledger, "thinking", Caution.THINKING_SETTING_IGNORED)
    return {"reasoning_effort": request.effort} if taken else {}


def _streaming(prepared: Prepared) -> dict[str, Any]:
    if not prepared.request.stream:
        return {}
    return {"stream": True} | (
        {"stream_options": {"include_usage": True}} if prepared.target.dialect.stream_usage else {}
    )
