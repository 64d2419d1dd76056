"""The request of each probe, and what in an answer shows the capability."""

from __future__ import annotations

import base64
import struct
import zlib
from collections.abc import Callable
from dataclasses import replace

from adapters.conversion.canonical import (
    Base64Source,
    CanonicalRequest,
    Choice,
    Image,
    JsonAnswer,
    Message,
    RedactedThinking,
    Speaker,
    Text,
    Thinking,
    Tool,
    ToolChoice,
    ToolUse,
)
from adapters.conversion.completion import Completion
from adapters.json_answers import Found, judge_answer
from model.conversion import Omission
from model.quick_dataclass import dataclass
from model.vocabulary import Capability

SHORT_ANSWER = 64
LONG_ANSWER = 2048
DEFAULT_WINDOW = 200_000
"""The window that long_context claims where none is stated (DOMAIN.md §2), in tokens."""


@dataclass(frozen=True, slots=True)
class Shown:
    """Whether an answer shows a capability: True, False, or None where it shows neither; and why, in words."""

    holds: bool | None
    evidence: str


def request_for(capability: Capability, model_id: str, window: int | None = None) -> CanonicalRequest:
    """The smallest request whose answer can show `capability`. Raises KeyError where there is no probe for it."""
    return _REQUESTS[capability](
        CanonicalRequest(model_id=model_id, messages=(), max_output_tokens=SHORT_ANSWER), window
    )


def _ask(request: CanonicalRequest, *content: Text | Image) -> CanonicalRequest:
    return replace(request, messages=(Message(Speaker.USER, content),))


_SCHEMA = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "inhabitants": {"type": "integer"}},
    "required": ["city", "inhabitants"],
    "additionalProperties": False,
}
_TOOL = Tool(
    name="look_up_city",
    description="Looks up one city",
    schema={"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
)
_WORD = "PELICAN"


def _text(request: CanonicalRequest, window: int | None) -> CanonicalRequest:
    return _ask(request, Text("Answer with the one word OK."))


def _streaming(request: CanonicalRequest, window: int | None) -> CanonicalRequest:
    return replace(_ask(request, Text("Count from 1 to 10 in words.")), stream=True)


def _system(request: CanonicalRequest, window: int | None) -> CanonicalRequest:
    rule = Text(f"Whatever you are asked, answer with the one word {_WORD}.")
    return replace(_ask(request, Text("What colour is the sky?")), system=(rule,))


def _tool(request: CanonicalRequest, window: int | None) -> CanonicalRequest:
    asked = _ask(request, Text("Look up the city of Paris with the tool."))
    return replace(asked, tools=(_TOOL,), max_output_tokens=2 * SHORT_ANSWER)


def _parallel(request: CanonicalRequest, window: int | None) -> CanonicalRequest:
    asked = _ask(request, Text("Look up Paris and Rome: make both calls of the tool at once."))
    choice = ToolChoice(Choice.AUTO)
    return replace(asked, tools=(_TOOL,), tool_choice=choice, max_output_tokens=3 * SHORT_ANSWER)


def _schema(request: CanonicalRequest, window: int | None) -> CanonicalRequest:
    return replace(_ask(request, Text("Name a large city as JSON.")), answer=JsonAnswer(_SCHEMA))


def _json(request: CanonicalRequest, window: int | None) -> CanonicalRequest:
    return replace(_ask(request, Text("Name a large city as a JSON object.")), answer=JsonAnswer())


def _image(request: CanonicalRequest, window: int | None) -> CanonicalRequest:
    picture = Image(Base64Source("image/png", base64.b64encode(red_square()).decode()))
    return _ask(request, picture, Text("Which colour is this picture? Answer with one word."))


def _thinking(request: CanonicalRequest, window: int | None) -> CanonicalRequest:
    asked = _ask(request, Text("How many weeks have 91 days? Think first."))
    return replace(asked, thinking={"type": "enabled", "budget_tokens": 1024}, max_output_tokens=LONG_ANSWER)


def _long(request: CanonicalRequest, window: int | None) -> CanonicalRequest:
    """Nine tenths of the window in words of one token each, with a word to find before them."""
    words = (window or DEFAULT_WINDOW) * 9 // 10
    filler = " and" * max(0, words - SHORT_ANSWER)
    return _ask(request, Text(f"Remember the word {_WORD}.{filler} Which word were you to remember? Answer with it."))


_REQUESTS: dict[Capability, Callable[[CanonicalRequest, int | None], CanonicalRequest]] = {
    Capability.TEXT_OUTPUT: _text,
    Capability.STREAMING: _streaming,
    Capability.SYSTEM_PROMPT: _system,
    Capability.JSON_MODE: _json,
    Capability.STRUCTURED_OUTPUT: _schema,
    Capability.TOOL_USE: _tool,
    Capability.PARALLEL_TOOL_USE: _parallel,
    Capability.IMAGE_INPUT: _image,
    Capability.THINKING: _thinking,
    Capability.LONG_CONTEXT: _long,
}


def _words(completion: Completion) -> str:
    return " ".join(block.text for block in completion.content if isinstance(block, Text)).strip()


def _shows_text(completion: Completion, pieces: int) -> Shown:
    return Shown(True, "text came") if _words(completion) else Shown(None, "no text came")


def _shows_streaming(completion: Completion, pieces: int) -> Shown:
    if pieces > 1:
        return Shown(True, f"the text came in {pieces} pieces, with an end mark")
    return Shown(None, "the text came in one piece")


def _shows_word(completion: Completion, pieces: int) -> Shown:
    found = _WORD.lower() in _words(completion).lower()
    return Shown(True, "the word asked for came") if found else Shown(None, "another answer came")


def _calls(completion: Completion) -> list[ToolUse]:
    """Calls of our tool with arguments that fit; they are looked at and never executed."""
    found = [block for block in completion.content if isinstance(block, ToolUse) and block.name == _TOOL.name]
    return [call for call in found if isinstance(call.input.get("city"), str)]


def _shows_call(completion: Completion, pieces: int) -> Shown:
    if _calls(completion):
        return Shown(True, "the tool was called with arguments that fit")
    called = any(isinstance(block, ToolUse) for block in completion.content)
    return Shown(False, "a call came that does not fit") if called else Shown(None, "text came instead of a call")


def _shows_calls(completion: Completion, pieces: int) -> Shown:
    count = len(_calls(completion))
    return Shown(True if count > 1 else None, f"{count} calls came in one answer")


def _shows_json(completion: Completion, pieces: int) -> Shown:
    return _judged(completion, JsonAnswer())


def _shows_schema(completion: Completion, pieces: int) -> Shown:
    return _judged(completion, JsonAnswer(_SCHEMA))


def _judged(completion: Completion, asked: JsonAnswer) -> Shown:
    """A code fence around it is forgiven, as other programs do; words around it are not."""
    verdict = judge_answer(completion.text, asked)
    if not verdict.is_valid:
        return Shown(False, "the answer is not the JSON asked for")
    if verdict.found is Found.AMONG_WORDS:
        return Shown(False, "the JSON asked for came among other words")
    fenced = ", in a code fence" if verdict.found is Found.FENCED else ""
    return Shown(True, f"the answer is the JSON asked for{fenced}")


def _shows_colour(completion: Completion, pieces: int) -> Shown:
    found = "red" in _words(completion).lower()
    return (
        Shown(True, "it named the picture's colour") if found else Shown(None, "it did not name the picture's colour")
    )


def _shows_thinking(completion: Completion, pieces: int) -> Shown:
    if any(isinstance(block, Thinking | RedactedThinking) for block in completion.content):
        return Shown(True, "thinking came before the answer")
    if Omission.THINKING_STRIPPED in completion.words or completion.usage.thinking_tokens:
        return Shown(True, "it thinks; its Api does not carry the thinking")
    return Shown(None, "no thinking came")


SHOWN_BY: dict[Capability, Callable[[Completion, int], Shown]] = {
    Capability.TEXT_OUTPUT: _shows_text,
    Capability.STREAMING: _shows_streaming,
    Capability.SYSTEM_PROMPT: _shows_word,
    Capability.JSON_MODE: _shows_json,
    Capability.STRUCTURED_OUTPUT: _shows_schema,
    Capability.TOOL_USE: _shows_call,
    Capability.PARALLEL_TOOL_USE: _shows_calls,
    Capability.IMAGE_INPUT: _shows_colour,
    Capability.THINKING: _shows_thinking,
    Capability.LONG_CONTEXT: _shows_word,
}


def red_square(side: int = 64) -> bytes:
    """A red PNG of `side` × `side` pixels."""
    rows = (b"\0" + b"\xff\0\0" * side) * side
    head = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + _part(b"IHDR", head) + _part(b"IDAT", zlib.compress(rows)) + _part(b"IEND", b"")


def _part(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
