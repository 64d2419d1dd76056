"""More goldens for OpenAI chat completions: the request's settings and the form of its answer."""

from __future__ import annotations

from adapters.conversion import Dialect, MaxTokensField
from model.conversion import Caution, Omission
from model.vocabulary import (
    Api,
    CacheConversion,
    JsonLevel,
)
from tests.adapters.conversion.build import (
    MARK,
    target,
)
from tests.adapters.conversion.goldens_openai import SAID, case

SCHEMA = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
CLOSED = {**SCHEMA, "additionalProperties": False}

SETTINGS = [
    case("max tokens", {}, {"max_completion_tokens": 100, "max_tokens": None}),
    case(
        "max tokens of other servers",
        {},
        {"max_tokens": 100, "max_completion_tokens": None},
        on=target(Api.OPENAI_COMPLETIONS, dialect=Dialect(max_tokens_field=MaxTokensField.MAX_TOKENS)),
    ),
    case("sampling", {"temperature": 0.2, "top_p": 0.9}, {"temperature": 0.2, "top_p": 0.9}),
    case("top_k", {"top_k": 40}, {"top_k": None}, Omission.SAMPLING_DROPPED),
    case("stop", {"stop_sequences": ["a", "b"]}, {"stop": ["a", "b"]}),
    case(
        "five stops",
        {"stop_sequences": ["a", "b", "c", "d", "e"]},
        {"stop": ["a", "b", "c", "d"]},
        Omission.STOP_SEQUENCES_DROPPED,
    ),
    case("streamed", {"stream": True}, {"stream": True, "stream_options": {"include_usage": True}}),
    case("not streamed", {}, {"stream": None, "stream_options": None}),
    case(
        "streamed without usage",
        {"stream": True},
        {"stream": True, "stream_options": None},
        on=target(Api.OPENAI_COMPLETIONS, dialect=Dialect(stream_usage=False)),
    ),
    case("user id", {"metadata": {"user_id": "u1"}}, {"user": "u1"}),
    case("other metadata", {"metadata": {"run": 3}}, {"metadata": None}, Caution.METADATA_LEFT_OUT),
    case("a service tier", {"service_tier": "auto"}, {"service_tier": None}, Omission.UNKNOWN_SETTINGS_DROPPED),
    case(
        "a JSON schema",
        {"output_config": {"format": {"type": "json_schema", "schema": SCHEMA}}},
        {"response_format": {"type": "json_schema", "json_schema": {"name": "answer", "schema": SCHEMA}}},
        Caution.SCHEMA_NOT_STRICT,
    ),
    case(
        "a JSON schema that can be enforced",
        {"output_config": {"format": {"type": "json_schema", "schema": CLOSED}}},
        {
            "response_format": {
                "type": "json_schema",
                "json_schema": {"name": "answer", "schema": CLOSED, "strict": True},
            }
        },
    ),
    case(
        "JSON mode, which needs the word",
        {"output_config": {"format": {"type": "json_object"}}},
        {
            "response_format": {"type": "json_object"},
            "messages": [{"role": "system", "content": "Answer with one JSON object."}, SAID],
        },
        Caution.WORDS_ADDED,
    ),
    case(
        "JSON mode where the word is said",
        {"system": "Answer in JSON", "output_config": {"format": {"type": "json_object"}}},
        {
            "response_format": {"type": "json_object"},
            "messages": [{"role": "system", "content": "Answer in JSON"}, SAID],
        },
    ),
    case(
        "a schema in words",
        {"output_config": {"format": {"type": "json_schema", "schema": {"type": "object"}}}},
        {
            "response_format": None,
            "messages": [
                {
                    "role": "system",
                    "content": "Answer with JSON of this schema and nothing else: no words around it, no code fence."
                    '\n{"type": "object"}',
                },
                SAID,
            ],
        },
        Omission.SCHEMA_IN_WORDS,
        on=target(Api.OPENAI_COMPLETIONS, json_schema=JsonLevel.PROMPT_ONLY),
    ),
    case(
        "the request's own cache mark",
        {"cache_control": MARK},
        {"cache_control": None},
        Caution.CACHE_MARKS_IGNORED,
        on=target(Api.OPENAI_COMPLETIONS, row={"cache_control": CacheConversion.UNSUPPORTED}),
    ),
]

GOLDENS = SETTINGS
