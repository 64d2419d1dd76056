"""Text that came from a file or a server, made fit to be shown on a terminal."""

from __future__ import annotations

import unicodedata

_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_CONTROL_PICTURES = {code: chr(0x2400 + code) for code in range(0x20)} | {0x7F: "␡"}
_UNSEEN = "\N{REPLACEMENT CHARACTER}"
# Letters and marks that draw nothing, or change how wide the character before them is drawn. Unicode does not
# file them under the hidden categories, so they are named here (DerivedCoreProperties, Default_Ignorable_Code_Point).
_BLANK_LETTERS = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u3164\uffa0"
    + "".join(map(chr, [*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)]))
)


def safe_text(text: str, *, limit: int | None = None) -> str:
    """`text` with nothing in it that a terminal would obey or hide.

    A control becomes its picture (ESC is shown as ␛), any other invisible character becomes U+FFFD. Markup stays as
    it is: give the result to `Content`, never to anything that reads markup. More than `limit` characters are cut,
    and the last one kept is then an ellipsis.
    """
    if limit is not None and len(text) > limit:
        text = text[: max(0, limit - 1)] + "…" * (limit > 0)
    if text.isprintable() and (text.isascii() or _BLANK_LETTERS.isdisjoint(text)):
        return text
    return "".join(map(_shown, text))


def _shown(character: str) -> str:
    if unicodedata.category(character) in _HIDDEN:
        return _CONTROL_PICTURES.get(ord(character), _UNSEEN)
    return _UNSEEN if character in _BLANK_LETTERS else character
