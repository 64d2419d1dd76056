"""Plain data as YAML text that readers of both versions understand alike, in a given style."""

from __future__ import annotations

import re
from typing import Any

from model.document.errors import Unsafe
from model.document.scalars import misread
from model.document.style import Style
from model.quick_dataclass import dataclass

_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r", "\0": "\\0", "\x1b": "\\e", "\xa0": "\\_"}
_TO_ESCAPE = re.compile('["\\\\\x00-\x1f\x7f-\xa0\u2028\u2029\ufeff\ufffe\uffff]')
_BAD_PLAIN_START = frozenset("-?:,[]{}#&*!|>'\"%@` ")
_BAD_PLAIN = re.compile(r": | #|:\Z|\A(?:---|\.\.\.)")
_BAD_IN_FLOW = re.compile(r"[,\[\]{}?]|:(?=[,\[\]{}\"']|\Z)")


def as_plain(value: Any) -> Any:
    """The value as plain lists, dicts and exact scalar types. Raises Unsafe for what YAML data is not made of."""
    if isinstance(value, dict):
        return {as_plain(key): as_plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [as_plain(item) for item in value]
    if value is None or isinstance(value, bool):
        return value
    for kind in (str, int, float):
        if isinstance(value, kind):
            return value if type(value) is kind else kind(value)
    raise Unsafe(f"no plain value: {type(value).__name__}")


def double_quoted(text: str) -> str:
    """One line, for any text that UTF-8 can hold."""
    if any("\ud800" <= char <= "\udfff" for char in text):
        raise Unsafe("the text holds half a character (a lone surrogate), which UTF-8 cannot hold")
    return '"' + _TO_ESCAPE.sub(_escape, text) + '"'


def _escape(found: re.Match[str]) -> str:
    char = found[0]
    code = ord(char)
    return _ESCAPES.get(char) or (f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}")


def single_quoted(text: str) -> str | None:
    return "'" + text.replace("'", "''") + "'" if text.isprintable() else None


def is_plain(text: str, *, flow: bool) -> bool:
    """Whether the text can stand without quotes and every reader sees this very string."""
    if misread(text) or not text.isprintable() or text != text.strip() or _BAD_PLAIN.search(text):
        return False
    if text[0] in _BAD_PLAIN_START and not (text[0] == "-" and text[1:2].isalnum()):
        return False
    return not (flow and _BAD_IN_FLOW.search(text))


def typed(value: float | bool | None) -> str:
    """A number, a boolean or null; floats so that YAML 1.1 readers see a float too."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        try:
            return str(value)
        except ValueError:
            raise Unsafe("the number has too many digits") from None
    return _float(value)


def _float(value: float) -> str:
    if value != value:
        return ".nan"
    if value in (float("inf"), float("-inf")):
        return ".inf" if value > 0 else "-.inf"
    mantissa, exponent, power = repr(value).partition("e")
    if not exponent:
        return mantissa
    power = power if power[0] in "+-" else f"+{power}"
    return f"{mantissa if '.' in mantissa else mantissa + '.0'}e{power}"


@dataclass(frozen=True, slots=True)
class Writer:
    """Writes values; `literal` allows `|` blocks, which the last resort does without."""

    style: Style
    literal: bool = True

    def scalar(self, value: Any, *, old: str = "", flow: bool = False) -> str:
        """On one line, in the quotes of the `old` style where they can hold it."""
        if not isinstance(value, str):
            return typed(value)
        if old == "" and is_plain(value, flow=flow):
            return value
        wanted = old if old in ("'", '"') else self.style.quote
        return (single_quoted(value) if wanted == "'" else None) or double_quoted(value)

    def flow(self, value: Any) -> str:
        """Everything on one line, `{a: 1, b: [x]}`."""
        if isinstance(value, dict):
            return "{" + ", ".join(f"{self.scalar(k, flow=True)}: {self.flow(v)}" for k, v in value.items()) + "}"
        if isinstance(value, list):
            return "[" + ", ".join(self.flow(item) for item in value) + "]"
        return self.scalar(value, flow=True)

    def entry(self, key: Any, value: Any, column: int) -> list[str]:
        """The lines of `key: value`; the first without its indent, the others with it."""
        head = f"{self.scalar(key)}:"
        if isinstance(value, dict | list) and value:
            return [head, *self.nested(value, column)]
        return self._inline(head + " ", value, column)

    def nested(self, value: Any, column: int) -> list[str]:
        """The lines of a collection below a key at `column`, all with their indent."""
        inner = column + (self.style.step if isinstance(value, dict) else self.style.offset)
        first, *rest = self.block(value, inner)
        return [" " * inner + first, *rest]

    def block(self, value: Any, column: int) -> list[str]:
        """The lines of a collection whose entries stand at `column`; the first without its indent."""
        if isinstance(value, dict):
            entries = [self.entry(key, item, column) for key, item in value.items()]
        else:
            entries = [self.item(item, column, self.style.gap) for item in value]
        lines = [[" " * column + first, *rest] for first, *rest in entries]
        lines[0][0] = lines[0][0][column:]
        return [line for entry in lines for line in entry]

    def item(self, value: Any, column: int, gap: int) -> list[str]:
        """The lines of a list's item whose dash stands at `column`; the first without its indent."""
        head = "-" + " " * gap
        if isinstance(value, dict | list) and value:
            first, *rest = self.block(value, column + len(head))
            return [head + first, *rest]
        return self._inline(head, value, column)

    def _inline(self, head: str, value: Any, column: int) -> list[str]:
        if isinstance(value, dict | list):
            return [head + self.flow(value)]
        if self.literal and isinstance(value, str) and "\n" in value:
            lines = literal(value, column + self.style.step, column)
            if lines is not None:
                return [head + lines[0], *lines[1:]]
        return [head + self.scalar(value)]


def literal(text: str, indent: int, parent: int, *, mark: str = "|", comment: str = "") -> list[str] | None:
    """The header and the lines of a block scalar indented by `indent`; None where it cannot hold the text.

    `parent` is the column of the collection that holds it (an indent digit counts from there).
    """
    body = text.rstrip("\n")
    if not body or body[0] == "\n" or not all(line == "" or _literal_line(line) for line in body.split("\n")):
        return None
    digit = ""
    if body[0] == " ":
        width = indent - max(parent, 0)
        if not 1 <= width <= 9:
            return None
        digit = str(width)
    breaks = len(text) - len(body)
    chomp = "-" if breaks == 0 else "" if breaks == 1 else "+"
    lines = [" " * indent + line if line else "" for line in body.split("\n")]
    return [f"{mark}{digit}{chomp}{comment}", *lines, *[""] * (breaks - 1)]


def _literal_line(line: str) -> bool:
    return bool(line.strip()) and line.isprintable()
