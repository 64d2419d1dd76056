"""Where a request goes, and what came of converting it."""

from __future__ import annotations

from dataclasses import field
from enum import StrEnum
from typing import Any

from adapters.conversion.canonical import CanonicalRequest
from adapters.conversion.steps import Step
from adapters.conversion.tool_ids import ToolIds
from model.capability_set import CapabilitySet
from model.contract import Limits, ProviderConversionReport
from model.conversion import ConversionFields
from model.quick_dataclass import dataclass
from model.vocabulary import Api, JsonLevel

NEWEST_ANTHROPIC_VERSION = "2026-10-21"


class MaxTokensField(StrEnum):
    """What an endpoint of openai-completions calls the cap on the answer; OpenAI itself uses the longer name."""

    MAX_TOKENS = "max_tokens"
    MAX_COMPLETION_TOKENS = "max_completion_tokens"


class SystemRole(StrEnum):
    """Under which role the system prompt goes to an endpoint of openai-completions."""

    SYSTEM = "system"
    DEVELOPER = "developer"


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """What differs between endpoints of one Api.

    `default_max_tokens`: Anthropic demands a cap (tokens). `num_ctx`: the window that Ollama shall load (tokens); it
    cuts a longer prompt without a word, and loads a small window unless told.
    """

    anthropic_version: str = NEWEST_ANTHROPIC_VERSION
    max_tokens_field: MaxTokensField = MaxTokensField.MAX_COMPLETION_TOKENS
    system_role: SystemRole = SystemRole.SYSTEM
    stream_usage: bool = True
    image_urls: bool = True
    default_max_tokens: int = 4096
    num_ctx: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """A model behind an Api.

    `supports` is what reaches the model: its cells that are yes or emulated. What is unknown is not in it, unless the
    caller's policy is permissive: what is not in it is left out of the request, and told.
    """

    api: Api
    model_id: str
    conversion: ConversionFields
    supports: CapabilitySet
    provider_id: str = ""
    limits: Limits = field(default_factory=Limits)
    required: CapabilitySet = field(default_factory=CapabilitySet)
    json_schema: JsonLevel = JsonLevel.NATIVE
    json_mode: JsonLevel = JsonLevel.NATIVE
    allow_lossy: bool = False
    code_changing: bool = False
    dialect: Dialect = field(default_factory=Dialect)


class Blocked(ValueError):
    """A conversion that must not be sent (seed 000 §8.2-5); `reasons` says why."""

    def __init__(self, reasons: tuple[str, ...]) -> None:
        self.reasons = reasons
        super().__init__("; ".join(reasons))


@dataclass(frozen=True, slots=True)
class Converted:
    """A converted request. `draft` is for showing; `body` is for sending."""

    request: CanonicalRequest
    draft: dict[str, Any]
    report: ProviderConversionReport
    steps: tuple[Step, ...]
    tool_ids: ToolIds
    blocked: tuple[str, ...] = ()

    @property
    def body(self) -> dict[str, Any]:
        """JSON for the wire. Raises Blocked."""
        if self.blocked:
            raise Blocked(self.blocked)
        return self.draft

    @property
    def changes(self) -> tuple[Step, ...]:
        """The steps in which something did not stay as it was."""
        return tuple(step for step in self.steps if step.word is not None)
