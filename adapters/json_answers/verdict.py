"""What an answer is worth: the JSON that was asked for, other JSON, or none."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from adapters.conversion.canonical import JsonAnswer, JsonObject
from adapters.json_answers.schema import BadSchema, JsonError, breaches, checker_of
from adapters.json_answers.search import Found, find_json
from adapters.json_answers.strict import NotJson
from model.quick_dataclass import dataclass

ANY_OBJECT: JsonObject = {"type": "object"}
"""What JSON mode asks for."""


class JsonOutcome(StrEnum):
    """`unchecked`: it is JSON, and the schema cannot be used."""

    VALID = "valid"
    NOT_JSON = "not_json"
    BREAKS_SCHEMA = "breaks_schema"
    UNCHECKED = "unchecked"


@dataclass(frozen=True, slots=True)
class JsonVerdict:
    """`value` is the JSON and `found` where it stood; both None where there is none. What is valid has no errors."""

    outcome: JsonOutcome
    found: Found | None = None
    value: Any = None
    errors: tuple[JsonError, ...] = ()

    @property
    def is_valid(self) -> bool:
        return self.outcome is JsonOutcome.VALID


def judge_answer(text: str, asked: JsonAnswer) -> JsonVerdict:
    """`text` is the whole answer, however the JSON was asked for: a server that enforces it may err too."""
    try:
        json = find_json(text)
    except NotJson as problem:
        return JsonVerdict(JsonOutcome.NOT_JSON, errors=(JsonError(problem.told(text)),))
    try:
        errors = breaches(checker_of(ANY_OBJECT if asked.schema is None else asked.schema), json.value)
    except BadSchema as problem:
        return JsonVerdict(JsonOutcome.UNCHECKED, json.found, json.value, (JsonError(f"the schema: {problem.why}"),))
    outcome = JsonOutcome.BREAKS_SCHEMA if errors else JsonOutcome.VALID
    return JsonVerdict(outcome, json.found, json.value, errors)
