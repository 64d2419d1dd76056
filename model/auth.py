"""Where a provider's key lies, and what is known about it, without ever holding the key (DOMAIN.md §3)."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Protocol

from model.quick_dataclass import dataclass

MOCK_PREFIX = "mock_"


class AuthScheme(StrEnum):
    """How an `auth_ref` says where the key lies; the last four hold no place to look."""

    ENV = "env"
    FILE = "file"
    KEYRING = "keyring"
    NONE = "none"
    MOCK = "mock"
    BLANK = "blank"
    LITERAL = "literal"
    UNKNOWN = "unknown"


class AuthState(StrEnum):
    """What is known about a credential, in the words that doctor and screen show."""

    ABSENT = "absent"
    EMPTY = "empty"
    PRESENT = "present"
    ACCEPTED = "accepted"
    REJECTED = "rejected"
    NOT_CHECKED = "not checked"


@dataclass(frozen=True, slots=True)
class AuthRef:
    """A parsed `auth_ref`.

    `target` is the variable's name, the path, or SERVICE/USER; it is empty for every other scheme, since a text
    that names no place may be a key. `hint` tells how to mend a literal or unknown one, without repeating it;
    `suggestion` is the auth_ref that was surely meant, where that can be told.
    """

    scheme: AuthScheme
    target: str = ""
    hint: str = ""
    suggestion: str = ""

    def __str__(self) -> str:
        return f"{self.scheme}:{self.target}" if self.target else str(self.scheme)

    @property
    def is_valid(self) -> bool:
        """Whether the text may stand in models.yaml: not a literal key, not an unknown scheme."""
        return self.scheme not in {AuthScheme.LITERAL, AuthScheme.UNKNOWN}

    @property
    def is_foreign(self) -> bool:
        """Whether it points into a folder where other programs keep keys: those are not even looked for."""
        return self.scheme is AuthScheme.FILE and any(folder in self.target for folder in _OTHERS_KEYS)

    @property
    def needs_secret(self) -> bool:
        """Whether a secret has to be found before a real call; `none` calls without one, blank and mock call nobody."""
        return self.scheme not in {AuthScheme.NONE, AuthScheme.BLANK, AuthScheme.MOCK}


class CredentialCheck(Protocol):
    """Looks credentials up without showing them; `adapters.secrets.CredentialResolver` is the real one."""

    def state(self, ref: AuthRef | None) -> AuthState:
        """ABSENT, EMPTY or PRESENT; NOT_CHECKED for `none`. Asks no network, so never ACCEPTED or REJECTED."""

    def is_offline(self, ref: AuthRef | None) -> bool:
        """Whether the credential is blank or starts with `mock_`: offline mode, nobody is called (seed 004)."""

    def cause(self, ref: AuthRef | None) -> str:
        """Why the state is what it is and how to mend it, as one sentence without the secret; '' when present."""


_OTHERS_KEYS = ("/.ssh/", "/.gnupg/", "/.aws/", "/.kube/")
_ENV_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_KEY_LOOK = re.compile(r"(?:(?:sk|pk|rk|gsk|hf|ghp|gho|xai|nvapi|r8|pplx)[-_]|AIza|AKIA|eyJ)[\w.-]{8,}\Z")
_BARE_NAME = re.compile(r"\$?\{?([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*_(?:KEY|TOKEN|SECRET|PASSWORD))\}?\Z")
_SURELY_A_PLACE = re.compile(r"env:[A-Z][A-Z0-9_]*\Z|file:(?:~?/)[^\s:]+\Z")
_WRITE_ENV = "write env:NAME, file:PATH, keyring:SERVICE/USER or none"


def looks_like_key(text: str) -> bool:
    """Whether a text has the look of a known service's key, so that no message may repeat it."""
    return bool(_KEY_LOOK.match(text.strip()))


def is_offline_secret(value: str) -> bool:
    """Blank, or `mock_` after surrounding blanks are cut: the offline mode of seed 004."""
    stripped = value.strip()
    return not stripped or stripped.startswith(MOCK_PREFIX)


def parse_auth_ref(text: str) -> AuthRef:
    """Never raises: what cannot be read becomes LITERAL (may be a key) or UNKNOWN (an unknown scheme)."""
    text = text.strip()
    if not text:
        return AuthRef(AuthScheme.BLANK)
    if text.startswith(MOCK_PREFIX):
        return AuthRef(AuthScheme.MOCK)
    if text == "none":
        return AuthRef(AuthScheme.NONE)
    scheme, colon, target = text.partition(":")
    reader = _READERS.get(scheme) if colon else None
    return reader(target.strip()) if reader else _unreadable(text)


def _env(target: str) -> AuthRef:
    if _KEY_LOOK.match(target):
        return AuthRef(
            AuthScheme.LITERAL, hint="what follows env: looks like the key itself; put the variable's name there"
        )
    if not _ENV_NAME.match(target):
        return AuthRef(AuthScheme.LITERAL, hint="env: must be followed by a variable's name: letters, digits and '_'")
    return AuthRef(AuthScheme.ENV, target)


def _file(target: str) -> AuthRef:
    if _KEY_LOOK.match(target):
        return AuthRef(AuthScheme.LITERAL, hint="what follows file: looks like the key itself; put a path there")
    if not target.startswith(("/", "~/")) and not re.match(r"[A-Za-z]:[\\/]", target):
        return AuthRef(AuthScheme.UNKNOWN, hint="file: must be followed by an absolute path, or one from ~/")
    return AuthRef(AuthScheme.FILE, target)


def _keyring(target: str) -> AuthRef:
    service, slash, user = target.rpartition("/")
    if not (slash and service and user) or _KEY_LOOK.match(target):
        return AuthRef(AuthScheme.UNKNOWN, hint="keyring: must be followed by SERVICE/USER")
    return AuthRef(AuthScheme.KEYRING, target)


def _unreadable(text: str) -> AuthRef:
    if bare := _BARE_NAME.match(text):
        return AuthRef(AuthScheme.UNKNOWN, hint=f"write env:{bare[1]}", suggestion=f"env:{bare[1]}")
    for word, scheme in _OTHER_WORDS.items():
        if text.lower().startswith(word + ":"):
            suggestion = f"{scheme}:{text[len(word) + 1 :].strip()}"
            sure = suggestion if _SURELY_A_PLACE.match(suggestion) else ""
            return AuthRef(AuthScheme.UNKNOWN, hint=f"write {scheme}: instead", suggestion=sure)
    return AuthRef(AuthScheme.LITERAL, hint=f"this may be a key; keys do not belong in the file: {_WRITE_ENV}")


_READERS = {"env": _env, "file": _file, "keyring": _keyring}
_OTHER_WORDS = {
    "env": "env", "environment": "env", "enviroment": "env", "envvar": "env", "evn": "env", "var": "env",
    "file": "file", "path": "file", "fiel": "file",
    "keyring": "keyring", "keychain": "keyring", "secret": "keyring",
    "none": "none",
}  # fmt: skip
