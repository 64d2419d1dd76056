"""What must not be shown: secrets that an auth_ref leads to, and keys that somebody wrote into the file."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from adapters.redaction import Redactor
from adapters.secrets import CredentialResolver, Secret
from model.auth import AuthRef, AuthState

if TYPE_CHECKING:
    from model.files import OpenFile


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
    from model.doctor.secrets import secrets_in

    for file in files:
        for text in secrets_in(file):
            redactor.add(Secret(text))


def hide_typed(redactor: Redactor, words: Iterable[str]) -> None:
    """Teaches the redactor what looks like a key on the command line, so that no error repeats it."""
    from model.doctor.secrets import keys_in

    for word in words:
        for _, key in keys_in(word):
            redactor.add(Secret(key))
