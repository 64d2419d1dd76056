"""Offline mode (seed 004): a blank or `mock_*` credential gets made-up answers. No network, nothing promoted."""

from __future__ import annotations

import hashlib
import json
from collections.abc import AsyncGenerator, Iterator
from dataclasses import replace
from typing import ClassVar

from adapters.base import Adapter, require_sendable
from adapters.conversion.canonical import CanonicalRequest, Choice, Speaker, Text, Tool, ToolUse
from adapters.conversion.completion import Completion, StopReason, Usage
from adapters.conversion.convert import WRITERS
from adapters.conversion.events import (
    Assembly,
    BlockStart,
    BlockStop,
    InputDelta,
    MessageDelta,
    MessageStart,
    MessageStop,
    StreamEvent,
    TextDelta,
)
from adapters.conversion.target import Converted, Target
from adapters.fixtures import example_of
from adapters.listing import ListedModel
from adapters.settings import ProviderSettings
from adapters.tokens import estimate_request, estimate_text
from model.transports import PORTABLE, transport_for
from model.vocabulary import Api, TokenizerFamily

_ECHOED_CHARACTERS = 200


class OfflineAdapter(Adapter):
    """Converts as the real adapter would, so that what its Api does not carry fails here too; then makes up answers."""

    is_offline: ClassVar[bool] = True

    def __init__(self, settings: ProviderSettings) -> None:
        row = transport_for(settings.api)
        super().__init__(settings, row if settings.api in WRITERS else PORTABLE)

    def target(self, model_id: str) -> Target:
        """An Api without an adapter of ours is taken as the portable row, in canonical form."""
        target = super().target(model_id)
        return target if target.api in WRITERS else replace(target, api=Api.ANTHROPIC_MESSAGES)

    async def listed(self) -> tuple[ListedModel, ...]:
        """Nothing: no endpoint was asked."""
        return ()

    async def look_up(self, model_id: str) -> ListedModel:
        """Any id, about which nothing is known."""
        return ListedModel(model_id)

    async def send(self, converted: Converted, target: Target) -> AsyncGenerator[StreamEvent, None]:
        require_sendable(converted)
        for event in made_up(converted.request, self.provider_id):
            yield event

    async def answer(self, converted: Converted, target: Target) -> Completion:
        require_sendable(converted)
        assembly = Assembly()
        for event in made_up(converted.request, self.provider_id):
            assembly.add(event)
        return assembly.completion()


def made_up(request: CanonicalRequest, provider_id: str) -> Iterator[StreamEvent]:
    """The events of an answer that depends on the request alone."""
    call = _forced_call(request)
    text = "" if call else _text(request, provider_id)
    words = json.dumps(call.input, sort_keys=True) if call else text
    read = estimate_request(request, TokenizerFamily.UNKNOWN).tokens
    written = estimate_text(words, TokenizerFamily.UNKNOWN).tokens
    yield MessageStart(_made_up_id("msg", request), request.model_id, Usage(input_tokens=read))
    if call:
        yield BlockStart(0, replace(call, input={}))
        yield InputDelta(0, words)
    else:
        yield BlockStart(0, Text(""))
        yield from (TextDelta(0, piece) for piece in _pieces(text))
    yield BlockStop(0)
    yield MessageDelta(StopReason.TOOL_USE if call else StopReason.END_TURN, usage=Usage(output_tokens=written))
    yield MessageStop()


def _text(request: CanonicalRequest, provider_id: str) -> str:
    if request.answer is not None:
        return json.dumps(example_of(request.answer.schema or {"type": "object"}), ensure_ascii=False, sort_keys=True)
    asked = " ".join(_last_words(request).split())[:_ECHOED_CHARACTERS]
    return f"Offline answer of {provider_id}/{request.model_id}; nobody was asked. You wrote: {asked}"


def _last_words(request: CanonicalRequest) -> str:
    spoken = (message for message in reversed(request.messages) if message.speaker is Speaker.USER)
    last = next(spoken, None)
    return " ".join(block.text for block in last.content if isinstance(block, Text)) if last else ""


def _forced_call(request: CanonicalRequest) -> ToolUse | None:
    """A call only where tool_choice demands one: of the tool that it names, else of the first."""
    choice = request.tool_choice
    if choice is None or choice.choice not in {Choice.ANY, Choice.TOOL}:
        return None
    tools = [tool for tool in request.tools if isinstance(tool, Tool) and choice.name in {None, tool.name}]
    if not tools:
        return None
    made = example_of(tools[0].schema)
    return ToolUse(_made_up_id("toolu", request), tools[0].name, made if isinstance(made, dict) else {})


def _made_up_id(kind: str, request: CanonicalRequest) -> str:
    return f"{kind}_{hashlib.sha256(repr(request).encode('utf-8', 'replace')).hexdigest()[:16]}"


def _pieces(text: str) -> list[str]:
    """Words, each with the blank before it."""
    first, *rest = text.split(" ")
    return [first, *(" " + word for word in rest)]
