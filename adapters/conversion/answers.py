"""JSON answers: asked for through the Api where it can, else in words; and read back."""

from __future__ import annotations

import json
import re
from typing import Any

from adapters.conversion.canonical import CanonicalRequest, JsonAnswer, JsonObject, Text
from adapters.conversion.steps import REQUEST, Action, Ledger
from adapters.conversion.target import Target
from model.conversion import Caution, Omission
from model.vocabulary import Capability, JsonLevel

_FENCE = re.compile(r"\s*```[A-Za-z]*\s*\n(?P<inside>.*?)\n?\s*```\s*\Z", re.DOTALL)


class BadJsonAnswer(ValueError):
    """An answer that is not the JSON that was asked for; `where` is the place inside it ("" = the whole)."""

    def __init__(self, why: str, where: str = "") -> None:
        self.where = where
        super().__init__(f"{where}: {why}" if where else why)


def asked_level(answer: JsonAnswer, target: Target) -> JsonLevel:
    """How far the JSON answer is carried to this model."""
    level, capability = (
        (target.json_mode, Capability.JSON_MODE)
        if answer.schema is None
        else (target.json_schema, Capability.STRUCTURED_OUTPUT)
    )
    return JsonLevel.PROMPT_ONLY if level is JsonLevel.NATIVE and capability not in target.supports else level


def ask_in_words(request: CanonicalRequest, target: Target, ledger: Ledger) -> tuple[Text, ...]:
    """What joins the system prompt where the Api has no field for the answer's form (and where it needs words too)."""
    answer = request.answer
    if answer is None:
        return ()
    if asked_level(answer, target) is JsonLevel.NATIVE:
        if answer.schema is not None or _mentions_json(request):
            return ()
        ledger.note(REQUEST, "answer", Action.INSERTED, Caution.WORDS_ADDED)
        return (Text("Answer with one JSON object."),)
    word = Omission.JSON_IN_WORDS if answer.schema is None else Omission.SCHEMA_IN_WORDS
    ledger.note(REQUEST, "answer", Action.REWRITTEN, word)
    if answer.schema is None:
        return (Text("Answer with one JSON object and nothing else: no words around it, no code fence."),)
    schema = json.dumps(dict(answer.schema), ensure_ascii=False)
    return (Text(f"Answer with JSON of this schema and nothing else: no words around it, no code fence.\n{schema}"),)


def _mentions_json(request: CanonicalRequest) -> bool:
    """OpenAI refuses JSON mode unless the messages speak of JSON."""
    said = (block for message in request.messages for block in message.content)
    return any(isinstance(block, Text) and "json" in block.text.lower() for block in (*request.system, *said))


def parse_json_answer(text: str, schema: JsonObject | None = None) -> Any:
    """The JSON of an answer, a code fence around it forgiven; checked against `schema` if jsonschema is installed.

    Raises BadJsonAnswer.
    """
    fenced = _FENCE.match(text)
    try:
        value = json.loads(fenced["inside"] if fenced else text, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        raise BadJsonAnswer(f"no JSON at line {error.lineno}, column {error.colno}") from None
    except RecursionError:
        raise BadJsonAnswer("nested too deep") from None
    if schema is None:
        if not isinstance(value, dict):
            raise BadJsonAnswer("JSON, but not an object")
        return value
    _check(value, schema)
    return value


def _no_constant(name: str) -> Any:
    raise BadJsonAnswer(f"{name} is no JSON")


def _check(value: Any, schema: JsonObject) -> None:
    """Nothing is fetched: a schema that refers to another document is not valid here."""
    try:
        from jsonschema.exceptions import SchemaError, ValidationError
        from jsonschema.validators import validator_for
        from referencing import Registry
        from referencing.exceptions import Unresolvable
    except ImportError:
        return
    kind = validator_for(dict(schema))
    try:
        kind.check_schema(dict(schema))
        kind(dict(schema), registry=Registry()).validate(value)
    except ValidationError as error:
        raise BadJsonAnswer(f"does not hold {error.validator!r} of the schema", error.json_path) from None
    except (SchemaError, Unresolvable, RecursionError):
        raise BadJsonAnswer("the schema itself is not valid") from None
