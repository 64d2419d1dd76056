"""One value of a models.yaml, checked against its field: the typed value, or what is wrong with it."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from dataclasses import replace

from model.auth import looks_like_key
from model.config.fields import Field, Kind
from model.model_ref import is_provider_id
from model.quick_dataclass import dataclass

LARGEST_COUNT = 10**12
LIKELY = 0.75
"""How like a known word another must be before writing it is offered, up to 1."""
LONGEST_SHOWN = 60
"""Characters of a value that a message repeats."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a value counts as not stated. `mended` is the value that was meant, if one can be named; `sure` tells
    whether nothing else can have been meant. `unquoted` are the places, from the value, of what YAML reads as a number
    or true/false and its text in the file was meant: that text is known to the document only."""

    code: str
    message: str
    help: str = ""
    mended: object = None
    sure: bool = True
    unquoted: tuple[tuple[int, ...], ...] = ()


def shown(raw: object) -> str:
    """A value of the file as a message may repeat it: not too long, and no key."""
    if isinstance(raw, str) and looks_like_key(raw):
        return "what looks like a key"
    text = repr(raw)
    return text if len(text) <= LONGEST_SHOWN else f"{text[: LONGEST_SHOWN - 1]}…"


def nearest(word: str, known: Iterable[str], cutoff: float = 0.6) -> str | None:
    """The known word that was probably meant, never the word itself; `cutoff` is how like they must be, up to 1."""
    by_folded = {name.casefold(): name for name in known if name != word}
    close = difflib.get_close_matches(word.casefold(), by_folded, n=1, cutoff=cutoff)
    return by_folded[close[0]] if close else None


def read_value(field: Field, raw: object) -> object | Fault:
    """`raw` is not None and the field is a scalar or a list of texts."""
    return _READERS[field.kind](field, raw)


def type_name(raw: object) -> str:
    """How a person would call what stands in the file."""
    names = {bool: "true/false", int: "a number", float: "a number", str: "text", list: "a list", dict: "a mapping"}
    return names.get(type(raw), "nothing" if raw is None else type(raw).__name__)


def _wrong_type(field: Field, raw: object, help: str = "", mended: object = None, sure: bool = True) -> Fault:
    message = f"{field.name} must be {field.kind.value}, not {type_name(raw)}"
    return Fault("config-wrong-type", message, help or field.help, mended, sure)


def _text(field: Field, raw: object) -> object | Fault:
    if isinstance(raw, int | float):
        fault = _wrong_type(field, raw, "put it in quotes: YAML reads it as a value of its own kind", sure=False)
        return replace(fault, unquoted=((),))
    if not isinstance(raw, str):
        return _wrong_type(field, raw)
    if not raw.strip():
        return Fault("config-wrong-value", f"{field.name} is blank", "write it, or leave the key out")
    if field.name == "provider_id" and not is_provider_id(raw):
        return Fault(
            "config-bad-id",
            f"{shown(raw)} is no provider_id",
            "use letters, digits, '.', '_' and '-' only, no '/' or space",
        )
    if field.name == "model_id" and raw != raw.strip():
        return Fault("config-bad-id", "model_id has blanks at its ends", "write it without them", raw.strip())
    return raw


def _flag(field: Field, raw: object) -> object | Fault:
    if isinstance(raw, bool):
        return raw
    if isinstance(raw, str) and raw.casefold() in {"true", "false"}:
        meant = raw.casefold() == "true"
        return Fault("config-quoted-boolean", f"{field.name} is the text {raw!r}", "take the quotes away", meant)
    if isinstance(raw, str) and raw.casefold() in {"yes", "on", "no", "off"}:
        meant = raw.casefold() in {"yes", "on"}
        return Fault(
            "config-wrong-value",
            f"{field.name} is the text {shown(raw)}: YAML 1.2 knows true and false only",
            f"write {str(meant).lower()}",
            meant,
        )
    return _wrong_type(field, raw, "write true or false, or leave the key out for 'not stated'")


_COUNT_WITH_UNIT = re.compile(r"(\d{1,15}|\d{1,3}(?:[,_ ]\d{3})+)\s*([kKmM])?\Z")


def _count(field: Field, raw: object) -> object | Fault:
    if isinstance(raw, bool) or not isinstance(raw, int):
        return _not_a_count(field, raw)
    if not 0 < raw <= LARGEST_COUNT:
        return Fault(
            "config-out-of-range",
            f"{field.name} is {shown(raw)}: it must be from 1 to {LARGEST_COUNT:,}",
            "leave it out if you do not know it",
        )
    return raw


def _not_a_count(field: Field, raw: object) -> Fault:
    """A unit is no sure thing: k is 1,000 here, and 1,024 to some."""
    if isinstance(raw, float) and raw.is_integer() and 0 < raw <= LARGEST_COUNT:
        return _wrong_type(field, raw, f"write {int(raw)}", int(raw))
    match = _COUNT_WITH_UNIT.match(raw) if isinstance(raw, str) else None
    if match:
        unit = (match[2] or "").lower()
        meant = int(re.sub(r"[,_ ]", "", match[1])) * {"k": 1_000, "m": 1_000_000}.get(unit, 1)
        if 0 < meant <= LARGEST_COUNT:
            message = f"{field.name} is the text {raw!r}, not a number"
            return Fault("config-wrong-type", message, f"write {meant}", meant, sure=not unit)
    return _wrong_type(field, raw)


def _score(field: Field, raw: object) -> object | Fault:
    if isinstance(raw, bool) or not isinstance(raw, int):
        return _wrong_type(field, raw)
    if not 0 <= raw <= 100:
        return Fault(
            "config-out-of-range",
            f"{field.name} is {raw}: a score is from 0 to 100",
            "leave it out if you do not know it",
        )
    return raw


def _choice(field: Field, raw: object) -> object | Fault:
    assert field.choices is not None
    if isinstance(raw, str) and raw in field.choices._value2member_map_:
        return field.choices(raw)
    allowed = ", ".join(field.allowed)
    if not isinstance(raw, str):
        return Fault("config-wrong-type", f"{field.name} must be a word, not {type_name(raw)}", f"one of: {allowed}")
    meant = nearest(raw, field.allowed)
    did_you_mean = f"did you mean {meant!r}? " if meant else ""
    sure = meant is not None and meant.casefold() == raw.casefold().strip().replace("-", "_")
    likely = meant if sure else nearest(raw, field.allowed, LIKELY)
    return Fault(
        "config-wrong-value", f"{field.name} is {shown(raw)}", f"{did_you_mean}one of: {allowed}", likely, sure
    )


def _texts(field: Field, raw: object) -> object | Fault:
    if not isinstance(raw, list):
        meant = [raw] if isinstance(raw, str) else None
        return _wrong_type(field, raw, "put it in brackets: a list of one" if meant else "", meant)
    wrong = {index: item for index, item in enumerate(raw) if not isinstance(item, str)}
    if wrong:
        first = next(iter(wrong.values()))
        fault = _wrong_type(field, raw, f"it holds {type_name(first)}; put each in quotes", sure=False)
        single = all(isinstance(item, int | float) for item in wrong.values())
        return replace(fault, unquoted=tuple((index,) for index in wrong) if single else ())
    return tuple(raw)


_READERS = {
    Kind.TEXT: _text,
    Kind.FLAG: _flag,
    Kind.COUNT: _count,
    Kind.SCORE: _score,
    Kind.CHOICE: _choice,
    Kind.TEXTS: _texts,
}
