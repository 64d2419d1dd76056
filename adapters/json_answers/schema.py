"""A value against a JSON Schema: by the draft that `$schema` names, else 2020-12. Nothing is ever fetched.

`format` is not asserted, as is the default of the newer drafts.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING, Any

from adapters.conversion.canonical import JsonObject
from adapters.conversion.fields import MOST_LEVELS, is_too_deep
from model.quick_dataclass import dataclass

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError
    from jsonschema.protocols import Validator
    from referencing import Registry, Resource
    from referencing._core import Resolver

_NEWEST = "https://json-schema.org/draft/2020-12/schema"
MOST_ERRORS = 10
"""How many breaches are told; more help nobody."""
_MOST_NAMES = 3
_ENDLESS = "it refers to itself without end"
_BAD_PATTERN = "one of its patterns is no regular expression of Python's"
_SHOWN_CHARACTERS = 120


class BadSchema(ValueError):
    """A schema that cannot be used; `path` leads to the place inside it."""

    def __init__(self, why: str, path: tuple[str | int, ...] = ()) -> None:
        self.why, self.path = why, path
        super().__init__(why)


@dataclass(frozen=True, slots=True)
class JsonError:
    """What is wrong with an answer. `path` is a JSONPath (RFC 9535) to the value, "" where there is none; `clause` is
    the schema's keyword that does not hold, "" where no schema says so. May hold keys, never values, of the answer."""

    why: str
    path: str = ""
    clause: str = ""

    def __str__(self) -> str:
        return f"at {self.path}: {self.why}" if self.path else self.why


def checker_of(schema: JsonObject) -> Validator:
    """Raises BadSchema: not a schema of its draft, or it refers to what does not stand in it."""
    from jsonschema.exceptions import best_match
    from jsonschema.validators import extend

    given = dict(schema)
    if is_too_deep(given):
        raise BadSchema(f"it nests deeper than {MOST_LEVELS} levels")
    kind: type[Validator] = extend(_draft(given), {"uniqueItems": _unique})  # type: ignore[no-untyped-call]
    try:
        error = best_match(kind(kind.META_SCHEMA, format_checker=kind.FORMAT_CHECKER).iter_errors(given))
    except (RecursionError, OverflowError):
        raise BadSchema(_BAD_PATTERN) from None
    if error:
        raise BadSchema(_cut(error.message), tuple(error.absolute_path))
    return kind(given, registry=_demand_whole(given))


def breaches(checker: Validator, value: Any) -> tuple[JsonError, ...]:
    """The first ten, in the schema's order; () = it holds. Raises BadSchema for what only shows while checking."""
    from referencing.exceptions import Unresolvable

    try:
        return tuple(
            JsonError(_why(error), error.json_path, str(error.validator or ""))
            for error in islice(checker.iter_errors(value), MOST_ERRORS)
        )
    except RecursionError:
        raise BadSchema(_ENDLESS) from None
    except Unresolvable:
        raise BadSchema("it refers to what does not stand in it") from None
    except (re.error, OverflowError):
        raise BadSchema(_BAD_PATTERN) from None


def _unique(checker: Validator, wanted: object, value: object, schema: object) -> Iterator[ValidationError]:
    """jsonschema compares every two objects of a list: a long answer would take hours."""
    from jsonschema.exceptions import ValidationError

    if wanted is True and isinstance(value, list) and len({_sorted(each) for each in value}) < len(value):
        yield ValidationError("not unique")


def _sorted(value: Any) -> str:
    """The same text for values that JSON Schema takes for equal: 1 and 1.0 are, 1 and true are not."""
    return json.dumps(_whole(value), sort_keys=True)


def _whole(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _whole(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_whole(each) for each in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _draft(schema: dict[str, Any]) -> type[Validator]:
    from jsonschema.validators import Draft202012Validator, validator_for

    stated = schema.get("$schema", _NEWEST)
    kind = validator_for({"$schema": stated}, Draft202012Validator) if isinstance(stated, str) else None
    if kind is None or (kind is Draft202012Validator and stated.rstrip("#") != _NEWEST):
        raise BadSchema("its $schema names no draft that is known here", ("$schema",))
    return kind


def _demand_whole(schema: dict[str, Any]) -> Registry[Any]:
    """A registry of the drafts' own schemas, without a way to fetch others. Raises BadSchema for a reference that
    leads out of the schema, or round in a circle: else it would show only when an answer is there, and paid for."""
    from jsonschema_specifications import REGISTRY  # type: ignore[import-untyped]
    from referencing import Resource
    from referencing.jsonschema import DRAFT202012

    registry: Registry[Any] = REGISTRY
    root: Resource[Any] = Resource.from_contents(schema, default_specification=DRAFT202012)
    try:
        _follow(root, registry.resolver_with_root(root), set())
    except RecursionError:
        raise BadSchema("its references lead on without measure") from None
    return registry


def _follow(resource: Resource[Any], resolver: Resolver[Any], ends: set[int]) -> None:
    from referencing.exceptions import Unresolvable

    for keyword in ("$ref", "$dynamicRef", "$recursiveRef"):
        reference = resource.contents.get(keyword) if isinstance(resource.contents, dict) else None
        if isinstance(reference, str):
            try:
                resolver.lookup(reference)
            except Unresolvable:
                shown = json.dumps(reference, ensure_ascii=False)
                raise BadSchema(f"{keyword} {_cut(shown)} leads to no place in it, and nothing is fetched") from None
    _demand_end(resource.contents, resolver, frozenset(), ends)
    for inner in resource.subresources():
        _follow(inner, resolver.in_subresource(inner), ends)


def _demand_end(contents: Any, resolver: Resolver[Any], above: frozenset[int], ends: set[int]) -> None:
    """Not for circles by way of a choice: whether the checker walks into these depends on the value. `ends` are the
    parts that are known to come to an end."""
    from referencing.exceptions import Unresolvable
    from referencing.jsonschema import DRAFT202012

    if not isinstance(contents, dict) or id(contents) in ends:
        return
    if id(contents) in above:
        raise BadSchema(_ENDLESS)
    above |= {id(contents)}
    if isinstance(contents.get("$ref"), str):
        with suppress(Unresolvable):  # which is told where it stands
            found = resolver.lookup(contents["$ref"])
            _demand_end(found.contents, found.resolver, above, ends)
    every = contents.get("allOf")
    for part in every if isinstance(every, list) else ():
        _demand_end(part, resolver.in_subresource(DRAFT202012.create_resource(part)), above, ends)
    ends.add(id(contents))


def _why(error: ValidationError) -> str:
    reason = _REASONS.get(str(error.validator))
    if reason is not None:
        return reason(error)
    if error.validator is None:
        return "nothing is allowed here"
    return f"does not hold {error.validator} {_cut(json.dumps(error.validator_value, ensure_ascii=False, default=str))}"


def _wrong_type(error: ValidationError) -> str:
    wanted = error.validator_value
    named = wanted if isinstance(wanted, list) else [wanted]
    return f"is {_NAMES.get(type(error.instance), 'no JSON')}, not {' or '.join(map(str, named))}"


_NAMES: dict[type, str] = {
    str: "a string",
    int: "an integer",
    float: "a number",
    bool: "a boolean",
    dict: "an object",
    list: "an array",
    type(None): "null",
}


def _unknown_keys(error: ValidationError) -> str:
    known = error.schema.get("properties", {}) if isinstance(error.schema, dict) else {}
    if isinstance(error.schema, dict) and ("patternProperties" in error.schema or "$ref" in error.schema):
        return "has keys that are not allowed"
    held: Any = error.instance
    extra = [json.dumps(key, ensure_ascii=False) for key in held if key not in known]
    more = f" and {len(extra) - _MOST_NAMES} more" if len(extra) > _MOST_NAMES else ""
    return f"has keys that are not allowed: {', '.join(extra[:_MOST_NAMES])}{more}"


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN_CHARACTERS else text[: _SHOWN_CHARACTERS - 1] + "…"


_REASONS: dict[str, Callable[[ValidationError], str]] = {
    "type": _wrong_type,
    "required": lambda error: _cut(error.message),
    "additionalProperties": _unknown_keys,
    "enum": lambda error: f"is none of {_cut(json.dumps(error.validator_value, ensure_ascii=False))}",
    "const": lambda error: f"is not {_cut(json.dumps(error.validator_value, ensure_ascii=False))}",
    "anyOf": lambda _: "fits none of the alternatives",
    "uniqueItems": lambda _: "holds the same item twice",
    "oneOf": lambda _: "does not fit exactly one of the alternatives",
}
"""In our words where jsonschema's would repeat the answer's values."""
