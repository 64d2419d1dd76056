"""A provider's answers → canonical, by Api."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from adapters.conversion.canonical import Block, ToolUse
from adapters.conversion.completion import BadAnswer, Completion
from adapters.conversion.from_anthropic import AnthropicStream, read_anthropic
from adapters.conversion.from_ollama import OllamaStream, read_ollama
from adapters.conversion.from_openai import OpenAiStream, read_openai
from adapters.conversion.streams import StreamDecoder
from adapters.conversion.target import Target
from adapters.conversion.tool_ids import NO_IDS, ToolIds
from model.vocabulary import Api

_READERS: dict[Api, Callable[[Target, object], Completion]] = {
    Api.ANTHROPIC_MESSAGES: read_anthropic,
    Api.OPENAI_COMPLETIONS: read_openai,
    Api.OLLAMA_CHAT: read_ollama,
}
_STREAMS: dict[Api, type[AnthropicStream | OpenAiStream | OllamaStream]] = {
    Api.ANTHROPIC_MESSAGES: AnthropicStream,
    Api.OPENAI_COMPLETIONS: OpenAiStream,
    Api.OLLAMA_CHAT: OllamaStream,
}


def decode_response(target: Target, body: object, tool_ids: ToolIds = NO_IDS) -> Completion:
    """A whole answer. Hidden reasoning stays a thinking block, or is left out where the row strips it.

    Raises BadAnswer.
    """
    reader = _READERS.get(target.api)
    if reader is None:
        raise BadAnswer(f"capdeck has no adapter for {target.api}")
    completion = reader(target, body)
    return replace(completion, content=tuple(_named(block, tool_ids) for block in completion.content))


def _named(block: Block, tool_ids: ToolIds) -> Block:
    return replace(block, id=tool_ids.from_wire(block.id)) if isinstance(block, ToolUse) else block


def stream_decoder(target: Target, tool_ids: ToolIds = NO_IDS) -> StreamDecoder:
    """A decoder for one answer. Raises BadAnswer for an Api that capdeck does not speak."""
    decoder = _STREAMS.get(target.api)
    if decoder is None:
        raise BadAnswer(f"capdeck has no adapter for {target.api}")
    return decoder(target, tool_ids)
