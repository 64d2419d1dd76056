"""JSON Schemas of the documents that the command line promises (CLI.md): keys may be added, none renamed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import jsonschema

Schema = Mapping[str, Any]

TEXT: Schema = {"type": "string"}
MAYBE_TEXT: Schema = {"type": ["string", "null"]}
MAYBE_COUNT: Schema = {"type": ["integer", "null"]}
FLAG: Schema = {"type": "boolean"}
SUPPORT: Schema = {"enum": ["yes", "emulated", "no", "unknown"]}


def record(**keys: Schema) -> Schema:
    return {"type": "object", "required": list(keys), "properties": keys}


def rows(item: Schema) -> Schema:
    return {"type": "array", "items": item}


def table(value: Schema) -> Schema:
    return {"type": "object", "additionalProperties": value}


FILES = rows(record(path=TEXT, layer={"enum": ["file", "project", "global"]}, sha256=MAYBE_TEXT))
LAYERS = rows(record(layer=TEXT, value=TEXT, file=MAYBE_TEXT, line=MAYBE_COUNT, column=MAYBE_COUNT, detail=MAYBE_TEXT))
CELL = record(value=TEXT, decided_by=TEXT)
TOLD = record(value={}, decided_by=TEXT, layers=LAYERS)
REASON = record(
    code=TEXT, capability=MAYBE_TEXT, clause=TEXT, text=TEXT, cell={"anyOf": [CELL, {"type": ["object", "null"]}]}
)


def document(**keys: Schema) -> Schema:
    return record(schema_version={"const": 1}, **keys)


IDENTITY: dict[str, Schema] = {
    "ref": TEXT, "provider_id": TEXT, "model_id": TEXT, "display_name": MAYBE_TEXT, "provider_kind": MAYBE_TEXT,
    "api": TEXT, "local": FLAG, "enabled": FLAG, "notes": rows(TEXT),
    "conversion": {"type": "object"}, "limits": {"type": "object"}, "default_use": table(FLAG),
}  # fmt: skip
MATRIX = document(
    files=FILES,
    models=rows(
        record(
            **IDENTITY,
            quality_tier=TEXT,
            cost_tier=TEXT,
            context_window_tokens=MAYBE_COUNT,
            max_output_tokens=MAYBE_COUNT,
            supports=table(SUPPORT),
        )
    ),
)
TOLD_MATRIX = document(
    files=FILES,
    models=rows(
        record(
            **IDENTITY,
            quality_tier=TOLD,
            cost_tier=TOLD,
            context_window_tokens=TOLD,
            max_output_tokens=TOLD,
            supports=table(TOLD),
        )
    ),
)
KEYS = record(
    verdict={"enum": ["pass", "pass_lossy"]}, role_default=FLAG, preferred={"type": "integer"}, preferred_tier=FLAG,
    tier_distance={"type": "integer"}, cost=TEXT, score={"type": "number"}, ref=TEXT,
)  # fmt: skip
SELECT = document(
    files=FILES,
    task=TEXT,
    requirement=record(required=table(FLAG), preferred=table(FLAG), allow_lossy_conversion=FLAG),
    passing=rows(
        record(
            ref=TEXT, verdict={"enum": ["pass", "pass_lossy"]}, rank={"type": "integer"}, keys=KEYS,
            warnings=rows(REASON),
        )
    ),
    failing=rows(record(ref=TEXT, near_miss=FLAG, reasons={**rows(REASON), "minItems": 1})),
    tools_removed=rows(record(ref=TEXT, tool=TEXT, why=TEXT)),
)  # fmt: skip
EXPLAIN_CELL = document(files=FILES, value=TEXT, decided_by=TEXT, layers=LAYERS)
EDIT = document(files=FILES, changed=rows(record(file=TEXT, path=TEXT, before={}, after={})), diff=TEXT)
FINDING = record(
    code={"type": "string", "pattern": "^[a-z]+(-[a-z]+)+$"}, severity={"enum": ["error", "warning", "info"]},
    family=TEXT, file=TEXT, line=MAYBE_COUNT, column=MAYBE_COUNT, path=TEXT, message=TEXT, evidence=MAYBE_TEXT,
    help=MAYBE_TEXT, fix={"anyOf": [record(title=TEXT, diff=TEXT), {"type": "null"}]},
)  # fmt: skip
COUNT: Schema = {"type": "integer", "minimum": 0}
DOCTOR = document(
    files=FILES,
    findings=rows(FINDING),
    summary=record(errors=COUNT, warnings=COUNT, infos=COUNT, checked=COUNT, not_checked=rows(TEXT)),
)
ERROR = record(
    schema_version={"const": 1},
    error=record(
        code=TEXT, message=TEXT, file=MAYBE_TEXT, line=MAYBE_COUNT, column=MAYBE_COUNT, path=MAYBE_TEXT, help=MAYBE_TEXT
    ),
)


def check(document: Any, schema: Schema) -> None:
    """Raises jsonschema.ValidationError."""
    jsonschema.validate(document, schema)
