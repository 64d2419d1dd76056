"""What keys are called: people write `/`, `ctrl+S`, `F5`; Textual says `slash`, `ctrl+s`, `f5`."""

from __future__ import annotations

import string
import unicodedata

_SHORTER = {
    "solidus": "slash",
    "reverse_solidus": "backslash",
    "commercial_at": "at",
    "hyphen_minus": "minus",
    "plus_sign": "plus",
    "low_line": "underscore",
}
"""Where Textual departs from the character's Unicode name."""
_OTHER_WORDS = {"esc": "escape", "del": "delete", "return": "enter", "pgup": "pageup", "pgdn": "pagedown", " ": "space"}
_MODIFIERS = frozenset({"alt", "ctrl", "hyper", "meta", "shift", "super"})
SENT_AS = {
    "ctrl+i": "tab", "ctrl+m": "enter", "ctrl+h": "backspace", "ctrl+left_square_bracket": "escape",
    "ctrl+space": "a NUL", "ctrl+at": "a NUL",
    "alt+b": "ctrl+left", "alt+f": "ctrl+right", "alt+minus": "–", "alt+equals_sign": "≠",
    **{f"alt+{digit}": character for digit, character in enumerate("º¡™£¢∞§¶•ª")},
}  # fmt: skip
"""Keys that most terminals do not tell apart from others, or that Textual reads as others."""


def _name(character: str) -> str:
    name = unicodedata.name(character, "").lower().replace("-", "_").replace(" ", "_")
    return _SHORTER.get(name, name)


_MARKS = {_name(character): character for character in string.punctuation}
NAMED = frozenset(
    ("backspace", "delete", "down", "end", "enter", "escape", "home", "insert", "left", "pagedown", "pageup", "right",
     "space", "tab", "up", *(f"f{number}" for number in range(1, 25)), *_MARKS)
)  # fmt: skip
"""All keys with a name of more than one character."""


def key_named(text: str) -> str | None:
    """Textual's name of a key as a person writes it; None if there is no such key."""
    *modifiers, base = _parts(text.strip() or text)
    modifiers = sorted({word.casefold() for word in modifiers})
    if not _MODIFIERS.issuperset(modifiers):
        return None
    name = _base(base, lower="ctrl" in modifiers)
    return "+".join([*modifiers, name]) if name else None


def _parts(text: str) -> list[str]:
    """`ctrl++` is the plus with ctrl."""
    return [*text[:-1].strip("+").split("+"), "+"] if text.endswith("++") else text.split("+") if text != "+" else ["+"]


def _base(text: str, *, lower: bool) -> str | None:
    if len(text) == 1:
        known = text.isprintable() and not unicodedata.combining(text)
        name = text if text.isalnum() else _OTHER_WORDS.get(text) or _name(text)
        return (name.lower() if lower else name) if known else None
    word = text.casefold()
    word = _OTHER_WORDS.get(word, word)
    return word if word in NAMED else None


def character(key: str) -> str | None:
    """The character that a key with a name types; None for one that types nothing."""
    try:
        found = _MARKS.get(key) or unicodedata.lookup(key.replace("_", " "))
    except KeyError:
        return None
    return found if found.isprintable() else None  # `tab` and `escape` are names of characters, too


def types_something(key: str) -> bool:
    """Whether the key belongs to a text that is being typed, so that nothing else may take it there."""
    base = key.rpartition("+")[2]
    modifiers = key.split("+")[:-1]
    if {"ctrl", "alt", "super", "hyper", "meta"} & set(modifiers):
        return False
    return not (base.startswith("f") and base[1:].isdigit())
