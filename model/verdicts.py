"""What a verdict is: an outcome with every reason and warning (DOMAIN.md §4)."""

from __future__ import annotations

from enum import StrEnum

from model.capability_set import CapabilitySet
from model.quick_dataclass import dataclass
from model.tools import NO_TOOLS, Toolbox
from model.vocabulary import Capability

NEVER_LOSSY = CapabilitySet.of((Capability.THINKING, Capability.PROMPT_CACHE))
"""Required, these must be carried as they are, whatever allow_lossy_conversion says (seed 000 §8.4)."""


class Outcome(StrEnum):
    PASS = "pass"
    PASS_LOSSY = "pass_lossy"
    FAIL = "fail"


class ReasonCode(StrEnum):
    """Why a model fails a clause, or what a verdict warns of."""

    DISABLED = "disabled"
    EXCLUDED = "excluded"
    MISSING = "missing"
    UNKNOWN = "unknown"
    EMULATED = "emulated"
    TRANSPORT = "transport"
    QUALITY_FLOOR = "quality_floor"
    COST_CAP = "cost_cap"
    CONTEXT_WINDOW = "context_window"
    UNKNOWN_CONTEXT = "unknown_context"
    FORBIDDEN = "forbidden"
    TOOL = "tool"
    NO_AUTH = "no_auth"
    UNTRUSTED = "untrusted"


@dataclass(frozen=True, slots=True)
class Reason:
    """One clause that fails. In text it reads `missing:tool_use`."""

    code: ReasonCode
    clause: str
    text: str
    capability: Capability | None = None
    tool: str | None = None

    def __str__(self) -> str:
        subject = self.capability or self.tool
        return f"{self.code.value}:{subject}" if subject else self.code.value


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What beside the requirement bears on a verdict. no_auth and untrusted only warn, unless `usable` is asked."""

    permissive: bool = False
    toolbox: Toolbox = NO_TOOLS
    no_auth: frozenset[str] = frozenset()
    untrusted: frozenset[str] = frozenset()
    usable: bool = False


@dataclass(frozen=True, slots=True)
class Verdict:
    """A fail has at least one reason, a pass has none; warnings never decide."""

    outcome: Outcome
    reasons: tuple[Reason, ...] = ()
    warnings: tuple[Reason, ...] = ()

    @property
    def passes(self) -> bool:
        return self.outcome is not Outcome.FAIL

    @property
    def near_miss(self) -> bool:
        return len(self.reasons) == 1
