"""auth_ref → secret (DOMAIN.md §3), as a value that cannot be shown by accident."""

from __future__ import annotations

import hmac
import importlib
import os
import stat
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NoReturn

from model.auth import AuthRef, AuthScheme, AuthState, is_offline_secret
from model.quick_dataclass import dataclass

SHOWN = "«secret»"
MAX_SECRET_BYTES = 8 * 1024
"""The longest key that is accepted, in bytes (seed 004's reference: 8 KiB of ASCII)."""


class Secret:
    """A key in memory. Only `reveal()` gives the text; nothing else shows it, its prefix or its length."""

    __slots__ = ("__value",)

    def __init__(self, value: str) -> None:
        self.__value = value

    def reveal(self) -> str:
        return self.__value

    @property
    def is_offline(self) -> bool:
        """Blank or `mock_*`: offline mode."""
        return is_offline_secret(self.__value)

    def __repr__(self) -> str:
        return SHOWN

    def __str__(self) -> str:
        return SHOWN

    def __format__(self, spec: str) -> str:
        return SHOWN

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and hmac.compare_digest(self.__value.encode(), other.reveal().encode())

    def __hash__(self) -> int:
        return hash((Secret, self.__value))

    def __copy__(self) -> Secret:
        return self

    def __deepcopy__(self, memo: object) -> Secret:
        return self

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        raise TypeError("a secret is never stored")


@dataclass(frozen=True, slots=True)
class Credential:
    """What a look-up found: the secret or None, its state, and the cause in words when it is not present."""

    secret: Secret | None
    state: AuthState
    cause: str = ""


class CredentialResolver:
    """The one resolver: doctor and adapters ask the same (`model.auth.CredentialCheck`).

    It does not know about trust: who asks it for a project file's auth_ref has checked that first.
    """

    def __init__(self, environ: Mapping[str, str] | None = None, home: Path | None = None) -> None:
        self._environ = os.environ if environ is None else environ
        self._home = home or Path.home()
        self._look: dict[AuthScheme, Callable[[str], Credential]] = {
            AuthScheme.ENV: self._from_env,
            AuthScheme.FILE: self._from_file,
            AuthScheme.KEYRING: _from_keyring,
        }

    def look_up(self, ref: AuthRef | None) -> Credential:
        """Reads afresh at each call, since variables and files change under a running app. Never raises."""
        if ref is None:
            return _absent("no auth_ref is stated")
        if look := self._look.get(ref.scheme):
            return look(ref.target)
        if ref.scheme is AuthScheme.NONE:
            return Credential(None, AuthState.NOT_CHECKED, "auth_ref is none: calls are made without a key")
        if ref.scheme is AuthScheme.BLANK:
            return Credential(Secret(""), AuthState.EMPTY, "auth_ref is blank: offline mode")
        if ref.scheme is AuthScheme.MOCK:
            return Credential(Secret("mock_"), AuthState.PRESENT)
        return _absent(ref.hint)

    def resolve(self, ref: AuthRef | None) -> Secret | None:
        return self.look_up(ref).secret

    def state(self, ref: AuthRef | None) -> AuthState:
        return self.look_up(ref).state

    def is_offline(self, ref: AuthRef | None) -> bool:
        secret = self.resolve(ref)
        return secret is not None and secret.is_offline

    def cause(self, ref: AuthRef | None) -> str:
        return self.look_up(ref).cause

    def _from_env(self, name: str) -> Credential:
        value = self._environ.get(name)
        if value is None:
            return _absent(f"the environment variable {name} is not set")
        return _found(Secret(value), f"the environment variable {name}")

    def _from_file(self, target: str) -> Credential:
        path = self._home / target[2:] if target.startswith("~/") else Path(target)
        try:
            secret = _read_secret_file(path)
        except (OSError, UnsuitableFile) as error:
            reason = str(error) if isinstance(error, UnsuitableFile) else error.strerror or type(error).__name__
            return _absent(f"the file {target} cannot be used: {reason}")
        return _found(secret, f"the file {target}")


class UnsuitableFile(Exception):
    """A file that holds no key: not a regular file, too long, or not ASCII."""


def _read_secret_file(path: Path) -> Secret:
    """Bounded, from a regular file only: a pipe or a device could hang or never end."""
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0))
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise UnsuitableFile("it is not a regular file")
        data = os.read(descriptor, MAX_SECRET_BYTES + 3)
    finally:
        os.close(descriptor)
    try:
        return Secret(data.decode("ascii").removesuffix("\n").removesuffix("\r"))
    except UnicodeDecodeError:
        raise UnsuitableFile("it holds bytes that are not ASCII") from None


def _from_keyring(target: str) -> Credential:
    service, _, user = target.rpartition("/")
    try:
        keyring: Any = importlib.import_module("keyring")  # optional, and it has no types
    except ImportError:
        return _absent("keyring is not installed: pip install 'capdeck[keyring]'")
    try:
        value = keyring.get_password(service, user)
    except Exception as error:  # backends raise errors of their own; the text may hold anything
        return _absent(f"the keyring could not be asked: {type(error).__name__}")
    return _absent(f"the keyring holds nothing for {target}") if value is None else _found(Secret(value), "the keyring")


def _found(secret: Secret, place: str) -> Credential:
    value = secret.reveal().strip()
    if not value:
        return Credential(Secret(""), AuthState.EMPTY, f"{place} is empty: offline mode")
    if len(value) > MAX_SECRET_BYTES or not value.isascii() or any(c <= " " or c == "\x7f" for c in value):
        return _absent(f"{place} holds no key: a key is one word of ASCII, at most {MAX_SECRET_BYTES} bytes")
    return Credential(Secret(value), AuthState.PRESENT)


def _absent(cause: str) -> Credential:
    return Credential(None, AuthState.ABSENT, cause)
