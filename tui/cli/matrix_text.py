"""The matrix as columns of text, as wide as the terminal allows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from model.config.fields import SUPPORTS
from model.counts import counts, policy_words
from model.quick_dataclass import dataclass
from model.vocabulary import CAPABILITIES, Capability, Layer
from tui.cli.lines import COLOURS, DISAGREE, GLYPHS, pad, tokens, width
from tui.key_words import key_words
from tui.safe_text import safe_text

if TYPE_CHECKING:
    from model.config.merge import Provider
    from model.judge import Verdict
    from model.requirements import Requirement
    from model.resolve import ResolvedModel, Stated
    from model.snapshot import Snapshot
    from tui.cli.output import Output

_LONGEST_REF = 40
_C = Capability
_LEAST_MISSED_LAST = (
    _C.BATCH, _C.AUDIO_OUTPUT, _C.AUDIO_INPUT, _C.COMPUTER_USE, _C.TEXT_OUTPUT, _C.TEXT_INPUT, _C.SYSTEM_PROMPT,
    _C.IMAGE_OUTPUT, _C.FILE_INPUT, _C.STREAMING, _C.LONG_CONTEXT, _C.PARALLEL_TOOL_USE, _C.JSON_MODE,
)  # fmt: skip
"""Which columns give way first on a narrow terminal."""
_LETTERS = {
    Layer.FILE: "f",
    Layer.PROJECT: "p",
    Layer.GLOBAL: "g",
    Layer.CATALOG: "c",
    Layer.KIND_DEFAULT: "k",
    Layer.DERIVED: "d",
    Layer.TRANSPORT: "t",
    Layer.NOBODY: " ",
}
_SAID_BY = "said by: f file, p project, g global, c catalog, k any model of the kind, d derived, t transport"


@dataclass(frozen=True, slots=True)
class Cell:
    """A text to be padded first and coloured then."""

    text: str
    colour: str | None = None
    bold: bool = False


def print_matrix(
    out: Output, snapshot: Snapshot, requirement: Requirement | None, *, provenance: bool, prices: bool = False
) -> None:
    shown = _that_fit(out.columns, snapshot, provenance, prices)
    verdicts = {row.ref: snapshot.verdict(row, requirement) for row in snapshot.matrix.rows} if requirement else {}
    table = [_headings(shown, requirement, prices)]
    for row in snapshot.matrix.rows:
        table.append(_cells(row, shown, verdicts.get(row.ref), provenance=provenance, prices=prices))
    lines = _laid_out(out, table)
    out.line(lines[0])
    provider = None
    for row, line in zip(snapshot.matrix.rows, lines[1:], strict=True):
        if row.model.provider is not provider:
            provider = row.model.provider
            out.line(_provider_line(out, provider, snapshot))
        out.line(line)
    _print_legend(out, snapshot, shown, provenance=provenance)
    if prices:
        out.line(_dated(snapshot))


def _dated(snapshot: Snapshot) -> str:
    """Whose prices they are."""
    from tui.prices import price_of_row

    found = next((price for row in snapshot.matrix.rows if (price := price_of_row(row))), None)
    if found is None:
        return "no price is known for any of these models"
    return f"prices: USD per million tokens in and out, {found.source}, {found.as_of.date().isoformat()}"


def _that_fit(room: int | None, snapshot: Snapshot, provenance: bool, prices: bool) -> list[Capability]:
    shown = list(CAPABILITIES)
    if room is None:
        return shown
    names = max((width(_name(row)) for row in snapshot.matrix.rows), default=0)
    fixed, each = names + 2 + 26 + (14 if prices else 0), 7 if provenance else 6
    for capability in _LEAST_MISSED_LAST:
        if fixed + each * len(shown) <= room:
            break
        shown.remove(capability)
    return shown


def _name(row: ResolvedModel) -> str:
    return safe_text(row.ref.model_id, limit=_LONGEST_REF)


def _headings(shown: Sequence[Capability], requirement: Requirement | None, prices: bool) -> list[Cell]:
    words = [
        "  model",
        "qual",
        "$",
        *(["$in", "$out"] if prices else []),
        "ctx",
        "out",
        *(SUPPORTS[each.value].short for each in shown),
    ]
    if requirement:
        words.append(safe_text(requirement.task))
    return [Cell(word, bold=True) for word in words]


def _cells(
    row: ResolvedModel, shown: Iterable[Capability], verdict: Verdict | None, *, provenance: bool, prices: bool
) -> list[Cell]:
    def told(text: str, stated: Stated[Any]) -> str:
        return text + _LETTERS[stated.layer] if provenance else text

    cells = [
        Cell(f"  {_name(row)}" + ("" if row.enabled else " (off)")),
        Cell(told(row.quality_tier.value.value, row.quality_tier)),
        Cell(told(row.cost_tier.value.value, row.cost_tier)),
        *(_price(row) if prices else ()),
        Cell(told(tokens(row.context_window_tokens.value), row.context_window_tokens)),
        Cell(told(tokens(row.max_output_tokens.value), row.max_output_tokens)),
        *(_support(row, capability, provenance=provenance) for capability in shown),
    ]
    return [*cells, _verdict(verdict)] if verdict else cells


def _price(row: ResolvedModel) -> tuple[Cell, Cell]:
    from tui.prices import price_of_row, usd

    price = price_of_row(row)
    return (Cell(usd(price.input)), Cell(usd(price.output))) if price else (Cell("?"), Cell("?"))


def _support(row: ResolvedModel, capability: Capability, *, provenance: bool) -> Cell:
    support = row.support(capability)
    text = GLYPHS[support] + (_LETTERS[row.decided_by(capability)] if provenance else "")
    return Cell(text + DISAGREE if capability in row.contradicted else text, COLOURS[support])


def _verdict(verdict: Verdict) -> Cell:
    if verdict.passes:
        return Cell(verdict.outcome.value, "green")
    reasons = " ".join(str(reason) for reason in verdict.reasons)
    return Cell(f"{'near' if verdict.near_miss else 'fail'}  {safe_text(reasons)}", "red")


def _laid_out(out: Output, table: Sequence[Sequence[Cell]]) -> list[str]:
    widths = [max(width(cell.text) for cell in column) for column in zip(*table, strict=True)]
    return [
        "  ".join(
            out.style(pad(cell.text, cells), fg=cell.colour, bold=cell.bold or None)
            for cell, cells in zip(row, widths, strict=True)
        ).rstrip()
        for row in table
    ]


def _provider_line(out: Output, provider: Provider, snapshot: Snapshot) -> str:
    kind = provider.kind.value if provider.kind else "kind not stated"
    key = key_words(snapshot, provider)
    off = "" if provider.enabled else "  switched off"
    off += "  not trusted" if provider.provider_id in snapshot.given.untrusted else ""
    return f"{out.style(provider.provider_id, bold=True)}  {kind}  {key}{off}"


def _print_legend(out: Output, snapshot: Snapshot, shown: Sequence[Capability], *, provenance: bool) -> None:
    glyphs = "  ".join(f"{glyph} {_MEANS[support.value]}" for support, glyph in GLYPHS.items())
    out.line()
    out.line(f"{len(snapshot.matrix.rows)} models   {glyphs}  {DISAGREE} sources disagree")
    found = counts(snapshot)
    out.line(
        f"{found.contradicted:,} cells on which sources disagree, {found.not_stated:,} not stated;"
        f" {policy_words(snapshot, found)}"
    )
    if provenance:
        out.line(_SAID_BY)
    if hidden := len(CAPABILITIES) - len(shown):
        out.line(f"{hidden} capabilities do not fit here; a wider terminal, a file or --json has them all")


_MEANS = {"yes": "yes", "emulated": "emulated", "no": "no", "unknown": "not stated"}
