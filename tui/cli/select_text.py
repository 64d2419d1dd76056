"""A selection as text: the ranking with its keys, near misses with their one clause, the rest with all reasons."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tui.cli.lines import aligned, tokens
from tui.cli.shapes_select import failing
from tui.safe_text import safe_text

if TYPE_CHECKING:
    from model.config.rows import Alternative
    from model.judge import Verdict
    from model.ranking import RankingKeys
    from model.requirements import Requirement
    from model.resolve import ResolvedModel
    from model.snapshot import Snapshot
    from tui.cli.output import Output

_Misses = Sequence[tuple["ResolvedModel", "Verdict"]]


def print_selection(out: Output, snapshot: Snapshot, requirement: Requirement) -> None:
    out.line(f"{out.style(safe_text(requirement.task), bold=True)}  {safe_text(describe(requirement))}")
    passing = list(snapshot.ranked(requirement))
    _print_passing(out, snapshot, requirement, passing)
    misses = failing(snapshot, requirement)
    _print_near(out, [pair for pair in misses if pair[1].near_miss])
    _print_failing(out, [pair for pair in misses if not pair[1].near_miss])


def describe(requirement: Requirement) -> str:
    """A requirement as one line."""
    parts = [
        _words("needs", requirement.required),
        _words("not", requirement.forbidden),
        " or ".join(_way(way) for way in requirement.any_of),
        f"floor {requirement.min_quality_tier}" if requirement.min_quality_tier else "",
        f"cost at most {requirement.max_cost_tier}" if requirement.max_cost_tier else "",
        f"window from {tokens(requirement.min_context_window_tokens)}" if requirement.min_context_window_tokens else "",
        _words("tools", requirement.tools),
        _words(
            "prefers", [*([requirement.preferred_tier] if requirement.preferred_tier else []), *requirement.preferred]
        ),
        _words("rather not", requirement.avoided),
        "lossy conversion allowed" if requirement.allow_lossy_conversion else "",
    ]
    return " · ".join(part for part in parts if part) or "asks for nothing"


def _words(title: str, words: object) -> str:
    listed = ", ".join(map(str, words))  # type: ignore[call-overload]  # any collection of words
    return f"{title} {listed}" if listed else ""


def _way(way: Alternative) -> str:
    parts = [*map(str, way.required), *(f"no {each}" for each in way.forbidden)]
    if way.min_context_window_tokens:
        parts.append(f"a window from {tokens(way.min_context_window_tokens)}")
    return " and ".join(parts)


def _print_passing(out: Output, snapshot: Snapshot, requirement: Requirement, passing: Sequence[ResolvedModel]) -> None:
    out.line()
    out.line(_heading(out, "pass", len(passing), "green"))
    table = [
        [
            f"  {rank}",
            _name(row),
            *_key_words(row, snapshot.ranking_keys(row, requirement)),
            _warnings(snapshot, requirement, row),
        ]
        for rank, row in enumerate(passing, start=1)
    ]
    for line in aligned(table, right={0}):
        out.line(line)


def _name(row: ResolvedModel) -> str:
    return safe_text(str(row.ref))


def _key_words(row: ResolvedModel, keys: RankingKeys) -> list[str]:
    """The ranking keys, in the order in which they decide."""
    return [
        "lossy" if keys.lossy else "pass",
        "default" if keys.role_default else "",
        f"preferred {keys.preferred}",
        f"{row.quality_tier.value} +{keys.tier_distance}",
        f"cost {keys.cost}",
        f"score {keys.score:.0f}",
    ]


def _warnings(snapshot: Snapshot, requirement: Requirement, row: ResolvedModel) -> str:
    warnings = snapshot.verdict(row, requirement).warnings
    return safe_text("warns " + " ".join(map(str, warnings))) if warnings else ""


def _print_near(out: Output, misses: _Misses) -> None:
    if not misses:
        return
    out.line()
    out.line(_heading(out, "near misses", len(misses), "yellow"))
    table = [[f"  {_name(row)}", str(verdict.reasons[0]), verdict.reasons[0].text] for row, verdict in misses]
    for line in aligned([[safe_text(cell) for cell in row] for row in table]):
        out.line(line)


def _print_failing(out: Output, misses: _Misses) -> None:
    if not misses:
        return
    out.line()
    out.line(_heading(out, "fail", len(misses), "red"))
    for row, verdict in misses:
        out.line(f"  {_name(row)}")
        for line in aligned([[f"    {safe_text(str(each))}", safe_text(each.text)] for each in verdict.reasons]):
            out.line(line)


def _heading(out: Output, word: str, count: int, colour: str) -> str:
    return f"{out.style(word, fg=colour, bold=True)}  {count}"
