"""JSON answers, asked for through the Api where it can, else in words; `adapters.json_answers` reads them."""

from __future__ import annotations

import json

from adapters.conversion.canonical import CanonicalRequest, JsonAnswer, Text
from adapters.conversion.steps import REQUEST, Action, Ledger
from adapters.conversion.target import Target
from model.conversion import Caution, Omission
from model.vocabulary import Capability, JsonLevel


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
    return (Text(in_words(answer)),)


def in_words(answer: JsonAnswer) -> str:
    """What is asked for, where no field of an Api says it."""
    if answer.schema is None:
        return "Answer with one JSON object and nothing else: no words around it, no code fence."
    schema = json.dumps(dict(answer.schema), ensure_ascii=False)
    return f"Answer with JSON of this schema and nothing else: no words around it, no code fence.\n{schema}"


def _mentions_json(request: CanonicalRequest) -> bool:
    """OpenAI refuses JSON mode unless the messages speak of JSON."""
    said = (block for message in request.messages for block in message.content)
    return any(isinstance(block, Text) and "json" in block.text.lower() for block in (*request.system, *said))
