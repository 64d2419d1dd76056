"""JSON ⇄ canonical blocks: the border where Anthropic's content blocks are read and written."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from adapters.conversion.canonical import (
    Base64Source,
    Block,
    ContentSource,
    Document,
    DocumentSource,
    FileSource,
    Image,
    ImageSource,
    Opaque,
    RedactedThinking,
    ResultPart,
    Text,
    TextSource,
    Thinking,
    ToolResult,
    ToolUse,
    UrlSource,
)
from adapters.conversion.fields import CanonicalError, Fields, Place


def parse_content(value: object, place: Place) -> tuple[Block, ...]:
    """A message's content: a text, or a list of blocks. Raises CanonicalError."""
    if isinstance(value, str):
        return (Text(value),)
    if not isinstance(value, list | tuple):
        raise CanonicalError(place.within("content"), "a text or a list of blocks", value)
    return tuple(parse_block(item, Place(place.message, index)) for index, item in enumerate(value))


def parse_block(value: object, place: Place) -> Block:
    """One content block. A kind that nobody knows becomes `Opaque`. Raises CanonicalError."""
    fields = Fields(value, place, "a content block")
    kind = fields.name("type")
    reader = _READERS.get(kind)
    if reader is None:
        return Opaque(kind, dict(value) if isinstance(value, Mapping) else {})
    fields.place = Place(place.message, place.block, place.within(kind).inside)
    return reader(fields)


def parse_text(value: object, place: Place) -> Text:
    block = parse_block(value, place)
    if not isinstance(block, Text):
        raise CanonicalError(place, "a text block", value)
    return block


def _text(fields: Fields) -> Text:
    text, cache = fields.text("text"), fields.maybe_object("cache_control")
    return Text(text, tuple(fields.items("citations")), cache, fields.rest)


def _image(fields: Fields) -> Image:
    source = _source(fields)
    if not isinstance(source, Base64Source | UrlSource | FileSource):
        raise CanonicalError(fields.place.within("source"), "a base64, url or file source", source)
    return Image(source, fields.maybe_object("cache_control"), fields.rest)


def _document(fields: Fields) -> Document:
    return Document(
        _source(fields),
        fields.maybe_text("title"),
        fields.maybe_text("context"),
        fields.maybe_object("citations"),
        fields.maybe_object("cache_control"),
        fields.rest,
    )


def _source(fields: Fields) -> DocumentSource:
    place = fields.place.within("source")
    source = Fields(fields.take("source"), place, "a source object")
    match source.name("type"):
        case "base64":
            return Base64Source(source.name("media_type"), source.name("data"))
        case "url":
            return UrlSource(source.name("url"))
        case "file":
            return FileSource(source.name("file_id"))
        case "text":
            return TextSource(source.text("data"))
        case "content":
            return ContentSource(_inner(source.take("content"), place))
        case other:
            raise CanonicalError(place.within("type"), "base64, url, file, text or content", other)


def _inner(value: object, place: Place) -> tuple[Text | Image | Opaque, ...]:
    return tuple(
        part if isinstance(part, Text | Image | Opaque) else _misplaced(part, place) for part in _parts(value, place)
    )


def _thinking(fields: Fields) -> Thinking:
    return Thinking(fields.text("thinking"), fields.maybe_text("signature") or "", fields.rest)


def _redacted(fields: Fields) -> RedactedThinking:
    return RedactedThinking(fields.text("data"), fields.rest)


def _tool_use(fields: Fields) -> ToolUse:
    return ToolUse(
        fields.name("id"),
        fields.name("name"),
        fields.object("input"),
        fields.maybe_object("cache_control"),
        fields.rest,
    )


def _tool_result(fields: Fields) -> ToolResult:
    parts = tuple(
        part if isinstance(part, Text | Image | Document | Opaque) else _misplaced(part, fields.place)
        for part in _parts(fields.take("content"), fields.place)
    )
    call, error = fields.name("tool_use_id"), fields.flag("is_error")
    return ToolResult(call, parts, error, fields.maybe_object("cache_control"), fields.rest)


def _parts(value: object, place: Place) -> tuple[Block, ...]:
    if value is None:
        return ()
    if isinstance(value, str):
        return (Text(value),) if value else ()
    if not isinstance(value, list | tuple):
        raise CanonicalError(place.within("content"), "a text or a list of blocks", value)
    return tuple(parse_block(item, place.within(f"content[{index}]")) for index, item in enumerate(value))


def _misplaced(part: Block, place: Place) -> Any:
    raise CanonicalError(place.within("content"), "text, images and documents", part)


_READERS: dict[str, Callable[[Fields], Block]] = {
    "text": _text,
    "image": _image,
    "document": _document,
    "thinking": _thinking,
    "redacted_thinking": _redacted,
    "tool_use": _tool_use,
    "tool_result": _tool_result,
}


def block_json(block: Block) -> dict[str, Any]:
    """A block as Anthropic writes it."""
    match block:
        case Text():
            body: dict[str, Any] = {"type": "text", "text": block.text}
            body |= {"citations": [dict(one) for one in block.citations]} if block.citations else {}
        case Image():
            body = {"type": "image", "source": source_json(block.source)}
        case Document():
            body = {"type": "document", "source": source_json(block.source)}
            details = {"title": block.title, "context": block.context, "citations": block.citations}
            body |= {key: value for key, value in details.items() if value is not None}
        case Thinking():
            return {"type": "thinking", "thinking": block.thinking, "signature": block.signature, **block.extra}
        case RedactedThinking():
            return {"type": "redacted_thinking", "data": block.data, **block.extra}
        case ToolUse():
            body = {"type": "tool_use", "id": block.id, "name": block.name, "input": dict(block.input)}
        case ToolResult():
            body = {"type": "tool_result", "tool_use_id": block.tool_use_id}
            body |= {"content": [part_json(part) for part in block.content]} if block.content else {}
            body |= {"is_error": True} if block.is_error else {}
        case Opaque():
            return dict(block.raw)
    return body | dict(block.extra) | ({} if block.cache is None else {"cache_control": dict(block.cache)})


def part_json(part: ResultPart) -> dict[str, Any]:
    return block_json(part)


def source_json(source: ImageSource | DocumentSource) -> dict[str, Any]:
    match source:
        case Base64Source():
            return {"type": "base64", "media_type": source.media_type, "data": source.data}
        case UrlSource():
            return {"type": "url", "url": source.url}
        case FileSource():
            return {"type": "file", "file_id": source.file_id}
        case TextSource():
            return {"type": "text", "media_type": "text/plain", "data": source.text}
        case ContentSource():
            return {"type": "content", "content": [block_json(part) for part in source.content]}
