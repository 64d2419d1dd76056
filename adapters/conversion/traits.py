"""What the messages of each Api can hold, beyond what its transport row says (from the vendors' documents)."""

from __future__ import annotations

from model.quick_dataclass import dataclass
from model.vocabulary import Api


@dataclass(frozen=True, slots=True, kw_only=True)
class Traits:
    """`anthropic_blocks`: the wire is Anthropic's own. Thinking goes back with its signature, or without one."""

    anthropic_blocks: bool = False
    signed_thinking: bool = False
    unsigned_thinking: bool = False
    image_by_url: bool = False
    pdf: bool = False


_ANTHROPIC = Traits(anthropic_blocks=True, signed_thinking=True, image_by_url=True, pdf=True)
_RESPONSES = Traits(image_by_url=True, pdf=True)

TRAITS: dict[Api, Traits] = {
    Api.ANTHROPIC_MESSAGES: _ANTHROPIC,
    Api.ANTHROPIC_VERTEX: _ANTHROPIC,
    Api.OPENAI_COMPLETIONS: Traits(unsigned_thinking=True, image_by_url=True, pdf=True),
    Api.OPENAI_RESPONSES: _RESPONSES,
    Api.AZURE_OPENAI_RESPONSES: _RESPONSES,
    Api.OPENAI_CODEX_RESPONSES: _RESPONSES,
    Api.GOOGLE_GENERATIVE_AI: Traits(),
    Api.GOOGLE_GEMINI_CLI: Traits(),
    Api.GOOGLE_VERTEX: Traits(),
    Api.MISTRAL_CONVERSATIONS: Traits(image_by_url=True),
    Api.BEDROCK_CONVERSE_STREAM: Traits(signed_thinking=True, pdf=True),
    Api.OLLAMA_CHAT: Traits(unsigned_thinking=True),
    Api.UNKNOWN: Traits(image_by_url=True),
}
