"""The one table of fields that a models.yaml may hold: type, allowed values, bounds, headings, help.

Drives the located checks, the grid's columns, the editors, did-you-mean, the JSON Schema and the docs.
Sources: seed 000 §2, 3, 5; DOMAIN.md §3.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from enum import Enum, StrEnum

from model.quick_dataclass import dataclass
from model.vocabulary import (
    CAPABILITIES,
    Api,
    CacheConversion,
    Canonical,
    Capability,
    CostTier,
    ImageConversion,
    ProviderKind,
    QualityTier,
    Role,
    ScoreDimension,
    ThinkingConversion,
    TokenizerFamily,
    ToolSchema,
)


class Kind(StrEnum):
    """How a field's value is written."""

    TEXT = "text"
    FLAG = "true or false"
    COUNT = "a whole number above 0"
    SCORE = "a whole number from 0 to 100"
    CHOICE = "one of a few words"
    TEXTS = "a list of texts"
    SECTION = "a mapping"
    ROWS = "a list of mappings"
    TABLE = "a mapping with names of your own"


class Group(StrEnum):
    """Columns of the matrix come in groups."""

    IDENTITY = "identity"
    CAPABILITIES = "capabilities"
    CONVERSION = "conversion"
    LIMITS = "limits"
    ROLES = "roles"
    SCORES = "scores"


@dataclass(frozen=True, slots=True)
class Field:
    """One key. `fields` holds the keys of a section or of each row of a list."""

    name: str
    kind: Kind
    help: str
    choices: type[Enum] | None = None
    fields: Mapping[str, Field] = field(default_factory=dict)
    heading: str = ""
    short: str = ""
    group: Group | None = None
    default: object = None
    required: bool = False
    examples: tuple[object, ...] = ()

    @property
    def allowed(self) -> tuple[str, ...]:
        """The words that a CHOICE takes, in their order."""
        return tuple(member.value for member in self.choices) if self.choices else ()


def _table(*fields: Field) -> Mapping[str, Field]:
    return {each.name: each for each in fields}


_CAPABILITY_TEXT: dict[Capability, tuple[str, str]] = {
    Capability.TEXT_INPUT: ("text", "takes text"),
    Capability.TEXT_OUTPUT: ("tout", "answers with text"),
    Capability.STREAMING: ("strm", "sends its answer in pieces as it is made"),
    Capability.TOOL_USE: ("tool", "calls tools by itself (native, model-driven)"),
    Capability.PARALLEL_TOOL_USE: ("par", "asks for several tool calls in one turn"),
    Capability.STRUCTURED_OUTPUT: ("strc", "answers in a JSON Schema that is enforced"),
    Capability.JSON_MODE: ("json", "answers in valid JSON of any shape"),
    Capability.THINKING: ("thnk", "has a reasoning channel apart from its answer"),
    Capability.PROMPT_CACHE: ("cach", "reuses a prompt's beginning at a lower price"),
    Capability.SYSTEM_PROMPT: ("sys", "takes a system prompt"),
    Capability.IMAGE_INPUT: ("img", "sees images"),
    Capability.IMAGE_OUTPUT: ("imgo", "makes images"),
    Capability.AUDIO_INPUT: ("aud", "hears audio"),
    Capability.AUDIO_OUTPUT: ("audo", "speaks"),
    Capability.FILE_INPUT: ("file", "reads files such as PDF"),
    Capability.COMPUTER_USE: ("comp", "drives a computer's screen and keyboard"),
    Capability.LONG_CONTEXT: ("long", "holds a long context (derived from the window unless stated)"),
    Capability.BATCH: ("btch", "takes batches of requests for later"),
}

SUPPORTS = _table(
    *(
        Field(
            capability.value,
            Kind.FLAG,
            f"The model {_CAPABILITY_TEXT[capability][1]}.",
            heading=capability.value,
            short=_CAPABILITY_TEXT[capability][0],
            group=Group.CAPABILITIES,
        )
        for capability in CAPABILITIES
    )
)

CONVERSION = _table(
    *(
        Field(name, Kind.CHOICE, text, choices=choices, heading=name, short=short, group=Group.CONVERSION)
        for name, choices, short, text in (
            (
                "from_anthropic_canonical",
                Canonical,
                "canon",
                "What turning Anthropic content blocks into this wire loses.",
            ),
            ("tool_schema", ToolSchema, "tools", "How tool definitions reach the model."),
            ("image_input", ImageConversion, "imgs", "How images reach the model."),
            ("thinking", ThinkingConversion, "think", "Whether earlier thinking is carried back to the model."),
            ("cache_control", CacheConversion, "cache", "Whether cache marks are carried."),
        )
    )
)

LIMITS = _table(
    *(
        Field(name, Kind.COUNT, text, heading=name, short=short, group=Group.LIMITS)
        for name, short, text in (
            ("requests_per_minute", "rpm", "Requests a minute that your account allows."),
            ("tokens_per_minute", "tpm", "Tokens a minute that your account allows."),
            ("concurrent_requests", "conc", "Requests at the same time."),
            (
                "max_tool_schema_bytes",
                "toolB",
                "Most UTF-8 bytes of the converted tool list; more blocks before the call.",
            ),
            ("max_image_count", "imgN", "Most images in one request."),
            ("max_file_bytes", "fileB", "Most bytes of one file."),
        )
    )
)

DEFAULT_USE = _table(
    *(
    Field(role.value, Kind.FLAG, f"This model is the default for {role.value}.", heading=role.value,
          short=role.value[:4], group=Group.ROLES)
    for role in Role
    )
)  # fmt: skip

SCORES = _table(
    *(
    Field(dimension.value, Kind.SCORE, f"Your own score for {dimension.value}, 0 to 100 (50 where unknown).",
          heading=f"score {dimension.value}", short=dimension.value[:4], group=Group.SCORES)
    for dimension in ScoreDimension
    )
)  # fmt: skip

MODEL = _table(
    Field("model_id", Kind.TEXT, "The id that is sent to the provider, as the provider spells it.", required=True,
          heading="model", short="model", examples=("claude-sonnet-4-6",)),
    Field("display_name", Kind.TEXT, "A name for people.", heading="name", short="name", group=Group.IDENTITY),
    Field("enabled", Kind.FLAG, "false switches the model off.", default=True, heading="enabled", short="on",
          group=Group.IDENTITY),
    Field("quality_tier", Kind.CHOICE, "Your judgement: frontier > strong > standard > cheap > local.",
          choices=QualityTier, heading="quality_tier", short="qual", group=Group.IDENTITY),
    Field("cost_tier", Kind.CHOICE, "Your judgement of its price: free < low < medium < high.", choices=CostTier,
          heading="cost_tier", short="$", group=Group.IDENTITY),
    Field("context_window_tokens", Kind.COUNT, "Total window in tokens, input and output together.",
          heading="context_window_tokens", short="ctx", group=Group.IDENTITY, examples=(200000,)),
    Field("max_output_tokens", Kind.COUNT, "Most tokens of one answer.", heading="max_output_tokens", short="out",
          group=Group.IDENTITY, examples=(64000,)),
    Field("supports", Kind.SECTION, "What the model does: true, false, or left out for not stated.", fields=SUPPORTS),
    Field("conversion", Kind.SECTION, "Where this model's wire differs from its Api's row.", fields=CONVERSION),
    Field("limits", Kind.SECTION, "What your account or this model allows.", fields=LIMITS),
    Field("default_use", Kind.SECTION, "The roles that this model is the default for.", fields=DEFAULT_USE),
    Field("notes", Kind.TEXTS, "Remarks, shown with the model."),
    Field("scores", Kind.SECTION, "Your own ADR-004 scores.", fields=SCORES),
    Field("aliases", Kind.TEXTS, "Other ids of the same model on this provider."),
    Field("tokenizer_family", Kind.CHOICE, "How the model cuts text into tokens.", choices=TokenizerFamily),
)  # fmt: skip

PROVIDER = _table(
    Field("provider_id", Kind.TEXT, "Your name for the provider: letters, digits, '.', '_' and '-'.", required=True,
          examples=("anthropic-main",)),
    Field("provider_kind", Kind.CHOICE, "Whose service it is.", choices=ProviderKind, required=True),
    Field("display_name", Kind.TEXT, "A name for people."),
    Field("base_url", Kind.TEXT, "The endpoint, without query, fragment or user.",
          examples=("https://api.example.com/v1",)),
    Field("auth_ref", Kind.TEXT, "Where the key is: env:NAME, file:PATH, keyring:SERVICE/USER or none. Never the key.",
          examples=("env:ANTHROPIC_API_KEY",)),
    Field("local", Kind.FLAG, "It runs on your own machine or network."),
    Field("enabled", Kind.FLAG, "false switches all its models off.", default=True),
    Field("api", Kind.CHOICE, "The wire protocol, where it is not the kind's own.", choices=Api),
    Field("models", Kind.ROWS, "Its models.", fields=MODEL),
)  # fmt: skip

ALTERNATIVE = _table(
    *SUPPORTS.values(),
    Field("min_context_window_tokens", Kind.COUNT, "At least this window, in tokens."),
)

REQUIREMENT = _table(
    Field("required", Kind.SECTION, "true = must have, false = must not have.", fields=SUPPORTS),
    Field("preferred", Kind.SECTION, "Ranks higher, never excludes.", fields=SUPPORTS),
    Field("min_quality_tier", Kind.CHOICE, "The lowest quality tier that passes.", choices=QualityTier),
    Field("max_cost_tier", Kind.CHOICE, "The highest cost tier that passes.", choices=CostTier),
    Field("min_context_window_tokens", Kind.COUNT, "At least this window, in tokens."),
    Field("allow_lossy_conversion", Kind.FLAG, "An emulated capability will do.", default=False),
    Field("any_of", Kind.ROWS, "At least one of these must hold.", fields=ALTERNATIVE),
    Field("exclude_models", Kind.TEXTS, "provider_id/model_id of models that must not be chosen."),
    Field("tools", Kind.TEXTS, "Names of tools that the task needs."),
)


class SchemaFeature(StrEnum):
    """A JSON Schema feature that some wire cannot carry (seed 001, ADR-005)."""

    PATTERN_PROPERTIES = "patternProperties"
    CONST = "const"


class CapabilityTier(StrEnum):
    """gsd-2's words: light = cheap or local, standard = standard, heavy = strong or frontier."""

    LIGHT = "light"
    STANDARD = "standard"
    HEAVY = "heavy"


TOOL = _table(
    Field("name", Kind.TEXT, "The tool's name.", required=True, examples=("screenshot",)),
    Field("produces_images", Kind.FLAG, "Its results hold images.", default=False),
    Field("schema_features", Kind.TEXTS, "JSON Schema features that its input schema uses.",
          examples=(["patternProperties"],)),
    Field("min_capability_tier", Kind.CHOICE, "The least model that can use it.", choices=CapabilityTier),
)  # fmt: skip

FALLBACK = _table(
    Field("task", Kind.TEXT, "The chain is for this task."),
    Field("model", Kind.TEXT, "The chain is for when this model (provider_id/model_id) is gone."),
    Field("chain", Kind.TEXTS, "Who takes over, in order: provider_id/model_id each.", required=True),
)


class UnknownCapabilities(StrEnum):
    """closed: not stated fails; permissive: not stated passes with a warning."""

    CLOSED = "closed"
    PERMISSIVE = "permissive"


IGNORE = _table(
    Field("code", Kind.TEXT, "The finding's code.", required=True),
    Field("at", Kind.TEXT, "Only for this provider_id or provider_id/model_id."),
    Field("reason", Kind.TEXT, "Why."),
)

POLICY = _table(
    Field("unknown_capabilities", Kind.CHOICE, "What 'not stated' means to a verdict.", choices=UnknownCapabilities,
          default=UnknownCapabilities.CLOSED),
    Field("allow_higher_tier", Kind.FLAG, "A fallback may go to a higher tier.", default=True),
    Field("allow_lower_tier_for", Kind.TEXTS, "Tasks whose fallback may go to a lower tier."),
    Field("allow_online_checks", Kind.FLAG, "The doctor may contact endpoints by itself.", default=False),
    Field("allow_proxy", Kind.FLAG, "Use the proxy settings of the environment.", default=False),
    Field("long_context_tokens", Kind.COUNT, "From this window on, long_context is derived as yes.", default=200_000),
    Field("code_changing", Kind.TEXTS, "Tasks that change code.", default=("execute", "debug")),
    Field("rank_by_score", Kind.FLAG, "Scores rank directly after the role default.", default=False),
    Field("ignore", Kind.ROWS, "Findings that you have seen and accept.", fields=IGNORE),
)  # fmt: skip

TOP = _table(
    Field("providers", Kind.ROWS, "Your providers and their models.", fields=PROVIDER, required=True),
    Field("requirements", Kind.TABLE, "What a task asks of a model, where it differs from the default.",
          fields=REQUIREMENT),
    Field("tools", Kind.ROWS, "Tools and what they need of a wire.", fields=TOOL),
    Field("fallbacks", Kind.ROWS, "Chains that are tried before the ladder.", fields=FALLBACK),
    Field("policy", Kind.SECTION, "How capdeck decides.", fields=POLICY),
)  # fmt: skip

ROOT = Field("", Kind.SECTION, "A models.yaml.", fields=TOP)


def _flat(fields: Mapping[str, Field], prefix: str = "") -> Iterator[tuple[str, Field]]:
    for name, each in fields.items():
        if each.kind is Kind.SECTION:
            yield from _flat(each.fields, f"{prefix}{name}.")
        elif each.kind is not Kind.ROWS:
            yield prefix + name, each


MODEL_FIELDS: Mapping[str, Field] = dict(_flat(MODEL))
"""The fields of a model by dotted name: `supports.tool_use`, `quality_tier`."""
PROVIDER_FIELDS: Mapping[str, Field] = dict(_flat(PROVIDER))
