"""What a plain scalar means: YAML 1.2 core rules, and 1.1 for documents that ask for it (YAML-STUDY §6).

Both Python readers take `1_000` and `0b101` as numbers, so these are numbers here too. Dates stay text.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

Scalar = str | int | float | bool | None

MAX_DIGITS = 4_300  # Python turns no longer text into an int; such a number stays text

NULLS = frozenset({"", "~", "null", "Null", "NULL"})
WORDS: dict[str, Scalar] = {
    **dict.fromkeys(NULLS),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
NUMBER_STARTS = frozenset("+-.0123456789")
_INT = re.compile(r"[-+]?(?:0b[01_]+|0o[0-7_]+|0x[0-9a-fA-F_]+|[0-9][0-9_]*)\Z")
_FLOAT = re.compile(
    r"[-+]?(?:[0-9][0-9_]*\.[0-9_]*(?:[eE][-+]?[0-9]+)?|[0-9][0-9_]*[eE][-+]?[0-9]+|\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?)\Z"
)
_INFINITY = re.compile(r"[-+]?\.(?:inf|Inf|INF)\Z")
_NAN = frozenset({".nan", ".NaN", ".NAN"})
_BASES = {"0b": 2, "0o": 8, "0x": 16}


def core(text: str) -> Scalar:
    """The value of a plain scalar under YAML 1.2 core rules."""
    if text in WORDS:
        return WORDS[text]
    if text[0] not in NUMBER_STARTS:
        return text
    if _INT.match(text):
        return _integer(text)
    if _FLOAT.match(text):
        return float(text.replace("_", ""))
    if _INFINITY.match(text):
        return float("-inf") if text[0] == "-" else float("inf")
    return float("nan") if text in _NAN else text


def _integer(text: str) -> int | str:
    digits = text.replace("_", "").lstrip("+-")
    if len(digits) > MAX_DIGITS:
        return text
    base = _BASES.get(digits[:2], 10)
    try:
        number = int(digits if base == 10 else digits[2:], base)
    except ValueError:  # "0x_": a base without digits
        return text
    return -number if text[0] == "-" else number


@cache
def _yaml_1_1() -> Any:
    from yaml.constructor import SafeConstructor
    from yaml.resolver import Resolver

    return Resolver(), SafeConstructor()


def yaml_1_1(text: str) -> Scalar:
    """The value of a plain scalar for a YAML 1.1 reader: `yes` is true, `0777` is octal; dates stay text."""
    from yaml.nodes import ScalarNode

    resolver, constructor = _yaml_1_1()
    tag = resolver.resolve(ScalarNode, text, (True, False))
    kind = tag.rsplit(":", 1)[-1]
    if kind not in ("null", "bool", "int", "float") or len(text) > MAX_DIGITS:
        return text
    try:
        value: Scalar = getattr(constructor, f"construct_yaml_{kind}")(ScalarNode(tag, text))
    except ValueError:
        return text
    return value


def tagged(text: str, tag: str) -> Scalar:
    """The value of a scalar with an explicit tag; what the core schema does not know stays text, unread."""
    kind = tag.removeprefix("tag:yaml.org,2002:")
    if kind == tag or kind not in ("null", "bool", "int", "float"):
        return text
    value = None if kind == "null" else core(text) if text else text
    if kind == "float" and type(value) is int:
        return float(value) if abs(value) < 2**53 else text
    return value


def misread(text: str) -> bool:
    """Whether a reader of either version would take this plain text for something other than this string."""
    if not text or not isinstance(core(text), str) or not isinstance(yaml_1_1(text), str):
        return True
    return _looks_typed(text)


_TYPED = re.compile(
    r"""[yYnN] | = | << | [-+]?0[bB][01_]+ | [-+]?0[xX][0-9a-fA-F_]+ | [-+]?0[oO][0-7_]+
      | [-+]?[0-9][0-9_:,.]* | [-+]?[0-9._]+[eE][-+]?[0-9]+ | [0-9]{4}-[0-9]{1,2}-[0-9].* | [-+]?\.[0-9].*
      """,
    re.VERBOSE,
)


def _looks_typed(text: str) -> bool:
    return _TYPED.fullmatch(text) is not None or text.lower() in ("none", "nil")
