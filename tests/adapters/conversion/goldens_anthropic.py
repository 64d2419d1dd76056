"""Goldens for Anthropic messages, after platform.claude.com/docs/en/api/messages and .../versioning."""

from __future__ import annotations

from typing import Any

from adapters.conversion import Dialect
from model.conversion import Caution, Omission
from model.vocabulary import Api, CacheConversion, Capability, ThinkingConversion
from tests.adapters.conversion.build import (
    IMAGE,
    IMAGE_URL,
    MARK,
    PDF,
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

ANTHROPIC = target(Api.ANTHROPIC_MESSAGES)
OLD = target(Api.ANTHROPIC_MESSAGES, dialect=Dialect(anthropic_version="2023-06-01"))
SAID = user(text("hi"))
SIGNED = {"type": "thinking", "thinking": "hmm", "signature": "c2ln"}
CITED = {
    "type": "char_location",
    "cited_text": "x",
    "document_index": 0,
    "document_title": None,
    "start_char_index": 0,
    "end_char_index": 1,
}


def case(
    name: str, given: dict[str, Any], sent: dict[str, Any], *words: Omission | Caution, on: Any = ANTHROPIC
) -> Golden:
    return Golden(
        name=f"anthropic: {name}",
        on=on,
        given=given,
        sent=sent,
        lost=tuple(word for word in words if isinstance(word, Omission)),
        warned=tuple(word for word in words if isinstance(word, Caution)),
    )


def talk(name: str, messages: list[Any], sent: list[Any], *words: Omission | Caution, on: Any = ANTHROPIC) -> Golden:
    return case(name, {"messages": messages}, {"messages": sent}, *words, on=on)


def same(name: str, *messages: Any, on: Any = ANTHROPIC) -> Golden:
    return talk(name, list(messages), list(messages), on=on)


GOLDENS = [
    case("a text", {}, {"model": "m", "max_tokens": 100, "messages": [SAID], "stream": None}),
    case("streamed", {"stream": True}, {"stream": True}),
    same("images", user(IMAGE, IMAGE_URL, text("what?"))),
    same("an uploaded image", user({"type": "image", "source": {"type": "file", "file_id": "file_1"}}, text("x"))),
    same(
        "a search result",
        user({"type": "search_result", "source": "s", "title": "t", "content": [text("a")]}, text("x")),
    ),
    same("a document", user({**PDF, "title": "a.pdf", "context": "c", "citations": {"enabled": True}}, text("x"))),
    same("thinking", SAID, assistant(SIGNED, {"type": "redacted_thinking", "data": "eA=="}, text("a")), SAID),
    same(
        "a call, its result, an image and an error in it",
        SAID,
        assistant(text("see"), call(), call("call_2")),
        user(result(content=[text("a"), IMAGE]), result("call_2", content=[text("b")], is_error=True)),
    ),
    same(
        "server tools",
        SAID,
        assistant(
            {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "x"}},
            {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": []},
            text("a", citations=[CITED]),
        ),
        SAID,
    ),
    same("a system message among the others", SAID, {"role": "system", "content": [text("S")]}, SAID),
    case(
        "a system message before all others",
        {"system": "S", "messages": [{"role": "system", "content": "T"}, USER]},
        {"system": [text("S"), text("T")], "messages": [SAID]},
        Caution.SYSTEM_MOVED,
    ),
    talk(
        "a system message in the old version",
        [USER, assistant(text("a")), {"role": "system", "content": "S"}],
        [SAID, assistant(text("a")), user(text("S"))],
        Caution.SYSTEM_MOVED,
        on=OLD,
    ),
    talk(
        "unsigned thinking is another provider's",
        [USER, assistant({"type": "thinking", "thinking": "hmm"}, text("a")), USER],
        [SAID, assistant(text("a")), SAID],
        Omission.THINKING_STRIPPED,
    ),
    talk(
        "a compatible endpoint that strips thinking",
        [USER, assistant(SIGNED, text("a")), USER],
        [SAID, assistant(text("a")), SAID],
        Omission.THINKING_STRIPPED,
        on=target(Api.ANTHROPIC_MESSAGES, row={"thinking": ThinkingConversion.STRIPPED}),
    ),
    talk(
        "citations in the user's text",
        [user(text("hi", citations=[CITED]))],
        [SAID],
        Omission.CITATIONS_DROPPED,
    ),
    same("citations in the user's text, old version", user(text("hi", citations=[CITED])), on=OLD),
    talk(
        "a document in an assistant's message",
        [USER, assistant(PDF, text("a")), USER],
        [SAID, assistant(text("a")), SAID],
        Omission.FILES_DROPPED,
    ),
    same("a document in an assistant's message, old version", SAID, assistant(PDF, text("a")), SAID, on=OLD),
    case(
        "sampling is refused",
        {"temperature": 0.5, "top_k": 4},
        {"temperature": None, "top_k": None},
        Omission.SAMPLING_DROPPED,
    ),
    case("the default temperature", {"temperature": 1.0}, {"temperature": None}, Caution.DEFAULTS_LEFT_OUT),
    case(
        "sampling, old version",
        {"temperature": 0.5, "top_p": 0.9, "top_k": 4},
        {"temperature": 0.5, "top_p": 0.9, "top_k": 4},
        on=OLD,
    ),
    case(
        "system, tools and settings",
        {
            "system": [text("S", cache_control=MARK)],
            "tools": [{**WEATHER, "cache_control": MARK, "strict": True}],
            "tool_choice": {"type": "any", "disable_parallel_tool_use": True},
            "stop_sequences": ["x"],
            "metadata": {"user_id": "u"},
            "thinking": {"type": "adaptive"},
            "service_tier": "auto",
            "output_config": {"effort": "low", "format": {"type": "json_schema", "schema": {"type": "object"}}},
        },
        {
            "system": [text("S", cache_control=MARK)],
            "tools": [{**WEATHER, "strict": True, "cache_control": MARK}],
            "tool_choice": {"type": "any", "disable_parallel_tool_use": True},
            "stop_sequences": ["x"],
            "metadata": {"user_id": "u"},
            "thinking": {"type": "adaptive"},
            "service_tier": "auto",
            "output_config": {"effort": "low", "format": {"type": "json_schema", "schema": {"type": "object"}}},
        },
    ),
    case(
        "a server tool",
        {"tools": [{"type": "web_search_20250305", "name": "web_search", "max_uses": 2}]},
        {"tools": [{"type": "web_search_20250305", "name": "web_search", "max_uses": 2}]},
    ),
    case("max_tokens is demanded", {"max_tokens": None}, {"max_tokens": 4096}, Caution.MAX_TOKENS_FILLED_IN),
    case(
        "max_tokens above a thinking budget",
        {"max_tokens": None, "thinking": {"type": "enabled", "budget_tokens": 2000}},
        {"max_tokens": 6096},
        Caution.MAX_TOKENS_FILLED_IN,
    ),
    case(
        "thinking for a model without",
        {"thinking": {"type": "adaptive"}},
        {"thinking": None},
        Caution.THINKING_SETTING_IGNORED,
        on=target(Api.ANTHROPIC_MESSAGES, without=(Capability.THINKING,)),
    ),
    case(
        "five cache marks: the last four stay",
        {
            "system": [text("S", cache_control=MARK)],
            "messages": [user(*(text(word, cache_control=MARK) for word in "abcd"))],
        },
        {"system": [text("S")], "messages": [user(*(text(word, cache_control=MARK) for word in "abcd"))]},
        Caution.CACHE_MARKS_OVER_LIMIT,
    ),
    case(
        "cache marks where the row ignores them",
        {"messages": [user(text("hi", cache_control=MARK))], "cache_control": MARK},
        {"messages": [SAID], "cache_control": None},
        Caution.CACHE_MARKS_IGNORED,
        on=target(Api.ANTHROPIC_MESSAGES, row={"cache_control": CacheConversion.IGNORED}),
    ),
    talk(
        "an id with letters that Anthropic refuses",
        [USER, assistant(call("chatcmpl:1")), user(result("chatcmpl:1"))],
        [
            SAID,
            assistant(call("chatcmpl_1_1f5cGoyO")),
            user(result("chatcmpl_1_1f5cGoyO", content=[text("18 C")])),
        ],
        Caution.TOOL_IDS_REMAPPED,
    ),
    case(
        "JSON mode is asked for in words",
        {"output_config": {"format": {"type": "json_object"}}},
        {
            "output_config": None,
            "system": [text("Answer with one JSON object and nothing else: no words around it, no code fence.")],
        },
        Omission.JSON_IN_WORDS,
    ),
    case("other metadata", {"metadata": {"run": 3}}, {"metadata": None}, Caution.METADATA_LEFT_OUT),
]
