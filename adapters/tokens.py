"""Estimating tokens where no endpoint counts them (IBEX's per-tokenizer policy, SEED-FACTS §3.1)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from adapters.contract import TokenCount
from adapters.conversion.canonical import CanonicalRequest
from adapters.conversion.requests import message_json, tool_json
from model.quick_dataclass import dataclass
from model.vocabulary import TokenizerFamily

TOKENS_AN_IMAGE = 1600
"""What an image is taken to need, in tokens: near the most that Anthropic counts for one."""
_TOKENS_A_MESSAGE = 4
_FIRST_WIDE = 0x2E80


@dataclass(frozen=True, slots=True)
class TokenPolicy:
    """How many characters one token holds on average, and how wrong that may be (0.05 = 5 %)."""

    characters: float
    margin: float


_OTHER = TokenPolicy(4.0, 0.10)
POLICIES: dict[TokenizerFamily, TokenPolicy] = {
    TokenizerFamily.O200K_BASE: TokenPolicy(4.0, 0.02),
    TokenizerFamily.CL100K_BASE: TokenPolicy(4.0, 0.02),
    TokenizerFamily.CLAUDE: TokenPolicy(3.5, 0.05),
}


def estimate_text(text: str, family: TokenizerFamily) -> TokenCount:
    """From U+2E80 on (Han, Kana, Hangul, emoji …) a character counts as one token of its own."""
    return _count(text, 0, family)


def estimate_request(request: CanonicalRequest, family: TokenizerFamily) -> TokenCount:
    """System prompt, messages and tool schemas; an image counts flatly, since its size in pixels is not known here."""
    parts: list[Any] = [text.text for text in request.system]
    parts += [tool_json(tool) for tool in request.tools]
    messages = [message_json(message) for message in request.messages]
    texts, images = _contents([*parts, *messages])
    return _count("".join(texts), images * TOKENS_AN_IMAGE + len(messages) * _TOKENS_A_MESSAGE, family)


def _count(text: str, more: int, family: TokenizerFamily) -> TokenCount:
    policy = POLICIES.get(family, _OTHER)
    wide = sum(character >= chr(_FIRST_WIDE) for character in text)
    tokens = wide + -int(-(len(text) - wide) // policy.characters) + more
    return TokenCount(tokens, is_estimate=True, margin=policy.margin)


def _contents(values: list[Any]) -> tuple[list[str], int]:
    """Every text that a model would read, and the number of images and documents given as data."""
    texts: list[str] = []
    sources = 0
    queue = list(values)
    while queue:
        value = queue.pop()
        if isinstance(value, str):
            texts.append(value)
        elif isinstance(value, Mapping) and value.get("type") in {"base64", "url", "file"}:
            sources += 1
        elif isinstance(value, Mapping) and "input_schema" in value:
            texts.append(json.dumps(value, ensure_ascii=False, default=str))
        elif isinstance(value, Mapping):
            queue += [item for key, item in value.items() if key not in _NOT_READ]
        elif isinstance(value, list | tuple):
            queue += value
        elif value is not None:
            texts.append(str(value))
    return texts, sources


_NOT_READ = {"type", "role", "cache_control", "signature", "id", "tool_use_id"}
