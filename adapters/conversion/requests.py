"""JSON ⇄ canonical requests: a Messages API body, or the seed's `ProviderCompletionInput`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from adapters.conversion.blocks import block_json, parse_content, parse_text
from adapters.conversion.canonical import (
    KINDS,
    CanonicalRequest,
    Choice,
    JsonAnswer,
    Message,
    ServerTool,
    Speaker,
    Text,
    Tool,
    ToolChoice,
    kind_of,
)
from adapters.conversion.fields import CanonicalError, Fields, Place, refuse_too_deep

if TYPE_CHECKING:
    from model.contract import ProviderCompletionInput

_SPEAKERS = tuple(Speaker)
_BOTH = {"text", "image", "document"}
_MAY_SAY = {
    Speaker.USER: _BOTH | {"tool_result"},
    Speaker.ASSISTANT: _BOTH | {"thinking", "redacted_thinking", "tool_use"},
    Speaker.SYSTEM: {"text"},
}


def parse_request(value: object) -> CanonicalRequest:
    """A Messages API body. Unknown keys are kept in `extra`. Raises CanonicalError with the place."""
    refuse_too_deep(value, Place())
    fields = Fields(value, Place(), "a request object")
    output = Fields(fields.take("output_config") or {}, Place(inside="output_config"))
    thinking, cache = fields.maybe_object("thinking"), fields.maybe_object("cache_control")
    return CanonicalRequest(
        model_id=fields.name("model"),
        messages=parse_messages(fields.take("messages")),
        system=parse_system(fields.take("system")),
        tools=tuple(parse_tool(tool, index) for index, tool in enumerate(fields.items("tools"))),
        tool_choice=parse_tool_choice(fields.take("tool_choice")),
        max_output_tokens=fields.maybe_count("max_tokens"),
        temperature=fields.maybe_number("temperature"),
        top_p=fields.maybe_number("top_p"),
        top_k=fields.maybe_count("top_k"),
        stop_sequences=_stops(fields),
        thinking=thinking,
        effort=output.maybe_text("effort"),
        answer=_answer(output),
        metadata=fields.maybe_object("metadata") or {},
        cache=cache,
        stream=fields.flag("stream"),
        extra=fields.rest | ({"output_config": output.rest} if output.rest else {}),
    )


def from_completion_input(
    given: ProviderCompletionInput, *, stream: bool = False, answer: JsonAnswer | None = None
) -> CanonicalRequest:
    """The seed's record, plus what it has no field for. Raises CanonicalError."""
    refuse_too_deep((given.messages, given.tools), Place())
    return CanonicalRequest(
        model_id=given.model_id,
        messages=parse_messages(given.messages),
        system=parse_system(given.system),
        tools=tuple(parse_tool(tool, index) for index, tool in enumerate(given.tools or ())),
        tool_choice=parse_tool_choice(given.tool_choice),
        max_output_tokens=given.max_output_tokens,
        temperature=given.temperature,
        metadata=given.metadata or {},
        stream=stream,
        answer=answer,
    )


def parse_messages(value: object) -> tuple[Message, ...]:
    if not isinstance(value, list | tuple) or not value:
        raise CanonicalError(Place(inside="messages"), "a list of at least one message", value)
    return tuple(parse_message(item, index) for index, item in enumerate(value))


def parse_message(value: object, index: int) -> Message:
    place = Place(index)
    fields = Fields(value, place, "a message object")
    role = fields.take("role")
    if role not in _SPEAKERS:
        raise CanonicalError(place.within("role"), "user, assistant or system", role)
    return _in_its_place(Message(Speaker(role), parse_content(fields.take("content"), place)), index)


def _in_its_place(message: Message, index: int) -> Message:
    """Calls and thinking are the assistant's, results the user's; a system message holds text only."""
    allowed = _MAY_SAY[message.speaker]
    for number, block in enumerate(message.content):
        kind = kind_of(block)
        if kind in KINDS.values() and kind not in allowed:
            raise CanonicalError(Place(index, number), f"no {kind} in a message of the {message.speaker}", {})
    return message


def parse_system(value: object) -> tuple[Text, ...]:
    """A text or text blocks; an empty text is no system prompt."""
    place = Place(inside="system")
    if value is None or value == "":
        return ()
    if isinstance(value, str):
        return (Text(value),)
    if not isinstance(value, list | tuple):
        raise CanonicalError(place, "a text or a list of text blocks", value)
    return tuple(parse_text(item, Place(inside=f"system[{index}]")) for index, item in enumerate(value))


def parse_tool(value: object, index: int) -> Tool | ServerTool:
    fields = Fields(value, Place(inside=f"tools[{index}]"), "a tool object")
    kind = fields.maybe_text("type")
    if kind is not None and kind != "custom" and isinstance(value, Mapping):
        return ServerTool(kind, dict(value))
    return Tool(
        name=fields.name("name"),
        schema=fields.object("input_schema"),
        description=fields.maybe_text("description"),
        cache=fields.maybe_object("cache_control"),
        extra=fields.rest,
    )


def parse_tool_choice(value: object) -> ToolChoice | None:
    if value is None:
        return None
    fields = Fields(value, Place(inside="tool_choice"), "a tool choice object")
    kind = fields.name("type")
    if kind not in tuple(Choice):
        fields.refuse("type", "auto, any, tool or none", kind)
    name = fields.name("name") if kind == Choice.TOOL else None
    return ToolChoice(Choice(kind), name, fields.flag("disable_parallel_tool_use"))


def _stops(fields: Fields) -> tuple[str, ...]:
    stops = fields.items("stop_sequences")
    if not all(isinstance(stop, str) for stop in stops):
        fields.refuse("stop_sequences", "a list of texts", stops)
    return tuple(stops)


def _answer(output: Fields) -> JsonAnswer | None:
    given = output.take("format")
    if given is None:
        return None
    fields = Fields(given, output.place.within("format"), "an output format object")
    match fields.name("type"):
        case "json_schema":
            return JsonAnswer(fields.object("schema"))
        case "json_object":
            return JsonAnswer()
        case other:
            return fields.refuse("type", "json_schema or json_object", other)


def message_json(message: Message) -> dict[str, Any]:
    return {"role": message.speaker.value, "content": [block_json(block) for block in message.content]}


def tool_json(tool: Tool | ServerTool) -> dict[str, Any]:
    if isinstance(tool, ServerTool):
        return dict(tool.raw)
    body: dict[str, Any] = {"name": tool.name, "input_schema": dict(tool.schema)}
    body |= {} if tool.description is None else {"description": tool.description}
    return body | dict(tool.extra) | ({} if tool.cache is None else {"cache_control": dict(tool.cache)})


def choice_json(choice: ToolChoice) -> dict[str, Any]:
    body: dict[str, Any] = {"type": choice.choice.value}
    body |= {} if choice.name is None else {"name": choice.name}
    return body | ({"disable_parallel_tool_use": True} if choice.disable_parallel else {})
