"""A request's settings on their way to a target: what each Api calls them, and which it has not."""

from __future__ import annotations

from typing import Any

from adapters.conversion.canonical import CanonicalRequest
from adapters.conversion.prepared import Prepared
from adapters.conversion.steps import REQUEST, Action, Ledger
from model.conversion import Caution, Omission, Word

OPENAI_STOP_SEQUENCES = 4


def drop(ledger: Ledger, name: str, word: Word, detail: str = "") -> None:
    ledger.note(REQUEST, name, Action.DROPPED, word, detail)


def sampling(request: CanonicalRequest, names: tuple[str, ...], ledger: Ledger) -> dict[str, Any]:
    """temperature, top_p, top_k: those in `names` go over; of the others only a default is no loss."""
    given = {"temperature": request.temperature, "top_p": request.top_p, "top_k": request.top_k}
    for name, value in given.items():
        if value is not None and name not in names:
            default = name != "top_k" and value == 1
            drop(ledger, name, Caution.DEFAULTS_LEFT_OUT if default else Omission.SAMPLING_DROPPED)
    return {name: value for name, value in given.items() if value is not None and name in names}


def stops(request: CanonicalRequest, most: int | None, ledger: Ledger) -> list[str]:
    if most is not None and len(request.stop_sequences) > most:
        drop(ledger, "stop_sequences", Omission.STOP_SEQUENCES_DROPPED, f"only the first {most} are taken")
    return list(request.stop_sequences[:most])


def foreign_settings(prepared: Prepared, ledger: Ledger) -> None:
    """Top-level keys that only Anthropic's own Api knows."""
    request = prepared.request
    for name in request.extra:
        drop(ledger, name, Omission.UNKNOWN_SETTINGS_DROPPED)
    if request.cache is not None:
        drop(ledger, "cache_control", Caution.CACHE_MARKS_IGNORED)
    for name in request.metadata:
        if name != "user_id":
            drop(ledger, "metadata", Caution.METADATA_LEFT_OUT, name)


def wants_thinking(request: CanonicalRequest) -> bool | None:
    """Whether the request switches thinking on or off; None where it leaves that to the model."""
    if request.thinking is None:
        return None
    return request.thinking.get("type") != "disabled"


def user_id(request: CanonicalRequest) -> str | None:
    value = request.metadata.get("user_id")
    return value if isinstance(value, str) else None
