"""A conversion, an answer and what it took, in lines that both the command line and the screen show."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from tui.safe_text import safe_text

if TYPE_CHECKING:
    from decimal import Decimal

    from adapters.conversion import Converted
    from adapters.conversion.completion import Usage
    from adapters.errors import Failure
    from adapters.trial import Reading
    from model.contract import ProviderSwitchReport

NO_COST = "no cost: nobody was asked"
STEPS_SHOWN = 20
"""Changes of single blocks that are listed; JSON has them all."""


def prose(text: str) -> str:
    """Foreign text of many lines: line ends stay, tabs become blanks, everything else as `safe_text`."""
    lines = text.replace("\r\n", "\n").replace("\t", "    ").split("\n")
    return "\n".join(map(safe_text, lines))


def conversion_lines(converted: Converted) -> list[str]:
    """The report, then what changed, block by block."""
    report = converted.report
    lines = [f"conversion {report.status.value}"]
    lines += [f"  blocked  {safe_text(reason)}" for reason in converted.blocked]
    lines += [f"  lost     {word}" for word in report.omissions]
    lines += [f"  note     {word}" for word in report.warnings]
    if report.required_confirmation:
        lines.append("  to be confirmed: something asked for is left out, or work on code loses something")
    changes = [f"  {safe_text(str(step))}" for step in converted.changes]
    lines += changes[:STEPS_SHOWN]
    if len(changes) > STEPS_SHOWN:
        lines.append(f"  … and {len(changes) - STEPS_SHOWN} more changes")
    return lines


def switch_lines(reports: Sequence[ProviderSwitchReport]) -> Iterator[str]:
    """What moving the conversation changed, one line for each Api that its messages came from."""
    for report in reports:
        counts = report.model_dump(exclude={"from_api", "to_api"})
        changed = ", ".join(f"{name.replace('_', ' ')} {count}" for name, count in counts.items() if count)
        yield f"switch {report.from_api.value} → {report.to_api.value}: {changed or 'nothing changed'}"


def reading_words(reading: Reading, cost: str | None, *, offline: bool) -> list[str]:
    """Time to first token, rate, usage, cost (None = told elsewhere) and why the answer ended."""
    words = []
    if reading.first_token_seconds is not None:
        words.append(f"first token {reading.first_token_seconds:.2f} s")
    if reading.tokens_per_second is not None and not offline:
        words.append(f"{reading.tokens_per_second:.1f} tokens/s")
    words.append(f"{reading.seconds:.2f} s in all")
    words.append(usage_words(reading.usage))
    if cost is not None:
        words.append(NO_COST if offline else cost)
    if reading.completion and reading.ending.value == "done":
        words.append(f"ended: {reading.completion.stop_reason.value}")
    return words


def usage_words(usage: Usage) -> str:
    if usage.input_tokens is None and usage.output_tokens is None:
        return "tokens not counted"
    counts = f"{_count(usage.input_tokens)} tokens in, {_count(usage.output_tokens)} out"
    more = (("cached", usage.cache_read_tokens), ("thinking", usage.thinking_tokens))
    return counts + "".join(f", {count} {name}" for name, count in more if count)


def _count(count: int | None) -> str:
    return "?" if count is None else str(count)


def cost_words(cost: Decimal | None) -> str:
    """USD, exact enough for one answer: four digits that count."""
    if cost is None:
        return "cost not known"
    return "no charge: own server" if cost == 0 else f"${cost:.4g}" if cost >= 1 else f"${cost:.6f}".rstrip("0")


def failure_lines(failure: Failure) -> list[str]:
    """What happened, what to do, and what the provider said."""
    status = f"HTTP {failure.status}: " if failure.status else ""
    lines = [f"{status}{safe_text(failure.text)}", f"  {safe_text(failure.mend)}"]
    lines += [f"  the provider said: {safe_text(failure.said)}"] if failure.said else []
    if failure.retry_after_seconds is not None:
        lines.append(f"  it may be asked again in {failure.retry_after_seconds:.0f} s")
    return lines
