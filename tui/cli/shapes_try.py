"""The JSON of a trial: one row under the command's own name (CLI.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tui.cli.shapes import files_shape
from tui.cli.shapes_convert import report_shape

if TYPE_CHECKING:
    from adapters.conversion.completion import Usage
    from tui.cli.try_ import Trial


def try_shape(trial: Trial, text: str) -> dict[str, Any]:
    """Times in seconds; `cost_usd` is text, since it is exact; null = not known."""
    reading, cost = trial.reading, trial.cost
    row = {
        "ref": str(trial.row.ref),
        "outcome": reading.ending.value,
        "offline": trial.offline,
        "text": text,
        "content": reading.completion.to_json()["content"] if reading.completion else [],
        "stop_reason": reading.completion.stop_reason.value if reading.completion else None,
        "usage": usage_shape(reading.usage),
        "cost_usd": None if cost is None else f"{cost:f}",
        "first_token_seconds": reading.first_token_seconds,
        "tokens_per_second": reading.tokens_per_second,
        "seconds": reading.seconds,
        **report_shape(trial.converted),
    }
    return {"files": files_shape(trial.snapshot), "try": [row]}


def usage_shape(usage: Usage) -> dict[str, int | None]:
    """Tokens as the provider counted them."""
    return {
        "input_tokens": usage.input_tokens,
        "output_tokens": usage.output_tokens,
        "cache_read_tokens": usage.cache_read_tokens,
        "cache_written_tokens": usage.cache_written_tokens,
        "thinking_tokens": usage.thinking_tokens,
    }
