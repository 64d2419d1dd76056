"""The bytes of another tool's file → plain data, with the lines of YAML; refused clearly where that fails."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from adapters.imports.imported import ImportRefused
from model.document import DocumentError, YamlDoc, YamlPath
from model.quick_dataclass import dataclass

MOST_BYTES = 32 * 2**20
MOST_DEPTH = 64


@dataclass(frozen=True, slots=True)
class Source:
    """A file's data. `line` tells where a path stands, `doubled` are the paths of keys that stand twice."""

    data: Any
    line: Callable[[YamlPath], int | None] = lambda path: None
    doubled: tuple[YamlPath, ...] = ()
    documents: int = 1


def read_yaml(data: bytes, name: str) -> Source:
    """The first document. Raises ImportRefused."""
    try:
        doc = YamlDoc.parse(data, name)
    except DocumentError as error:
        raise ImportRefused(error.reason, error.help or "", error.line, error.column) from None

    def line(path: YamlPath) -> int | None:
        place = doc.place(path)
        return place.line if place else None

    return Source(doc.data, line, tuple(path for path, _, _ in doc.duplicates), doc.documents)


def read_json(data: bytes, name: str) -> Source:
    """JSON as its standard has it. Raises ImportRefused."""
    text = _text(data)
    doubled: list[YamlPath] = []

    def mapping(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(pairs)
        if len(made) < len(pairs):
            keys = [key for key, _ in pairs]
            doubled.extend((key,) for key in made if keys.count(key) > 1)
        return made

    try:
        return Source(json.loads(text, object_pairs_hook=mapping), doubled=tuple(doubled))
    except json.JSONDecodeError as error:
        cut = error.msg.startswith("Unterminated string") or error.pos >= len(text.rstrip())
        hint = "is the file cut short?" if cut else "comments and commas before } or ] are no JSON"
        raise ImportRefused(f"is not JSON: {error.msg}", hint, error.lineno, error.colno) from None
    except RecursionError:
        raise ImportRefused("is nested too deeply") from None
    except ValueError:
        raise ImportRefused("is not JSON: it holds a number of thousands of digits") from None


def read_jsonc(data: bytes, name: str) -> Source:
    """JSON that may hold comments and trailing commas. Raises ImportRefused."""
    try:
        return read_json(data, name)
    except ImportRefused:
        return Source(_tolerant(_text(data)))


def _tolerant(text: str) -> Any:
    import pyjson5

    try:
        return pyjson5.decode(text, maxdepth=MOST_DEPTH)
    except pyjson5.Json5NestingTooDeep:
        raise ImportRefused("is nested too deeply") from None
    except (pyjson5.Json5Exception, ValueError) as error:
        cut = isinstance(error, pyjson5.Json5EOF)
        raise ImportRefused(
            "is not JSON with comments", "is the file cut short?" if cut else "", *_place(text, str(error))
        ) from None


def _place(text: str, message: str) -> tuple[int, int] | tuple[None, None]:
    """The library tells characters from the start; its message is not shown, since it may repeat the text."""
    found = re.search(r"near (\d+)", message)
    if found is None:
        return None, None
    before = text[: max(0, int(found[1]) - 1)]
    return before.count("\n") + 1, len(before) - before.rfind("\n")


def _text(data: bytes) -> str:
    if len(data) > MOST_BYTES:
        raise ImportRefused(f"has more than the {MOST_BYTES:,} bytes that are read")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ImportRefused(f"is not UTF-8 text (byte {error.start + 1})", "save it as UTF-8") from None
