"""More goldens for OpenAI chat completions: tools, calls and their results, and the request's settings."""

from __future__ import annotations

from model.conversion import Caution, Omission
from model.vocabulary import (
    Api,
    Capability,
    ToolSchema,
)
from tests.adapters.conversion.build import (
    MARK,
    USER,
    WEATHER,
    assistant,
    call,
    result,
    target,
    text,
    user,
)
from tests.adapters.conversion.goldens_openai import CALL, CALLED, SAID, case, talk, tool

FUNCTION = {
    "type": "function",
    "function": {"name": "weather", "parameters": WEATHER["input_schema"], "description": "The weather"},
}

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

GOLDENS = [*TOOLS, *CALLS]
