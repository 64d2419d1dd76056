"""What is wrong, where, why and how to mend it: one frozen record, many renderers (text, JSON, SARIF, the screen)."""

from __future__ import annotations

from dataclasses import field
from enum import StrEnum
from typing import TYPE_CHECKING

from model.quick_dataclass import dataclass

if TYPE_CHECKING:
    from model.document import Edit, YamlPath


class Severity(StrEnum):
    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


class Family(StrEnum):
    """What a finding is about; the first word of its code."""

    CONFIG = "config"
    AUTH = "auth"
    ENDPOINT = "endpoint"
    MODEL = "model"
    ROLE = "role"
    CAPABILITY = "capability"
    LIMIT = "limit"
    FALLBACK = "fallback"
    RETIREMENT = "retirement"
    SECURITY = "security"
    CATALOG = "catalog"
    PLUGIN = "plugin"
    """Whatever begins with another word."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A place in one of the open files. `path` survives edits elsewhere; line and column are asked of the document
    when someone looks. `at` is (line, column), 1-based, only for what has no path (a file that does not parse)."""

    file: str
    path: YamlPath = ()
    on_key: bool = False
    at: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Fix:
    """A mend as edits of one file: applied together, undone together. `safe` = changes no decision of the user's."""

    title: str
    file: str
    edits: tuple[Edit, ...]
    safe: bool = False


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that the doctor has to say. `code` is kebab-case with the family first and never changes."""

    code: str
    severity: Severity
    spot: Spot
    message: str
    help: str = ""
    evidence: str = ""
    fix: Fix | None = field(default=None, compare=False)
    about: str = ""
    """The role or task that it is about, where the place does not tell."""

    @property
    def family(self) -> Family:
        word = self.code.partition("-")[0]
        return Family(word) if word in Family._value2member_map_ else Family.PLUGIN


def breadcrumb(path: YamlPath) -> str:
    """`providers[0].models[1].supports.tool_use`"""
    crumb = ""
    for step in path:
        crumb += f"[{step}]" if isinstance(step, int) else f".{step}" if crumb else str(step)
    return crumb
