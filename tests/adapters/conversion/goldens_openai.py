"""Goldens for OpenAI chat completions, after platform.openai.com/docs/api-reference/chat/create."""

from __future__ import annotations

from typing import Any

from adapters.conversion import Dialect, MaxTokensField, SystemRole
from model.conversion import Caution, Omission
from model.vocabulary import (
    Api,
    CacheConversion,
    Capability,
    ImageConversion,
    JsonLevel,
    ThinkingConversion,
    ToolSchema,
)
from tests.adapters.conversion.build import (
    IMAGE,
    IMAGE_URL,
    MARK,
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

OPENAI = target(Api.OPENAI_COMPLETIONS)
SAID = {"role": "user", "content": "hi"}
CALL = {"id": "call_1", "type": "function", "function": {"name": "weather", "arguments": '{"city": "Paris"}'}}
CALLED = {"role": "assistant", "content": None, "tool_calls": [CALL]}
FUNCTION = {
    "type": "function",
    "function": {"name": "weather", "parameters": WEATHER["input_schema"], "description": "The weather"},
}
SCHEMA = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
CLOSED = {**SCHEMA, "additionalProperties": False}


def tool(content: Any) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": "call_1", "content": content}


def case(
    name: str, given: dict[str, Any], sent: dict[str, Any], *words: Omission | Caution, on: Any = OPENAI
) -> Golden:
    return Golden(
        name=f"openai: {name}",
        on=on,
        given=given,
        sent=sent,
        lost=tuple(word for word in words if isinstance(word, Omission)),
        warned=tuple(word for word in words if isinstance(word, Caution)),
    )


def talk(name: str, messages: list[Any], sent: list[Any], *words: Omission | Caution, on: Any = OPENAI) -> Golden:
    return case(name, {"messages": messages}, {"messages": sent}, *words, on=on)


TEXT = [
    talk("a text is a string", [USER], [SAID]),
    talk(
        "texts stay apart",
        [user(text("a"), text("b"))],
        [{"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}],
    ),
    talk(
        "an answer",
        [USER, assistant(text("hello")), USER],
        [SAID, {"role": "assistant", "content": "hello"}, SAID],
    ),
    talk("blank text is left out", [user(text(" \n"), text("hi"))], [SAID], Caution.EMPTY_LEFT_OUT),
    talk(
        "turns of one speaker merge",
        [USER, USER],
        [{"role": "user", "content": [{"type": "text", "text": "hi"}, {"type": "text", "text": "hi"}]}],
        Caution.TURNS_MERGED,
    ),
    talk("an empty message is left out", [assistant(), USER], [SAID], Caution.EMPTY_LEFT_OUT),
    talk(
        "citations",
        [USER, assistant(text("a", citations=[{"type": "page_location", "cited_text": "x"}])), USER],
        [SAID, {"role": "assistant", "content": "a"}, SAID],
        Omission.CITATIONS_DROPPED,
    ),
    talk("cache marks", [user(text("hi", cache_control=MARK))], [SAID], Caution.CACHE_MARKS_IGNORED),
    talk(
        "keys nobody knows",
        [user(text("hi", shimmer=True))],
        [SAID],
        Omission.UNKNOWN_SETTINGS_DROPPED,
    ),
]

SYSTEM = [
    case("a system prompt", {"system": "S"}, {"messages": [{"role": "system", "content": "S"}, SAID]}),
    case(
        "system blocks",
        {"system": [text("S"), text("T", cache_control=MARK)]},
        {
            "messages": [
                {"role": "system", "content": [{"type": "text", "text": "S"}, {"type": "text", "text": "T"}]},
                SAID,
            ]
        },
        Caution.CACHE_MARKS_IGNORED,
    ),
    case(
        "a developer role",
        {"system": "S"},
        {"messages": [{"role": "developer", "content": "S"}, SAID]},
        on=target(Api.OPENAI_COMPLETIONS, dialect=Dialect(system_role=SystemRole.DEVELOPER)),
    ),
    case(
        "no system prompt in the model",
        {"system": "S"},
        {"messages": [{"role": "user", "content": [{"type": "text", "text": "S"}, {"type": "text", "text": "hi"}]}]},
        Caution.SYSTEM_MOVED,
        on=target(Api.OPENAI_COMPLETIONS, without=(Capability.SYSTEM_PROMPT,)),
    ),
    talk(
        "a system message among the others",
        [USER, {"role": "system", "content": "now in French"}, USER],
        [SAID, {"role": "system", "content": "now in French"}, SAID],
    ),
]

IMAGES = [
    talk(
        "an image",
        [user(IMAGE, text("what?"))],
        [
            {
                "role": "user",
                "content": [
                    {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PNG}"}},
                    {"type": "text", "text": "what?"},
                ],
            }
        ],
    ),
    talk(
        "an image by URL",
        [user(IMAGE_URL)],
        [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "https://example.org/a.png"}}]}],
    ),
    talk(
        "an uploaded image",
        [user({"type": "image", "source": {"type": "file", "file_id": "file_1"}})],
        [{"role": "user", "content": "[an image was here, which this model cannot see]"}],
        Omission.IMAGES_DROPPED,
    ),
    talk(
        "a model without eyes",
        [user(IMAGE)],
        [{"role": "user", "content": "[an image was here, which this model cannot see]"}],
        Omission.IMAGES_DROPPED,
        on=target(Api.OPENAI_COMPLETIONS, without=(Capability.IMAGE_INPUT,)),
    ),
    talk(
        "a row that links images",
        [user(IMAGE_URL)],
        [{"role": "user", "content": "[image: https://example.org/a.png]"}],
        Omission.IMAGES_LINKED,
        on=target(Api.OPENAI_COMPLETIONS, row={"image_input": ImageConversion.ARTIFACT_LINK}),
    ),
    talk(
        "an image in a tool result",
        [USER, assistant(call()), user(result(content=[text("see"), IMAGE]), text("well?"))],
        [
            SAID,
            CALLED,
            tool([{"type": "text", "text": "see"}, {"type": "text", "text": "[image: in the next user message]"}]),
            {
                "role": "user",
                "content": [
                    {"type": "text", "text": "[image of the tool result call_1]"},
                    {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PNG}"}},
                    {"type": "text", "text": "well?"},
                ],
            },
        ],
        Caution.IMAGES_MOVED,
    ),
]

DOCUMENTS = [
    talk(
        "an image and a PDF in an answer",
        [USER, assistant(IMAGE, PDF, text("a")), USER],
        [SAID, {"role": "assistant", "content": "a"}, SAID],
        Omission.IMAGES_DROPPED,
        Omission.FILES_DROPPED,
    ),
    talk(
        "a PDF",
        [user({**PDF, "title": "a.pdf"}, text("sum up"))],
        [
            {
                "role": "user",
                "content": [
                    {
                        "type": "file",
                        "file": {"filename": "a.pdf", "file_data": "data:application/pdf;base64,JVBERi0="},
                    },
                    {"type": "text", "text": "sum up"},
                ],
            }
        ],
    ),
    talk(
        "a PDF for a model without files",
        [user(PDF, text("sum up"))],
        [{"role": "user", "content": "sum up"}],
        Omission.FILES_DROPPED,
        on=target(Api.OPENAI_COMPLETIONS, without=(Capability.FILE_INPUT,)),
    ),
    talk(
        "a document of text",
        [
            user(
                {
                    "type": "document",
                    "title": "Log",
                    "source": {"type": "text", "media_type": "text/plain", "data": "line 1"},
                }
            )
        ],
        [{"role": "user", "content": [{"type": "text", "text": "Log"}, {"type": "text", "text": "line 1"}]}],
        Omission.FILES_AS_TEXT,
    ),
    talk(
        "a document's settings",
        [user({**PDF, "title": "a.pdf", "context": "old", "citations": {"enabled": True}})],
        [
            {
                "role": "user",
                "content": [
                    {
                        "type": "file",
                        "file": {"filename": "a.pdf", "file_data": "data:application/pdf;base64,JVBERi0="},
                    }
                ],
            }
        ],
        Omission.FILE_DETAILS_DROPPED,
    ),
]

THINKING = [
    talk(
        "thinking is stripped",
        [USER, assistant({"type": "thinking", "thinking": "hmm", "signature": "c2ln"}, text("a")), USER],
        [SAID, {"role": "assistant", "content": "a"}, SAID],
        Omission.THINKING_STRIPPED,
    ),
    talk(
        "redacted thinking is stripped, and its turn with it",
        [USER, assistant({"type": "redacted_thinking", "data": "eA=="}), USER],
        [{"role": "user", "content": [{"type": "text", "text": "hi"}, {"type": "text", "text": "hi"}]}],
        Omission.THINKING_STRIPPED,
        Caution.TURNS_MERGED,
    ),
    talk(
        "an endpoint that wants reasoning back",
        [USER, assistant({"type": "thinking", "thinking": "hmm"}, text("a")), USER],
        [SAID, {"role": "assistant", "content": "a", "reasoning_content": "hmm"}, SAID],
        on=target(Api.OPENAI_COMPLETIONS, row={"thinking": ThinkingConversion.NATIVE}),
    ),
    case(
        "a thinking budget has no counterpart",
        {"thinking": {"type": "enabled", "budget_tokens": 2000}},
        {"reasoning_effort": None},
        Caution.THINKING_SETTING_IGNORED,
    ),
    case("effort", {"output_config": {"effort": "low"}}, {"reasoning_effort": "low"}),
    case(
        "effort max",
        {"output_config": {"effort": "max"}},
        {"reasoning_effort": None},
        Caution.THINKING_SETTING_IGNORED,
    ),
]

TOOLS = [
    case("tools", {"tools": [WEATHER]}, {"tools": [FUNCTION], "tool_choice": None}),
    case("choice auto", {"tools": [WEATHER], "tool_choice": {"type": "auto"}}, {"tool_choice": "auto"}),
    case("choice any", {"tools": [WEATHER], "tool_choice": {"type": "any"}}, {"tool_choice": "required"}),
    case("choice none", {"tools": [WEATHER], "tool_choice": {"type": "none"}}, {"tool_choice": "none"}),
    case(
        "choice of one",
        {"tools": [WEATHER], "tool_choice": {"type": "tool", "name": "weather"}},
        {"tool_choice": {"type": "function", "function": {"name": "weather"}}},
    ),
    case(
        "one call at a time",
        {"tools": [WEATHER], "tool_choice": {"type": "auto", "disable_parallel_tool_use": True}},
        {"tool_choice": "auto", "parallel_tool_calls": False},
    ),
    case(
        "a choice without its tool",
        {"tools": [WEATHER], "tool_choice": {"type": "tool", "name": "other"}},
        {"tool_choice": None},
        Omission.TOOL_CHOICE_DROPPED,
    ),
    case(
        "strict",
        {"tools": [{**WEATHER, "strict": True}]},
        {"tools": [{"type": "function", "function": {**FUNCTION["function"], "strict": True}}]},
    ),
    case(
        "other tool settings",
        {"tools": [{**WEATHER, "defer_loading": True, "cache_control": MARK}]},
        {"tools": [FUNCTION]},
        Omission.TOOL_DETAILS_DROPPED,
        Caution.CACHE_MARKS_IGNORED,
    ),
    case(
        "a server tool",
        {"tools": [WEATHER, {"type": "web_search_20250305", "name": "web_search"}]},
        {"tools": [FUNCTION]},
        Omission.SERVER_TOOLS_DROPPED,
    ),
    case(
        "a model without tools",
        {"tools": [WEATHER]},
        {"tools": None},
        Omission.TOOLS_DROPPED,
        on=target(Api.OPENAI_COMPLETIONS, without=(Capability.TOOL_USE,)),
    ),
    case(
        "a row that emulates tools",
        {"tools": [WEATHER]},
        {"tools": [FUNCTION]},
        Omission.TOOLS_EMULATED,
        on=target(Api.OPENAI_COMPLETIONS, row={"tool_schema": ToolSchema.EMULATED}),
    ),
]

CALLS = [
    talk(
        "a call and its result",
        [USER, assistant(text("let me see"), call()), user(result())],
        [SAID, {"role": "assistant", "content": "let me see", "tool_calls": [CALL]}, tool("18 C")],
    ),
    talk(
        "an error stays visible",
        [USER, assistant(call()), user(result(content="no such city", is_error=True))],
        [SAID, CALLED, tool("[tool error] no such city")],
        Caution.ERRORS_MARKED,
    ),
    talk(
        "an empty result",
        [USER, assistant(call()), user(result(content=[]))],
        [SAID, CALLED, tool("")],
    ),
    talk(
        "a call without a result",
        [USER, assistant(call()), USER],
        [SAID, CALLED, tool("[tool error] No result was recorded for this call."), SAID],
        Caution.RESULTS_INSERTED,
        Caution.ERRORS_MARKED,
    ),
    talk(
        "a call at the very end",
        [USER, assistant(call())],
        [SAID, CALLED, tool("[tool error] No result was recorded for this call.")],
        Caution.RESULTS_INSERTED,
        Caution.ERRORS_MARKED,
    ),
    talk(
        "a result without a call",
        [user(result("call_9"), text("hi"))],
        [SAID],
        Omission.ORPHANED_RESULTS_DROPPED,
    ),
    talk(
        "results come first",
        [USER, assistant(call()), user(text("hi"), result())],
        [SAID, CALLED, tool("18 C"), SAID],
        Caution.ORDER_CHANGED,
    ),
    talk(
        "text after a call",
        [USER, assistant(call(), text("wait")), user(result())],
        [SAID, {"role": "assistant", "content": "wait", "tool_calls": [CALL]}, tool("18 C")],
        Caution.ORDER_CHANGED,
    ),
    talk(
        "an id of another Api",
        [USER, assistant(call("call_1|fc_2")), user(result("call_1|fc_2"))],
        [
            SAID,
            {"role": "assistant", "content": None, "tool_calls": [{**CALL, "id": "call_1_6av2hBfK"}]},
            {"role": "tool", "tool_call_id": "call_1_6av2hBfK", "content": "18 C"},
        ],
        Caution.TOOL_IDS_REMAPPED,
    ),
    talk(
        "a system message between call and result",
        [USER, assistant(call()), {"role": "system", "content": "S"}, user(result())],
        [SAID, CALLED, tool("18 C"), {"role": "system", "content": "S"}],
        Caution.ORDER_CHANGED,
    ),
    talk(
        "history with calls for a model without tools",
        [USER, assistant(call()), user(result())],
        [
            SAID,
            {"role": "assistant", "content": '[call of weather: {"city": "Paris"}]'},
            {
                "role": "user",
                "content": [{"type": "text", "text": "[result of a call]"}, {"type": "text", "text": "18 C"}],
            },
        ],
        Omission.TOOL_CALLS_AS_TEXT,
        on=target(Api.OPENAI_COMPLETIONS, without=(Capability.TOOL_USE,)),
    ),
    talk(
        "server tool blocks",
        [
            USER,
            assistant(
                {"type": "server_tool_use", "id": "srv_1", "name": "web_search", "input": {"query": "x"}},
                {"type": "web_search_tool_result", "tool_use_id": "srv_1", "content": []},
                text("found"),
            ),
            USER,
        ],
        [SAID, {"role": "assistant", "content": "found"}, SAID],
        Omission.SERVER_BLOCKS_DROPPED,
    ),
    talk(
        "a block that nobody knows",
        [user({"type": "hologram", "data": "x"}, text("hi"))],
        [SAID],
        Omission.UNKNOWN_BLOCKS_DROPPED,
    ),
    talk(
        "the usual caller is no loss",
        [USER, assistant(call(caller={"type": "direct"})), user(result())],
        [SAID, CALLED, tool("18 C")],
    ),
]

SETTINGS = [
    case("max tokens", {}, {"max_completion_tokens": 100, "max_tokens": None}),
    case(
        "max tokens of other servers",
        {},
        {"max_tokens": 100, "max_completion_tokens": None},
        on=target(Api.OPENAI_COMPLETIONS, dialect=Dialect(max_tokens_field=MaxTokensField.MAX_TOKENS)),
    ),
    case("sampling", {"temperature": 0.2, "top_p": 0.9}, {"temperature": 0.2, "top_p": 0.9}),
    case("top_k", {"top_k": 40}, {"top_k": None}, Omission.SAMPLING_DROPPED),
    case("stop", {"stop_sequences": ["a", "b"]}, {"stop": ["a", "b"]}),
    case(
        "five stops",
        {"stop_sequences": ["a", "b", "c", "d", "e"]},
        {"stop": ["a", "b", "c", "d"]},
        Omission.STOP_SEQUENCES_DROPPED,
    ),
    case("streamed", {"stream": True}, {"stream": True, "stream_options": {"include_usage": True}}),
    case("not streamed", {}, {"stream": None, "stream_options": None}),
    case(
        "streamed without usage",
        {"stream": True},
        {"stream": True, "stream_options": None},
        on=target(Api.OPENAI_COMPLETIONS, dialect=Dialect(stream_usage=False)),
    ),
    case("user id", {"metadata": {"user_id": "u1"}}, {"user": "u1"}),
    case("other metadata", {"metadata": {"run": 3}}, {"metadata": None}, Caution.METADATA_LEFT_OUT),
    case("a service tier", {"service_tier": "auto"}, {"service_tier": None}, Omission.UNKNOWN_SETTINGS_DROPPED),
    case(
        "a JSON schema",
        {"output_config": {"format": {"type": "json_schema", "schema": SCHEMA}}},
        {"response_format": {"type": "json_schema", "json_schema": {"name": "answer", "schema": SCHEMA}}},
        Caution.SCHEMA_NOT_STRICT,
    ),
    case(
        "a JSON schema that can be enforced",
        {"output_config": {"format": {"type": "json_schema", "schema": CLOSED}}},
        {
            "response_format": {
                "type": "json_schema",
                "json_schema": {"name": "answer", "schema": CLOSED, "strict": True},
            }
        },
    ),
    case(
        "JSON mode, which needs the word",
        {"output_config": {"format": {"type": "json_object"}}},
        {
            "response_format": {"type": "json_object"},
            "messages": [{"role": "system", "content": "Answer with one JSON object."}, SAID],
        },
        Caution.WORDS_ADDED,
    ),
    case(
        "JSON mode where the word is said",
        {"system": "Answer in JSON", "output_config": {"format": {"type": "json_object"}}},
        {
            "response_format": {"type": "json_object"},
            "messages": [{"role": "system", "content": "Answer in JSON"}, SAID],
        },
    ),
    case(
        "a schema in words",
        {"output_config": {"format": {"type": "json_schema", "schema": {"type": "object"}}}},
        {
            "response_format": None,
            "messages": [
                {
                    "role": "system",
                    "content": "Answer with JSON of this schema and nothing else: no words around it, no code fence."
                    '\n{"type": "object"}',
                },
                SAID,
            ],
        },
        Omission.SCHEMA_IN_WORDS,
        on=target(Api.OPENAI_COMPLETIONS, json_schema=JsonLevel.PROMPT_ONLY),
    ),
    case(
        "the request's own cache mark",
        {"cache_control": MARK},
        {"cache_control": None},
        Caution.CACHE_MARKS_IGNORED,
        on=target(Api.OPENAI_COMPLETIONS, row={"cache_control": CacheConversion.UNSUPPORTED}),
    ),
]

GOLDENS = [*TEXT, *SYSTEM, *IMAGES, *DOCUMENTS, *THINKING, *TOOLS, *CALLS, *SETTINGS]
