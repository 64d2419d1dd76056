"""The matrix as a sheet of words, for csv and Markdown, and for the HTML page."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import TYPE_CHECKING

from model.quick_dataclass import dataclass
from model.vocabulary import CAPABILITIES
from tui.safe_text import safe_text

if TYPE_CHECKING:
    from model.requirements import Requirement
    from model.resolve import ResolvedModel, Stated
    from model.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class Entry:
    """One value, and who said so where that was asked for; safe to show."""

    value: str
    said_by: str = ""

    def __str__(self) -> str:
        return f"{self.value} ({self.said_by})" if self.said_by else self.value


@dataclass(frozen=True, slots=True)
class Sheet:
    """Headings and one row a model."""

    title: str
    headings: tuple[str, ...]
    rows: tuple[tuple[Entry, ...], ...]


def sheet(snapshot: Snapshot, requirement: Requirement | None, *, provenance: bool, prices: bool = False) -> Sheet:
    def columns_of(row: ResolvedModel) -> list[tuple[str, Entry]]:
        return [*_columns(row, provenance=provenance), *(_price(row) if prices else ())]

    columns = dict(columns_of(snapshot.matrix.rows[0])) if snapshot.matrix.rows else {}
    headings = (*columns, *((requirement.task, "reasons") if requirement else ()))
    rows = []
    for row in snapshot.matrix.rows:
        entries = [entry for _, entry in columns_of(row)]
        if requirement:
            verdict = snapshot.verdict(row, requirement)
            reasons = " ".join(str(reason) for reason in verdict.reasons)
            entries += [Entry(verdict.outcome.value), Entry(safe_text(reasons))]
        rows.append(tuple(entries))
    title = ", ".join(safe_text(file.name) for file in snapshot.files if not file.missing)
    return Sheet(title, tuple(map(safe_text, headings)), tuple(rows))


def _columns(row: ResolvedModel, *, provenance: bool) -> Iterator[tuple[str, Entry]]:
    provider = row.model.provider
    yield "provider_id", Entry(safe_text(row.ref.provider_id))
    yield "model_id", Entry(safe_text(row.ref.model_id))
    yield "display_name", Entry(safe_text(row.model.value(lambda each: each.display_name) or ""))
    yield "provider_kind", Entry(provider.kind.value if provider.kind else "")
    yield "api", Entry(provider.api.value)
    yield "local", Entry(_flag(provider.local))
    yield "enabled", Entry(_flag(row.enabled))
    for name in ("quality_tier", "cost_tier", "context_window_tokens", "max_output_tokens"):
        yield name, _stated(getattr(row, name), provenance=provenance)
    for capability in CAPABILITIES:
        said_by = row.decided_by(capability).value if provenance else ""
        yield capability.value, Entry(row.support(capability).value, said_by)


def _price(row: ResolvedModel) -> Iterator[tuple[str, Entry]]:
    from tui.prices import price_of_row

    price = price_of_row(row)
    yield "input_usd_per_million", Entry(str(price.input) if price else "")
    yield "output_usd_per_million", Entry(str(price.output) if price else "")
    yield "prices_from", Entry(f"{price.source} {price.as_of.date().isoformat()}" if price else "")


def _flag(flag: bool) -> str:
    return "true" if flag else "false"


def _stated(stated: Stated[object], *, provenance: bool) -> Entry:
    value = getattr(stated.value, "value", stated.value)
    return Entry("" if value is None else str(value), stated.layer.value if provenance else "")


def csv_text(sheet: Sheet) -> str:
    """RFC 4180; with provenance a second column a value. A cell that a spreadsheet would compute is kept as text."""
    told = [any(row[n].said_by for row in sheet.rows) for n in range(len(sheet.headings))]
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(
        [name for n, heading in enumerate(sheet.headings) for name in [heading, f"{heading}_from"][: 1 + told[n]]]
    )
    for row in sheet.rows:
        pairs = ([entry.value, entry.said_by][: 1 + told[n]] for n, entry in enumerate(row))
        writer.writerow([_no_formula(text) for pair in pairs for text in pair])
    return text.getvalue().rstrip("\n")


def _no_formula(text: str) -> str:
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t")) else text


def markdown(sheet: Sheet) -> str:
    rules = ["---"] * len(sheet.headings)
    rows = [sheet.headings, rules, *([str(entry) for entry in row] for row in sheet.rows)]
    return "\n".join("| " + " | ".join(_in_markdown(cell) for cell in row) + " |" for row in rows)


def _in_markdown(text: str) -> str:
    for character in "\\|`*_[]<>":
        text = text.replace(
            character, f"\\{character}" if character not in "<>" else f"&{'lt' if character == '<' else 'gt'};"
        )
    return text
