"""Block by block: what of it the target takes, and what is said about the rest (DOMAIN.md §7)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import replace

from adapters.conversion.canonical import (
    Base64Source,
    Block,
    Document,
    Image,
    JsonObject,
    Opaque,
    RedactedThinking,
    Speaker,
    Text,
    Thinking,
    ToolResult,
    ToolUse,
    UrlSource,
    kind_of,
)
from adapters.conversion.documents import document_as_blocks, document_goes
from adapters.conversion.steps import REQUEST, Action, Ledger
from adapters.conversion.target import NEWEST_ANTHROPIC_VERSION, Target
from adapters.conversion.traits import TRAITS
from adapters.conversion.turns import At, Item, Turn
from model.conversion import Caution, Omission, Word
from model.vocabulary import CacheConversion, Capability, ImageConversion, ThinkingConversion, ToolSchema

IMAGE_LEFT_OUT = "[an image was here, which this model cannot see]"


class Fitter:
    """Fits blocks to one target. `refused` collects why no call may be made at all."""

    def __init__(self, target: Target, ledger: Ledger) -> None:
        self._target = target
        self._traits = TRAITS[target.api]
        self._ledger = ledger
        self._speaker = Speaker.USER
        self.refused: list[str] = []
        self.tools = takes_tools(target)

    def turn(self, turn: Turn) -> Turn:
        self._speaker = turn.speaker
        return turn.with_items(
            Item(item.at, block) for item in turn.items for block in self._block(item.at, item.block)
        )

    def system(self, texts: tuple[Text, ...]) -> tuple[Text, ...]:
        """The system prompt, which stands outside the messages."""
        self._speaker = Speaker.SYSTEM
        fitted = (block for text in texts for block in self._block(REQUEST, text))
        return tuple(block for block in fitted if isinstance(block, Text))

    def _block(self, at: At, block: Block) -> Iterator[Block]:
        plain = self._plain(at, block)
        fitted = tuple(self._fitted(at, plain))
        if cache_of(plain) is not None and all(cache_of(one) is None for one in fitted):
            self._note(at, plain, Action.STRIPPED, Caution.CACHE_MARKS_IGNORED, "its block does not go over")
        yield from fitted

    def _fitted(self, at: At, block: Block) -> Iterator[Block]:
        match block:
            case Text():
                return self._text(at, block)
            case Image():
                return self._image(at, block)
            case Document():
                return self._document(at, block)
            case Thinking() | RedactedThinking():
                return self._thinking(at, block)
            case ToolUse():
                return self._call(at, block)
            case ToolResult():
                return self._result(at, block)
            case Opaque():
                return self._opaque(at, block)

    def _note(self, at: At, block: Block, action: Action, word: Word | None = None, detail: str = "") -> None:
        self._ledger.note(at, kind_of(block), action, word, detail)

    def _kept(self, at: At, block: Block) -> Iterator[Block]:
        self._note(at, block, Action.KEPT)
        yield block

    def _plain(self, at: At, block: Block) -> Block:
        """The block without a cache mark and without unknown keys, where the target knows neither."""
        if isinstance(block, Opaque | Thinking | RedactedThinking):
            return block
        if block.cache is not None and self._target.conversion.cache_control is not CacheConversion.NATIVE:
            self._note(at, block, Action.STRIPPED, Caution.CACHE_MARKS_IGNORED)
            block = replace(block, cache=None)
        if block.extra and not self._traits.anthropic_blocks:
            if block.extra != {"caller": {"type": "direct"}}:
                self._note(at, block, Action.STRIPPED, Omission.UNKNOWN_SETTINGS_DROPPED, ", ".join(block.extra))
            block = replace(block, extra={})
        return block

    def _text(self, at: At, block: Text) -> Iterator[Block]:
        if not block.text.strip():
            self._note(at, block, Action.DROPPED, Caution.EMPTY_LEFT_OUT)
            return
        self._note(at, block, Action.KEPT)
        yield self._without_citations(at, block)

    def _without_citations(self, at: At, block: Text) -> Text:
        if not block.citations or self._takes_citations:
            return block
        self._note(at, block, Action.STRIPPED, Omission.CITATIONS_DROPPED, f"{len(block.citations)} citations")
        return replace(block, citations=())

    @property
    def _takes_citations(self) -> bool:
        newest = self._target.dialect.anthropic_version >= NEWEST_ANTHROPIC_VERSION
        return self._traits.anthropic_blocks and not (newest and self._speaker is not Speaker.ASSISTANT)

    def _image(self, at: At, block: Image) -> Iterator[Block]:
        how = self._target.conversion.image_input
        if how is ImageConversion.UNSUPPORTED or Capability.IMAGE_INPUT not in self._target.supports:
            self._note(at, block, Action.DROPPED, Omission.IMAGES_DROPPED, "the model takes no images")
            yield Text(IMAGE_LEFT_OUT)
        elif self._is_foreign_answer:
            self._note(at, block, Action.DROPPED, Omission.IMAGES_DROPPED, "no images in assistant messages")
        elif how is ImageConversion.ARTIFACT_LINK:
            self._note(at, block, Action.REWRITTEN, Omission.IMAGES_LINKED)
            yield Text(image_link(block))
        elif isinstance(block.source, UrlSource):
            if not (self._traits.image_by_url and self._target.dialect.image_urls):
                self._refuse(at, "takes no images by URL, and capdeck fetches none: give the image itself")
            yield from self._kept(at, block)
        elif isinstance(block.source, Base64Source) or self._traits.anthropic_blocks:
            yield from self._kept(at, block)
        else:
            self._note(at, block, Action.DROPPED, Omission.IMAGES_DROPPED, "an uploaded file of another provider")
            yield Text(IMAGE_LEFT_OUT)

    def _refuse(self, at: At, why: str) -> None:
        self.refused.append(f"message {at[0]}, block {at[1]}: {self._target.api} {why}")

    def _document(self, at: At, block: Document) -> Iterator[Block]:
        newest = self._target.dialect.anthropic_version >= NEWEST_ANTHROPIC_VERSION
        if self._traits.anthropic_blocks and self._speaker is Speaker.ASSISTANT and newest:
            self._note(at, block, Action.DROPPED, Omission.FILES_DROPPED, "no documents in assistant messages")
        elif document_goes(block, self._target) and not self._is_foreign_answer:
            self._note(at, block, Action.KEPT)
            yield self._without_details(at, block)
        elif blocks := document_as_blocks(block):
            self._note(at, block, Action.REWRITTEN, Omission.FILES_AS_TEXT)
            yield from (fitted for part in blocks for fitted in self._block(at, part))
        else:
            self._note(at, block, Action.DROPPED, Omission.FILES_DROPPED, "the target takes no such document")

    @property
    def _is_foreign_answer(self) -> bool:
        """An assistant's turn on a wire where those hold text and calls only."""
        return self._speaker is Speaker.ASSISTANT and not self._traits.anthropic_blocks

    def _without_details(self, at: At, block: Document) -> Document:
        if self._traits.anthropic_blocks or (block.context is None and block.citations is None):
            return block
        self._note(at, block, Action.STRIPPED, Omission.FILE_DETAILS_DROPPED, "context and citation settings")
        return replace(block, context=None, citations=None)

    def _thinking(self, at: At, block: Thinking | RedactedThinking) -> Iterator[Block]:
        native = self._target.conversion.thinking is ThinkingConversion.NATIVE
        signed = isinstance(block, RedactedThinking) or bool(block.signature)
        if isinstance(block, Thinking) and not block.thinking and not signed:
            self._note(at, block, Action.DROPPED, Caution.EMPTY_LEFT_OUT)
        elif native and signed and self._traits.signed_thinking:
            yield from self._kept(at, block)
        elif native and self._traits.unsigned_thinking and isinstance(block, Thinking) and block.thinking:
            word = Omission.SIGNATURES_DROPPED if signed else None
            self._note(at, block, Action.STRIPPED if signed else Action.KEPT, word)
            yield Thinking(block.thinking)
        else:
            detail = "hidden reasoning does not become visible text"
            self._note(at, block, Action.STRIPPED, Omission.THINKING_STRIPPED, detail)

    def _call(self, at: At, block: ToolUse) -> Iterator[Block]:
        if self.tools:
            yield from self._kept(at, block)
            return
        self._note(at, block, Action.REWRITTEN, Omission.TOOL_CALLS_AS_TEXT)
        yield Text(f"[call of {block.name}: {json.dumps(dict(block.input), ensure_ascii=False)}]")

    def _result(self, at: At, block: ToolResult) -> Iterator[Block]:
        fitted = replace(block, content=tuple(part for given in block.content for part in self._result_part(at, given)))
        if self.tools:
            yield from self._kept(at, fitted)
            return
        self._note(at, block, Action.REWRITTEN, Omission.TOOL_CALLS_AS_TEXT)
        yield from (Text("[failed call]" if block.is_error else "[result of a call]"), *fitted.content)

    def _result_part(self, at: At, part: Block) -> Iterator[Text | Image | Document | Opaque]:
        for fitted in self._block(at, part):
            if isinstance(fitted, Text | Image | Document | Opaque):
                yield fitted

    def _opaque(self, at: At, block: Opaque) -> Iterator[Block]:
        if self._traits.anthropic_blocks:
            self._note(at, block, Action.KEPT, None if block.is_anthropics else Caution.UNKNOWN_PASSED_ON)
            yield block
        else:
            server = block.is_server_tool
            word = Omission.SERVER_BLOCKS_DROPPED if server else Omission.UNKNOWN_BLOCKS_DROPPED
            self._note(at, block, Action.DROPPED, word, block.kind)


def cache_of(block: Block) -> JsonObject | None:
    return None if isinstance(block, Thinking | RedactedThinking) else block.cache


def takes_tools(target: Target) -> bool:
    """Emulated tools go over the same wire: it is the endpoint that emulates them."""
    return Capability.TOOL_USE in target.supports and target.conversion.tool_schema is not ToolSchema.UNSUPPORTED


def image_link(image: Image) -> str:
    """Words in place of an image: its address, or its kind and digest."""
    source = image.source
    if isinstance(source, UrlSource):
        return f"[image: {source.url}]"
    if isinstance(source, Base64Source):
        digest = hashlib.sha256(source.data.encode(errors="surrogatepass")).hexdigest()
        return f"[image: {source.media_type}, sha256 {digest[:16]}]"
    return f"[image: file {source.file_id}]"
