"""A ladder, a board and a simulation as text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from model.fallback import Effect, Rung, Standing
from model.fallback.simulation import size_name
from tui.cli.lines import aligned, tokens
from tui.safe_text import safe_text

if TYPE_CHECKING:
    from model.fallback import (
        Board,
        BoardRow,
        Candidate,
        ChainCapability,
        Coverage,
        Explorer,
        FallbackRecord,
        RungView,
        Simulation,
        TaskCoverage,
        Way,
    )
    from tui.cli.fallback_answer import Answer
    from tui.cli.output import Output

SHOWN = 8
"""Candidates of one rung that are printed; JSON has them all."""
_MARKS = {Standing.TAKEN: "●", Standing.READY: "○", Standing.PASSED_OVER: "·"}
_COLOURS = {Standing.TAKEN: "green", Standing.READY: "cyan", Standing.PASSED_OVER: ""}


# -- the ladder -------------------------------------------------------------------------------------------------------
def print_ladder(out: Output, answer: Answer) -> None:
    ladder = answer.ladder
    down = f"  down: {ladder.outage}" if ladder.outage else ""
    out.line(
        f"{out.style(safe_text(ladder.task), bold=True)}  {safe_text(str(ladder.original))}  {ladder.failure.value}"
        f"{safe_text(down)}"
    )
    for view in ladder.rungs:
        if view.candidates or view.rung is not Rung.CONFIGURED:
            _print_rung(out, view)
    out.line()
    if ladder.record:
        _print_record(out, ladder.record)
    else:
        out.line(out.style("blocked", fg="red", bold=True))
    _print_rest(out, answer)


def _print_rung(out: Output, view: RungView) -> None:
    word = "open" if view.open else "closed"
    if view.rung is Rung.ASK:
        word = "here" if view.open else "not reached"
    out.line(f"  {view.rung.value}  {out.style(word, fg='' if view.open else 'yellow')}  {safe_text(view.why)}")
    for candidate in view.candidates[:SHOWN]:
        _print_candidate(out, candidate)
    if len(view.candidates) > SHOWN:
        out.line(f"       … and {len(view.candidates) - SHOWN} more (--json has them all)")


def _print_candidate(out: Output, candidate: Candidate) -> None:
    mark = out.style(_MARKS[candidate.standing], fg=_COLOURS[candidate.standing])
    told = "; ".join([*(f"{why}: {why.text}" for why in candidate.reasons), *_asked(candidate)])
    if not told and candidate.taken:
        told = "takes over"
    told += f"  (warns {' '.join(map(str, candidate.warnings))})" if candidate.warnings else ""
    out.line(f"     {mark} {safe_text(candidate.name)}  {safe_text(told)}".rstrip())
    for note in filter(None, [*candidate.notes, candidate.first_token_words]):
        out.line(f"         {safe_text(note)}")


def _asked(candidate: Candidate) -> Iterator[str]:
    if candidate.standing is not Standing.PASSED_OVER:
        yield from (f"needs a confirmation: {question}" for question in candidate.questions)


def _print_record(out: Output, record: FallbackRecord) -> None:
    out.line(
        f"{out.style('selected', fg='green', bold=True)}  {safe_text(str(record.selected))}  "
        f"rung {record.rung.value}, {record.rung.title}"
    )
    if record.required_confirmation:
        out.line(f"  {out.style('needs a confirmation', fg='yellow', bold=True)}")
    for text in _changes(record):
        out.line(f"  {safe_text(text)}")


def _changes(record: FallbackRecord) -> Iterator[str]:
    yield from record.differences.words()
    if record.price:
        yield f"price per million tokens: {record.price}"
    report = record.conversion
    yield f"conversion {report.status.value}" + _more(report.omissions + report.warnings)
    yield from (f"a request that needs it is refused: {why}" for why in report.blocked)
    if record.switch:
        yield f"the conversation so far: {', '.join(record.switch)}"
    if record.tools_lost:
        yield f"tools lost: {', '.join(record.tools_lost)}"


def _more(words: Sequence[str]) -> str:
    return f": {', '.join(words)}" if words else ""


def _print_rest(out: Output, answer: Answer) -> None:
    steps = answer.chain.steps
    if steps:
        refs = [f"{step.ref} (asks)" if step.required_confirmation else str(step.ref) for step in steps]
        out.line(f"{out.style('chain', bold=True)}  {safe_text(' → '.join([*refs, 'nobody']))}")
        if any(answer.first_tokens):
            times = (str(each or "not observed") for each in answer.first_tokens)
            out.line(f"  first token, from the original on: {' → '.join(times)}")
        for text in capability_words(answer.capability):
            out.line(f"  {text}")
    _print_ways(out, answer.ways)


def capability_words(capability: ChainCapability) -> Iterator[str]:
    yield f"every member: {', '.join(capability.every_member) or 'nothing'}"
    if capability.every_emulated:
        yield f"every member, some only emulated: {', '.join(capability.every_emulated)}"
    if capability.some_only:
        yield f"some members only: {', '.join(capability.some_only)}"
    yield f"windows {tokens(capability.least_window)} to {tokens(capability.largest_window)}"


def _print_ways(out: Output, ways: Iterable[Way]) -> None:
    listed = list(ways)
    if listed:
        out.line(out.style("what would unblock the end of it", bold=True))
    for way in listed:
        out.line(f"  {safe_text(way.title)}")


# -- the board --------------------------------------------------------------------------------------------------------
def print_board(out: Output, explorer: Explorer, board: Board) -> None:
    out.line(f"down: {safe_text(str(board.outage))}" if board.outage else "nothing is down")
    table = [[row.task, _now(row), _then(row)] for row in board.rows]
    for line, row in zip(aligned([[safe_text(cell) for cell in cells] for cells in table]), board.rows, strict=True):
        out.line(out.style(line, fg="red") if row.blocked else line)
    for row in board.rows:
        if row.blocked:
            _print_near(out, explorer, board, row)


def _now(row: BoardRow) -> str:
    if row.now is None:
        return "nobody" + (f" (was {row.start})" if row.start else "")
    asks = " (needs a confirmation)" if row.required_confirmation else ""
    return f"{row.now}{asks}" + ("" if row.now == row.start else f" for {row.start}")


def _then(row: BoardRow) -> str:
    if row.now is None:
        return ""
    if not row.chain:
        return "then nobody"
    more = f" and {len(row.chain) - 1} more" if len(row.chain) > 1 else ""
    return f"then {row.chain[0].ref}{more}"


def _print_near(out: Output, explorer: Explorer, board: Board, row: BoardRow) -> None:
    """What would save a task that is lost."""
    from model.fallback import explained, ways_in, ways_out

    if row.start is None:
        ways = ways_in(explorer.snapshot, row.task, limit=3)
    else:
        question = explorer.question(row.task, row.start, row.failure, board.outage)
        ways = ways_out(explorer.snapshot, explained(explorer, question), limit=3)
    out.line(f"{safe_text(row.task)} would be saved by")
    for way in ways:
        out.line(f"  {safe_text(way.title)}")


# -- the simulation ---------------------------------------------------------------------------------------------------
_GLYPHS = {Effect.UNTOUCHED: "·", Effect.COVERED: "✓", Effect.ASKS: "?", Effect.BLOCKS: "✗", Effect.DEAD: " "}
"""One glyph an effect, as on the screen."""


def print_simulation(out: Output, found: Simulation, heat: Coverage) -> None:
    out.line(f"{found.outages} outages of {len(found.providers)} providers: {found.total} still have a safe answer")
    for size, share in found.by_size.items():
        out.line(f"  {size_name(size)}  {share}  ({share.safe} of {share.cases})")
    out.line()
    table = [
        [
            f"  {safe_text(each.task)}",
            str(found.by_task[each.task]),
            "".join(_GLYPHS[effect] for effect in each.effects),
            safe_text(_weakness(each)),
        ]
        for each in heat.tasks
    ]
    for line in aligned(table, right={1}):
        out.line(line)
    out.line()
    out.line(f"  one column a provider: {safe_text(', '.join(heat.providers))}")
    out.line("  if it is down: · not concerned  ✓ somebody takes over  ? only after a confirmation  ✗ nobody does")


def _weakness(each: TaskCoverage) -> str:
    if each.dead:
        return "nobody does it anyway"
    if each.single_model:
        return f"hangs on {each.single_model} alone"
    if each.single_provider:
        return f"hangs on {each.single_provider} alone"
    if each.single_endpoint:
        return f"hangs on the endpoint {each.single_endpoint} alone"
    return f"{each.tolerates} of {len(each.providers)} may fail"
