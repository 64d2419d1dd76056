"""The redactor that every output and exception passes through: no secret in use leaves in any common form."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from threading import Lock
from typing import Any, TypeVar
from urllib.parse import quote, quote_plus

from adapters.secrets import SHOWN, Credential, CredentialResolver, Secret
from model.auth import AuthRef

T = TypeVar("T")
SHORTEST = 4
"""Values under this many characters are not replaced: they would match inside ordinary words."""
_MASK = re.compile(r"[*•×]{2,}|…+|\.{3,}")
_BEFORE_MASK, _AFTER_MASK = re.compile(r"[\w.+/=-]*\Z"), re.compile(r"[\w+/=-]*")
_LONGEST_END = 200
"""How many characters on each side of a mask are looked at: providers show a few."""


class Redactor:
    """Replaces the exact values in use, and their URL, base64, JSON and masked forms, by «secret»."""

    def __init__(self, secrets: Iterable[Secret] = ()) -> None:
        self._secrets: list[Secret] = []
        self._forms: list[str] = []
        self._pattern: re.Pattern[str] | None = None
        self._adding = Lock()
        for secret in secrets:
            self.add(secret)

    def __repr__(self) -> str:
        return "Redactor()"

    def add(self, secret: Secret | None) -> None:
        """From now on `secret` is replaced, in every thread. Offline credentials hold nothing to hide."""
        if secret is None or secret.is_offline or len(secret.reveal()) < SHORTEST:
            return
        with self._adding:  # keys are looked up in threads; a lost one would be shown
            if secret in self._secrets:
                return
            self._secrets.append(secret)
            forms = {form for known in self._secrets for form in _forms(known.reveal())}
            self._forms = sorted(forms, key=len, reverse=True)
            self._pattern = re.compile("|".join(map(re.escape, self._forms)))

    def __call__(self, text: str) -> str:
        if self._pattern is None:
            return text
        return self._without_masks(self._pattern.sub(SHOWN, text))

    def cut(self, text: str, limit: int, *, partial: bool = False) -> str:
        """At most `limit` characters of `text`, redacted before it is cut.

        `partial` says that the text itself was cut earlier, so that its end may be the start of a secret.
        """
        shown = self(text)
        if partial and (tail := self.held_back(shown)) >= SHORTEST:
            shown = shown[: len(shown) - tail]
        return shown if len(shown) <= limit else shown[: limit - 1] + "…"

    def held_back(self, text: str) -> int:
        """How many characters at the end of `text` may be the start of a secret."""
        return max((_overlap(text, form) for form in self._forms), default=0)

    def holds_secret(self, text: str) -> bool:
        return self._pattern is not None and self._pattern.search(text) is not None

    def describe(self, error: BaseException) -> str:
        """An exception as `Type: text`, redacted: what a log or a screen may show of it."""
        return self(f"{type(error).__name__}: {error}")

    def clean(self, value: T) -> T:
        """`value` with every text inside it redacted: dataclasses, mappings, lists and tuples are gone through."""
        return value if not self.holds_secret(repr(value)) else self._clean(value)

    def _clean(self, value: Any) -> Any:
        if isinstance(value, str) and not isinstance(value, Enum):
            return self(value)
        if isinstance(value, Mapping):
            return {self._clean(key): self._clean(item) for key, item in value.items()}
        if isinstance(value, list | tuple):
            return type(value)(self._clean(item) for item in value)
        if is_dataclass(value) and not isinstance(value, type):
            return replace(value, **{item.name: self._clean(getattr(value, item.name)) for item in fields(value)})
        return value

    def _without_masks(self, text: str) -> str:
        """Providers echo a refused key as `sk-ab***yz`: its ends are parts of the secret too."""
        shown, done = [], 0
        for mask in _MASK.finditer(text):
            start = max(done, mask.start() - _LONGEST_END)
            before = _BEFORE_MASK.search(text, start, mask.start())
            after = _AFTER_MASK.match(text, mask.end(), mask.end() + _LONGEST_END)
            head, tail = before[0] if before else "", after[0] if after else ""
            if self._shows_end(head, tail):
                shown += [text[done : mask.start() - len(head)], SHOWN]
                done = mask.end() + len(tail)
        return "".join([*shown, text[done:]]) if shown else text

    def _shows_end(self, head: str, tail: str) -> bool:
        values = [secret.reveal() for secret in self._secrets]
        return any(
            (len(head) > 1 and value.startswith(head)) or (len(tail) > 1 and value.endswith(tail)) for value in values
        )


class WatchedCredentials(CredentialResolver):
    """A resolver whose findings its redactor learns, so that no output can hold them."""

    def __init__(self, redactor: Redactor) -> None:
        super().__init__()
        self.redactor = redactor

    def look_up(self, ref: AuthRef | None) -> Credential:
        found = super().look_up(ref)
        self.redactor.add(found.secret)
        return found


class StreamRedactor:
    """Redacts a text that comes in pieces: what may be the start of a secret is held back until it is known."""

    def __init__(self, redactor: Redactor) -> None:
        self._redactor = redactor
        self._held = ""

    def feed(self, piece: str) -> str:
        text = self._redactor(self._held + piece)
        keep = self._redactor.held_back(text)
        self._held = text[len(text) - keep :]
        return text[: len(text) - keep]

    def end(self) -> str:
        held, self._held = self._held, ""
        return self._redactor(held)


def _forms(value: str) -> set[str]:
    data = value.encode()
    forms = {value, quote(value, safe=""), quote(value), quote_plus(value)}
    forms |= {json.dumps(value)[1:-1], json.dumps(value, ensure_ascii=False)[1:-1], repr(value)[1:-1], data.hex()}
    forms |= {form.replace("/", "\\/") for form in (value, json.dumps(value)[1:-1])}
    for shift in range(3):  # base64 of a text that holds the value at any offset, such as Basic user:KEY
        forms |= _base64_cores(data, shift)
    return {form for form in forms if len(form) >= SHORTEST}


def _base64_cores(data: bytes, shift: int) -> set[str]:
    """The characters that the value alone decides when `shift` bytes (modulo 3) stand before it."""
    padded = b"\0" * shift + data
    first = (shift * 8 + 5) // 6
    last = len(padded) * 8 // 6
    cores = (encode(padded).decode()[first:last] for encode in (base64.b64encode, base64.urlsafe_b64encode))
    return {core for core in cores if len(core) >= 2 * SHORTEST}


def _overlap(text: str, form: str) -> int:
    """The longest end of `text` that begins `form`."""
    longest = min(len(text), len(form) - 1)
    return next((n for n in range(longest, 0, -1) if form.startswith(text[len(text) - n :])), 0)
