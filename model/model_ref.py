"""What a model is called across a config: its provider and its name there (DOMAIN.md §1)."""

from __future__ import annotations

import re
from typing import Self


class BadRef(ValueError):
    """A text that is no ModelRef."""


_PROVIDER_ID = re.compile(r"[A-Za-z0-9._-]+\Z")


def is_provider_id(text: str) -> bool:
    return bool(_PROVIDER_ID.match(text))


class ModelRef(tuple[str, str]):
    """`provider_id/model_id`, split at the first `/`; a model_id may hold `/`, `:`, `@` and spaces."""

    __slots__ = ()

    def __new__(cls, provider_id: str, model_id: str) -> Self:
        if not is_provider_id(provider_id):
            raise BadRef(f"{provider_id!r} is no provider_id: letters, digits, '.', '_' and '-' only")
        if not model_id.strip():
            raise BadRef(f"no model_id after {provider_id}/")
        return tuple.__new__(cls, (provider_id, model_id))

    @classmethod
    def parse(cls, text: str) -> Self:
        """Raises BadRef."""
        provider_id, slash, model_id = text.partition("/")
        if not slash:
            raise BadRef(f"{text!r} is no model: write provider_id/model_id")
        return cls(provider_id, model_id)

    @property
    def provider_id(self) -> str:
        return self[0]

    @property
    def model_id(self) -> str:
        return self[1]

    def __str__(self) -> str:
        return f"{self[0]}/{self[1]}"

    def __repr__(self) -> str:
        return f"ModelRef({str(self)!r})"
