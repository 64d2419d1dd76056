"""The canonical form inside the program: Anthropic's content blocks as frozen values (seed 000 §7).

`cache` is a block's `cache_control`. `extra` keeps keys that this version does not know, so that a message for
an Anthropic endpoint goes out as it came in, and any other target can report what it leaves behind.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum
from typing import Any

from model.quick_dataclass import dataclass

JsonObject = Mapping[str, Any]


class Speaker(StrEnum):
    """Who a message is from. A system message may stand among the others (API version 2026-10-21)."""

    USER = "user"
    ASSISTANT = "assistant"
    SYSTEM = "system"


@dataclass(frozen=True, slots=True)
class Base64Source:
    media_type: str
    data: str


@dataclass(frozen=True, slots=True)
class UrlSource:
    url: str


@dataclass(frozen=True, slots=True)
class FileSource:
    """A file uploaded to one provider; its id means nothing elsewhere."""

    file_id: str


@dataclass(frozen=True, slots=True)
class TextSource:
    text: str


@dataclass(frozen=True, slots=True)
class ContentSource:
    """A document made of blocks of its own."""

    content: tuple[Text | Image | Opaque, ...]


ImageSource = Base64Source | UrlSource | FileSource
DocumentSource = Base64Source | UrlSource | FileSource | TextSource | ContentSource


@dataclass(frozen=True, slots=True)
class Text:
    text: str
    citations: tuple[JsonObject, ...] = ()
    cache: JsonObject | None = None
    extra: JsonObject = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Image:
    source: ImageSource
    cache: JsonObject | None = None
    extra: JsonObject = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Document:
    source: DocumentSource
    title: str | None = None
    context: str | None = None
    citations: JsonObject | None = None
    cache: JsonObject | None = None
    extra: JsonObject = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Thinking:
    """Hidden reasoning. Without a signature it came from a provider that signs nothing."""

    thinking: str
    signature: str = ""
    extra: JsonObject = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RedactedThinking:
    data: str
    extra: JsonObject = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ToolUse:
    id: str
    name: str
    input: JsonObject
    cache: JsonObject | None = None
    extra: JsonObject = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ToolResult:
    tool_use_id: str
    content: tuple[ResultPart, ...] = ()
    is_error: bool = False
    cache: JsonObject | None = None
    extra: JsonObject = field(default_factory=dict)


_ANTHROPICS = frozenset({"search_result", "container_upload", "tool_reference", "browser_state"})


@dataclass(frozen=True, slots=True)
class Opaque:
    """A block that only Anthropic understands (server tools) or that nobody here knows, kept as it came."""

    kind: str
    raw: JsonObject

    @property
    def is_server_tool(self) -> bool:
        return self.kind.endswith(("_tool_use", "_tool_result"))

    @property
    def is_anthropics(self) -> bool:
        """Whether Anthropic's Api is known to have it."""
        return self.is_server_tool or self.kind in _ANTHROPICS

    @property
    def cache(self) -> JsonObject | None:
        return _raw_cache(self.raw)


def _raw_cache(raw: JsonObject) -> JsonObject | None:
    mark = raw.get("cache_control")
    return mark if isinstance(mark, Mapping) else None


ResultPart = Text | Image | Document | Opaque
Block = Text | Image | Document | Thinking | RedactedThinking | ToolUse | ToolResult | Opaque

KINDS: dict[type, str] = {
    Text: "text",
    Image: "image",
    Document: "document",
    Thinking: "thinking",
    RedactedThinking: "redacted_thinking",
    ToolUse: "tool_use",
    ToolResult: "tool_result",
}


def kind_of(block: Block) -> str:
    """The `type` under which the block goes over the wire."""
    return block.kind if isinstance(block, Opaque) else KINDS[type(block)]


@dataclass(frozen=True, slots=True)
class Message:
    speaker: Speaker
    content: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool of the caller's: `schema` is the JSON Schema of its input."""

    name: str
    schema: JsonObject
    description: str | None = None
    cache: JsonObject | None = None
    extra: JsonObject = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ServerTool:
    """A tool that Anthropic runs or defines itself, kept as it came; `kind` is its `type`."""

    kind: str
    raw: JsonObject

    @property
    def name(self) -> str:
        return str(self.raw.get("name", self.kind))

    @property
    def cache(self) -> JsonObject | None:
        return _raw_cache(self.raw)


class Choice(StrEnum):
    AUTO = "auto"
    ANY = "any"
    TOOL = "tool"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class ToolChoice:
    """`name` is set for `Choice.TOOL` only."""

    choice: Choice
    name: str | None = None
    disable_parallel: bool = False


@dataclass(frozen=True, slots=True)
class JsonAnswer:
    """The answer has to be JSON: of this schema, or any object where `schema` is None."""

    schema: JsonObject | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CanonicalRequest:
    """A request in canonical form. Counts are tokens; `effort` is Anthropic's word for how hard to think."""

    model_id: str
    messages: tuple[Message, ...]
    system: tuple[Text, ...] = ()
    tools: tuple[Tool | ServerTool, ...] = ()
    tool_choice: ToolChoice | None = None
    max_output_tokens: int | None = None
    temperature: float | None = None
    top_p: float | None = None
    top_k: int | None = None
    stop_sequences: tuple[str, ...] = ()
    thinking: JsonObject | None = None
    effort: str | None = None
    answer: JsonAnswer | None = None
    metadata: JsonObject = field(default_factory=dict)
    cache: JsonObject | None = None
    stream: bool = False
    extra: JsonObject = field(default_factory=dict)
