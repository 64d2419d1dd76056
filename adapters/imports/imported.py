"""What an import brings: providers with their models, fallback chains, and the list of what could not be carried."""

from __future__ import annotations

from enum import StrEnum

from model.config.rows import Flags, LimitsRow
from model.model_ref import ModelRef
from model.quick_dataclass import dataclass
from model.vocabulary import Api, ProviderKind

_NOTHING_STATED = Flags()
_NO_LIMITS = LimitsRow()


class ImportKind(StrEnum):
    """Whose file it is."""

    LITELLM = "litellm"
    AICHAT = "aichat"
    CONTINUE = "continue"
    OPENCODE = "opencode"
    CRUSH = "crush"
    OPENROUTER = "openrouter"
    OLLAMA = "ollama"


class ImportRefused(Exception):
    """The source cannot be read as that kind. Line and column count from 1; nothing of the source is repeated."""

    def __init__(self, message: str, help: str = "", line: int | None = None, column: int | None = None) -> None:
        super().__init__(message)
        self.help = help
        self.line = line
        self.column = column


@dataclass(frozen=True, slots=True)
class NotCarried:
    """Something that models.yaml gets no word of, or not as it stood: where, and why. Never its value.

    `line` counts from 1; None where the format keeps no lines.
    """

    place: str
    why: str
    line: int | None = None


@dataclass(frozen=True, slots=True)
class ImportedModel:
    """A model as the source states it; None and what is in neither set of `supports` is not stated. Sizes in tokens."""

    model_id: str
    display_name: str | None = None
    enabled: bool | None = None
    context_window_tokens: int | None = None
    max_output_tokens: int | None = None
    supports: Flags = _NOTHING_STATED
    limits: LimitsRow = _NO_LIMITS
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Service:
    """An endpoint and how it is reached. Two entries of a source with the same service are one provider."""

    kind: ProviderKind
    base_url: str | None = None
    api: Api | None = None
    auth_ref: str | None = None


@dataclass(frozen=True, slots=True)
class ImportedProvider:
    """A provider as the source states it."""

    provider_id: str
    service: Service
    display_name: str | None = None
    enabled: bool | None = None
    models: tuple[ImportedModel, ...] = ()


@dataclass(frozen=True, slots=True)
class ImportedChain:
    """Who takes over, in order, when `model` fails."""

    model: ModelRef
    chain: tuple[ModelRef, ...]


@dataclass(frozen=True, slots=True)
class Imported:
    """One source, read. `name` is the source's own."""

    kind: ImportKind
    name: str
    providers: tuple[ImportedProvider, ...]
    fallbacks: tuple[ImportedChain, ...]
    not_carried: tuple[NotCarried, ...]
