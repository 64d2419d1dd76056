"""Keys that stand in a file itself, where they must not: found without being shown."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from urllib.parse import urlsplit

from model.auth import AuthScheme, parse_auth_ref
from model.document import YamlPath
from model.files import OpenFile
from model.quick_dataclass import dataclass

_MARKS = (
    "sk-", "sk_live_", "sk_test_", "rk_live_", "gsk_", "hf_", "ghp_", "gho_", "github_pat_", "glpat-", "xai-", "nvapi-",
    "r8_", "pplx-", "AIza", "AKIA", "eyJ",
)  # fmt: skip
"""How keys of known services begin."""
_KEY = re.compile(r"[\w.-]*?[A-Za-z0-9_]{16}[\w.-]*")
_NAMES_A_KEY = re.compile(
    r"(?:.*[_-])?(?:api[_-]?key|apikey|(?:access|auth|bearer)[_-]?token|token|secret|password|passwd|authorization"
    r"|bearer|credentials?)\Z",
    re.IGNORECASE,
)
_REFERENCE = re.compile(r"(?:env:|file:|keyring:|none\Z|os\.environ|\$)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Stray:
    """A key in a file: where it stands (by path, or by offset in the text for a comment), and what it is."""

    text: str
    path: YamlPath | None = None
    start: int = 0
    on_key: bool = False

    def __repr__(self) -> str:
        return f"Stray({self.path or self.start})"


def names_a_key(name: str) -> bool:
    """`api_key`, `OPENAI_API_KEY`, `auth-token`"""
    return bool(_NAMES_A_KEY.match(name))


@lru_cache(maxsize=4)
def keys_in(text: str) -> tuple[tuple[int, str], ...]:
    """Offset and text of all that looks like a key of a known service."""
    return tuple(_keys_in(text))


def _keys_in(text: str) -> Iterator[tuple[int, str]]:
    for mark in _MARKS:
        start = text.find(mark)
        while start >= 0:
            match = (
                None
                if start and (text[start - 1].isalnum() or text[start - 1] in "_-")
                else _KEY.match(text, start + len(mark))
            )
            if match:
                yield start, text[start : match.end()]
            start = text.find(mark, start + len(mark))


def literal_auth_refs(file: OpenFile) -> Iterator[Stray]:
    """Every auth_ref that may be the key itself, whoever's row it is in."""
    for row in file.config.providers:
        if row.auth_ref and parse_auth_ref(row.auth_ref).scheme is AuthScheme.LITERAL:
            yield Stray(row.auth_ref.strip(), (*row.path, "auth_ref"))


def strays(file: OpenFile) -> list[Stray]:
    """Keys outside auth_ref and the user part of base_url: under names that call them so, or known by their look."""
    if file.doc is None:
        return []
    found = list(_under_key_names(file))
    keys = keys_in(file.doc.text)
    if keys:
        texts = dict(_texts(file.config.data, ()))
        found += [stray for start, key in keys if (stray := _place(start, key, texts)) is not None]
    own: dict[object, Stray] = {}
    for stray in found:
        own.setdefault(stray.path or stray.start, stray)
    return list(own.values())


def _place(start: int, key: str, texts: dict[YamlPath, str]) -> Stray | None:
    paths = [path for path, text in texts.items() if key in text]
    if not paths:
        return Stray(key, None, start)
    path = next((path for path in paths if path[-1] not in {"auth_ref", "base_url"}), None)
    return None if path is None else Stray(key, path)


def _texts(data: object, path: YamlPath) -> Iterator[tuple[YamlPath, str]]:
    if isinstance(data, dict):
        for key, value in data.items():
            yield from _texts(value, (*path, key))
    elif isinstance(data, list):
        for number, value in enumerate(data):
            yield from _texts(value, (*path, number))
    elif isinstance(data, str):
        yield path, data


_UNREAD = frozenset({"config-unknown-key", "config-wrong-level"})


def _under_key_names(file: OpenFile) -> Iterator[Stray]:
    """Only keys that capdeck does not know can be called so."""
    for finding in file.config.all_findings():
        if finding.code in _UNREAD:
            yield from _named_keys(_at(file.config.data, finding.spot.path), finding.spot.path)


def _named_keys(value: object, path: YamlPath) -> Iterator[Stray]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _named_keys(inner, (*path, key))
    elif isinstance(value, str) and names_a_key(str(path[-1])) and _may_be_a_key(value.strip()):
        yield Stray(value.strip(), path, on_key=True)


def _may_be_a_key(value: str) -> bool:
    """Not where it only says where the key is."""
    return bool(value) and not _REFERENCE.match(value)


def _at(data: object, path: YamlPath) -> object:
    for step in path:
        data = data[step]  # type: ignore[index]  # the path of a finding leads through what was read
    return data


def _user_parts(file: OpenFile) -> Iterator[str]:
    """User names, passwords and queries in base_urls."""
    for row in file.config.providers:
        try:
            parts = urlsplit(row.base_url or "")
        except ValueError:
            continue
        if "@" in parts.netloc:
            yield from parts.netloc.rpartition("@")[0].split(":", 1)
        for pair in parts.query.split("&"):
            yield pair.partition("=")[2]


def secrets_in(file: OpenFile) -> frozenset[str]:
    """Every text of the file that must not be shown, in a message or in a diff."""
    if file.doc is None:
        return frozenset()
    own = {stray.text for stray in (*literal_auth_refs(file), *strays(file))}
    own |= {key for _, key in keys_in(file.doc.text)}
    return frozenset(text for text in (*own, *_user_parts(file)) if len(text) > 3)
