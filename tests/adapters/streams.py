"""Good streams of each protocol, as the objects in them: all say Hello."""

from __future__ import annotations

from typing import Any

from model.vocabulary import ProviderKind
from tests.adapters.wire import Handler, ndjson_reply, sse_reply

ANTHROPIC_STREAM: list[dict[str, Any]] = [
    {
        "type": "message_start",
        "message": {
            "id": "msg_1", "type": "message", "role": "assistant", "model": "m1", "content": [], "stop_reason": None,
            "stop_sequence": None, "usage": {"input_tokens": 9, "output_tokens": 1},
        },
    },
    {"type": "ping"},
    {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
    {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Hel"}},
    {"type": "brand_new_event", "x": 1},
    {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "lo"}},
    {"type": "content_block_stop", "index": 0},
    {
        "type": "message_delta", "delta": {"stop_reason": "end_turn", "stop_sequence": None},
        "usage": {"output_tokens": 2},
    },
    {"type": "message_stop"},
]  # fmt: skip


def chunk(delta: dict[str, Any], finish: str | None = None, **more: Any) -> dict[str, Any]:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "m1", "choices": [choice], **more}


OPENAI_STREAM = [
    chunk({"role": "assistant", "content": ""}),
    chunk({"content": "Hel"}),
    chunk({"content": "lo"}),
    chunk({}, "stop"),
    {**chunk({}), "choices": [], "usage": {"prompt_tokens": 9, "completion_tokens": 2, "total_tokens": 11}},
]


def line(content: str, done: bool = False, **more: Any) -> dict[str, Any]:
    message = {"role": "assistant", "content": content}
    return {"model": "m1", "created_at": "2026-11-30T00:00:00Z", "message": message, "done": done, **more}


OLLAMA_STREAM = [line("Hel"), line("lo"), line("", True, done_reason="stop", prompt_eval_count=9, eval_count=2)]


def answer_for(kind: ProviderKind) -> tuple[str, Handler]:
    """The path that a kind's completions go to, and a good stream for it."""
    match kind:
        case ProviderKind.ANTHROPIC:
            return "/v1/messages", lambda _: sse_reply(*ANTHROPIC_STREAM, named=True)
        case ProviderKind.ANTHROPIC_COMPATIBLE:
            return "/v1/messages", lambda _: sse_reply(*ANTHROPIC_STREAM, named=True)
        case ProviderKind.OLLAMA:
            return "/api/chat", lambda _: ndjson_reply(*OLLAMA_STREAM)
        case ProviderKind.OPENROUTER:
            return "/api/v1/chat/completions", lambda _: sse_reply(*OPENAI_STREAM, done=True)
        case _:
            return "/v1/chat/completions", lambda _: sse_reply(*OPENAI_STREAM, done=True)
