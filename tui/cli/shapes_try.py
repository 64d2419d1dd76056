"""The JSON of a trial: one row under the command's own name (CLI.md)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tui.cli.shapes import files_shape
from tui.cli.shapes_convert import report_shape

if TYPE_CHECKING:
    from decimal import Decimal

    from adapters.attempts import Attempt
    from adapters.conversion.completion import Usage
    from adapters.json_answers import JsonVerdict
    from tui.cli.try_ import Trial


def try_shape(trial: Trial, texts: Sequence[str]) -> dict[str, Any]:
    """`usage`, `cost_usd` and `seconds` are of all attempts, the rest of the last; `outcome` is that of the whole."""
    conducted = trial.conducted
    row = {
        "ref": str(trial.row.ref),
        "offline": trial.offline,
        **_attempt_shape(trial, conducted.last, texts[-1]),
        "outcome": conducted.ending.value,
        "usage": usage_shape(conducted.usage),
        "cost_usd": _exact(trial.cost_of(*conducted.attempts)),
        "seconds": conducted.seconds,
        "json": _json_shape(trial),
        "attempts": [
            {**_attempt_shape(trial, each, text), "verdict": verdict_shape(each.verdict) if each.verdict else None}
            for each, text in zip(conducted.attempts, texts, strict=True)
        ],
    }
    return {"files": files_shape(trial.snapshot), "try": [row]}


def _attempt_shape(trial: Trial, attempt: Attempt, text: str) -> dict[str, Any]:
    """Times in seconds; `cost_usd` is text, since it is exact; null = not known."""
    reading = attempt.reading
    failure = reading.failure
    return {
        "outcome": reading.ending.value,
        "text": text,
        "content": reading.completion.to_json()["content"] if reading.completion else [],
        "stop_reason": reading.completion.stop_reason.value if reading.completion else None,
        "usage": usage_shape(reading.usage),
        "cost_usd": _exact(trial.cost_of(attempt)),
        "first_token_seconds": reading.first_token_seconds,
        "tokens_per_second": reading.tokens_per_second,
        "seconds": reading.seconds,
        "failure": {"code": failure.kind.value, "message": str(failure)} if failure else None,
        **report_shape(attempt.converted),
    }


def _json_shape(trial: Trial) -> dict[str, Any] | None:
    """null where any text would do. `verdict` is of the last answer that came whole, null where none did."""
    from adapters.conversion.answers import asked_level

    conducted = trial.conducted
    asked = conducted.last.converted.request.answer
    if asked is None:
        return None
    return {
        "asked": "object" if asked.schema is None else "schema",
        "level": asked_level(asked, trial.target).value,
        "attempts": len(conducted.attempts),
        "verdict": verdict_shape(conducted.verdict) if conducted.verdict else None,
    }


def verdict_shape(verdict: JsonVerdict) -> dict[str, Any]:
    """`value` is null where there is no JSON; a `path` is a JSONPath into it, and null where none can be named."""
    return {
        "valid": verdict.is_valid,
        "outcome": verdict.outcome.value,
        "found": verdict.found.value if verdict.found else None,
        "value": verdict.value,
        "errors": [
            {"path": error.path or None, "clause": error.clause or None, "why": error.why} for error in verdict.errors
        ],
    }


def _exact(cost: Decimal | None) -> str | None:
    return None if cost is None else f"{cost:f}"


def usage_shape(usage: Usage) -> dict[str, int | None]:
    """Tokens as the provider counted them."""
    return {
        "input_tokens": usage.input_tokens,
        "output_tokens": usage.output_tokens,
        "cache_read_tokens": usage.cache_read_tokens,
        "cache_written_tokens": usage.cache_written_tokens,
        "thinking_tokens": usage.thinking_tokens,
    }
