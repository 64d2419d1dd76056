"""Prepared request → Anthropic Messages (platform.claude.com/docs/en/api/messages, .../api/versioning)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeVar

from adapters.conversion.answers import asked_level
from adapters.conversion.blocks import block_json
from adapters.conversion.canonical import (
    Block,
    Opaque,
    RedactedThinking,
    ServerTool,
    Thinking,
    Tool,
    ToolResult,
)
from adapters.conversion.prepared import Prepared
from adapters.conversion.requests import choice_json, message_json, tool_json
from adapters.conversion.settings import drop, sampling, stops, wants_thinking
from adapters.conversion.steps import REQUEST, Action, Ledger
from adapters.conversion.target import NEWEST_ANTHROPIC_VERSION
from adapters.conversion.turns import At, Item
from model.conversion import Caution
from model.vocabulary import CacheConversion, Capability, JsonLevel, ThinkingConversion

CACHE_MARKS = 4
"""Most cache breakpoints in one request."""

_SAMPLING = ("temperature", "top_p", "top_k")
Holder = Block | Tool | ServerTool
Marked = TypeVar("Marked", bound=Holder)


def anthropic_body(prepared: Prepared, ledger: Ledger) -> dict[str, Any]:
    prepared = _limit_marks(prepared, ledger)
    body: dict[str, Any] = {
        "model": prepared.target.model_id,
        "max_tokens": _max_tokens(prepared, ledger),
        "messages": [message_json(turn.message) for turn in prepared.turns],
    }
    body |= {"system": [block_json(text) for text in prepared.system]} if prepared.system else {}
    return body | _tools(prepared) | _output(prepared, ledger) | _settings(prepared, ledger)


def _max_tokens(prepared: Prepared, ledger: Ledger) -> int:
    """Anthropic demands a number; a thinking budget has to fit below it."""
    request = prepared.request
    if request.max_output_tokens is not None:
        return request.max_output_tokens
    ledger.note(REQUEST, "max_tokens", Action.INSERTED, Caution.MAX_TOKENS_FILLED_IN)
    budget = (request.thinking or {}).get("budget_tokens", 0)
    return prepared.target.dialect.default_max_tokens + (budget if isinstance(budget, int) else 0)


def _tools(prepared: Prepared) -> dict[str, Any]:
    if not prepared.tools:
        return {}
    tools = {"tools": [tool_json(tool) for tool in prepared.tools]}
    return tools | ({"tool_choice": choice_json(prepared.tool_choice)} if prepared.tool_choice else {})


def _output(prepared: Prepared, ledger: Ledger) -> dict[str, Any]:
    request, target = prepared.request, prepared.target
    output = dict(request.extra.get("output_config", {}))
    if request.effort is not None:
        output["effort"] = request.effort
    native = request.answer is not None and asked_level(request.answer, target) is JsonLevel.NATIVE
    if native and request.answer is not None and request.answer.schema is not None:
        output["format"] = {"type": "json_schema", "schema": dict(request.answer.schema)}
    thinks = target.conversion.thinking is ThinkingConversion.NATIVE and Capability.THINKING in target.supports
    if request.thinking is not None and not thinks:
        if wants_thinking(request):
            drop(ledger, "thinking", Caution.THINKING_SETTING_IGNORED, "the model does not think")
        return {"output_config": output} if output else {}
    thinking = {} if request.thinking is None else {"thinking": dict(request.thinking)}
    return thinking | ({"output_config": output} if output else {})


def _settings(prepared: Prepared, ledger: Ledger) -> dict[str, Any]:
    request, dialect = prepared.request, prepared.target.dialect
    taken = () if dialect.anthropic_version >= NEWEST_ANTHROPIC_VERSION else _SAMPLING
    settings: dict[str, Any] = dict(sampling(request, taken, ledger))
    settings |= {key: value for key, value in request.extra.items() if key != "output_config"}
    if stop := stops(request, None, ledger):
        settings["stop_sequences"] = stop
    for name in request.metadata:
        if name == "user_id":
            settings["metadata"] = {"user_id": request.metadata["user_id"]}
        else:
            drop(ledger, "metadata", Caution.METADATA_LEFT_OUT, name)
    if request.cache is not None:
        if prepared.target.conversion.cache_control is CacheConversion.NATIVE:
            settings["cache_control"] = dict(request.cache)
        else:
            drop(ledger, "cache_control", Caution.CACHE_MARKS_IGNORED)
    return settings | ({"stream": True} if request.stream else {})


def _limit_marks(prepared: Prepared, ledger: Ledger) -> Prepared:
    """The last four marks stay: each of them covers all that stands before it."""
    marks = sum(_marks_of(holder) for holder in (*prepared.tools, *prepared.system, *prepared.blocks))
    over = marks + (prepared.request.cache is not None) - CACHE_MARKS
    if over <= 0:
        return prepared
    dropper = _Dropper(over, ledger)
    return replace(
        prepared,
        tools=tuple(dropper.drop(tool, REQUEST) for tool in prepared.tools),
        system=tuple(dropper.drop(text, REQUEST) for text in prepared.system),
        turns=tuple(turn.with_items(dropper.item(item) for item in turn.items) for turn in prepared.turns),
    )


def _marks_of(holder: Holder) -> int:
    inside = sum(_marks_of(part) for part in holder.content) if isinstance(holder, ToolResult) else 0
    return inside + (not isinstance(holder, Thinking | RedactedThinking) and holder.cache is not None)


class _Dropper:
    """Takes the first `count` marks away, in the order in which Anthropic reads: tools, system, messages."""

    def __init__(self, count: int, ledger: Ledger) -> None:
        self._count = count
        self._ledger = ledger

    def item(self, item: Item) -> Item:
        block = item.block
        if isinstance(block, ToolResult):
            block = replace(block, content=tuple(self.drop(part, item.at) for part in block.content))
        return Item(item.at, self.drop(block, item.at))

    def drop(self, holder: Marked, at: At) -> Marked:
        if self._count == 0 or isinstance(holder, Thinking | RedactedThinking) or holder.cache is None:
            return holder
        self._count -= 1
        detail = f"only {CACHE_MARKS} are taken"
        self._ledger.note(at, "cache_control", Action.STRIPPED, Caution.CACHE_MARKS_OVER_LIMIT, detail)
        if isinstance(holder, Opaque | ServerTool):
            return replace(holder, raw={key: value for key, value in holder.raw.items() if key != "cache_control"})
        return replace(holder, cache=None)
