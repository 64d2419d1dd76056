"""The name that was surely meant: near in spelling, equal in every digit (gpt-5.2 is no slip for gpt-5.1)."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from model.config.values import nearest

if TYPE_CHECKING:
    from model.catalog import Catalog

_CLOSE = 0.8
_NO_DIGIT = re.compile(r"\D")


def nearest_name(word: str, known: list[str] | tuple[str, ...]) -> str | None:
    """The known name that differs only by a slip; never the word itself."""
    digits, length = _digits(word), len(word)
    return nearest(word, [name for name in known if _digits(name) == digits and abs(len(name) - length) <= 3], _CLOSE)


def nearest_row_name(catalog: Catalog, model_id: str) -> str | None:
    """As `nearest_name`, among the ids and aliases of the catalog."""
    return nearest_name(model_id, _by_digits(catalog).get(_digits(model_id), ()))


@lru_cache(maxsize=4)
def _by_digits(catalog: Catalog) -> dict[str, tuple[str, ...]]:
    names: dict[str, list[str]] = {}
    for name in catalog.names:
        names.setdefault(_digits(name), []).append(name)
    return {digits: tuple(group) for digits, group in names.items()}


def _digits(name: str) -> str:
    return _NO_DIGIT.sub("", name)
