"""What must not be shown: secrets that an auth_ref leads to, and keys that somebody wrote into the file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from adapters.redaction import Redactor
from adapters.secrets import CredentialResolver, Secret
from model.auth import AuthRef, AuthScheme, AuthState, parse_auth_ref

if TYPE_CHECKING:
    from model.files import OpenFile

_NAMED = re.compile(r"(?i)(auth_ref|api_?-?key|token|secret|password)[\"']?[ \t]*:[ \t]*[\"']?([^\s\"'#,}\]]{8,})")
_KEY_LOOK = re.compile(
    r"\b(?:(?:sk|rk|pk|gsk|ghp|hf)[-_][\w-]{16,}|AIza[\w-]{20,}|AKIA[A-Z0-9]{12,}|eyJ[\w-]{10,}\.[\w.-]+)"
)
_IN_URL = re.compile(r"://([^/\s@\"']+)@")


class WatchedCredentials:
    """`model.auth.CredentialCheck` whose findings the redactor learns, so that no output can hold them."""

    def __init__(self, resolver: CredentialResolver, redactor: Redactor) -> None:
        self._resolver = resolver
        self._redactor = redactor

    def state(self, ref: AuthRef | None) -> AuthState:
        found = self._resolver.look_up(ref)
        self._redactor.add(found.secret)
        return found.state

    def is_offline(self, ref: AuthRef | None) -> bool:
        secret = self._resolver.resolve(ref)
        self._redactor.add(secret)
        return secret is not None and secret.is_offline

    def cause(self, ref: AuthRef | None) -> str:
        return self._resolver.cause(ref)


def hide_literals(redactor: Redactor, files: Iterable[OpenFile]) -> None:
    """Teaches the redactor the keys that stand in the files themselves, wherever they stand."""
    for file in files:
        for text in _literals(file.doc.text) if file.doc else ():
            redactor.add(Secret(text))


def _literals(text: str) -> Iterator[str]:
    for name, value in _NAMED.findall(text):
        if name.casefold() != "auth_ref" or parse_auth_ref(value).scheme is AuthScheme.LITERAL:
            yield value
    yield from _KEY_LOOK.findall(text)
    for userinfo in _IN_URL.findall(text):
        yield userinfo
        yield from userinfo.split(":")[1:]
