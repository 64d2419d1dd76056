"""Goldens for OpenAI chat completions, after platform.openai.com/docs/api-reference/chat/create."""

from __future__ import annotations

from typing import Any

from adapters.conversion import Dialect, SystemRole
from model.conversion import Caution, Omission
from model.vocabulary import (
    Api,
    Capability,
    ImageConversion,
    ThinkingConversion,
)
from tests.adapters.conversion.build import (
    IMAGE,
    IMAGE_URL,
    MARK,
    PDF,
    PNG,
    USER,
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

GOLDENS = [*TEXT, *SYSTEM, *IMAGES, *DOCUMENTS, *THINKING]
