"""The words of the domain as types (DOMAIN.md §1; seed 000 §2, §3, §5)."""

from __future__ import annotations

from enum import StrEnum
from functools import cached_property


class Capability(StrEnum):
    """One of the 18 flags of `supports`, in the order of seed 000 §3."""

    TEXT_INPUT = "text_input"
    TEXT_OUTPUT = "text_output"
    STREAMING = "streaming"
    TOOL_USE = "tool_use"
    PARALLEL_TOOL_USE = "parallel_tool_use"
    STRUCTURED_OUTPUT = "structured_output"
    JSON_MODE = "json_mode"
    THINKING = "thinking"
    PROMPT_CACHE = "prompt_cache"
    SYSTEM_PROMPT = "system_prompt"
    IMAGE_INPUT = "image_input"
    IMAGE_OUTPUT = "image_output"
    AUDIO_INPUT = "audio_input"
    AUDIO_OUTPUT = "audio_output"
    FILE_INPUT = "file_input"
    COMPUTER_USE = "computer_use"
    LONG_CONTEXT = "long_context"
    BATCH = "batch"

    @cached_property
    def bit(self) -> int:
        """This capability's bit in a `CapabilitySet` mask."""
        return 1 << CAPABILITIES.index(self)


CAPABILITIES: tuple[Capability, ...] = tuple(Capability)


class Support(StrEnum):
    """The value of a cell. `EMULATED` follows from a conversion and is never written in a file."""

    YES = "yes"
    EMULATED = "emulated"
    NO = "no"
    UNKNOWN = "unknown"

    @classmethod
    def from_flag(cls, flag: bool | None) -> Support:
        """A YAML flag: true, false, or left out (not stated)."""
        return cls.UNKNOWN if flag is None else cls.YES if flag else cls.NO


class QualityTier(StrEnum):
    """frontier > strong > standard > cheap > local; `unknown` never meets a floor."""

    FRONTIER = "frontier"
    STRONG = "strong"
    STANDARD = "standard"
    CHEAP = "cheap"
    LOCAL = "local"
    UNKNOWN = "unknown"

    @cached_property
    def rank(self) -> int:
        """5 for frontier down to 1 for local; 0 for unknown."""
        return len(QualityTier) - 1 - tuple(QualityTier).index(self)

    def meets(self, floor: QualityTier) -> bool:
        return self is not QualityTier.UNKNOWN and self.rank >= floor.rank


class CostTier(StrEnum):
    """free < low < medium < high; `unknown` fails a cap."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"
    FREE = "free"
    UNKNOWN = "unknown"

    @cached_property
    def rank(self) -> int:
        """0 for free up to 3 for high; 4 for unknown, so that unknown sorts last by price."""
        return {"free": 0, "low": 1, "medium": 2, "high": 3, "unknown": 4}[self.value]

    def within(self, cap: CostTier) -> bool:
        return self is not CostTier.UNKNOWN and self.rank <= cap.rank


class ProviderKind(StrEnum):
    """The seven provider kinds of seed 000 §2."""

    ANTHROPIC = "anthropic"
    OPENAI = "openai"
    OPENROUTER = "openrouter"
    OLLAMA = "ollama"
    ANTHROPIC_COMPATIBLE = "anthropic_compatible"
    OPENAI_COMPATIBLE = "openai_compatible"
    CUSTOM = "custom"

    @property
    def default_api(self) -> Api:
        """The wire protocol that this kind speaks unless the provider names another."""
        return _DEFAULT_API[self]

    @property
    def default_base_url(self) -> str | None:
        """The vendor's own endpoint; None where the file has to state it."""
        return _DEFAULT_BASE_URL.get(self)

    @property
    def declares_transport(self) -> bool:
        """Whether what the endpoint carries counts only once it is declared (seed 004)."""
        return self in {ProviderKind.ANTHROPIC_COMPATIBLE, ProviderKind.OPENAI_COMPATIBLE, ProviderKind.CUSTOM}


class Api(StrEnum):
    """A wire protocol: a row of the gsd-2 registry (seed 001). Rules about the wire hang on it."""

    ANTHROPIC_MESSAGES = "anthropic-messages"
    ANTHROPIC_VERTEX = "anthropic-vertex"
    OPENAI_RESPONSES = "openai-responses"
    AZURE_OPENAI_RESPONSES = "azure-openai-responses"
    OPENAI_CODEX_RESPONSES = "openai-codex-responses"
    OPENAI_COMPLETIONS = "openai-completions"
    GOOGLE_GENERATIVE_AI = "google-generative-ai"
    GOOGLE_GEMINI_CLI = "google-gemini-cli"
    GOOGLE_VERTEX = "google-vertex"
    MISTRAL_CONVERSATIONS = "mistral-conversations"
    BEDROCK_CONVERSE_STREAM = "bedrock-converse-stream"
    OLLAMA_CHAT = "ollama-chat"
    UNKNOWN = "unknown"


_DEFAULT_API = {
    ProviderKind.ANTHROPIC: Api.ANTHROPIC_MESSAGES,
    ProviderKind.ANTHROPIC_COMPATIBLE: Api.ANTHROPIC_MESSAGES,
    ProviderKind.OPENAI: Api.OPENAI_COMPLETIONS,
    ProviderKind.OPENROUTER: Api.OPENAI_COMPLETIONS,
    ProviderKind.OPENAI_COMPATIBLE: Api.OPENAI_COMPLETIONS,
    ProviderKind.OLLAMA: Api.OLLAMA_CHAT,
    ProviderKind.CUSTOM: Api.UNKNOWN,
}
_DEFAULT_BASE_URL = {
    ProviderKind.ANTHROPIC: "https://api.anthropic.com",
    ProviderKind.OPENAI: "https://api.openai.com/v1",
    ProviderKind.OPENROUTER: "https://openrouter.ai/api/v1",
    ProviderKind.OLLAMA: "http://127.0.0.1:11434",
}


class Canonical(StrEnum):
    """`conversion.from_anthropic_canonical`."""

    LOSSLESS = "lossless"
    LOSSY = "lossy"
    UNSUPPORTED = "unsupported"


class ToolSchema(StrEnum):
    """`conversion.tool_schema`."""

    NATIVE = "native"
    CONVERTED = "converted"
    EMULATED = "emulated"
    UNSUPPORTED = "unsupported"


class ImageConversion(StrEnum):
    """`conversion.image_input`."""

    NATIVE = "native"
    ARTIFACT_LINK = "artifact_link"
    UNSUPPORTED = "unsupported"


class ThinkingConversion(StrEnum):
    """`conversion.thinking`."""

    NATIVE = "native"
    STRIPPED = "stripped"
    UNSUPPORTED = "unsupported"


class CacheConversion(StrEnum):
    """`conversion.cache_control`."""

    NATIVE = "native"
    IGNORED = "ignored"
    UNSUPPORTED = "unsupported"


class JsonLevel(StrEnum):
    """How far a transport carries JSON answers (seed 004): unsupported < prompt_only < native."""

    UNSUPPORTED = "unsupported"
    PROMPT_ONLY = "prompt_only"
    NATIVE = "native"


class Role(StrEnum):
    """A key of `default_use` (seed 000 §3)."""

    MAIN = "main"
    ARCHITECTURE = "architecture"
    EXECUTE = "execute"
    REVIEW = "review"
    DEBUG = "debug"
    COMPACT = "compact"
    MINE_EXPERIENCE = "mine_experience"


class TaskType(StrEnum):
    """The nine task types of seed 000 §5. A task of the user's own is a plain name beside them."""

    MAIN = "main"
    ARCHITECTURE = "architecture"
    EXECUTE = "execute"
    REVIEW = "review"
    DEBUG = "debug"
    COMPACT = "compact"
    MINE_EXPERIENCE = "mine_experience"
    UI_SCREENSHOT_ANALYSIS = "ui_screenshot_analysis"
    IMAGE_GENERATION = "image_generation"

    @property
    def role(self) -> Role | None:
        """The `default_use` key of this task; two tasks have none."""
        return next((role for role in Role if role.value == self.value), None)


class ScoreDimension(StrEnum):
    """The seven dimensions of ADR-004, each 0 to 100."""

    CODING = "coding"
    DEBUGGING = "debugging"
    RESEARCH = "research"
    REASONING = "reasoning"
    SPEED = "speed"
    LONG_CONTEXT = "long_context"
    INSTRUCTION = "instruction"


class TokenizerFamily(StrEnum):
    """How a model cuts text into tokens (ADR-0041 §6); `unknown` only outside the catalog."""

    O200K_BASE = "o200k_base"
    CL100K_BASE = "cl100k_base"
    CLAUDE = "claude"
    GEMINI = "gemini"
    LLAMA3 = "llama3"
    LLAMA4 = "llama4"
    MUSE = "muse"
    QWEN2 = "qwen2"
    QWEN3_5 = "qwen3.5"
    DEEPSEEK = "deepseek"
    MISTRAL = "mistral"
    GROK = "grok"
    KIMI = "kimi"
    GLM = "glm"
    COHERE = "cohere"
    UNKNOWN = "unknown"


class Layer(StrEnum):
    """Who said something about a cell, nearest to the user first (DOMAIN.md §2). `file` is a file opened alone."""

    FILE = "file"
    PROJECT = "project"
    GLOBAL = "global"
    CATALOG = "catalog"
    KIND_DEFAULT = "kind_default"
    DERIVED = "derived"
    TRANSPORT = "transport"
    OBSERVED = "observed"
    NOBODY = "nobody"
