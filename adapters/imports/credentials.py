"""How other tools write where a key lies → `auth_ref`; a key that stands there itself is dropped, never repeated."""

from __future__ import annotations

import re

from model.auth import looks_like_key, parse_auth_ref
from model.quick_dataclass import dataclass

LITERAL = "a key that stands in the file is not carried: put it into an environment variable and name that in auth_ref"

_NAME = r"(?P<name>[A-Za-z_][A-Za-z0-9_]*)"
_SPELLINGS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"os\.environ/{_NAME}",
        rf"os\.environ\[['\"]{_NAME}['\"]\]",
        rf"(?:env:|\$env:|\$){_NAME}",
        rf"\{{env:{_NAME}\}}",
        rf"\$\{{(?:env:)?{_NAME}(?P<default>:?[-=?+].*)?\}}",
        rf"\$\{{\{{\s*(?:secrets|env)\.{_NAME}\s*\}}\}}",
    )
)
"""LiteLLM; Python; shells, PowerShell and Crush; opencode; shells and VS Code; Continue."""
_FILE = re.compile(r"\{file:(?P<path>[^{}]+)\}")
_ANY_REFERENCE = re.compile(r"os\.environ|\$\{?[A-Za-z_({]|\{env:|\{\{")
_PLACEHOLDERS = frozenset(
    {"none", "null", "no", "empty", "dummy", "fake", "na", "n/a", "x", "xxx", "not-needed", "notneeded", "not-required",
     "no-key", "no-key-required", "no_key", "placeholder", "ollama", "lm-studio", "lmstudio", "anything"}
)  # fmt: skip
"""What people write where a local server asks for no key but the tool insists on one."""


@dataclass(frozen=True, slots=True)
class Credential:
    """An `auth_ref`, or why there is none; both empty if nothing is stated."""

    auth_ref: str | None = None
    why: str = ""


def read_credential(raw: object) -> Credential:
    """Never raises and never repeats `raw`."""
    if raw is None:
        return Credential()
    if not isinstance(raw, str):
        return Credential(why="a key must be text")
    text = raw.strip()
    if not text:
        return Credential()
    if text.casefold() in _PLACEHOLDERS:
        return Credential("none", "a word that stands for no key: auth_ref is none")
    return variable_of(text) or _file(text) or Credential(why=_not_carried(text))


def variable_of(text: str) -> Credential | None:
    """A whole text that names an environment variable in one of the known spellings."""
    for spelling in _SPELLINGS:
        if (match := spelling.fullmatch(text)) and not looks_like_key(match["name"]):
            default = "the default behind the variable is not carried" if "default" in match.re.groupindex else ""
            return Credential(f"env:{match['name']}", default if default and match["default"] else "")
    return None


def is_env_name(text: str) -> bool:
    return bool(re.fullmatch(_NAME, text))


def is_reference(text: str) -> bool:
    """Whether something of the text is to be filled in from elsewhere."""
    return bool(_ANY_REFERENCE.search(text))


def _file(text: str) -> Credential | None:
    match = _FILE.fullmatch(text)
    if match is None:
        return None
    ref = f"file:{match['path'].strip()}"
    if parse_auth_ref(ref).is_valid:
        return Credential(ref)
    return Credential(why="auth_ref takes an absolute path, or one from ~/")


def _not_carried(text: str) -> str:
    if text.startswith(("$(", "`", "!")):
        return "a command gives the key; auth_ref takes env:, file: and keyring: only"
    if "{{" in text:
        return "a template of the tool's own; set auth_ref to where the key lies"
    if is_reference(text):
        return "a reference inside other text; set auth_ref to the place of the whole key"
    return LITERAL
