"""Goldens for Ollama's native chat, after docs.ollama.com/api/chat and /capabilities."""

from __future__ import annotations

from typing import Any

from adapters.conversion import Dialect
from model.conversion import Caution, Omission
from model.vocabulary import Api, Capability
from tests.adapters.conversion.build import (
    IMAGE,
    PDF,
    PNG,
    USER,
    WEATHER,
    assistant,
    call,
    result,
    target,
    text,
    user,
)
from tests.adapters.conversion.golden import Golden

OLLAMA = target(Api.OLLAMA_CHAT)
SAID = {"role": "user", "content": "hi"}
CALLED = {
    "role": "assistant",
    "content": "",
    "tool_calls": [{"id": "call_1", "function": {"name": "weather", "arguments": {"city": "Paris"}}}],
}
FUNCTION = {
    "type": "function",
    "function": {"name": "weather", "parameters": WEATHER["input_schema"], "description": "The weather"},
}
THOUGHT = {"type": "thinking", "thinking": "hmm", "signature": "c2ln"}


def tool(content: str) -> dict[str, Any]:
    return {"role": "tool", "content": content, "tool_name": "weather", "tool_call_id": "call_1"}


def case(
    name: str, given: dict[str, Any], sent: dict[str, Any], *words: Omission | Caution, on: Any = OLLAMA
) -> Golden:
    return Golden(
        name=f"ollama: {name}",
        on=on,
        given=given,
        sent=sent,
        lost=tuple(word for word in words if isinstance(word, Omission)),
        warned=tuple(word for word in words if isinstance(word, Caution)),
    )


def talk(name: str, messages: list[Any], sent: list[Any], *words: Omission | Caution, on: Any = OLLAMA) -> Golden:
    return case(name, {"messages": messages}, {"messages": sent}, *words, on=on)


GOLDENS = [
    case("a text", {}, {"messages": [SAID], "stream": False, "options": {"num_predict": 100}, "think": None}),
    case("streamed", {"stream": True}, {"stream": True}),
    talk(
        "texts are joined",
        [user(text("a"), text("b"))],
        [{"role": "user", "content": "a\n\nb"}],
        Caution.TEXT_JOINED,
    ),
    case("a system prompt", {"system": "S"}, {"messages": [{"role": "system", "content": "S"}, SAID]}),
    talk("an image", [user(IMAGE, text("what?"))], [{"role": "user", "content": "what?", "images": [PNG]}]),
    talk(
        "an image after its text",
        [user(text("what?"), IMAGE)],
        [{"role": "user", "content": "what?", "images": [PNG]}],
        Caution.ORDER_CHANGED,
    ),
    talk("only an image", [user(IMAGE)], [{"role": "user", "content": "", "images": [PNG]}]),
    talk("a PDF", [user(PDF, text("sum up"))], [{"role": "user", "content": "sum up"}], Omission.FILES_DROPPED),
    talk(
        "thinking goes back unsigned",
        [USER, assistant(THOUGHT, text("a")), USER],
        [SAID, {"role": "assistant", "content": "a", "thinking": "hmm"}, SAID],
        Omission.SIGNATURES_DROPPED,
    ),
    talk(
        "unsigned thinking goes back whole",
        [USER, assistant({"type": "thinking", "thinking": "hmm"}, text("a")), USER],
        [SAID, {"role": "assistant", "content": "a", "thinking": "hmm"}, SAID],
    ),
    talk(
        "redacted thinking is stripped",
        [USER, assistant({"type": "redacted_thinking", "data": "eA=="}, text("a")), USER],
        [SAID, {"role": "assistant", "content": "a"}, SAID],
        Omission.THINKING_STRIPPED,
    ),
    case("think", {"thinking": {"type": "adaptive"}}, {"think": True}),
    case("do not think", {"thinking": {"type": "disabled"}}, {"think": False}),
    case("a level", {"output_config": {"effort": "high"}}, {"think": "high"}),
    case(
        "a budget becomes plain thinking",
        {"thinking": {"type": "enabled", "budget_tokens": 2000}},
        {"think": True},
        Caution.THINKING_SETTING_IGNORED,
    ),
    case(
        "a model that does not think",
        {"thinking": {"type": "adaptive"}},
        {"think": None},
        Caution.THINKING_SETTING_IGNORED,
        on=target(Api.OLLAMA_CHAT, without=(Capability.THINKING,)),
    ),
    talk(
        "a call and its result",
        [USER, assistant(call()), user(result())],
        [SAID, CALLED, tool("18 C")],
    ),
    talk(
        "an error stays visible",
        [USER, assistant(call()), user(result(content="no such city", is_error=True))],
        [SAID, CALLED, tool("[tool error] no such city")],
        Caution.ERRORS_MARKED,
    ),
    talk(
        "an image in a tool result",
        [USER, assistant(call()), user(result(content=[IMAGE]))],
        [
            SAID,
            CALLED,
            tool("[image: in the next user message]"),
            {"role": "user", "content": "[image of the tool result call_1]", "images": [PNG]},
        ],
        Caution.IMAGES_MOVED,
        Caution.ORDER_CHANGED,
    ),
    case("tools", {"tools": [WEATHER]}, {"tools": [FUNCTION]}),
    case("choice auto needs no word", {"tools": [WEATHER], "tool_choice": {"type": "auto"}}, {"tools": [FUNCTION]}),
    case("choice none sends no tools", {"tools": [WEATHER], "tool_choice": {"type": "none"}}, {"tools": None}),
    case(
        "choice any",
        {"tools": [WEATHER], "tool_choice": {"type": "any"}},
        {"tools": [FUNCTION], "tool_choice": None},
        Omission.TOOL_CHOICE_DROPPED,
    ),
    case(
        "one call at a time",
        {"tools": [WEATHER], "tool_choice": {"type": "auto", "disable_parallel_tool_use": True}},
        {"tools": [FUNCTION]},
        Omission.PARALLEL_SETTING_DROPPED,
    ),
    case(
        "strict",
        {"tools": [{**WEATHER, "strict": True}]},
        {"tools": [FUNCTION]},
        Omission.TOOL_DETAILS_DROPPED,
    ),
    case(
        "options",
        {"temperature": 0.1, "top_p": 0.5, "top_k": 3, "stop_sequences": ["x"]},
        {"options": {"temperature": 0.1, "top_p": 0.5, "top_k": 3, "num_predict": 100, "stop": ["x"]}},
    ),
    case(
        "a window to load",
        {},
        {"options": {"num_predict": 100, "num_ctx": 32768}},
        on=target(Api.OLLAMA_CHAT, dialect=Dialect(num_ctx=32768)),
    ),
    case(
        "a JSON schema",
        {"output_config": {"format": {"type": "json_schema", "schema": {"type": "object"}}}},
        {"format": {"type": "object"}},
    ),
    case(
        "JSON mode",
        {"output_config": {"format": {"type": "json_object"}}},
        {
            "format": "json",
            "messages": [{"role": "system", "content": "Answer with one JSON object."}, SAID],
        },
        Caution.WORDS_ADDED,
    ),
    case("user id", {"metadata": {"user_id": "u1"}}, {"metadata": None}, Caution.METADATA_LEFT_OUT),
]
"""Images by URL are refused before a call: see test_blocked.py."""
