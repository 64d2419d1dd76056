"""A model's limits on one request: over them nothing is sent, and nothing is ever cut to fit (seed 000 §8.5)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from adapters.conversion.canonical import Base64Source, Block, ContentSource, Document, Image, TextSource, ToolResult
from adapters.conversion.prepared import Prepared


def over_limits(prepared: Prepared, draft: dict[str, Any]) -> Iterator[str]:
    """Why the request is too big: bytes of the tool array (UTF-8), images, bytes of one file (decoded)."""
    limits = prepared.target.limits
    size = len(
        json.dumps(draft.get("tools", []), ensure_ascii=False, separators=(",", ":")).encode(errors="surrogatepass")
    )
    if limits.max_tool_schema_bytes is not None and "tools" in draft and size > limits.max_tool_schema_bytes:
        yield f"the tools take {size} bytes, max_tool_schema_bytes is {limits.max_tool_schema_bytes}"
    files = tuple(_files(prepared.blocks))
    images = sum(isinstance(file, Image) for file in files)
    if limits.max_image_count is not None and images > limits.max_image_count:
        yield f"the request holds {images} images, max_image_count is {limits.max_image_count}"
    largest = max((_decoded_bytes(file) for file in files), default=0)
    if limits.max_file_bytes is not None and largest > limits.max_file_bytes:
        yield f"a file takes {largest} bytes, max_file_bytes is {limits.max_file_bytes}"


def _files(blocks: Iterable[Block]) -> Iterator[Image | Document]:
    for block in blocks:
        if isinstance(block, Image | Document):
            yield block
        if isinstance(block, ToolResult):
            yield from _files(block.content)
        if isinstance(block, Document) and isinstance(block.source, ContentSource):
            yield from _files(block.source.content)


def _decoded_bytes(file: Image | Document) -> int:
    """A file that is given by its address or id has no size here."""
    match file.source:
        case Base64Source(_, data):
            return len(data.rstrip("=")) * 3 // 4
        case TextSource(text):
            return len(text.encode(errors="surrogatepass"))
    return 0
