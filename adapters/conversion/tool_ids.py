"""Tool-call ids that a target accepts, without collisions and there and back (SEED-FACTS.md §2.2, §2.4).

An id that fits stays. One that does not gets a readable start and a digest of the whole id, so that the same id
is renamed in the same way in every request of a conversation; a counter in the digest settles what still collides.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import field

from model.quick_dataclass import dataclass
from model.transports import ToolCallIds, transport_for
from model.vocabulary import Api

_DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_DIGEST_LENGTH = 8


_EXACT = frozenset({Api.MISTRAL_CONVERSATIONS})
"""Apis whose ids have to be as long as the longest that they take."""


@dataclass(frozen=True, slots=True)
class IdRule:
    """Which ids an Api takes; `exact`: none shorter than the longest."""

    ids: ToolCallIds
    exact: bool = False

    @property
    def length(self) -> int:
        return self.ids.longest

    def fits(self, tool_id: str) -> bool:
        return self.ids.takes(tool_id) and (not self.exact or len(tool_id) == self.length)


def id_rule(api: Api) -> IdRule:
    return IdRule(transport_for(api).tool_call_ids, api in _EXACT)


@dataclass(frozen=True, slots=True)
class ToolIds:
    """Wire id → canonical id, for those that differ."""

    canonical: Mapping[str, str] = field(default_factory=dict)

    def from_wire(self, wire_id: str) -> str:
        return self.canonical.get(wire_id, wire_id)


NO_IDS = ToolIds()


class IdAssigner:
    """Hands out one wire id for each call, in the order of the conversation."""

    def __init__(self, api: Api, known: Iterable[str]) -> None:
        """`known`: every id of the conversation, so that a new name never takes one that fits as it is."""
        self._rule = id_rule(api)
        self._reserved = {tool_id for tool_id in known if self._rule.fits(tool_id)}
        self._taken: set[str] = set()
        self._canonical: dict[str, str] = {}

    def assign(self, tool_id: str) -> str:
        """A second call with an id that was used before gets a name of its own."""
        if self._rule.fits(tool_id) and tool_id not in self._taken:
            self._taken.add(tool_id)
            return tool_id
        count = 0
        while (name := self._name(tool_id, count)) in self._taken or name in self._reserved:
            count += 1
        self._taken.add(name)
        self._canonical[name] = tool_id
        return name

    @property
    def ids(self) -> ToolIds:
        return ToolIds(dict(self._canonical))

    def _name(self, tool_id: str, count: int) -> str:
        digest = hashlib.sha256(f"{count}\0{tool_id}".encode(errors="surrogatepass")).digest()
        number = int.from_bytes(digest[:16], "big")
        if self._rule.exact:
            return _base62(number, self._rule.length)
        start = re.sub(r"[^A-Za-z0-9_-]", "_", tool_id.partition("|")[0])
        return f"{start[: self._rule.length - _DIGEST_LENGTH - 1]}_{_base62(number, _DIGEST_LENGTH)}"


def _base62(number: int, length: int) -> str:
    digits = []
    for _ in range(length):
        number, digit = divmod(number, len(_DIGITS))
        digits.append(_DIGITS[digit])
    return "".join(digits)
