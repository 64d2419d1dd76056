"""A provider's request → canonical: what was sent, read back (the other way of `convert`)."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from adapters.conversion.canonical import (
    Base64Source,
    Block,
    CanonicalRequest,
    Choice,
    Document,
    Image,
    JsonAnswer,
    Message,
    Speaker,
    Text,
    Thinking,
    Tool,
    ToolChoice,
    ToolResult,
    ToolUse,
    UrlSource,
)
from adapters.conversion.documents import UNNAMED_PDF
from adapters.conversion.fields import CanonicalError, Fields, Place, refuse_too_deep
from adapters.conversion.placement import ERROR_MARK
from adapters.conversion.requests import parse_request
from adapters.conversion.tool_ids import NO_IDS, ToolIds
from model.vocabulary import Api

_DATA_URL = re.compile(r"data:(?P<kind>[^;,]+);base64,(?P<data>.*)\Z", re.DOTALL)
_CHOICES = {"auto": Choice.AUTO, "required": Choice.ANY, "none": Choice.NONE}


def decode_request(api: Api, body: object, tool_ids: ToolIds = NO_IDS) -> CanonicalRequest:
    """A request in a provider's form. Raises CanonicalError; also for an Api that capdeck does not speak."""
    reader = _READERS.get(api)
    if reader is None:
        raise CanonicalError(Place(inside=str(api)), "an Api that capdeck speaks", api)
    refuse_too_deep(body, Place())
    return reader(body, tool_ids)


def _anthropic(body: object, ids: ToolIds) -> CanonicalRequest:
    request = parse_request(body)
    messages = tuple(
        replace(message, content=tuple(_named(block, ids) for block in message.content)) for message in request.messages
    )
    return replace(request, messages=messages)


def _named(block: Block, ids: ToolIds) -> Block:
    if isinstance(block, ToolUse):
        return replace(block, id=ids.from_wire(block.id))
    return replace(block, tool_use_id=ids.from_wire(block.tool_use_id)) if isinstance(block, ToolResult) else block


def _openai(body: object, ids: ToolIds) -> CanonicalRequest:
    fields = Fields(body, Place(), "a request object")
    system, messages = _conversation(fields, ids, _openai_said)
    limit = fields.maybe_count("max_completion_tokens") or fields.maybe_count("max_tokens")
    user = fields.maybe_text("user")
    return CanonicalRequest(
        model_id=fields.name("model"),
        messages=messages,
        system=system,
        tools=tuple(_tools(fields)),
        tool_choice=_choice(fields),
        max_output_tokens=limit,
        temperature=fields.maybe_number("temperature"),
        top_p=fields.maybe_number("top_p"),
        stop_sequences=_stops(fields),
        effort=fields.maybe_text("reasoning_effort"),
        answer=_answer(fields),
        metadata={"user_id": user} if user else {},
        stream=fields.flag("stream"),
    )


def _ollama(body: object, ids: ToolIds) -> CanonicalRequest:
    fields = Fields(body, Place(), "a request object")
    system, messages = _conversation(fields, ids, _ollama_said)
    options = Fields(fields.take("options") or {}, Place(inside="options"))
    think, form = fields.take("think"), fields.take("format")
    return CanonicalRequest(
        model_id=fields.name("model"),
        messages=messages,
        system=system,
        tools=tuple(_tools(fields)),
        max_output_tokens=options.maybe_count("num_predict"),
        temperature=options.maybe_number("temperature"),
        top_p=options.maybe_number("top_p"),
        top_k=options.maybe_count("top_k"),
        stop_sequences=_stops(options),
        thinking={"type": "adaptive" if think else "disabled"} if isinstance(think, bool) else None,
        effort=think if isinstance(think, str) else None,
        answer=None if form is None else JsonAnswer(form if isinstance(form, dict) else None),
        stream=fields.flag("stream"),
    )


_READERS: dict[Api, Callable[[object, ToolIds], CanonicalRequest]] = {
    Api.ANTHROPIC_MESSAGES: _anthropic,
    Api.OPENAI_COMPLETIONS: _openai,
    Api.OLLAMA_CHAT: _ollama,
}
_Said = Callable[[Fields, ToolIds], Iterator[Block]]


def _conversation(fields: Fields, ids: ToolIds, said: _Said) -> tuple[tuple[Text, ...], tuple[Message, ...]]:
    """System messages at the start are the system prompt; tool messages and the user's make one turn."""
    system: list[Text] = []
    messages: list[Message] = []
    for index, item in enumerate(fields.items("messages")):
        message = Fields(item, Place(index), "a message object")
        role = message.name("role")
        blocks = tuple(_result(message, ids)) if role == "tool" else tuple(said(message, ids))
        if role in {"system", "developer"} and not messages:
            system += [block for block in blocks if isinstance(block, Text)]
            continue
        speaker = _speaker(role, message)
        if messages and messages[-1].speaker is speaker is Speaker.USER:
            messages[-1] = Message(speaker, messages[-1].content + blocks)
        else:
            messages.append(Message(speaker, blocks))
    return tuple(system), tuple(messages)


def _speaker(role: str, message: Fields) -> Speaker:
    match role:
        case "user" | "tool":
            return Speaker.USER
        case "assistant":
            return Speaker.ASSISTANT
        case "system" | "developer":
            return Speaker.SYSTEM
    return message.refuse("role", "system, developer, user, assistant or tool", role)


def _openai_said(message: Fields, ids: ToolIds) -> Iterator[Block]:
    if thinking := message.maybe_text("reasoning_content"):
        yield Thinking(thinking)
    yield from _parts(message)
    yield from _calls(message, ids)


def _ollama_said(message: Fields, ids: ToolIds) -> Iterator[Block]:
    if thinking := message.maybe_text("thinking"):
        yield Thinking(thinking)
    yield from (Image(Base64Source(image_kind(str(data)), str(data))) for data in message.items("images"))
    yield from _parts(message)
    yield from _calls(message, ids)


def _parts(message: Fields) -> Iterator[Block]:
    content = message.take("content")
    if isinstance(content, str):
        yield from [Text(content)] if content else []
        return
    for index, part in enumerate(content or ()):
        fields = Fields(part, message.place.within(f"content[{index}]"))
        match fields.name("type"):
            case "text":
                yield Text(fields.text("text"))
            case "refusal":
                yield Text(fields.text("refusal"))
            case "image_url":
                yield _image(fields.object("image_url"), fields.place)
            case "file":
                yield _file(fields.object("file"), fields.place)
            case other:
                fields.refuse("type", "text, refusal, image_url or file", other)


def _image(value: dict[str, Any], place: Place) -> Image:
    url = Fields(value, place).name("url")
    data = _DATA_URL.match(url)
    return Image(Base64Source(data["kind"], data["data"]) if data else UrlSource(url))


def _file(value: dict[str, Any], place: Place) -> Document:
    fields = Fields(value, place)
    data = _DATA_URL.match(fields.name("file_data"))
    if data is None:
        fields.refuse("file_data", "a data URL", {})
    name = fields.maybe_text("filename")
    return Document(Base64Source(data["kind"], data["data"]), None if name == UNNAMED_PDF else name)


def _calls(message: Fields, ids: ToolIds) -> Iterator[Block]:
    for number, item in enumerate(message.items("tool_calls")):
        call = Fields(item, message.place.within(f"tool_calls[{number}]"))
        function = Fields(call.take("function"), call.place.within("function"))
        name, arguments = function.name("name"), function.take("arguments")
        yield ToolUse(ids.from_wire(call.name("id")), name, _arguments(arguments, function))


def _arguments(value: object, function: Fields) -> dict[str, Any]:
    try:
        value = json.loads(value) if isinstance(value, str) and value.strip() else value or {}
    except (json.JSONDecodeError, RecursionError):
        value = None
    return value if isinstance(value, dict) else function.refuse("arguments", "a JSON object", value)


def _result(message: Fields, ids: ToolIds) -> Iterator[Block]:
    """The error mark in front of a result's text becomes `is_error` again."""
    parts = [part for part in _parts(message) if isinstance(part, Text)]
    error = bool(parts) and parts[0].text.startswith(ERROR_MARK)
    if error:
        rest = parts[0].text.removeprefix(ERROR_MARK).removeprefix(" ")
        parts = [Text(rest), *parts[1:]] if rest else parts[1:]
    yield ToolResult(ids.from_wire(message.name("tool_call_id")), tuple(parts), error)


def _tools(fields: Fields) -> Iterator[Tool]:
    for index, item in enumerate(fields.items("tools")):
        tool = Fields(item, Place(inside=f"tools[{index}]"))
        function = Fields(tool.take("function"), tool.place.within("function"))
        schema = function.maybe_object("parameters") or {"type": "object"}
        yield Tool(function.name("name"), schema, function.maybe_text("description"), extra=function.rest)


def _choice(fields: Fields) -> ToolChoice | None:
    given, parallel = fields.take("tool_choice"), fields.take("parallel_tool_calls")
    alone = parallel is False
    if given is None:
        return ToolChoice(Choice.AUTO, disable_parallel=True) if alone else None
    if isinstance(given, str):
        if given not in _CHOICES:
            fields.refuse("tool_choice", "auto, required, none or a function", given)
        return ToolChoice(_CHOICES[given], disable_parallel=alone)
    function = Fields(Fields(given, Place(inside="tool_choice")).take("function"), Place(inside="tool_choice.function"))
    return ToolChoice(Choice.TOOL, function.name("name"), alone)


def _stops(fields: Fields) -> tuple[str, ...]:
    stop = fields.take("stop")
    return (stop,) if isinstance(stop, str) else tuple(str(one) for one in stop or ())


def _answer(fields: Fields) -> JsonAnswer | None:
    given = fields.maybe_object("response_format")
    if given is None or given.get("type") == "text":
        return None
    schema = given.get("json_schema", {}).get("schema") if given.get("type") == "json_schema" else None
    return JsonAnswer(schema)


_MAGIC = {"iVBORw0KGgo": "image/png", "/9j/": "image/jpeg", "R0lGOD": "image/gif", "UklGR": "image/webp"}


def image_kind(data: str) -> str:
    """An image's media type by the first bytes of its base64; Ollama does not say it."""
    return next((kind for start, kind in _MAGIC.items() if data.startswith(start)), "application/octet-stream")
