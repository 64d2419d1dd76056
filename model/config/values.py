"""One value of a models.yaml, checked against its field: the typed value, or what is wrong with it."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from dataclasses import dataclass

from model.config.fields import Field, Kind
from model.vocabulary import is_provider_id

LARGEST_COUNT = 10**12


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a value counts as not stated. `mended` is the value that was surely meant, if one can be named."""

    code: str
    message: str
    help: str = ""
    mended: object = None


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


def _wrong_type(field: Field, raw: object, help: str = "") -> Fault:
    return Fault("config-wrong-type", f"{field.name} must be {field.kind.value}, not {type_name(raw)}", help)


def _text(field: Field, raw: object) -> object | Fault:
    if isinstance(raw, int | float):
        return _wrong_type(field, raw, "put it in quotes: YAML reads it as a value of its own kind")
    if not isinstance(raw, str):
        return _wrong_type(field, raw)
    if not raw.strip():
        return Fault("config-wrong-value", f"{field.name} is blank", "write it, or leave the key out")
    if field.name == "provider_id" and not is_provider_id(raw):
        return Fault(
            "config-bad-id", f"{raw!r} is no provider_id", "use letters, digits, '.', '_' and '-' only, no '/' or space"
        )
    if field.name == "model_id" and raw != raw.strip():
        return Fault("config-bad-id", "model_id has blanks at its ends", mended=raw.strip())
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
            f"{field.name} is the text {raw!r}: YAML 1.2 knows true and false only",
            f"write {str(meant).lower()}",
            meant,
        )
    return _wrong_type(field, raw, "write true or false, or leave the key out for 'not stated'")


_COUNT_WITH_UNIT = re.compile(r"(\d+(?:[.,_]\d+)*)\s*([kKmM])?\Z")


def _count(field: Field, raw: object) -> object | Fault:
    if isinstance(raw, bool) or not isinstance(raw, int):
        return _not_a_count(field, raw)
    if not 0 < raw <= LARGEST_COUNT:
        return Fault("config-out-of-range", f"{field.name} is {raw}: it must be from 1 to {LARGEST_COUNT:,}")
    return raw


def _not_a_count(field: Field, raw: object) -> Fault:
    match = _COUNT_WITH_UNIT.match(raw) if isinstance(raw, str) else None
    if match and match[1].isdigit():
        meant = int(match[1][:15]) * {"k": 1_000, "m": 1_000_000}.get((match[2] or "").lower(), 1)
        if 0 < meant <= LARGEST_COUNT:
            return Fault(
                "config-wrong-type", f"{field.name} is the text {raw!r}, not a number", f"write {meant}", meant
            )
    return _wrong_type(field, raw)


def _score(field: Field, raw: object) -> object | Fault:
    if isinstance(raw, bool) or not isinstance(raw, int):
        return _wrong_type(field, raw)
    if not 0 <= raw <= 100:
        return Fault("config-out-of-range", f"{field.name} is {raw}: a score is from 0 to 100")
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
    sure = meant if meant and meant.casefold() == raw.casefold().strip().replace("-", "_") else None
    return Fault("config-wrong-value", f"{field.name} is {raw!r}", f"{did_you_mean}one of: {allowed}", sure)


def _texts(field: Field, raw: object) -> object | Fault:
    if not isinstance(raw, list):
        meant = [raw] if isinstance(raw, str) else None
        return _wrong_type(field, raw, f"write [{raw}]" if meant else "")
    wrong = next((item for item in raw if not isinstance(item, str)), None)
    if wrong is not None:
        return _wrong_type(field, raw, f"it holds {type_name(wrong)}; put each in quotes")
    return tuple(raw)


_READERS = {
    Kind.TEXT: _text,
    Kind.FLAG: _flag,
    Kind.COUNT: _count,
    Kind.SCORE: _score,
    Kind.CHOICE: _choice,
    Kind.TEXTS: _texts,
}
