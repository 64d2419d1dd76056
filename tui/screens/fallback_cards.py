"""The cards of the fallback pane: a step's gains and losses, a chain walked to its end, a simulation."""

from __future__ import annotations

from model.fallback import (
    Explorer,
    Failure,
    FallbackRecord,
    Ladder,
    Outage,
    compare_simulations,
    simulate,
)
from model.fallback.simulation import size_name
from model.fallback.walking import capability_of, ladder_at, records_of
from model.model_ref import ModelRef
from model.snapshot import Snapshot
from tui.safe_text import safe_text
from tui.screens.card import Line


def record_lines(record: FallbackRecord) -> list[str]:
    """What is lost and gained from the original to the one that takes over."""
    lines = list(record.differences.words())
    lines += [str(word) for word in record.switch]
    if record.tools_lost:
        lines.append(f"tools lost: {', '.join(record.tools_lost)}")
    lines.append(f"conversion: {record.conversion.status.value}")
    if record.price:
        lines.append(f"price per million tokens: {record.price}")
    if record.required_confirmation:
        lines.append("asks for confirmation first")
    return lines


def record_card(record: FallbackRecord) -> tuple[str, list[Line]]:
    lines: list[Line] = [safe_text(record.reason), *map(safe_text, record_lines(record))]
    return safe_text(f"{record.original} → {record.selected}"), lines


def chain_card(
    explorer: Explorer, task: str, start: ModelRef, failure: Failure, outage: Outage
) -> tuple[str, list[Line]]:
    """The chain walked to its end: each step with its losses, what all members carry, where it blocks."""
    chain = explorer.walk(task, start, failure, outage)
    lines: list[Line] = []
    for number, record in enumerate(records_of(explorer, chain), 1):
        lines.append(safe_text(f"{number}. {record.selected}  (rung {record.rung.value}: {record.rung.title})"))
        lines += [safe_text(f"     {line}") for line in record_lines(record)]
    lines.append(f"{len(chain.steps) + 1}. block and ask")
    common = capability_of(explorer, chain)
    every = ", ".join(each.value for each in common.every_member) or "nothing"
    some = ", ".join(each.value for each in common.some_only) or "nothing"
    lines += ["", f"every member supports {every}", f"only some support {some}"]
    if common.least_window:
        lines.append(f"the smallest window is {common.least_window:,} tokens")
    return safe_text(f"{task}: {start} fails ({failure.value})"), lines


def last_ladder(explorer: Explorer, task: str, start: ModelRef, failure: Failure, outage: Outage) -> Ladder:
    """The ladder that blocks, at the end of the chain."""
    chain = explorer.walk(task, start, failure, outage)
    return ladder_at(explorer, chain, len(chain.steps))


def way_to_the_end(explorer: Explorer, task: str, start: ModelRef, failure: Failure, outage: Outage) -> str:
    """Who takes over one after the other until it blocks, in a sentence."""
    steps = [str(step.ref) for step in explorer.walk(task, start, failure, outage).steps]
    if not steps:
        return f"If {start} fails, nobody takes over."
    return f"If {start} fails, {', then '.join(steps)} would do; only after that it blocks."


def simulation_card(saved: Snapshot | None, now: Snapshot) -> tuple[str, list[Line]]:
    """Every single and double outage: how many tasks still have a safe answer, and what the pending edits change."""
    after = simulate(now)
    lines: list[Line] = [f"{size_name(size):<18} {share}" for size, share in after.by_size.items()]
    lines += ["", *(safe_text(f"{task:<24} {share}") for task, share in after.by_task.items())]
    if saved is not None:
        changes = compare_simulations(simulate(saved), after)
        lines += ["", "the unsaved edits change:", *(safe_text(f"  {change}") for change in changes)]
        if not changes:
            lines.append("  nothing")
    return f"{after.outages} outages of {len(after.providers)} providers: how many tasks go on", lines
